"""The plainest encoders: a plane of zeros and ones for each kind of man and each side, seen by one seat.

Men are the seat's own first; boards are never turned. What belongs to no square fills its whole plane.
"""

from __future__ import annotations

from typing import cast

import numpy as np
from numpy.typing import NDArray

from rookery.api import Game, View
from rookery.errors import UnsupportedGame
from rookery.games.chess import ChessState, board_rows
from rookery.games.duchess import DuchessState, squares
from rookery.games.go import GoState
from rookery.games.kriegspiel import Heard, KriegspielView

Planes = NDArray[np.float32]

CHESSMEN = "PNBRQK"


def _square(name: str) -> tuple[int, int]:
    """Row and column of a square of chess, a1 first."""
    return int(name[1]) - 1, ord(name[0]) - ord("a")


def _put_chessmen(planes: Planes, board: str, white_first: bool) -> None:
    """The men of a FEN's board, six planes for one side and six for the other."""
    for row, men in enumerate(reversed(board_rows(board))):
        for column, man in enumerate(men):
            if man != ".":
                other = 0 if man.isupper() == white_first else 6
                planes[other + CHESSMEN.index(man.upper()), row, column] = 1


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
        _put_chessmen(planes, board, white)
        planes[12] = white
        planes[13] = state.seat == view.seat
        for plane, right in enumerate("KQkq" if white else "kqKQ", 14):
            planes[plane] = right in castling
        if passant != "-":
            planes[18][_square(passant)] = 1
        planes[19] = min(int(clock), 100) / 100
        return planes


class KriegspielPlanes:
    """[18, 8, 8], rank 1 and file a first: the seat's men, and what was said since the last move that stood.

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
        _put_chessmen(planes, seen.men, view.seat == 0)
        planes[6] = view.seat == 0
        planes[7] = seen.turn == view.seat
        planes[8] = min(seen.tries, 16) / 16
        for plane, direction in enumerate("RFLSN", 9):
            planes[plane] = direction in seen.checks
        for event in reversed(view.events):
            heard = Heard.read(event)
            if heard.refused is None:
                if heard.square:
                    planes[14 if heard.move else 15][_square(heard.square)] = 1
                break
            planes[16][_square(heard.refused[:2])] = 1
            planes[17][_square(heard.refused[2:4])] = 1
        return planes


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


class DuchessPlanes:
    """[12 * seats + 1, squares], squares in the order of `rookery.games.duchess.squares`.

    Seats are counted from the one that sees, in the order of play. For each: nine planes of its men (K W Q D
    F N R B P), it is its turn, it is in check, it is mated. The last plane: quiet plies, in two-hundredths.
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

        for man in state.men():
            planes[first(man.seat) + "KWQDFNRBP".index(man.kind), places[man.square]] = 1
        planes[first(state.seat) + 9] = 1
        for plane, named in ((10, state.in_check()), (11, state.mated())):
            for seat in named:
                planes[first(seat) + plane] = 1
        planes[-1] = min(state.quiet, 200) / 200
        return planes


ENCODERS = (ChessPlanes(), KriegspielPlanes(), GoPlanes(), DuchessPlanes())


def planes_for(game: Game) -> ChessPlanes | KriegspielPlanes | GoPlanes | DuchessPlanes:
    """The one of these that encodes a game.

    Raises:
        UnsupportedGame: none does.
    """
    for encoder in ENCODERS:
        if game.spec.name in encoder.games:
            return encoder
    raise UnsupportedGame(f"no encoder of planes fits {game.spec.name}")
