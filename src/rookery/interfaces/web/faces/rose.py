"""Duchess: six quarters of a plain board laid round the Vortex, drawn as a rose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import hypot
from typing import cast

from rookery.api import Seat, State, View
from rookery.errors import BadNotation
from rookery.games.duchess import GAMES, DuchessState, sector, squares
from rookery.games.duchess import Square as DuchessSquare
from rookery.games.duchess_rose import SCALE, middle, outline, place
from rookery.interfaces.web.faces import (
    Cell,
    Family,
    Geometry,
    Label,
    Look,
    Man,
    Piece,
    Place,
    Sight,
    Step,
    Still,
)
from rookery.interfaces.web.faces.chess_pieces import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK
from rookery.interfaces.web.faces.duchess_pieces import DUCHESS, FORTRESS, WIZARD

_HOME = 7.1
"""How far out a seat is named."""
_MOVE = re.compile(r"[KWQDFNRBP]([1-6][a-e][1-6]|V)(-|x|~x?)([1-6][a-e][1-6]|V)(?:=([WQDFNRB]))?")


def _cell(square: DuchessSquare, home: int) -> Cell:
    turn = (square.sector - home) % 6
    shade = "dark" if (square.x + square.y) % 2 == 0 else "light"
    shape = tuple(map(_rounded, outline(square, home)))
    if square.name == "V":
        return Cell("V", shape, 0.0, 0.0, 0.92 * SCALE, shade)
    x, y = float(square.x), float(square.y)
    centre = middle(square, home)
    edges = [place(turn, *edge) for edge in ((x - 0.5, y), (x + 0.5, y), (x, y - 0.5), (x, y + 0.5))]
    width = 2 * min(hypot(edge[0] - centre[0], edge[1] - centre[1]) for edge in edges)
    return Cell(square.name, shape, *_rounded(centre), round(0.9 * width, 1), shade)


def _rounded(point: Place) -> Place:
    return round(point[0], 1), round(point[1], 1)


@cache
def _geometry(players: int, home: int) -> Geometry:
    cells = tuple(_cell(square, home) for square in squares(players))
    labels = tuple(
        Label(cell.name, cell.x, round(cell.y + 0.43 * cell.size, 1), cell.shade) for cell in cells
    )
    homes = tuple(_rounded(place((sector(players, seat) - home) % 6, 0, _HOME)) for seat in range(players))
    xs = [x for cell in cells for x, _ in cell.outline] + [x for x, _ in homes]
    ys = [y for cell in cells for _, y in cell.outline] + [y for _, y in homes]
    left, top = min(xs) - 24, min(ys) - 24
    return Geometry((left, top, max(xs) + 24 - left, max(ys) + 24 - top), cells, labels=labels, homes=homes)


_PIECES = (KING, WIZARD, QUEEN, DUCHESS, FORTRESS, KNIGHT, ROOK, BISHOP, PAWN)
_FAMILY = Family("duchess", "Duchess", "Team chess on a star-shaped board.", 4, "duchess4", "Players")


class RoseFace(Still):
    """Duchess for four or six."""

    # Nobody compares material here: what a piece is worth beside the others is not settled.
    pieces: Sequence[Piece] = tuple(replace(piece, points=None) for piece in _PIECES)

    def __init__(self, players: int) -> None:
        self._players = players
        self.look = Look(
            _FAMILY,
            f"{players} players",
            style="rose",
            lead="Move a piece, and the game begins.",
            promotions="QRBNDFW",
        )

    def geometry(self, seat: Seat) -> Geometry:
        # With four, a folded flap lies at the bottom: the board is wide then, and so its squares are large.
        home = sector(6, seat) if self._players == 6 else 6 if seat in (0, 3) else 3
        return _geometry(self._players, home)

    def see(self, view: View) -> Sight:
        return self.truth(view.state())

    def truth(self, state: State) -> Sight:
        duchess = cast(DuchessState, state)
        men = tuple(Man(man.square, man.kind, man.seat) for man in duchess.men())
        checked, mated = duchess.in_check(), duchess.mated()
        alarms = tuple(man.cell for man in men if man.kind == "K" and man.seat in checked)
        names = state.spec.seat_names
        notes = [f"{names[seat]} is checkmated: turns are skipped" for seat in mated]
        notes += [f"{names[seat]} is in check" for seat in checked if seat not in mated]
        if duchess.quiet >= 100:
            notes.append(f"{duchess.quiet} quiet moves; at 200 the game is drawn")
        return Sight(men, alarms, tuple(notes))

    def step(self, text: str) -> Step:
        if text == "--":
            return Step(text, passes=True)
        found = _MOVE.fullmatch(text)
        if not found:
            raise BadNotation(f"cannot read {text!r} as a move; write it like N1b2-1a4")
        start, how, to, promotion = found.groups()
        return Step(text, to, start, promotion, how.startswith("~"))

    def arrange(self, men: Sequence[Man], turn: Seat) -> str:
        camps = [
            " ".join(man.kind + man.cell for man in men if man.seat == seat) for seat in range(self._players)
        ]
        return " | ".join([f"{self._players} t{turn + 1} q0", *camps])

    def label(self, state: State, text: str) -> str:
        return text


FACES = {game.spec.name: RoseFace(game.spec.seats) for game in GAMES}
