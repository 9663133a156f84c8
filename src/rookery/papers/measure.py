"""Figures with their error, and what they say of a paper's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, sqrt
from statistics import fmean, stdev
from typing import Literal

SURE = 2.0
"""Standard errors beyond which a difference counts."""


@dataclass(frozen=True)
class Measured:
    """A figure and its standard error."""

    value: float
    error: float = 0.0

    def __str__(self) -> str:
        """
        >>> str(Measured(0.68123, 0.0123)), str(Measured(0.5)), str(Measured(3.0, float("inf")))
        ('0.681 ± 0.012', '0.500', '3.000 ± ?')
        """
        if not self.error:
            return f"{self.value:.3f}"
        return f"{self.value:.3f} ± " + (f"{self.error:.3f}" if isfinite(self.error) else "?")

    def __sub__(self, other: Measured) -> Measured:
        return Measured(self.value - other.value, sqrt(self.error**2 + other.error**2))


def share(wins: float, games: int) -> Measured:
    """A share of games won; its error is above 0 even where none or all were won.

    >>> share(650, 1000), share(10, 10).error > 0
    (Measured(value=0.65, error=0.0150...), True)
    """
    near = (wins + 1) / (games + 2)
    return Measured(wins / games, sqrt(near * (1 - near) / games))


_STUDENT = (13.97, 4.53, 3.31, 2.87, 2.65, 2.52, 2.43, 2.37, 2.32)
"""Student's t for 1 to 9 degrees of freedom where the normal distribution has 2."""


def mean(values: Sequence[float]) -> Measured:
    """The mean of independent runs, with an error from their spread, which one run alone does not tell.

    A spread that comes from few runs is little known: the error is widened by Student's t, so that two of it
    hold as much as two of a well-known one.

    >>> mean([0.4]).error, round(mean([0.4, 0.5, 0.6]).error / (0.1 / 3**0.5), 3)
    (inf, 2.265)
    """
    freedom = len(values) - 1
    if freedom < 1:
        return Measured(fmean(values), float("inf"))
    wider = _STUDENT[freedom - 1] / 2 if freedom <= len(_STUDENT) else 1 + 1.25 / freedom + 1.53 / freedom**2
    return Measured(fmean(values), wider * stdev(values) / sqrt(len(values)))


def spread(values: Sequence[float]) -> float:
    """The standard deviation between runs; 0 of one."""
    return stdev(values) if len(values) > 1 else 0.0


Agreement = Literal["meets", "above", "below", "open"]
Truth = Literal["holds", "fails", "open"]


def agreement(ours: Measured, paper: Measured) -> Agreement:
    """Whether our figure meets the paper's, by the errors of both.

    >>> agreement(Measured(0.60, 0.02), Measured(0.63)), agreement(Measured(0.60, 0.01), Measured(0.68, 0.01))
    ('meets', 'below')
    """
    difference = ours - paper
    if not isfinite(difference.error):
        return "open"
    if abs(difference.value) <= SURE * difference.error:
        return "meets"
    return "above" if difference.value > 0 else "below"


def greater(a: Measured, b: Measured) -> Truth:
    """Whether a is greater than b, as far as the errors let us say.

    >>> greater(Measured(0.7, 0.01), Measured(0.5, 0.01)), greater(Measured(0.51, 0.1), Measured(0.5, 0.1))
    ('holds', 'open')
    """
    difference = a - b
    if not isfinite(difference.error) or abs(difference.value) <= SURE * difference.error:
        return "open"
    return "holds" if difference.value > 0 else "fails"


def flat(change: Measured, within: float = 0.05) -> Truth:
    """Whether something has not grown: not surely above 0, and measured well enough to say so.

    >>> flat(Measured(0.01, 0.01)), flat(Measured(0.1, 0.01)), flat(Measured(0.1, 0.1))
    ('holds', 'fails', 'open')
    """
    grown = greater(change, Measured(0.0))
    if grown == "holds":
        return "fails"
    return "holds" if grown == "fails" or SURE * change.error <= within else "open"
