"""A belief in plain text: a board of chances, and where each kind of piece is likely."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rookery import registry
from rookery.api import Belief, Seat
from rookery.errors import BadOption

_LIKELY = 0.005
"""Chances below it are not printed."""
_MOST = 6
"""Squares that are named of a kind."""
COLUMNS = ("piece", "left", "squares", "most likely")


def chart(belief: Belief, seat: Seat, kind: str | None = None) -> str:
    """A board of chances in per cent, seen from a seat, of any piece or of one kind; -- where none can stand.

    Raises:
        BadOption: there is no such kind.
    """
    chances, possible = _column(belief, kind)
    told = {
        square: f"{100 * chance:4.0f}" if may else "  --"
        for square, chance, may in zip(belief.squares, chances.tolist(), possible.tolist(), strict=True)
    }
    files = sorted({square[0] for square in belief.squares}, reverse=seat != 0)
    ranks = sorted({int(square[1:]) for square in belief.squares}, reverse=seat == 0)
    rows = [f"{rank:>2} " + "".join(told[f"{file}{rank}"] for file in files) for rank in ranks]
    return "\n".join([*rows, "   " + "".join(f"   {file}" for file in files)])


def _column(belief: Belief, kind: str | None) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    if kind is None:
        return belief.probability.sum(axis=1), np.any(belief.possible, axis=1)
    if kind not in belief.kinds:
        raise BadOption(f"no piece is called {kind!r:.40}; {registry.hint(kind, belief.kinds)}")
    place = belief.kinds.index(kind)
    return belief.probability[:, place], belief.possible[:, place]


def rows(belief: Belief) -> list[tuple[str, str, str, str]]:
    """By kind: how many are left in the mean, on how many squares one can stand, and the likeliest."""
    told = []
    for place, kind in enumerate(belief.kinds):
        column = belief.probability[:, place]
        likely = [i for i in column.argsort()[::-1][:_MOST] if column[i] >= _LIKELY]
        where = "  ".join(f"{belief.squares[i]} {100 * float(column[i]):.0f}%" for i in likely)
        told.append((kind, f"{float(column.sum()):.1f}", str(int(belief.possible[:, place].sum())), where))
    return told
