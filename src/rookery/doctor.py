"""What is here, what is missing, and how fast it goes: what every question for help begins with."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rookery import bench, games, native

ENGINES = (
    "stockfish",
    "lc0",
    "fairymax",
    "gnuchess",
    "crafty",
    "phalanx",
    "toga2",
    "gnugo",
    "pachi",
    "katago",
)
"""External programs that players of Rookery may be measured against."""
_FEATURES = ("popcnt", "bmi2", "avx2", "avx512f", "avx512bw", "avx512_vnni", "amx_int8", "asimd")
_LEVEL_MODULE = {level: "_" + level.replace("-", "_") for level in native.LEVELS}


def examine(seconds: float = 0.1) -> dict[str, Any]:
    """Everything there is to say, as one JSON document. `seconds` is the time for each sample of speed."""
    found: dict[str, Any] = {
        "rookery": version("rookery"),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "native": {
            "level": native.level,
            "build": native.build,
            "runs": native.best(),
            "built": [level for level, name in _LEVEL_MODULE.items() if find_spec(f"rookery.native.{name}")],
        },
        "cpu": _cpu(),
        "gpus": _gpus(),
        "extras": _extras(),
        "engines": {name: path for name in ENGINES if (path := _program(name))},
        "games": games.names(),
        "speeds": {r.name: round(r.value) for r in bench.run(["perft/chess", "playouts/chess"], seconds)},
    }
    return found | {"warnings": _warnings(found)}


def _warnings(found: dict[str, Any]) -> list[str]:
    built = found["native"]
    warnings = []
    if built["build"] != "Release":
        warnings.append(
            f"this is a {built['build']} build: many times slower than Release; reinstall to mend it"
        )
    if built["level"] != built["runs"]:
        why = "ROOKERY_LEVEL asks for it" if built["runs"] in built["built"] else "no better one is built"
        warnings.append(f"the {built['level']} core runs where {built['runs']} could: {why}")
    return warnings


def _cpu() -> dict[str, Any]:
    text = ""
    if (info := Path("/proc/cpuinfo")).exists():
        text = info.read_text(errors="replace")
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", text, re.MULTILINE)
    known = set(flags[1].split()) if flags else set()
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "model": model[1] if model else platform.processor() or platform.machine(),
        "cores": usable,
        "features": [name for name in _FEATURES if name in known],
    }


def _gpus() -> list[str]:
    """What nvidia-smi lists, if it is there and answers."""
    if not (program := shutil.which("nvidia-smi")):
        return []
    query = [program, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    try:
        answer = subprocess.run(query, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return answer.stdout.strip().splitlines()


def _extras() -> dict[str, dict[str, str | None]]:
    """The version of every package that an extra of Rookery asks for; None where it is not installed."""
    extras: dict[str, dict[str, str | None]] = {}
    for line in requires("rookery") or ():
        asked = re.match(r"""([\w.-]+).*;\s*extra == ['"](\w+)['"]""", line)
        if asked and asked[1] != "rookery" and asked[2] != "dev":
            extras.setdefault(asked[2], {})[asked[1]] = _version(asked[1])
    return extras


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _program(name: str) -> str | None:
    """Where a program is; Debian keeps games where not every PATH looks."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


def lines(found: dict[str, Any]) -> list[tuple[str, str]]:
    """The same for people: what, and what of it."""
    built, cpu = found["native"], found["cpu"]
    core = f"{built['build']} build for {built['level']} (of {', '.join(built['built'])})"
    told = [
        ("rookery", f"{found['rookery']} with Python {found['python']}, numpy {found['numpy']}"),
        ("system", found["system"]),
        ("core", f"{core}; this processor runs {built['runs']}"),
        ("processor", f"{cpu['model']}, {cpu['cores']} cores, {' '.join(cpu['features'])}"),
    ]
    told += [("gpu", gpu) for gpu in found["gpus"] or ["none that nvidia-smi knows"]]
    told.append(("games", " ".join(found["games"])))
    for extra, packages in found["extras"].items():
        have = ", ".join(f"{name} {version}" for name, version in packages.items() if version)
        lack = ", ".join(name for name, version in packages.items() if not version)
        hint = f"missing {lack}: pip install 'rookery[{extra}]'" if lack else ""
        told.append((f"extra {extra}", "; ".join(part for part in (have, hint) if part)))
    engines = [f"{name} ({path})" for name, path in found["engines"].items()]
    told.append(("engines", ", ".join(engines) or "none found"))
    told += [(f"speed {name}", f"{speed:,} {bench.unit(name)}") for name, speed in found["speeds"].items()]
    return told
