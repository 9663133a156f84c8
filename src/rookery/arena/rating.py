"""What a score says about strength: Elo, and how sure that is.

Games come in pairs that share their opening, so a pair, not a game, is the unit of chance. Five results are
possible (0, 1/2, 1, 3/2, 2 points), and their counts, the *pentanomial*, carry all that is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt

Z95 = 1.959963984540054
"""A normal variable stays within this many standard deviations in 95 of 100 cases."""
_DOUBT = 0.25
"""The square of one imagined pair as far from the mean as can be: few pairs, or pairs that all ended alike,
know little about how much others would differ."""


def expected(elo: float) -> float:
    """The score of the stronger of two players that many Elo apart.

    >>> round(expected(200), 3)
    0.76
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo(score: float) -> float:
    """The Elo difference at which a score is expected; infinite for a score of 0 or 1.

    >>> round(elo(0.75))
    191
    """
    if score <= 0 or score >= 1:
        return inf if score >= 1 else -inf
    return 0.0 - 400 * log10(1 / score - 1)


@dataclass(frozen=True)
class Rating:
    """An Elo difference with its 95 % interval. A bound is infinite where the games set none."""

    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        if self.elo == inf:
            return f"above {self.low:+.0f}"
        if self.elo == -inf:
            return f"below {self.high:+.0f}"
        return f"{self.elo:+.0f} [{self.low:+.0f}, {self.high:+.0f}]"


def rate(score: float, games: int, counts: Sequence[int]) -> Rating:
    """The Elo difference behind a mean score in so many games.

    `counts` are how often each result was seen, worst first: five for pairs, or three for single games. The
    interval is Wilson's, which stays inside what is possible however one-sided the score: the pairs count as
    many independent wins and losses as would spread as much, and little is concluded from the spread of a
    few. tests/arena/test_rating.py simulates how often it holds the truth.

    >>> str(rate(0.625, 4, [0, 0, 1, 1, 0]))
    '+89 [-239, +417]'
    >>> str(rate(1.0, 20, [0, 0, 0, 0, 10]))
    'above +166'
    """
    if not games:
        return Rating(0.0, -inf, inf)
    units = games * 2 / (len(counts) - 1)
    weight = units / spread(score, counts)
    middle = (score * weight + Z95**2 / 2) / (weight + Z95**2)
    reach = Z95 / (weight + Z95**2) * sqrt(weight * score * (1 - score) + Z95**2 / 4)
    low = elo(middle - reach) if score > 0 else -inf
    high = elo(middle + reach) if score < 1 else inf
    return Rating(elo(score), low, high)


def spread(score: float, counts: Sequence[int]) -> float:
    """The variance of a unit's score, as a share of what wins and losses alone would have; at most 1."""
    top = len(counts) - 1
    squares = sum(count * (place / top - score) ** 2 for place, count in enumerate(counts))
    widest = max(sum(counts) - 1, 0) * score * (1 - score)
    return min(1.0, (squares + _DOUBT) / (widest + _DOUBT))
