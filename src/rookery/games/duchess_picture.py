"""A Duchess board for the terminal: six sectors round the Vortex, the viewer's own at the bottom.

The board is six corners of a plain grid laid round a point, so on the screen the files of a sector run
outwards in one of six directions and its ranks in the directions of the two neighbours. Lines stay lines
but for a bend where they cross the middle file of a sector: follow the names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

# One step outwards along the middle file of each sector, as (columns, rows): the viewer's own sector
# first, then clockwise. Neighbours in one row are two steps apart: there are 10 columns for a square.
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


class Picture:
    """How the board looks from one sector; `draw` puts the men on it."""

    def __init__(self, squares: Sequence[Place], home: int) -> None:
        """All squares of the board, and the sector at the bottom."""
        cells = [(*_on_screen(s.sector - home, s.x, s.y), s.name, (s.x + s.y) % 2 == 0) for s in squares]
        labels = [(*_on_screen(sector - home, 0, _LABEL_DISTANCE), sector) for sector in range(1, 7)]
        left = min(column for column, *_ in cells)
        top = min(row for _, row, *_ in cells)
        self._height = max(row for _, row, *_ in cells) - top + 1
        # From left to right, since a row is written in this order.
        self._cells = sorted((column - left, row - top, name, dark) for column, row, name, dark in cells)
        self._labels = {sector: (column - left, row - top) for column, row, sector in labels}

    def draw(self, men: Mapping[str, str], labels: Mapping[int, str]) -> str:
        """The board as text.

        Args:
            men: two characters for each man, by the name of its square.
            labels: what to write behind the flap of a sector, at most 9 characters.
        """
        pieces = []
        for column, row, name, dark in self._cells:
            man = men.get(name)
            pieces.append((column, row, (f"[{man}]" if man else " :  " if dark else " .  ") + name))
        pieces += [(*self._labels[sector], label.center(7)) for sector, label in labels.items()]
        rows = [""] * self._height
        for column, row, piece in sorted(pieces):
            rows[row] = rows[row].ljust(column) + piece
        return "\n".join(row.rstrip() for row in rows)


def _on_screen(sector: int, x: int, y: int) -> tuple[int, int]:
    """Column and row of a square, from the Vortex; sectors are counted from the bottom."""
    out = _OUTWARDS[sector % 6]
    across = _OUTWARDS[(sector + (1 if x < 0 else -1)) % 6]
    return out[0] * y + across[0] * abs(x), out[1] * y + across[1] * abs(x)
