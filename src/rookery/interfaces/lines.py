"""A line of moves that a search reports, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.api import Move, State


def line_text(state: State, moves: Sequence[Move]) -> list[str]:
    """The moves of a line as text, as far as they can be played.

    >>> from rookery import games
    >>> state = games.get("go5").start()
    >>> line_text(state, [0, 7, 7, 8])
    ['A1', 'C2']
    """
    texts = []
    for move in moves:
        if move not in state.moves():
            break
        texts.append(state.text(move))
        state = state.play(move)
    return texts
