"""Pairs of a position from a game that White won and one from a game that White lost: who is judged right?

The sampling is that of DeepChess (`rookery.records.sampling`). The share that is judged right, ties by half,
is the area under the ROC curve of a value. Cross-entropy is measured as it is, and with all logits multiplied
by the one factor that makes it least, which the units of a value do not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rookery.errors import RookeryError
from rookery.examine.clusters import Mean, means
from rookery.examine.judges import Advance, Judge
from rookery.examine.positions import MATERIAL, PLIES, Positions, look_up, spell, within
from rookery.records.sampling import HeldOut, Rule, Sampler
from rookery.records.store import Store
from rookery.seeds import generator

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Task:
    """Positions, and pairs of them by their numbers: the won one first."""

    positions: Positions
    won: Numbers
    lost: Numbers
    bands: Mapping[str, tuple[Numbers, Numbers]]
    """By plies: pairs of which both are within the band."""
    games: int
    """From how many games they are."""


@dataclass(frozen=True)
class Score:
    """How well some pairs are told."""

    pairs: int
    accuracy: Mean
    cross_entropy: Mean
    scaled_cross_entropy: Mean


@dataclass(frozen=True)
class Result:
    """All pairs, and parts of them."""

    all: Score
    scale: float
    """What logits were multiplied by for the scaled cross-entropy."""
    by_ply: Mapping[str, Score]
    by_material: Mapping[str, Score]
    """By how much the material of the two positions differs, in pawns."""


def draw(store: Store, split: HeldOut | None, pairs: int, seed: int, threads: int) -> Task:
    """So many pairs out of a store, of what is held out there or of all games.

    Raises:
        RookeryError: there are none.
    """
    sampler = Sampler(store, Rule(seed=seed), threads)
    sample = sampler.every() if split is None else sampler.held_out(split)
    if not sample.has_both:
        raise RookeryError(
            "no won and lost positions to compare: name games of which White won some and Black others"
        )
    rng = generator(seed, "examine", "pairs")
    # Each position once, where there are enough of them.
    won, lost = (rng.permutation(np.flatnonzero(side))[:pairs] for side in (sample.won, ~sample.won))
    both = np.concatenate([won, lost])
    positions = look_up(store, sample.games[both], sample.plies[both])
    first = _fill(np.arange(len(won)), pairs, rng)
    second = _fill(len(won) + np.arange(len(lost)), pairs, rng)
    bands = {}
    for band in PLIES:
        fits = within(positions.plies, band)
        inside = np.flatnonzero(fits[: len(won)]), len(won) + np.flatnonzero(fits[len(won) :])
        if all(len(side) for side in inside):
            count = max(1, pairs // len(PLIES))
            bands[spell(band)] = rng.choice(inside[0], count), rng.choice(inside[1], count)
    return Task(positions, first, second, bands, len(np.unique(positions.games)))


def _fill(numbers: Numbers, pairs: int, rng: np.random.Generator) -> Numbers:
    return numbers if len(numbers) == pairs else rng.choice(numbers, pairs)


def measure(task: Task, judge: Judge, advance: Advance = lambda count: None) -> Result:
    """How well somebody tells the pairs."""
    judge.prepare(task.positions, advance)
    logits = judge.prefers(task.won, task.lost)
    scale = _best_scale(logits)
    games, material = task.positions.games, task.positions.material
    places = np.stack([games[task.won], games[task.lost]], axis=1)
    apart = np.abs(material[task.won] - material[task.lost])
    by_ply = {}
    for name, (first, second) in task.bands.items():
        of = np.stack([games[first], games[second]], axis=1)
        by_ply[name] = _score(judge.prefers(first, second), of, scale)
    by_material = {}
    for band in MATERIAL:
        if (fits := within(apart, band)).any():
            by_material[spell(band)] = _score(logits[fits], places[fits], scale)
    return Result(_score(logits, places, scale), scale, by_ply, by_material)


def _score(logits: NDArray[np.float64], games: NDArray[np.uint32], scale: float) -> Score:
    right = (logits > 0) + 0.5 * (logits == 0)
    columns = np.stack([right, _surprise(logits), _surprise(scale * logits)], axis=1)
    return Score(len(logits), *means(columns, games))


def _surprise(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """-log of the probability that was given to what is true."""
    return np.logaddexp(0, -logits)


def _best_scale(logits: NDArray[np.float64]) -> float:
    """The factor for which the mean cross-entropy is least: it is convex, and bisected by its slope."""
    low, high = 0.0, 1.0
    while _slope(logits, high) < 0 and high < 1e6:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _slope(logits, middle) < 0 else (low, middle)
    return (low + high) / 2


def _slope(logits: NDArray[np.float64], scale: float) -> float:
    return float(np.mean(-logits / (1 + np.exp(np.clip(scale * logits, -500, 500)))))
