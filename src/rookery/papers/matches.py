"""Matches of a study, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from rookery import players as names
from rookery.arena.contest import Contest, enter
from rookery.arena.match import match
from rookery.arena.record import Record
from rookery.papers.measure import Measured, mean, share
from rookery.papers.study import Done, Piece, Study
from rookery.seeds import generator


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
        """Wins, losses, draws."""
        return f"{self.wins}-{self.losses}-{self.draws}"


@dataclass(frozen=True)
class Series:
    """The same match between the trainings of several seeds."""

    matches: tuple[Met, ...]

    @property
    def share(self) -> Measured:
        """Of the points, with the error from seed to seed, in which that of the games is contained."""
        return mean([met.share.value for met in self.matches])

    @property
    def told(self) -> str:
        seeds = f"{len(self.matches)} seeds" if len(self.matches) > 1 else "1 seed"
        return f"{self} over {seeds}: {self.share}"

    def __str__(self) -> str:
        """Wins, losses, draws of all matches together."""
        total = [sum(each) for each in zip(*((m.wins, m.losses, m.draws) for m in self.matches), strict=True)]
        return "-".join(map(str, total))


def of_paper(wins: int, losses: int, draws: int) -> Measured:
    """A match that a paper tells, as the share of points."""
    games = wins + losses + draws
    return Measured((wins + draws / 2) / games, share(wins + draws / 2, games).error)


@dataclass(frozen=True)
class Terms:
    """What all matches of a stage have in common."""

    game: str
    games: int
    openings: str | None = None
    """As `Contest` takes them."""
    seconds: float | None = None
    """A move; None: what the players' names say."""


def meet_all(
    study: Study, stage: str, pairs: Mapping[str, tuple[str, str]], terms: Terms, seed: int
) -> dict[str, Met]:
    """A match for each name. Weights that lie in the study's folder are named by their place in it."""
    cores = study.cores_each(len(pairs))
    pieces = {}
    for name, players in pairs.items():
        asked: dict[str, Any] = {
            "game": terms.game,
            "players": players,
            "games": terms.games,
            "seconds": terms.seconds,
            "record": f"games/{stage}-{name.replace(' ', '-')}.jsonl",
            "seed": int(generator(seed, "match", stage, name).integers(2**31)),
            "openings": terms.openings,
        }
        pieces[name] = Piece(meet, asked, {"workers": cores if cores > 1 else 0}, cores)
    return {name: Met(**told) for name, told in study.do(stage, pieces).items()}


def meet_by_seed(
    study: Study,
    stage: str,
    pairs: Mapping[str, Mapping[int, tuple[str, str]]],
    terms: Terms,
    seed: int,
) -> dict[str, Series]:
    """The same match for each seed that its players were trained by."""
    each = {f"{name}-seed{of}": pair for name, found in pairs.items() for of, pair in found.items()}
    met = meet_all(study, stage, each, terms, seed)
    return {name: Series(tuple(met[f"{name}-seed{of}"] for of in found)) for name, found in pairs.items()}


def meet(
    game: str,
    players: Sequence[str],
    games: int,
    seconds: float | None,
    record: str,
    seed: int,
    openings: str | None,
    workers: int,
) -> Done:
    """A match, each opening twice; every game is kept as it ends."""
    timed = [names.vary(name, {"time": seconds}) for name in players] if seconds else players
    contest = Contest(game, enter(game, timed), games, seed=seed, openings=openings)
    Path(record).parent.mkdir(parents=True, exist_ok=True)
    with Record(contest, Path(record)) as kept:
        tally = match(contest, kept, workers).tally
    told = tally.json()
    result = {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pentanomial": tuple(tally.pentanomial),
        **{key: told[key] for key in ("elo", "elo_low", "elo_high")},
    }
    return Done(result, sum(tally.seconds))
