"""Where an opponent's pieces of Kriegspiel usually stand: D_w(p, t) and D_b(p, t) of Ciancarini and Favini,
"Monte Carlo tree search in Kriegspiel", section 4. `rookery.learners.kriegspiel_model` makes one; each file
is one opponent, or many together. Weights lie in a safetensors file:

    density        2 x 6 x 40 x 64: expected occupancy by colour, kind (pawn first), moves made by that colour
                   and square
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import native, weights
from rookery.api import Game, NamedKnowledge, OpponentModel, Seat
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame

VERSION = 1
"""Incremented when the same numbers come to mean something else."""
KIND = "kriegspiel-model"
TIMES = 40
SHAPE = (2, 6, TIMES, 64)


def write(path: Path, density: NDArray[np.float32], facts: Mapping[str, Any]) -> None:
    """A file of weights; facts: from which games it was made."""
    weights.write(path, KIND, VERSION, {"game": "kriegspiel", **facts}, {"density": density})


def read(path: Path) -> NDArray[np.float32]:
    """The densities in a file of weights.

    Raises:
        CheckpointMismatch: it holds none.
    """
    _, arrays = weights.read(path, KIND, VERSION)
    density = arrays.get("density")
    if density is None or density.shape != SHAPE:
        found = "none" if density is None else " x ".join(map(str, density.shape))
        raise CheckpointMismatch(f"{path}: density must be {' x '.join(map(str, SHAPE))} (got {found})")
    if (density < 0).any() or (density > 1).any():
        raise CheckpointMismatch(f"{path}: densities must be between 0 and 1")
    return density


class Placements(NamedKnowledge, OpponentModel):
    """Where an opponent's hidden pieces usually stand, learnt from games."""

    title = "Model of an opponent"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "kriegspiel":
            raise UnsupportedGame(f"kriegspiel-model knows kriegspiel only, not {game.spec.name}")

    def __init__(self, game: Game, source: str, *, attraction: float = 0.8) -> None:
        """attraction: how much it counts, from 0, not at all, to 1."""
        self.check_game(game)
        if not 0 <= attraction <= 1:
            raise BadOption(f"kriegspiel-model: attraction must be between 0 and 1 (got {attraction:g})")
        self._density = read(weights.find(source))
        self.native = native.OpponentModel(self._density, attraction)
        """The same for native searches."""

    def densities(self, seat: Seat) -> NDArray[np.float32]:
        return self._density[seat]


KNOWLEDGE = {"kriegspiel-model": Placements}
