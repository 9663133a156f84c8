"""Matches of a study, and what came of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from rookery import players as names
from rookery.arena.contest import Contest, enter
from rookery.arena.match import match
from rookery.arena.rating import spread
from rookery.arena.record import Record
from rookery.arena.tally import Tally
from rookery.papers.measure import Measured, mean, share, widening
from rookery.papers.study import Done, Piece, Study
from rookery.seeds import generator

_MANY = 10
"""Pairs from which on their spread is known well enough."""


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
    by_side: tuple[int, int] = (0, 0)
    """Wins of the side that moves first and of the other, whoever played it."""

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> Measured:
        """Of the points; the error is that of pairs, which begin alike.

        As in the rating, one imagined pair keeps few pairs that ended alike from passing for certain. Of
        fewer than ten pairs the error is widened by Student's t too.
        """
        pairs = sum(self.pentanomial)
        score = sum(place * count for place, count in enumerate(self.pentanomial)) / (4 * pairs)
        near = (score * pairs + 1) / (pairs + 2)
        error = sqrt(spread(score, self.pentanomial) * near * (1 - near) / pairs)
        return Measured(score, error * widening(pairs) if pairs < _MANY else error)

    @property
    def told(self) -> str:
        """The share of points and the Elo, with their errors."""
        return f"{self}: {self.share}" + (f"; Elo {self.elo_told}" if self.elo_told else "")

    @property
    def elo_told(self) -> str:
        if self.elo is None:
            # Won or lost outright: one bound alone is known.
            if self.elo_low is not None:
                return f"above {self.elo_low:+.0f}"
            return "" if self.elo_high is None else f"below {self.elo_high:+.0f}"
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
    def several(self) -> bool:
        """Whether there is more than one training, to tell how they differ."""
        return len(self.matches) > 1

    @property
    def by_side(self) -> tuple[int, int]:
        """Wins of each side, in all matches together."""
        first, second = zip(*(met.by_side for met in self.matches), strict=True)
        return sum(first), sum(second)

    @property
    def share(self) -> Measured:
        """Of the points, with the error from seed to seed, in which that of the games is contained.

        Where the seeds lie closer together than their games can tell, it is that of the games.
        """
        over = mean([met.share.value for met in self.matches])
        return Measured(over.value, max(over.error, together(self.matches).share.error))

    @property
    def told(self) -> str:
        seeds = f"{len(self.matches)} seeds" if len(self.matches) > 1 else "1 seed"
        return f"{self} over {seeds}: {self.share}"

    def __str__(self) -> str:
        """Wins, losses, draws of all matches together."""
        total = [sum(each) for each in zip(*((m.wins, m.losses, m.draws) for m in self.matches), strict=True)]
        return "-".join(map(str, total))


def together(matches: Sequence[Met]) -> Met:
    """Several matches between the same two as one."""
    added = Tally(
        wins=sum(met.wins for met in matches),
        draws=sum(met.draws for met in matches),
        losses=sum(met.losses for met in matches),
        pentanomial=[sum(counts) for counts in zip(*(met.pentanomial for met in matches), strict=True)],
        by_side=[sum(wins) for wins in zip(*(met.by_side for met in matches), strict=True)],
    )
    return Met(**_told(added))


@dataclass(frozen=True)
class Batches:
    """A match that was played in parts."""

    met: Met
    records: tuple[str, ...]
    """Of the parts, in the study's folder."""


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
            "record": _record(stage, name),
            "seed": int(generator(seed, "match", stage, name).integers(2**31)),
            "openings": terms.openings,
        }
        pieces[name] = Piece(meet, asked, {"workers": cores if cores > 1 else 0}, cores)
    return {name: Met(**told) for name, told in study.do(stage, pieces).items()}


def meet_in_batches(
    study: Study,
    stages: Mapping[str, Mapping[str, tuple[str, str]]],
    game: str,
    games: int,
    batch: int,
    seed: int,
) -> dict[str, dict[str, Batches]]:
    """The matches of several stages, a batch of games of each before the next batch of any.

    So a study that is broken off has as many games of one as of another, and goes on with more of each.
    Matches of which no batch is kept, in stages that the study goes without, are missing.
    """
    parts: dict[str, dict[str, list[tuple[Met, str]]]] = {stage: {} for stage in stages}
    for number in range(1, games // batch + 1):
        for stage, pairs in stages.items():
            named = {f"{name}-{number}": pair for name, pair in pairs.items()}
            met = meet_all(study, stage, named, Terms(game, batch), seed)
            for name in pairs:
                part = f"{name}-{number}"
                if part in met:
                    parts[stage].setdefault(name, []).append((met[part], _record(stage, part)))
    return {
        stage: {
            name: Batches(together([met for met, _ in each]), tuple(record for _, record in each))
            for name, each in found.items()
        }
        for stage, found in parts.items()
    }


def _record(stage: str, name: str) -> str:
    """Where the games of a match lie."""
    return f"games/{stage}-{name.replace(' ', '-')}.jsonl"


def meet_by_seed(
    study: Study,
    stage: str,
    pairs: Mapping[str, Mapping[int, tuple[str, str]]],
    terms: Terms,
    seed: int,
) -> dict[str, Series]:
    """The same match for each seed that its players were trained by; those there are, where the study goes
    without the stage.
    """
    each = {f"{name}-seed{of}": pair for name, found in pairs.items() for of, pair in found.items()}
    met = meet_all(study, stage, each, terms, seed)
    kept = {
        name: tuple(met[match] for of in found if (match := f"{name}-seed{of}") in met)
        for name, found in pairs.items()
    }
    return {name: Series(found) for name, found in kept.items() if found}


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
    return Done(_told(tally), sum(tally.seconds))


def _told(tally: Tally) -> dict[str, Any]:
    """What a `Met` is made of."""
    said = tally.json()
    kept = ("wins", "draws", "losses", "elo", "elo_low", "elo_high")
    lists = {"pentanomial": tuple(tally.pentanomial), "by_side": tuple(tally.by_side)}
    return {**lists, **{key: said[key] for key in kept}}
