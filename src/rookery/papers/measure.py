"""Figures with their standard error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, sqrt
from statistics import fmean, stdev


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


def printed(value: float, digits: int, games: int = 0) -> Measured:
    """A figure as a paper prints it: rounded to so many digits and, where it is a share, of so many games.

    >>> printed(0.65, 2).error, printed(0.65, 2, 1000).error
    (0.0028..., 0.0153...)
    """
    rounding = 10**-digits / sqrt(12)
    of_games = share(value * games, games).error if games else 0.0
    return Measured(value, sqrt(rounding**2 + of_games**2))


_STUDENT = (13.97, 4.53, 3.31, 2.87, 2.65, 2.52, 2.43, 2.37, 2.32)
"""Student's t for 1 to 9 degrees of freedom where the normal distribution has 2."""


def widening(values: int) -> float:
    """How much wider an error is made whose spread comes of so few values, by Student's t: so two of it hold
    as much as two of a well-known one. One value tells no spread.

    >>> widening(3), round(widening(100), 3), widening(1)
    (2.265, 1.013, inf)
    """
    freedom = values - 1
    if freedom < 1:
        return inf
    return _STUDENT[freedom - 1] / 2 if freedom <= len(_STUDENT) else 1 + 1.25 / freedom + 1.53 / freedom**2


def mean(values: Sequence[float]) -> Measured:
    """The mean of independent runs, with an error from their spread, widened where they are few.

    >>> mean([0.4]).error, round(mean([0.4, 0.5, 0.6]).error / (0.1 / 3**0.5), 3)
    (inf, 2.265)
    """
    if len(values) < 2:
        return Measured(fmean(values), inf)
    return Measured(fmean(values), widening(len(values)) * stdev(values) / sqrt(len(values)))


def as_ours(paper: Measured, ours: Sequence[float], runs: int = 1) -> Measured:
    """A paper's figure over so many trainings that does not tell how they differ: taken to differ as ours do.

    Its error is widened as ours is: what is known of its spread comes from our few runs.

    >>> as_ours(Measured(0.6, 0.003), [0.2, 0.4, 0.6]).error, as_ours(Measured(0.6, 0.003), [0.4]).error
    (0.45..., 0.003)
    """
    if len(ours) < 2:
        return paper
    return Measured(paper.value, max(paper.error, widening(len(ours)) * stdev(ours) / sqrt(runs)))


def average(figures: Sequence[Measured]) -> Measured:
    """The mean of several figures, with the error that follows from theirs.

    >>> average([Measured(0.2, 0.02), Measured(0.4, 0.02)])
    Measured(value=0.3..., error=0.0141...)
    """
    error = sqrt(sum(figure.error**2 for figure in figures)) / len(figures)
    return Measured(fmean(figure.value for figure in figures), error)


def percent(measured: Measured) -> str:
    """In percent, with its error where it is known.

    >>> percent(Measured(0.25, 0.01)), percent(Measured(0.25)), percent(mean([0.25]))
    ('25.0 ± 1.0', '25.0', '25.0 ± ?')
    """
    if not measured.error:
        return f"{100 * measured.value:.1f}"
    error = f"{100 * measured.error:.1f}" if measured.error < 1 else "?"
    return f"{100 * measured.value:.1f} ± {error}"


def spread(values: Sequence[float]) -> float:
    """The standard deviation between runs; 0 of one."""
    return stdev(values) if len(values) > 1 else 0.0
