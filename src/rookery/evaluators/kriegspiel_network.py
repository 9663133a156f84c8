"""A small network of beliefs of Kriegspiel: what a view is worth besides a count of pieces, and where the
opponent's pieces rather stand than the matrices of Ciancarini and Favini (AIJ 174, 2010) say. It is run by
native/belief/network.hpp and trained by `rookery.learners.kriegspiel_network`. Weights lie in a safetensors
file, each layer a row for each of its inputs and then one of biases:

    first     585 x 64     own pieces, the three matrices, what was announced
    second     65 x 32
    last       33          to the value
    where      65 x 192    from the first layer to the logits by which the matrices are corrected
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rookery import native, weights
from rookery.api import BeliefValue, Game, NamedKnowledge, View
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame
from rookery.games.kriegspiel import KriegspielView

VERSION = 1
"""Incremented when the same numbers come to mean something else."""
KIND = "kriegspiel-network"
VALUE = 0.3
"""How much the value counts beside the balance, unless an option says otherwise."""
GAIN = 1.67
"""The balance of pieces, times twice this, is about the logit of a win."""
INPUTS, HIDDEN, NARROW, WHERE = 584, 64, 32, 192
SHAPES = {
    "first": (INPUTS + 1, HIDDEN),
    "second": (HIDDEN + 1, NARROW),
    "last": (NARROW + 1,),
    "where": (HIDDEN + 1, WHERE),
}


def write(path: Path, layers: Mapping[str, NDArray[np.float32]], facts: Mapping[str, Any]) -> None:
    """A file of weights; facts: from which games they were learnt."""
    weights.write(path, KIND, VERSION, {"game": "kriegspiel", **facts}, layers)


def read(path: Path) -> Mapping[str, NDArray[np.float32]]:
    """The layers in a file of weights.

    Raises:
        CheckpointMismatch: it holds none.
    """
    _, arrays = weights.read(path, KIND, VERSION)
    for name, shape in SHAPES.items():
        if name not in arrays or arrays[name].shape != shape:
            found = "none" if name not in arrays else " x ".join(map(str, arrays[name].shape))
            raise CheckpointMismatch(f"{path}: {name} must be {' x '.join(map(str, shape))} (got {found})")
    return arrays


class KriegspielNetwork(NamedKnowledge, BeliefValue):
    """What a seat's belief is worth, and where pieces rather stand, learnt from games."""

    title = "Network of beliefs"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "kriegspiel":
            raise UnsupportedGame(f"kriegspiel-network knows kriegspiel only, not {game.spec.name}")

    def __init__(self, game: Game, source: str, *, value: float = VALUE, corrects: bool = True) -> None:
        """value: how much of what a belief is worth counts, 0 to 1; corrects: whether it corrects the
        matrices."""
        self.check_game(game)
        if not 0 <= value <= 1:
            raise BadOption(f"kriegspiel-network: value must be between 0 and 1 (got {value:g})")
        self._take(read(weights.find(source)), value, corrects)

    @classmethod
    def of(
        cls,
        game: Game,
        layers: Mapping[str, NDArray[np.float32]],
        *,
        value: float = VALUE,
        corrects: bool = True,
    ) -> KriegspielNetwork:
        """The same, from layers that are in memory."""
        cls.check_game(game)
        found = cls.__new__(cls)
        found._take(layers, value, corrects)
        return found

    def _take(self, layers: Mapping[str, NDArray[np.float32]], value: float, corrects: bool) -> None:
        first, second, last, where = (layers[name].reshape(-1) for name in SHAPES)
        self.native = native.BeliefNetwork(first, second, last, where, value, corrects)
        """The same for native searches."""

    def view_value(self, view: View) -> float:
        return self.native.value(cast(KriegspielView, view).native)


KNOWLEDGE = {"kriegspiel-network": KriegspielNetwork}
