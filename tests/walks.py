"""Random walks through games, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rookery.api import Game, State


def walk(game: Game, seed: int, plies: int, start: str | None = None) -> Iterator[State]:
    """The states of one random game, the first and the last included."""
    rng = np.random.default_rng(seed)
    state = game.start(start)
    yield state
    for _ in range(plies):
        moves = state.moves()
        if not moves:
            return
        state = state.play(moves[rng.integers(len(moves))])
        yield state
