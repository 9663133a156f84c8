"""Gets the peers: Python packages into an environment of their own, and chess programs from Debian."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from contestant import Unmeasured

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / ".venv-peers"
PACKAGES = {
    "open_spiel": "open_spiel",
    "bulletchess": "bulletchess",
    "chess": "chess",
    "rust_pgn_reader": "rust-pgn-reader-python-binding",
}
"""The package of each peer."""
BINARY = "open_spiel,bulletchess,rust-pgn-reader-python-binding"
# bulletchess needs 3.13; a newer Python may lack wheels of the others, an older one lacks bulletchess.
VERSIONS = (13, 14, 15, 12, 11)


def pythons() -> Iterator[str]:
    """Every command that may be a Python, best first: on the path, then as pyenv lays them out."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    for minor in VERSIONS:
        if found := shutil.which(f"python3.{minor}"):
            yield found
        yield from map(str, sorted(pyenv.glob(f"versions/3.{minor}.*/bin/python3"), reverse=True))


def _works(python: str) -> bool:
    # pyenv leaves commands on the path for versions that are switched off; those only print a complaint.
    return subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0


def packages(say: Callable[[str], None]) -> tuple[str, dict[str, str]]:
    """The Python that has the peers' packages, and why it lacks those that could not be installed.

    Raises:
        Unmeasured: there is no Python to install them for.
    """
    if given := os.environ.get("ROOKERY_PEERS_PYTHON"):
        return given, {}
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        source = next((command for command in pythons() if _works(command)), None)
        if source is None:
            raise Unmeasured("no Python 3.11 or newer with venv is here; python3.13 would do")
        say(f"making {ENVIRONMENT.name} with {source}")
        _run([source, "-m", "venv", str(ENVIRONMENT)])
    pip = [str(python), "-m", "pip", "--disable-pip-version-check"]
    lacking = {}
    for peer, package in PACKAGES.items():
        if subprocess.run([*pip, "show", "--quiet", package], capture_output=True).returncode == 0:
            continue
        say(f"installing {package}")
        try:
            _run([*pip, "install", "--quiet", "--only-binary", BINARY, package])
        except Unmeasured as problem:
            lacking[peer] = f"pip says: {problem}"
    return str(python), lacking


def program(name: str, say: Callable[[str], None]) -> str:
    """A program of Debian's, installed if it is missing.

    Raises:
        Unmeasured: it is not here and cannot be installed.
    """
    # Debian keeps games outside the usual path of root.
    places = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
    if not shutil.which(name, path=places):
        say(f"looking for Debian's {name}")
        _run([str(ROOT / "tools" / "system-packages"), f"{name}:{name}"])
    found = shutil.which(name, path=places)
    if found is None:
        raise Unmeasured(f"{name} was installed, but is not on the path")
    return found


def _run(command: list[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Unmeasured(f"{command[0]}: {error.strerror}") from None
    if done.returncode:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise Unmeasured(said[-1] if said else f"{command[0]} failed without a word")
