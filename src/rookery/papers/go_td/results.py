"""What the runs gave, and the arithmetic on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

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
    black_wins: float = 0.0
    """The share of its games against itself that Black won, since the sample before."""
    opening: str = ""
    """Its first move on the empty board, where that was asked for."""

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


def until(runs: Runs, games: int) -> Runs:
    """The first part of the runs."""
    return [[sample for sample in run if sample.games <= games] for run in runs]


def since(runs: Runs, games: int) -> Runs:
    """The rest of the runs."""
    return [[sample for sample in run if sample.games >= games] for run in runs]


def change(runs: Runs, base: Runs, begin: float) -> Measured:
    """How much the level of runs differs from that of others by the same seeds, from a part of them on."""
    pairs = zip(levels(runs, begin), levels(base, begin), strict=False)  # of the seeds that both have
    return mean([ours - theirs for ours, theirs in pairs])


@dataclass(frozen=True)
class Course:
    """When runs are at their best, and how much of it they lose."""

    reached: int
    """The games after which the mean of the runs first has 95 % of the most that it ever has."""
    best_after: int
    """The games after which it has most."""
    best: Measured
    """The strength there; where that is the other runs tell, so that luck is not taken for height."""
    lost: Measured
    """How much less there is at the end."""


def course(runs: Runs) -> Course:
    """Samples are smoothed over their neighbours."""
    strengths = np.array([[sample.strength for sample in run] for run in runs])
    padded = np.pad(strengths, ((0, 0), (1, 1)), mode="edge")
    smooth = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3
    games = [sample.games for sample in runs[0]]
    whole = smooth.mean(axis=0)
    most = int(whole.argmax())
    others = [np.delete(smooth, i, axis=0) if len(runs) > 1 else smooth for i in range(len(runs))]
    at = [int(other.mean(axis=0).argmax()) for other in others]
    best = [float(smooth[i, place]) for i, place in enumerate(at)]
    lost = [high - end for high, end in zip(best, levels(runs), strict=True)]
    first = int(np.argmax(whole >= 0.95 * whole[most]))
    return Course(games[first], games[most], mean(best), mean(lost))


def rise(runs: Runs, before: tuple[float, float], after: tuple[float, float]) -> Measured:
    """How much stronger the runs are in one part than in an earlier one, run by run."""
    return mean(
        [
            fmean(s.strength for s in _part(run, *after)) - fmean(s.strength for s in _part(run, *before))
            for run in runs
        ]
    )


def against(runs: Runs, rival: str, begin: float = TAIL) -> Measured:
    """The share won against one rival towards the end."""
    return mean([fmean(sample.wins[rival] for sample in _part(run, begin, 1.0)) for run in runs])


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


# --- a tournament of all nets ------------------------------------------------------------------------

Table = NDArray[np.float64]
"""[nets of one, nets of another]: the share of games that the first won; ties are no wins."""


class League:
    """All nets of some entrants against all of the others."""

    def __init__(self, met: Mapping[tuple[Config, Config], tuple[Table, Table]]) -> None:
        self._won: dict[tuple[Config, Config], Table] = {}
        for (a, b), (first, second) in met.items():
            self._won[a, b], self._won[b, a] = first, second.T
        self.entrants = list(dict.fromkeys(a for a, _ in self._won))
        self._runs = max(len(table) for table in self._won.values())

    def pair(self, a: Config, b: Config) -> Measured:
        """The share of the games between two that the first won."""
        return self._measured(lambda left_out: self._share(a, b, left_out))

    def margin(self, a: Config, b: Config) -> Measured:
        """How much more of their games one won than the other: of the same games, so by one error."""
        return self._measured(lambda left_out: self._share(a, b, left_out) - self._share(b, a, left_out))

    def score(self, entrant: Config) -> Measured:
        """The share of all its games that an entrant won, every other counting alike."""
        return self._measured(lambda left_out: self._score(entrant, left_out))

    def lead(self, a: Config, b: Config) -> Measured:
        """How much more one scores than another."""
        return self._measured(lambda left_out: self._score(a, left_out) - self._score(b, left_out))

    def _score(self, entrant: Config, left_out: int | None) -> float:
        return fmean(self._share(entrant, b, left_out) for b in self.entrants if b != entrant)

    def _share(self, a: Config, b: Config, left_out: int | None) -> float:
        won = self._won[a, b]
        rows, columns = ([i for i in range(n) if i != left_out] for n in won.shape)
        return float(won[np.ix_(rows, columns)].mean())

    def _measured(self, value: Callable[[int | None], float]) -> Measured:
        """With the error that comes of leaving out the nets of one run of each at a time (jackknife)."""
        if self._runs < 2 or any(min(table.shape) < 2 for table in self._won.values()):
            return Measured(value(None), float("inf"))
        each = np.array([value(run) for run in range(self._runs)])
        return Measured(value(None), sqrt((self._runs - 1) * float(each.var())))
