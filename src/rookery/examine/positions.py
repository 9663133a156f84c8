"""Positions of a store as arrays and as states: where they are from, and what stands on the board."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import games
from rookery.api import Game, State
from rookery.records import importing
from rookery.records.store import Store

WORTH = np.array([1, 3, 3, 5, 9, 0])
"""Pawn, knight, bishop, rook, queen, King."""
PLIES = ((10, 29), (30, 49), (50, 79), (80, None))
"""Bands of plies, both ends included."""
MATERIAL = ((0, 0), (1, 2), (3, 5), (6, None))
"""Bands of differences, in pawns."""
RATINGS = ((1, 1599), (1600, 1999), (2000, 2299), (2300, 2499), (2500, None))

Band = tuple[int, int | None]


def spell(band: Band) -> str:
    """
    >>> spell((10, 29)), spell((80, None)), spell((0, 0))
    ('10-29', '80+', '0')
    """
    low, high = band
    return f"{low}+" if high is None else str(low) if low == high else f"{low}-{high}"


def within(values: NDArray[Any], band: Band) -> NDArray[np.bool_]:
    low, high = band
    return (values >= low) & (values <= high) if high is not None else values >= low


@dataclass(frozen=True)
class Positions:
    """Some positions of a store."""

    games: NDArray[np.uint32]
    plies: NDArray[np.uint16]
    states: tuple[State, ...]
    material: NDArray[np.int64]
    """White's less Black's, in pawns."""

    def __len__(self) -> int:
        return len(self.states)


def look_up(store: Store, numbers: NDArray[np.uint32], plies: NDArray[np.uint16]) -> Positions:
    """The positions at those places, in the same order."""
    rules, threads = games.get("chess"), cores()
    order = np.lexsort((plies, numbers))  # games are replayed once for all positions of them
    found = store.native.positions(numbers[order], plies[order], threads)
    bits = store.native.features(numbers, plies, threads)
    states: list[Any] = [None] * len(found)
    for place, text in zip(order.tolist(), found, strict=True):
        states[place] = rules.start(text)
    return Positions(numbers, plies, tuple(states), balance(bits))


def replay(store: Store, numbers: NDArray[np.uint32], plies: NDArray[np.uint16]) -> Positions:
    """The same, each with the game that led there: some knowledge sees the moves before.

    People may play on where our rules end a game, after repetitions or fifty moves: it goes on from that
    position. Where neither side can mate any more there is nothing to ask about: such places are left out.
    """
    rules = games.get("chess")
    states: list[Any] = [None] * len(numbers)
    order = np.lexsort((plies, numbers)).tolist()
    for number, places in groupby(order, key=lambda place: int(numbers[place])):
        state, line, ply = rules.start(store.native.start(number) or None), store.native.line(number), 0
        for place in places:
            for move in line[ply : int(plies[place])]:
                if state.outcome() is not None:
                    break
                state = _going_on(rules, state.play(move))
            if state.outcome() is not None:
                break
            ply = int(plies[place])
            states[place] = state
    kept = np.array([state is not None for state in states], bool)
    numbers, plies = numbers[kept], plies[kept]
    there = tuple(state for state in states if state is not None)
    return Positions(numbers, plies, there, balance(store.native.features(numbers, plies, cores())))


def _going_on(rules: Game, state: State) -> State:
    """The state, or if counting moves has ended its game, the position that nobody has counted for."""
    if state.outcome() is None:
        return state
    fields = str(state).split()
    return rules.start(" ".join([*fields[:4], "0", *fields[5:]]))


def balance(bits: NDArray[np.int16]) -> NDArray[np.int64]:
    """[N]: White's material less Black's, of lists of active bits (native/encoders/chess_bits.hpp)."""
    worth = np.zeros(774, np.int64)
    worth[:768] = np.repeat(np.concatenate([WORTH, -WORTH]), 64)
    return np.asarray(worth[bits].sum(axis=1))


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """The store in a folder, or one made for the while of a PGN file, packed or not."""
    if path.is_dir():
        yield Store.open(path)
        return
    with tempfile.TemporaryDirectory(prefix="rookery-examine-") as folder:
        importing.run([path], Path(folder) / "store", importing.Filter())
        yield Store.open(Path(folder) / "store")


def cores() -> int:
    return min(len(os.sched_getaffinity(0)), 256)
