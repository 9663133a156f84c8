"""A match that stops as soon as it knows: the sequential probability ratio test.

It decides between two Elo differences, E0 and E1. After each pair the log-likelihood ratio (LLR) says how
much better E1 explains the results than E0; beyond its bounds the match is over. With error rates of 5 % the
bounds are -2.94 and 2.94: a player worth E0 or less passes in at most about 5 of 100 such matches, one worth
E1 or more fails in as many.

The test is the generalised one (GSPRT): each hypothesis fixes the mean score and nothing else, and is judged
by the likeliest distribution of results that has this mean. Elo is logistic. For wins, draws and losses that
are not paired the same formula takes three counts in place of five.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from rookery.arena.rating import expected
from rookery.errors import BadOption

_UNSEEN = 1e-3
"""What counts for a result that was never seen: without it nothing but the seen would be thinkable."""


@dataclass(frozen=True)
class Sprt:
    """The hypotheses and the error rates of a test."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often E1 may be accepted where E0 is true."""
    beta: float = 0.05
    """How often E0 may be accepted where E1 is true."""

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise BadOption(
                f"--sprt must be two rising Elo differences, like 0,5 (got {self.elo0:g},{self.elo1:g})"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadOption(f"error rates {self.alpha:g} and {self.beta:g} are not between 0 and 0.5")

    @classmethod
    def read(cls, text: str) -> Sprt:
        """The test that `E0,E1` asks for.

        Raises:
            BadOption: it asks for none.
        """
        try:
            elo0, elo1 = (float(part) for part in text.split(","))
        except ValueError:
            raise BadOption(f"--sprt must be two Elo differences, like 0,5 (got {text!r})") from None
        return cls(elo0, elo1)

    @property
    def lower(self) -> float:
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        return log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of results counted from the worst to the best.

        >>> round(Sprt(0, 3).llr([4063, 8620, 4307]), 2)
        2.99
        >>> round(Sprt(-1, 3).llr([424, 2948, 5832, 3045, 460]), 2)
        2.94
        """
        if not any(counts):
            return 0.0
        seen = [count or _UNSEEN for count in counts]
        zero, one = (_tilt(seen, expected(elo)) for elo in (self.elo0, self.elo1))
        return sum(count * log(b / a) for count, a, b in zip(seen, zero, one, strict=True))

    def decide(self, llr: float) -> str | None:
        """`H0` or `H1`, or None while it is open."""
        return "H1" if llr >= self.upper else "H0" if llr <= self.lower else None


def _tilt(seen: Sequence[float], mean: float) -> list[float]:
    """The likeliest distribution of results with that mean.

    It is count / (1 + t (result - mean)) up to a factor, where t makes the mean right: the one root of a
    function that falls, found by Newton's steps, or by halving where they would leave the bracket.
    """
    top, total = len(seen) - 1, sum(seen)
    away = [place / top - mean for place in range(top + 1)]
    low, high, t = -1 / away[-1], -1 / away[0], 0.0
    for _ in range(200):
        shares = [count / total / (1 + t * d) for count, d in zip(seen, away, strict=True)]
        value = sum(share * d for share, d in zip(shares, away, strict=True))
        if abs(value) < 1e-13:
            break
        if value > 0:
            low = t
        else:
            high = t
        fall = sum(share * d * d / (1 + t * d) for share, d in zip(shares, away, strict=True))
        t += value / fall
        if not low < t < high:
            t = (low + high) / 2
    return shares
