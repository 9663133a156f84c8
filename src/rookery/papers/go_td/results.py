"""What the runs gave, and the arithmetic on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from rookery.papers.go_td.plan import RIVALS, Config
from rookery.papers.measure import Measured, mean, spread
from rookery.papers.plot import Line

TAIL = 0.8
"""From here on the samples of a run count for its level: the paper speaks of 0.8 to 1 million games."""


@dataclass(frozen=True)
class Sample:
    """A net at some point of its run, as it was measured there."""

    run: int
    games: int
    """That it had learnt from."""
    wins: Mapping[str, float]
    """The share of games won against each rival."""
    weights: str
    opening: str
    """Its first move on the empty board."""

    @property
    def strength(self) -> float:
        return fmean(self.wins[rival] for rival in RIVALS)


Runs = Sequence[Sequence[Sample]]
"""The samples of each run of a configuration, in order."""


def curve(name: str, runs: Runs) -> Line:
    """The mean strength over runs, with their spread."""
    games = [sample.games for sample in runs[0]]
    columns = [[run[i].strength for run in runs] for i in range(len(games))]
    return Line(name, games, [fmean(column) for column in columns], [spread(column) for column in columns])


def levels(runs: Runs, begin: float = TAIL, end: float = 1.0) -> list[float]:
    """The mean strength of each run in a part of it."""
    return [fmean(sample.strength for sample in _part(run, begin, end)) for run in runs]


def level(runs: Runs, begin: float = TAIL, end: float = 1.0) -> Measured:
    """The same over the runs; its error is from run to run."""
    return mean(levels(runs, begin, end))


def level_spread(runs: Runs) -> float:
    return spread(levels(runs))


def rise(runs: Runs, before: tuple[float, float], after: tuple[float, float]) -> Measured:
    """How much stronger the runs are in one part than in an earlier one, run by run."""
    return mean(
        [
            fmean(s.strength for s in _part(run, *after)) - fmean(s.strength for s in _part(run, *before))
            for run in runs
        ]
    )


def against(runs: Runs, rival: str) -> Measured:
    """The share won against one rival towards the end."""
    return mean([fmean(sample.wins[rival] for sample in _part(run, TAIL, 1.0)) for run in runs])


def _part(run: Sequence[Sample], begin: float, end: float) -> list[Sample]:
    """The samples of a part of a run, the first bound included.

    The last sample stands for a part that is too short to hold any.
    """
    whole = run[-1].games
    return [s for s in run if begin * whole <= s.games <= end * whole] or [run[-1]]


def best(runs: Runs, last_only: bool = False) -> Sample:
    """The strongest sample of all runs, or of their ends; of equals the first."""
    return max(
        (sample for run in runs for sample in (run[-1:] if last_only else run)), key=lambda s: s.strength
    )


def opened_at(runs: Runs, point: str, last_only: bool = True) -> tuple[int, int]:
    """How many nets open at a point, and of how many."""
    nets = [sample for run in runs for sample in (run[-1:] if last_only else run)]
    return sum(net.opening == point for net in nets), len(nets)


def scores(pairs: Mapping[tuple[Config, Config], tuple[int, int]], games: int) -> dict[Config, float]:
    """The share of all its games that each entrant won; a pair gives the wins of both. Ties are no wins."""
    entrants = list(dict.fromkeys(config for pair in pairs for config in pair))
    won = dict.fromkeys(entrants, 0)
    for (first, second), (wins, losses) in pairs.items():
        won[first] += wins
        won[second] += losses
    return {entrant: won[entrant] / (games * (len(entrants) - 1)) for entrant in entrants}
