"""Maps from what a seat knows to arrays of numbers, by name.

A name ends in a version, which is incremented when the same view comes to mean other numbers: what was
learnt from one encoder is of no use with another. Every module here that has a list `ENCODERS` adds to the
names. An encoder gets a view and nothing else, so that it cannot tell what is hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from rookery import registry
from rookery.api import Game, View


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
    return {encoder.name: encoder for encoder in registry.listed(__name__, "ENCODERS")}


def get(name: str) -> Encoder:
    """The encoder of that name.

    Raises:
        UnknownName: there is none.
    """
    return registry.get(encoders(), name, "encoder")
