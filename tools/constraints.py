"""Writes constraints.txt anew: one exact version of everything that is installed for play, tests and builds.

    make constraints        resolves, writes the file, installs from it and runs the tests

pip resolves what pyproject.toml asks for to the newest versions within its bounds, without installing them.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"
BUILD_TOOLS = ["setuptools", "wheel", "cmake", "ninja"]
"""What the Makefile installs beside the requirements of the build."""
EXTRAS = ["web", "nets", "train", "pettingzoo", "dev"]
HEADER = """\
# The exact versions that `make play`, `make test` and continuous integration install.
# Written by `make constraints`, which also runs the tests with them; pyproject.toml has the bounds.
"""


def requirements() -> list[str]:
    """Everything that pyproject.toml asks for by name."""
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = said["project"]
    asked = [*said["build-system"]["requires"], *BUILD_TOOLS, *project["dependencies"]]
    for extra in EXTRAS:
        asked += project["optional-dependencies"][extra]
    return [one for one in asked if not one.startswith("rookery[")]


def resolve(asked: list[str]) -> dict[str, str]:
    """The versions that pip would install into an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
        subprocess.run([*pip, "--dry-run", "--ignore-installed", "--report", str(report), *asked], check=True)
        found = [one["metadata"] for one in json.loads(report.read_text())["install"]]
    # A build of a version for one kind of machine (torch 2.13.0+cpu) is still that version.
    return {one["name"]: one["version"].partition("+")[0] for one in found}


def main() -> None:
    versions = resolve(requirements())
    lines = [f"{name}=={versions[name]}\n" for name in sorted(versions, key=str.lower)]
    FILE.write_text(HEADER + "".join(lines))
    print(f"{FILE.name}: {len(lines)} packages")


if __name__ == "__main__":
    main()
