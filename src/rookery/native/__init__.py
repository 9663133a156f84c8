"""The compiled half of Rookery: rules, searches and learning loops in C++.

It is built once for each processor level; this picks the best one that is here and that the machine runs.
``ROOKERY_LEVEL=x86-64`` in the environment asks for a lower one, for comparison.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from rookery.errors import RookeryError

from ._level import best

LEVELS = ("x86-64", "x86-64-v3", "x86-64-v4") if best() != "portable" else ("portable",)
BUILT = tuple(level for level in LEVELS if find_spec("._" + level.replace("-", "_"), __name__))


def _load(level: str) -> ModuleType:
    asked = os.environ.get("ROOKERY_LEVEL", level)
    if asked not in LEVELS:
        raise RookeryError(f"ROOKERY_LEVEL={asked}: unknown level; there are {', '.join(LEVELS)}")
    usable = LEVELS[: min(LEVELS.index(asked), LEVELS.index(level)) + 1]
    for name in reversed(usable):
        if name in BUILT:
            return import_module("._" + name.replace("-", "_"), __name__)
    raise RookeryError(f"no native module for {' or '.join(usable)} in {__path__[0]}; run `make` to build it")


_module = _load(best())
globals().update({name: value for name, value in vars(_module).items() if not name.startswith("_")})
