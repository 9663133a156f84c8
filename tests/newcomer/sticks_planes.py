"""Sticks as an array, for PettingZoo: the file that a new game adds to `rookery/encoders`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rookery.api import Game, View


class SticksPlanes:
    """[2]: sticks that are left, in thirteenths; whether it is the seat's turn."""

    name = "sticks-planes-1"
    games = ("sticks",)

    def shape(self, game: Game) -> tuple[int, ...]:
        return (2,)

    def encode(self, view: View) -> NDArray[np.float32]:
        state = view.state()
        return np.array([int(str(state).split()[0]) / 13, state.seat == view.seat], np.float32)


ENCODERS = (SticksPlanes(),)
PLANES = {game: encoder for encoder in ENCODERS for game in encoder.games}
