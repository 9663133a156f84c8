"""What can be timed: so many units of work in a run, prepared so that a run lasts long enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import cast

from rookery import games
from rookery.api import Move
from rookery.games.state import NativeState
from rookery.seeds import generator

RUN = 0.02
"""A run must last these seconds to be timed well."""


@dataclass(frozen=True)
class Work:
    """Something to time: so many units of it in a run."""

    run: Callable[[], object]
    units: int


@dataclass(frozen=True)
class Benchmark:
    """One kind of work."""

    prepare: Callable[[str], Work]
    """For a game, or one of the subjects."""
    unit: str
    subjects: Sequence[str] | None = None
    """What it is measured for; None: each game."""


def batch(play: Callable[[int], object]) -> Work:
    """So many games that they take long enough."""
    count, seconds = 1, 0.0
    while seconds < RUN:
        count *= 2
        began = process_time()
        play(count)
        seconds = process_time() - began
    return Work(partial(play, count), count)


def walk(state: NativeState, length: int = 500) -> Iterator[tuple[NativeState, Move]]:
    """The states and moves of a random game, always the same one."""
    rng = generator(1, "bench", state.spec.name)
    for _ in range(length):
        moves = state.moves()
        if not moves:
            return
        move = moves[int(rng.integers(len(moves)))]
        yield state, move
        state = state.play(move)


def start(game: str) -> NativeState:
    return cast(NativeState, games.get(game).start())


def native_games() -> list[str]:
    """The games whose rules are native; the speed of others is Python's."""
    return [name for name in games.names() if isinstance(games.get(name).start(), NativeState)]
