"""Chess as planes of zeros and ones."""

from __future__ import annotations

from typing import cast

import numpy as np

from rookery.api import Game, View
from rookery.encoders.planes import Planes
from rookery.games.chess import ChessState, board_rows

PIECES = "PNBRQK"


def square_of(name: str) -> tuple[int, int]:
    """Row and column of a square of chess, a1 first."""
    return int(name[1]) - 1, ord(name[0]) - ord("a")


def put_pieces(planes: Planes, board: str, white_first: bool) -> None:
    """The pieces of a FEN's board, six planes for one side and six for the other."""
    for row, pieces in enumerate(reversed(board_rows(board))):
        for column, piece in enumerate(pieces):
            if piece != ".":
                other = 0 if piece.isupper() == white_first else 6
                planes[other + PIECES.index(piece.upper()), row, column] = 1


class ChessPlanes:
    """[20, 8, 8], rank 1 and file a first.

    0 to 5 own pawns, knights, bishops, rooks, queens, king; 6 to 11 the other side's; 12 the seat is White;
    13 it is its turn; 14 and 15 it may castle short, long; 16 and 17 the other side may; 18 the square of an
    en passant capture; 19 plies of the fifty-move rule, in hundredths.
    """

    name = "chess-planes-1"
    games = ("chess",)

    def shape(self, game: Game) -> tuple[int, ...]:
        return (20, 8, 8)

    def encode(self, view: View) -> Planes:
        state = cast(ChessState, view.state())
        board, _, castling, passant, clock, _ = str(state).split()
        white = view.seat == 0
        planes = np.zeros((20, 8, 8), np.float32)
        put_pieces(planes, board, white)
        planes[12] = white
        planes[13] = state.seat == view.seat
        for plane, right in enumerate("KQkq" if white else "kqKQ", 14):
            planes[plane] = right in castling
        if passant != "-":
            planes[18][square_of(passant)] = 1
        planes[19] = min(int(clock), 100) / 100
        return planes


ENCODERS = (ChessPlanes(),)
PLANES = {game: encoder for encoder in ENCODERS for game in encoder.games}
