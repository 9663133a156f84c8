"""Positions of decided games out of a store, to learn from and to measure by.

The rule is that of DeepChess (David, Netanyahu and Wolf 2016): so many random positions of each decided game,
none of the first moves, none where the move played is a capture. Three kinds are held out: single positions
of games that are learnt from, as in that paper; whole games; and the latest games (`rookery.records.splits`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rookery.records import splits
from rookery.seeds import generator

HeldOut = Literal["position", "game", "time"]
HELD_OUT: tuple[HeldOut, ...] = get_args(HeldOut)
NEAR = 6
"""Plies between two positions that are near each other, at most."""


@dataclass(frozen=True)
class Rule:
    """Which positions are taken, and which are held out."""

    per_game: int = 10
    first_ply: int = 10
    quiet: bool = True
    """Whether only positions are taken where the move played is no capture."""
    seed: int = 1
    """Of what is held out."""


@dataclass(frozen=True)
class Sample:
    """Positions of decided games."""

    games: NDArray[np.uint32]
    plies: NDArray[np.uint16]
    won: NDArray[np.bool_]
    """By White."""

    def __len__(self) -> int:
        return len(self.games)

    @property
    def has_both(self) -> bool:
        """Whether there are pairs of a won and a lost position."""
        return bool(self.won.any()) and not bool(self.won.all())

    def take(self, which: NDArray[Any]) -> Sample:
        return Sample(self.games[which], self.plies[which], self.won[which])


class Sampler:
    """A store, divided into games to learn from and what is held out."""

    def __init__(self, store: Any, rule: Rule, threads: int) -> None:
        self._store, self._rule, self._threads = store, rule, threads
        self._split = splits.split(store, rule.seed)

    def train(self, seed: int, round_: int = 0) -> Sample:
        """Positions to learn from; another round has others of the same games."""
        drawn = self._draw(self._split.train, _number(seed, "positions", round_))
        return drawn.take(~self._is_held_out(drawn))

    def held_out(self, kind: HeldOut, decided: bool = True) -> Sample:
        """Positions to measure by; the same whatever was learnt from, and with what seed.

        decided: only of games that somebody won.
        """
        seed = _number(self._rule.seed, "held out")
        if kind == "position":
            drawn = self._draw(self._split.train, seed, decided)
            return drawn.take(self._is_held_out(drawn))
        return self._draw(self._split.game if kind == "game" else self._split.time, seed, decided)

    def every(self, decided: bool = True) -> Sample:
        """Positions of all games, for whoever has learnt from none of them."""
        games = np.arange(len(self._store), dtype=np.uint32)
        return self._draw(games, _number(self._rule.seed, "held out"), decided)

    def bits(self, sample: Sample) -> NDArray[np.int16]:
        """[N, 37]: the active bits of each position (native/encoders/chess_bits.hpp)."""
        return np.asarray(self._store.native.features(sample.games, sample.plies, self._threads))

    def near(self, sample: Sample, seed: int) -> Sample:
        """For each position another of the same game, at most six plies before or after it."""
        rng = generator(seed, "sampling", "near")
        step = rng.integers(1, NEAR + 1, len(sample)) * rng.choice([-1, 1], len(sample))
        at = sample.plies.astype(np.int64)
        last = self._store.plies[sample.games].astype(np.int64) - 1
        first = np.minimum(self._rule.first_ply, at)
        # Where the game has no such ply, on the other side of it.
        plies = np.where((at + step < first) | (at + step > last), at - step, at + step)
        return Sample(sample.games, np.clip(plies, first, last).astype(np.uint16), sample.won)

    def _draw(self, games: NDArray[np.uint32], seed: int, decided: bool = True) -> Sample:
        rule, results = self._rule, self._store.results
        if decided:
            games = games[np.abs(results[games]) == 1]
        found, plies = self._store.native.sample(
            games, rule.per_game, rule.first_ply, rule.quiet, seed, self._threads
        )
        return Sample(np.asarray(found), np.asarray(plies), np.asarray(results[found] == 1))

    def _is_held_out(self, sample: Sample) -> NDArray[np.bool_]:
        return splits.held_out(self._rule.seed, self._store.ids[sample.games], sample.plies)


def _number(seed: int, *path: str | int) -> int:
    return int(generator(seed, "sampling", *path).integers(2**63))
