"""Duchess as planes of zeros and ones."""

from __future__ import annotations

from typing import cast

import numpy as np

from rookery.api import Game, View
from rookery.encoders.planes import Planes
from rookery.games.duchess import DuchessState, squares


class DuchessPlanes:
    """[12 * seats + 1, squares], squares in the order of `rookery.games.duchess.squares`.

    Seats are counted from the one that sees, in the order of play. For each: nine planes of its pieces (K W Q
    D F N R B P), it is its turn, it is in check, it is mated. The last plane: quiet plies, in two-hundredths.
    """

    name = "duchess-planes-1"
    games = ("duchess4", "duchess6")

    def shape(self, game: Game) -> tuple[int, ...]:
        seats = game.spec.seats
        return (12 * seats + 1, len(squares(seats)))

    def encode(self, view: View) -> Planes:
        state = cast(DuchessState, view.state())
        seats = view.spec.seats
        places = {square.name: index for index, square in enumerate(squares(seats))}
        planes = np.zeros((12 * seats + 1, len(places)), np.float32)

        def first(seat: int) -> int:
            return 12 * ((seat - view.seat) % seats)

        for piece in state.men():
            planes[first(piece.seat) + "KWQDFNRBP".index(piece.kind), places[piece.square]] = 1
        planes[first(state.seat) + 9] = 1
        for plane, named in ((10, state.in_check()), (11, state.mated())):
            for seat in named:
                planes[first(seat) + plane] = 1
        planes[-1] = min(state.quiet, 200) / 200
        return planes


ENCODERS = (DuchessPlanes(),)
PLANES = {game: encoder for encoder in ENCODERS for game in encoder.games}
