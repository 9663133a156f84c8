"""Matches between players of the study, and what came of them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from rookery import players as names
from rookery.arena.contest import Contest, enter
from rookery.arena.match import match
from rookery.arena.record import Record
from rookery.papers.measure import Measured


@dataclass(frozen=True)
class Met:
    """A match from the first one's view."""

    wins: int
    draws: int
    losses: int
    pentanomial: tuple[int, ...]
    elo: float | None
    elo_low: float | None
    elo_high: float | None

    @property
    def share(self) -> Measured:
        """Of the points; the error is that of pairs, which begin alike."""
        pairs = np.repeat(np.arange(5) / 4, self.pentanomial)
        spread = float(pairs.std(ddof=1)) if len(pairs) > 1 else 0.5
        # No spread at all is luck of few games, not certainty.
        return Measured(float(pairs.mean()), max(spread, 0.5 / len(pairs)) / sqrt(len(pairs)))

    @property
    def told(self) -> str:
        """The share of points and the Elo, with their errors."""
        return f"{self}: {self.share}" + (f"; Elo {self.elo_told}" if self.elo_told else "")

    @property
    def elo_told(self) -> str:
        if self.elo is None:
            return ""
        low = "?" if self.elo_low is None else f"{self.elo_low:+.0f}"
        high = "?" if self.elo_high is None else f"{self.elo_high:+.0f}"
        return f"{self.elo:+.0f} ({low} to {high})"

    def __str__(self) -> str:
        """As the paper writes it: wins, losses, draws."""
        return f"{self.wins}-{self.losses}-{self.draws}"


def meet(
    game: str,
    players: tuple[str, str],
    games: int,
    seconds: float | None,
    record: str,
    seed: int,
    workers: int,
    openings: str,
) -> dict[str, Any]:
    """A match from random moves, each opening twice; every game is kept as it ends."""
    timed = [names.vary(name, {"time": seconds}) for name in players] if seconds else players
    contest = Contest(game, enter(game, timed), games, seed=seed, openings=openings)
    Path(record).parent.mkdir(parents=True, exist_ok=True)
    with Record(contest, Path(record)) as kept:
        tally = match(contest, kept, workers).tally
    told = tally.json()
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pentanomial": tuple(tally.pentanomial),
        **{key: told[key] for key in ("elo", "elo_low", "elo_high")},
    }
