"""Maps from what a seat knows to arrays of numbers, by name.

A name ends in a version, which is raised whenever the same view would come to mean other numbers: what was
learnt from one encoder is of no use with another. Every module here that has a list `ENCODERS` adds to the
names. An encoder gets a view and nothing else, so that it cannot tell what is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rookery.api import Game, View
from rookery.errors import UnknownName


class Encoder(Protocol):
    """One map, for the games that it says."""

    @property
    def name(self) -> str: ...
    @property
    def games(self) -> tuple[str, ...]:
        """The names of the games that it encodes."""
        ...

    def shape(self, game: Game) -> tuple[int, ...]: ...
    def encode(self, view: View) -> NDArray[np.float32]:
        """What the view's seat knows, each number in [0, 1]."""
        ...


@cache
def encoders() -> Mapping[str, Encoder]:
    """Every encoder by name."""
    modules = sorted(module.name for module in iter_modules(__path__))
    found = [e for name in modules for e in getattr(import_module(f"{__name__}.{name}"), "ENCODERS", ())]
    return {encoder.name: encoder for encoder in found}


def get(name: str) -> Encoder:
    """The encoder of that name.

    Raises:
        UnknownName: there is none.
    """
    if name not in encoders():
        raise UnknownName(f"no encoder is called {name!r}; there are {', '.join(encoders())}")
    return encoders()[name]
