"""Strengths of a whole pool from who beat whom: Bradley and Terry's model.

Player i of strength p scores p_i / (p_i + p_j) against player j, a draw counting as half a win. The
likelihood of the logarithms has one summit, and Newton's steps, halved where they overshoot, climb it
exactly. Everybody is also given one game, half won and half lost, against one and the same player: so a
perfect score, or a pool that falls into parts that never met, still has finite strengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rookery.arena.rating import Z95

_ELO = 400 / np.log(10)
"""Elo in one unit of the natural logarithm of strength."""
_PRIOR = 0.5
"""Imagined wins, and as many losses, of each against one and the same player."""

_ENOUGH = 1e-9
"""A step that is no step any more."""


@dataclass(frozen=True)
class Rung:
    """The place of one entrant."""

    entrant: int
    elo: float
    """Above the mean of the pool."""
    error: float
    """Half the width of its 95 % interval."""
    points: float
    games: int


def climb(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The likeliest strengths, as natural logarithms with mean 0; `points[i, j]` is what i took from j."""
    logs = np.zeros(len(points))
    while True:
        slope = (points - (points + points.T) * _shares(logs)).sum(axis=1) + _PRIOR * (1 - 2 * _share(logs))
        step = np.linalg.solve(information(points, logs), slope)
        while _likelihood(points, logs + step) < _likelihood(points, logs) and np.abs(step).max() > _ENOUGH:
            step /= 2
        logs = logs + step
        if np.abs(step).max() <= _ENOUGH:
            centred: NDArray[np.float64] = logs - logs.mean()
            return centred


def information(points: NDArray[np.float64], logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """How sharply the likelihood falls off around these strengths, before they are centred: Fisher's."""
    shares, prior = _shares(logs), _share(logs)
    carried = (points + points.T) * shares * (1 - shares)
    found: NDArray[np.float64] = np.diag(carried.sum(axis=1) + 2 * _PRIOR * prior * (1 - prior)) - carried
    return found


def errors(points: NDArray[np.float64], logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard deviation of each strength above the mean."""
    centre = np.eye(len(logs)) - 1 / len(logs)
    covariance = centre @ np.linalg.inv(information(points, logs)) @ centre
    spread: NDArray[np.float64] = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return spread


def _share(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is expected against the player whom all have met."""
    return 1 / (1 + np.exp(-logs))


def _shares(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each is expected to take from each."""
    return _share(logs[:, None] - logs[None, :])


def _likelihood(points: NDArray[np.float64], logs: NDArray[np.float64]) -> float:
    prior = _PRIOR * (np.log(_share(logs)) + np.log(_share(-logs)))
    return float((points * np.log(_shares(logs))).sum() + prior.sum())


def ladder(points: Sequence[Sequence[float]]) -> list[Rung]:
    """Everybody's place, best first; `points[i][j]` is what entrant i took from entrant j.

    >>> [(rung.entrant, round(rung.elo)) for rung in ladder([[0, 15], [5, 0]])]
    [(0, 92), (1, -92)]
    """
    table = np.array(points, dtype=np.float64)
    logs = climb(table)
    wide = errors(table, logs)
    rungs = [
        Rung(
            entrant=i,
            elo=float(_ELO * logs[i]),
            error=float(_ELO * Z95 * wide[i]),
            points=float(table[i].sum()),
            games=round(table[i].sum() + table[:, i].sum()),
        )
        for i in range(len(table))
    ]
    return sorted(rungs, key=lambda rung: (-rung.elo, rung.entrant))
