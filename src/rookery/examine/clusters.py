"""Standard errors of means over positions, or pairs of them, some of which are from the same game.

What comes from one game goes together, so deviations from the mean are added up by games before they are
squared. A pair comes from two games: the variances by the first and by the second are added, and that by both
at once, which was counted twice, is taken off (Cameron, Gelbach and Miller 2011).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error."""

    value: float
    error: float


def means(columns: NDArray[np.float64], games: NDArray[Any]) -> list[Mean]:
    """Of [N, K] numbers K means; `games` [N] or [N, 2] says from which game, or games, each row is."""
    count = len(columns)
    if count < 2:
        return [Mean(float(x), float("nan")) for x in columns.sum(axis=0) / max(count, 1)]
    middle = columns.mean(axis=0)
    apart = columns - middle
    if games.ndim == 1:
        variance = _by(apart, games)
    else:
        first, second = games[:, 0].astype(np.uint64), games[:, 1].astype(np.uint64)
        by_first, by_second = _by(apart, first), _by(apart, second)
        by_both = _by(apart, first << np.uint64(32) | second)
        # Of few games the difference may happen to be less than either.
        variance = np.maximum(by_first + by_second - by_both, np.maximum(by_first, by_second))
    return [Mean(float(m), float(e)) for m, e in zip(middle, np.sqrt(variance), strict=True)]


def _by(apart: NDArray[np.float64], games: NDArray[Any]) -> NDArray[np.float64]:
    """[K]: the variance of means if rows of one game go together, and all others do not."""
    _, places = np.unique(games, return_inverse=True)
    sums = np.zeros((places.max() + 1, apart.shape[1]))
    np.add.at(sums, places, apart)
    return np.asarray((sums**2).sum(axis=0) / len(apart) ** 2 * len(sums) / max(len(sums) - 1, 1))
