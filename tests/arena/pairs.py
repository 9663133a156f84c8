"""Pairs of games between two players of known strength, from openings that favour one side."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rookery.arena.rating import elo, expected

POINTS = np.arange(5) / 4


def distribution(gap: float, draws: float, bias: float) -> NDArray[np.float64]:
    """How likely each of the five results is; the opening is worth `bias` Elo to one side or the other."""

    def game(difference: float) -> NDArray[np.float64]:
        won, lost = expected(difference - draws), expected(-difference - draws)
        return np.array([lost, 1 - won - lost, won])

    two = [np.convolve(game(gap + luck), game(gap - luck)) for luck in (-bias, bias)]
    return (two[0] + two[1]) / 2


def true_elo(shares: NDArray[np.float64]) -> float:
    """The difference that the mean score of such pairs means."""
    return elo(float(shares @ POINTS))
