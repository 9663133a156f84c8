"""A Duchess board for the terminal: six sectors round the Vortex, the viewer's own at the bottom.

The board is six corners of a plain grid laid round a point, so on the screen the files of a sector run
outwards in one of six directions and its ranks in the directions of the two neighbours. Lines stay lines
but for a bend where they cross the middle file of a sector: follow the names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

# One step outwards along the middle file of each sector, as (columns, rows): the viewer's own sector
# first, then clockwise. Odd columns are offset by half a cell, so a cell may be 9 characters wide.
_OUTWARDS = ((0, 2), (-5, 1), (-5, -1), (0, -2), (5, -1), (5, 1))
_LABEL_DISTANCE = 7  # just behind rank 1


class Place(Protocol):
    """Where a square lies: its sector, counted from 1, and its place in the chart of that sector."""

    @property
    def name(self) -> str: ...
    @property
    def sector(self) -> int: ...
    @property
    def x(self) -> int: ...
    @property
    def y(self) -> int: ...


def draw(squares: Sequence[Place], men: Mapping[str, str], labels: Mapping[int, str], home: int) -> str:
    """The board seen from a sector.

    Args:
        squares: every square of the board.
        men: two characters for each man, by the name of its square.
        labels: what to write behind the flap of a sector, at most 9 characters.
        home: the sector at the bottom.
    """
    cells = {}
    for square in squares:
        where = _on_screen(square.sector - home, square.x, square.y)
        man = men.get(square.name)
        cells[where] = (f"[{man}]" if man else _empty(square)) + square.name
    for sector, label in labels.items():
        cells[_on_screen(sector - home, 0, _LABEL_DISTANCE)] = label.center(7)
    return _print(cells)


def _on_screen(sector: int, x: int, y: int) -> tuple[int, int]:
    """Column and row of a square, from the Vortex; sectors are counted from the bottom."""
    out = _OUTWARDS[sector % 6]
    across = _OUTWARDS[(sector + (1 if x < 0 else -1)) % 6]
    return out[0] * y + across[0] * abs(x), out[1] * y + across[1] * abs(x)


def _empty(square: Place) -> str:
    dark = (square.x + square.y) % 2 == 0
    return " :  " if dark else " .  "


def _print(cells: Mapping[tuple[int, int], str]) -> str:
    left = min(column for column, _ in cells)
    rows: dict[int, str] = {}
    for column, row in sorted(cells):
        rows[row] = rows.get(row, "").ljust(column - left) + cells[column, row]
    return "\n".join(rows[row].rstrip() for row in sorted(rows))
