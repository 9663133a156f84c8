"""What the games between two entrants add up to, from the first one's view."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import isinf
from typing import Any

from rookery.arena.game import forfeited
from rookery.arena.rating import Rating, rate
from rookery.arena.record import Played
from rookery.errors import RookeryError


@dataclass
class Tally:
    """Wins, draws and losses, alone and in pairs."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pentanomial: list[int] = field(default_factory=lambda: [0] * 5)
    """How many pairs gave 0, 1/2, 1, 3/2 and 2 points."""
    by_side: list[int] = field(default_factory=lambda: [0, 0])
    """Wins of the side that moves first and of the other, whoever played it."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How the games ended; failures by kind."""
    forfeits: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    """How each of the two failed, where it lost by a failure of its own."""
    plies: int = 0
    seconds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """What each of the two thought in all."""
    _half: dict[int, int] = field(default_factory=dict, repr=False)
    """Twice the points of the one game of a pair whose other is still to come."""

    def add(self, game: Played, side_of: tuple[int, ...]) -> bool:
        """Count a game; gives whether it completed its pair."""
        first = game.sides.index(min(game.sides))
        outcome = game.record.outcome
        if len(outcome.values) != 2:
            raise RookeryError(f"a tally is between two sides, not {len(outcome.values)}")
        points = round(outcome.values[first]) + 1
        self.wins += points == 2
        self.draws += points == 1
        self.losses += points == 0
        for side in (0, 1):
            self.by_side[side] += outcome.values[side] > 0
        self.plies += game.record.plies
        self.reasons[kind(outcome.reason)] += 1
        if forfeited(outcome.reason):
            self.forfeits[points == 2][outcome.reason] += 1
        for seat, seconds in enumerate(game.record.seconds):
            self.seconds[side_of[seat] != first] += seconds
        other = self._half.pop(game.pair, None)
        if other is None:
            self._half[game.pair] = points
            return False
        self.pentanomial[points + other] += 1
        return True

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The share of the points, from 0 to 1; a half before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    @property
    def rating(self) -> Rating:
        counts = self.pentanomial if any(self.pentanomial) else [self.losses, self.draws, self.wins]
        return rate(self.score, self.games, counts)

    def json(self) -> dict[str, Any]:
        rating = self.rating
        return {
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "elo": _finite(rating.elo),
            "elo_low": _finite(rating.low),
            "elo_high": _finite(rating.high),
            "pentanomial": self.pentanomial,
        }


def _finite(value: float) -> float | None:
    """For JSON, which has no infinity: None."""
    return None if isinf(value) else value


def kind(reason: str) -> str:
    """The reason without what was particular to one game.

    >>> kind("illegal move e2e5"), kind("crashed: KeyError: 3"), kind("checkmate")
    ('illegal move', 'crashed', 'checkmate')
    """
    if not forfeited(reason) or reason == "time":
        return reason
    return "crashed" if reason.startswith("crashed") else "illegal move"
