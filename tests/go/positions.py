"""What the tests of Go share: texts of boards, and random games to look at."""

from __future__ import annotations

import random
from collections.abc import Iterator

from rookery.games.go import Go, GoState


def board(rows: str, seat: str = "b") -> str:
    """The text of a board whose rows are parted by blanks."""
    return "/".join(rows.split()) + " " + seat


def run(state: GoState, moves: str) -> GoState:
    for move in moves.split():
        state = state.play(state.parse(move))
    return state


def walk(game: Go, games: int, seed: int) -> Iterator[GoState]:
    """Every state of some random games."""
    rng = random.Random(seed)
    for _ in range(games):
        state = game.start()
        yield state
        while moves := state.moves():
            state = state.play(rng.choice(moves))
            yield state
