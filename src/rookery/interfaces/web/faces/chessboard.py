"""Chess and Kriegspiel: eight by eight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import cast

import chess

from rookery.api import Seat, State, View
from rookery.games.chess import ChessState, board_rows
from rookery.games.kriegspiel import Heard, KriegspielState, KriegspielView
from rookery.games.kriegspiel_conclusions import pawn_tries
from rookery.interfaces.web.faces import (
    Announcement,
    Cell,
    Check,
    Family,
    Geometry,
    Label,
    Look,
    Man,
    Sight,
    Step,
    Still,
)
from rookery.interfaces.web.faces.chess_pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

_SIDE = 100.0


@cache
def _geometry(flipped: bool) -> Geometry:
    cells, labels = [], []
    for row in range(8):
        for column in range(8):
            file, rank = (7 - column, row) if flipped else (column, 7 - row)
            left, top = column * _SIDE, row * _SIDE
            outline = ((left, top), (left + _SIDE, top), (left + _SIDE, top + _SIDE), (left, top + _SIDE))
            shade = "light" if (file + rank) % 2 else "dark"
            name = f"{'abcdefgh'[file]}{rank + 1}"
            cells.append(Cell(name, outline, left + _SIDE / 2, top + 0.52 * _SIDE, 0.97 * _SIDE, shade))
            if column == 0:
                labels.append(Label(name[1], left + 9, top + 17, shade))
            if row == 7:
                labels.append(Label(name[0], left + _SIDE - 10, top + _SIDE - 11, shade))
    return Geometry((0.0, 0.0, 8 * _SIDE, 8 * _SIDE), tuple(cells), tuple(labels))


def _men(board: str) -> Iterator[Man]:
    for rank, row in zip("87654321", board_rows(board), strict=True):
        for file, mark in zip("abcdefgh", row, strict=True):
            if mark != ".":
                yield Man(file + rank, mark.upper(), 0 if mark.isupper() else 1)


_LOOK = Look(
    Family("chess", "Chess", "The classic.", 1, "chess"),
    style="squares",
    lead="Move a piece, and the game begins.",
    promotions="QRBN",
    check=Check("Check!", "your King is in check"),
    pawns="Pawns from White\u2019s side: + White is better, \u2212 Black. #3: mate in 3.",
)


class ChessFace(Still):
    """Chess: everybody sees everything."""

    look = _LOOK
    pieces = (KING, QUEEN, ROOK, BISHOP, KNIGHT, PAWN)

    def geometry(self, seat: Seat) -> Geometry:
        return _geometry(seat == 1)

    def see(self, view: View) -> Sight:
        return self.truth(view.state())

    def truth(self, state: State) -> Sight:
        men = tuple(_men(str(state)))
        checked = cast(ChessState, state).check
        alarms = tuple(man.cell for man in men if checked and man.kind == "K" and man.seat == state.seat)
        return Sight(men, alarms)

    def step(self, text: str) -> Step:
        return Step(text, text[2:4], text[:2], text[4:].upper() or None)

    def arrange(self, men: Sequence[Man], turn: Seat) -> str:
        board = chess.Board(None)
        for man in men:
            if man.cell in chess.SQUARE_NAMES and man.kind in [piece.letter for piece in self.pieces]:
                piece = chess.Piece.from_symbol(man.kind if man.seat == 0 else man.kind.lower())
                board.set_piece_at(chess.parse_square(man.cell), piece)
        board.turn = turn == 0
        # Whoever could still castle by the looks of it may.
        board.set_castling_fen("KQkq")
        board.castling_rights = board.clean_castling_rights()
        return board.fen()

    def label(self, state: State, text: str) -> str:
        return cast(ChessState, state).san(state.parse(text))


class KriegspielFace(ChessFace):
    """Kriegspiel: a seat sees its own pieces, and hears the referee."""

    look = replace(
        _LOOK,
        family=Family("kriegspiel", "Kriegspiel", "Chess in the dark, with a referee.", 3, "kriegspiel"),
        lead="You see only your own pieces. Move one, and the game begins.",
    )

    def see(self, view: View) -> Sight:
        known = cast(KriegspielView, view)
        men = tuple(_men(known.men))
        checked = known.checks not in ("", "-") and known.turn == known.seat
        return Sight(men, tuple(man.cell for man in men if checked and man.kind == "K"))

    def truth(self, state: State) -> Sight:
        return super().truth(cast(KriegspielState, state).chess())

    def announcements(self, view: View) -> Sequence[Announcement]:
        heard = [Heard.read(event) for event in view.events]
        return [
            Announcement(line.spoken(), line.move, line.refused, line.square, line.tries) for line in heard
        ]

    def announced(self, view: View) -> Sequence[Step]:
        return [Step(one.start + one.to, one.to, one.start) for one in pawn_tries(cast(KriegspielView, view))]

    def label(self, state: State, text: str) -> str:
        """A try in full, by the pieces of whoever tries it: the truth must not show in it."""
        view = cast(KriegspielState, state).view(state.seat)
        piece = view.piece(text[:2])
        if piece == "K" and text[:2] in ("e1", "e8") and text[2] in "gc" and text[1] == text[3]:
            return "O-O" if text[2] == "g" else "O-O-O"
        sign = "x" if piece == "P" and text[0] != text[2] else "-"
        promotion = f"={text[4:].upper()}" if text[4:] else ""
        return f"{(piece or '').replace('P', '')}{text[:2]}{sign}{text[2:4]}{promotion}"


FACES = {"chess": ChessFace(), "kriegspiel": KriegspielFace()}
