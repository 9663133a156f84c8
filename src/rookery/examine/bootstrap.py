"""Standard errors of means over positions, some of which are from the same game.

Games are drawn anew, with replacement, as often as there are games, and everything that comes from a game
counts as often as it was drawn (Efron 1979, by clusters); a pair counts by the product of both of its games.
The standard error is the spread of the means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.seeds import generator

RESAMPLES = 200


@dataclass(frozen=True)
class Mean:
    """A mean and its standard error."""

    value: float
    error: float


def means(columns: NDArray[np.float64], games: NDArray[Any], seed: int) -> list[Mean]:
    """Of [N, K] numbers K means; `games` [N] or [N, 2] says from which games each row is."""
    if not len(columns):
        return [Mean(float("nan"), float("nan"))] * columns.shape[1]
    unique, places = np.unique(games, return_inverse=True)
    places = places.reshape(len(columns), -1)
    rng = generator(seed, "examine", "bootstrap")
    found = []
    for _ in range(RESAMPLES):
        counts = np.bincount(rng.integers(len(unique), size=len(unique)), minlength=len(unique))
        weights = counts[places].prod(axis=1).astype(np.float64)
        if total := weights.sum():
            found.append(weights @ columns / total)
    errors = np.std(found, axis=0, ddof=1) if len(found) > 1 else np.full(columns.shape[1], np.nan)
    return [Mean(float(m), float(e)) for m, e in zip(columns.mean(axis=0), errors, strict=True)]
