"""Writes docs/licences.md: the licence of everything that Rookery installs, as each package states it.

tests/test_licences.py holds the page to what is installed, and every licence to what GPL-3.0-or-later allows.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from constraints import BUILD_TOOLS
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "licences.md"
NONE = "none stated"
HEADER = """\
# Licences

Rookery is GPL-3.0-or-later. These are the packages that it installs and what each says of its own licence.
*Play* is what a base install with the studio and networks needs; the others come on top of it.
Written by `make licences`.

| package | licence | for |
|---|---|---|
"""


def licence(package: Distribution) -> str:
    """What a package's metadata says: an SPDX expression, a short text, or its classifiers."""
    said = package.metadata
    short = (said.get("License") or "").strip()
    names = [
        one.rpartition("::")[2].strip() for one in said.get_all("Classifier", []) if one[:7] == "License"
    ]
    named = ", ".join(name for name in names if name != "OSI Approved")
    return said.get("License-Expression") or named or (short if 0 < len(short) <= 40 else NONE)


def needed(requirements: list[str]) -> dict[str, Distribution]:
    """What these ask for, and what that asks for in turn, as far as it is installed here."""
    found: dict[str, Distribution] = {}
    waiting = [Requirement(text) for text in requirements]
    seen: set[tuple[str, frozenset[str]]] = set()
    while waiting:
        asked = waiting.pop()
        name, extras = canonicalize_name(asked.name), frozenset({"", *asked.extras})
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        try:
            package = found.setdefault(name, distribution(name))
        except PackageNotFoundError:
            continue  # for another system or another Python
        for inner in map(Requirement, package.requires or []):
            if inner.marker is None or any(inner.marker.evaluate({"extra": extra}) for extra in extras):
                waiting.append(inner)
    return found


def packages() -> dict[str, tuple[Distribution, str]]:
    """Everything installed, by name, with what it is for."""
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project, extras = said["project"], said["project"]["optional-dependencies"]
    found: dict[str, tuple[Distribution, str]] = {}
    for purpose, asked in {
        "play": [*project["dependencies"], *extras["web"], *extras["nets"]],
        "train": [*extras["train"], *extras["pettingzoo"]],
        "build": [*said["build-system"]["requires"], *BUILD_TOOLS],
        "test": [one for one in extras["dev"] if not one.startswith("rookery[")],
    }.items():
        found = {name: (package, purpose) for name, package in needed(asked).items()} | found
    return dict(sorted(found.items()))


def page() -> str:
    rows = [f"| {name} | {licence(package)} | {use} |\n" for name, (package, use) in packages().items()]
    return HEADER + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page())
