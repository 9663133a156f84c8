"""Chess by the laws of FIDE. Positions are FEN, moves are UCI (`e2e4`); SAN (`Nf3`) is read too.

A game ends by mate, stalemate, insufficient material, the fifty-move rule or the third occurrence of a
position; the last two end it at once, without a claim, as engine matches have it.
"""

from __future__ import annotations

from typing import Any

import chess

from rookery import native
from rookery.api import GameSpec, Move, Seat
from rookery.errors import BadPosition, quote

from .state import NativeState


def chess_spec(name: str, title: str, *, hidden: bool) -> GameSpec:
    return GameSpec(
        name=name,
        version=1,
        side_of=(0, 1),
        hidden=hidden,
        policy_size=native.chess_policy_size,
        title=title,
        seat_names=("White", "Black"),
        format="pgn",
    )


def draw_board(rows: list[str], seat: Seat | None) -> str:
    """Eight rows of eight characters, rank 8 first, with coordinates and from a seat's side of the table."""
    ranks, files = list("87654321"), "abcdefgh"
    if seat == 1:
        rows, ranks, files = [row[::-1] for row in reversed(rows)], ranks[::-1], files[::-1]
    lines = [f"{rank}  {' '.join(row)}" for rank, row in zip(ranks, rows, strict=True)]
    return "\n".join([*lines, "", f"   {' '.join(files)}"])


def board_rows(fen: str) -> list[str]:
    """The rows of a FEN's board, a character a square."""
    board = fen.split()[0]
    for digit in "12345678":
        board = board.replace(digit, "." * int(digit))
    return board.split("/")


class ChessState(NativeState):
    """A chess position and the game that led to it."""

    __slots__ = ()

    @property
    def check(self) -> bool:
        """Whether the seat to move is in check."""
        return self.native.check

    def board(self) -> chess.Board:
        """The same position for python-chess, without the moves that led to it."""
        return chess.Board(str(self))

    def san(self, move: Move) -> str:
        """The move as people write it.

        >>> CHESS.start().san(CHESS.start().parse("g1f3"))
        'Nf3'
        """
        return self.native.san(move)

    def picture(self, seat: Seat | None = None) -> str:
        return draw_board(board_rows(str(self)), seat)


class Chess:
    """The game of chess.

    >>> state = CHESS.start()
    >>> str(state.play(state.parse("e2e4")))
    'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    """

    spec = chess_spec("chess", "Chess", hidden=False)

    def start(self, text: str | None = None) -> ChessState:
        """The starting position, or the one that a FEN (or the first four fields of one) describes."""
        return ChessState(self.spec, native.ChessState(text))


def read_epd(line: str) -> tuple[ChessState, dict[str, Any]]:
    """A position with its operations (`bm`, `am`, `id`, ...); moves come as UCI text.

    Raises:
        BadPosition: the line is no EPD.
    """
    board = chess.Board()
    try:
        found = board.set_epd(line)
    except (ValueError, IndexError) as error:
        raise BadPosition(f"{quote(line)} is no EPD: {error}") from None
    operations = {
        name: [move.uci() for move in value] if isinstance(value, list) else value
        for name, value in found.items()
    }
    return CHESS.start(board.fen()), operations


def write_epd(state: ChessState, operations: dict[str, Any]) -> str:
    """The line that `read_epd` reads back."""
    given: dict[str, Any] = {
        name: [chess.Move.from_uci(move) for move in value] if isinstance(value, list) else value
        for name, value in operations.items()
    }
    return state.board().epd(**given)


CHESS = Chess()
GAMES = [CHESS]
