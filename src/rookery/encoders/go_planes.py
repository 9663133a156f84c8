"""Go as planes of zeros and ones."""

from __future__ import annotations

from typing import cast

import numpy as np

from rookery.api import Game, View
from rookery.encoders.planes import Planes
from rookery.games.go import GoState


class GoPlanes:
    """[6, size, size], row 1 and column A first.

    0 own stones; 1 the other side's; 2 where the ko rule forbids to play; 3 the seat is Black; 4 it is its
    turn; 5 the last move was a pass.
    """

    name = "go-planes-1"
    games = ("go5", "go7", "go9", "go13", "go19")

    def shape(self, game: Game) -> tuple[int, ...]:
        size = cast(GoState, game.start()).size
        return (6, size, size)

    def encode(self, view: View) -> Planes:
        state = cast(GoState, view.state())
        planes = np.zeros((6, state.size * state.size), np.float32)
        planes[0, state.stones(view.seat)] = 1
        planes[1, state.stones(1 - view.seat)] = 1
        if state.ko is not None:
            planes[2, state.ko] = 1
        planes[3] = view.seat == 0
        planes[4] = state.seat == view.seat
        planes[5] = state.passes > 0
        return planes.reshape(6, state.size, state.size)


ENCODERS = (GoPlanes(),)
PLANES = {game: encoder for encoder in ENCODERS for game in encoder.games}
