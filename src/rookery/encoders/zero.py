"""What the network of `zero` sees; native/encoders/go_planes.hpp is its fast twin."""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from rookery.api import Game, View
from rookery.games.go import GoState


class GoZeroPlanes:
    """[14, size, size], row 1 and column A first; for boards of any size.

    0 own stones; 1 to 3 own stones of chains with so many liberties; 4 to 7 the other side's likewise;
    8 where the ko rule forbids to play; 9 the last move; 10 the one before it; 11 the last move was a pass;
    12 ones; 13 all over: 128 plus the seat's komi in half points, as it counts by area, in 255ths.
    """

    name = "go-zero-1"
    games = ("go5", "go7", "go9", "go13", "go19")

    def shape(self, game: Game) -> tuple[int, ...]:
        size = cast(GoState, game.start()).size
        return (14, size, size)

    def encode(self, view: View) -> NDArray[np.float32]:
        state = cast(GoState, view.state())
        area = state.size * state.size
        planes = np.zeros((14, area), np.float32)
        for seat in (0, 1):
            first = 0 if seat == view.seat else 4
            for point in state.stones(seat):
                planes[first, point] = 1
                liberties = len(state.liberties(point))
                if liberties <= 3:
                    planes[first + liberties, point] = 1
        if state.ko is not None:
            planes[8, state.ko] = 1
        for plane, move in zip((9, 10), reversed(state.history()), strict=False):
            if move < area:
                planes[plane, move] = 1
        planes[11] = state.passes > 0
        planes[12] = 1
        # Area less territory is what one side has placed more stones than the other, so it acts as komi.
        komi = state.komi + (0 if "area" in state.options else state.area_score() - state.territory_score())
        planes[13] = np.clip(128 + round(2 * komi) * (-1 if view.seat == 0 else 1), 0, 255) / 255
        return planes.reshape(14, state.size, state.size)


ENCODERS = (GoZeroPlanes(),)
