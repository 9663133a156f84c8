"""Which games are learnt from, and which are kept to test what was learnt. Fixed before any training.

`time`: the last games by date, whole days, at most `SHARE` of those whose day is known. `game`: of the
others, those whose id and the seed hash below `SHARE`. `train`: the rest. The same game is on the same side
in every store, unless `time` takes it.

Positions of training games may be held out one by one too (`held_out`): their siblings stay in training, so
what is learnt of the game helps with them. That is an easier test than `game`, and is told apart from it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rookery.records.store import Store

SHARE = 0.05

Games = NDArray[np.uint32]


@dataclass(frozen=True)
class Split:
    """Numbers of games, ascending; every game of the store is in one of the three."""

    train: Games
    game: Games
    time: Games


def split(store: Store, seed: int) -> Split:
    """The games of a store by the rule above."""
    late = _late(store.dates)
    chosen = _below_share(_mixed(np.uint64(seed), store.ids)) & ~late
    every = np.arange(len(store), dtype=np.uint32)
    return Split(every[~late & ~chosen], every[chosen], every[late])


def held_out(seed: int, ids: NDArray[np.uint64], plies: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Which positions, by the ids of their games and their plies, are held out one by one."""
    of_game = _mixed(np.uint64(seed), ids)
    return _below_share(_mix(of_game + plies.astype(np.uint64) + np.uint64(1)))


def _late(dates: NDArray[np.uint32]) -> NDArray[np.bool_]:
    known = dates[dates % 100 > 0]
    days, counts = np.unique(known, return_counts=True)
    after = counts[::-1].cumsum()[::-1]  # games on that day or later
    last = days[after <= SHARE * len(known)]
    if not len(last):
        return np.zeros(len(dates), bool)
    return (dates >= last[0]) & (dates % 100 > 0)


def _below_share(hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    return hashes < np.uint64(int(SHARE * 2**64))


def _mixed(seed: np.uint64, ids: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return _mix(_mix(np.asarray([seed], np.uint64)) ^ ids)


def _mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """splitmix64, as native/core/rng.hpp has it."""
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
