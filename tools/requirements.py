"""The packages that Rookery and these of its extras need, one a line for pip, without Rookery itself.

    python tools/requirements.py web nets

So they can be installed while the native half is still being compiled.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]


def needed(extras: list[str]) -> list[str]:
    """Of the package itself and of its extras, those that an extra names included."""
    found = list(PROJECT["dependencies"])
    for extra in extras:
        for package in PROJECT["optional-dependencies"][extra]:
            if own := re.fullmatch(rf"{PROJECT['name']}\[(.+)\]", package):
                found += needed(own[1].split(","))
            else:
                found.append(package)
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    print("\n".join(needed(sys.argv[1:])))
