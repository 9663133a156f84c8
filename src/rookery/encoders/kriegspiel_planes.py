"""What a seat of Kriegspiel knows as planes of zeros and ones."""

from __future__ import annotations

from typing import cast

import numpy as np

from rookery.api import Game, View
from rookery.encoders.chess_planes import put_pieces, square_of
from rookery.encoders.planes import Planes
from rookery.games.kriegspiel import Heard, KriegspielView


class KriegspielPlanes:
    """[18, 8, 8], rank 1 and file a first: own pieces, and what was said since the last move that stood.

    0 to 5 own pawns, knights, bishops, rooks, queens, king; 6 the seat is White; 7 it is its turn; 8 pawn
    tries of the side to move, in sixteenths; 9 to 13 that side is in check by rank, file, long diagonal,
    short diagonal, knight; 14 where the seat's last move captured; 15 where the other side's last move
    captured; 16 and 17 from where and whereto the seat has tried in vain this turn. What was heard earlier is
    left out.
    """

    name = "kriegspiel-planes-1"
    games = ("kriegspiel",)

    def shape(self, game: Game) -> tuple[int, ...]:
        return (18, 8, 8)

    def encode(self, view: View) -> Planes:
        seen = cast(KriegspielView, view)
        planes = np.zeros((18, 8, 8), np.float32)
        put_pieces(planes, seen.men, view.seat == 0)
        planes[6] = view.seat == 0
        planes[7] = seen.turn == view.seat
        planes[8] = min(seen.tries, 16) / 16
        for plane, direction in enumerate("RFLSN", 9):
            planes[plane] = direction in seen.checks
        for event in reversed(view.events):
            heard = Heard.read(event)
            if heard.refused is None:
                if heard.square:
                    planes[14 if heard.move else 15][square_of(heard.square)] = 1
                break
            planes[16][square_of(heard.refused[:2])] = 1
            planes[17][square_of(heard.refused[2:4])] = 1
        return planes


ENCODERS = (KriegspielPlanes(),)
PLANES = {game: encoder for encoder in ENCODERS for game in encoder.games}
