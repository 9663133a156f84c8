"""A tournament: everybody against everybody, a cross-table, and a ladder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from itertools import combinations
from time import perf_counter
from typing import Any

from rookery.arena.contest import Contest
from rookery.arena.hold import hold
from rookery.arena.ladder import Rung, ladder
from rookery.arena.record import Played, Record
from rookery.arena.skill import Skill, skills
from rookery.arena.tally import Tally


@dataclass
class TournamentResult:
    """What a tournament says so far."""

    contest: Contest
    tallies: dict[tuple[int, int], Tally]
    """By two entrants, from the view of the first."""
    seconds: float = 0.0
    _games: list[Played] = field(default_factory=list, repr=False)

    @classmethod
    def empty(cls, contest: Contest) -> TournamentResult:
        return cls(contest, {two: Tally() for two in combinations(range(len(contest.entrants)), 2)})

    def add(self, game: Played) -> None:
        a, b = sorted(game.sides)
        self.tallies[a, b].add(game, self.contest.rules.spec.side_of)
        self._games.append(game)

    @property
    def games(self) -> int:
        return len(self._games)

    def points(self) -> list[list[float]]:
        """What each took from each."""
        entrants = range(len(self.contest.entrants))
        table = [[0.0 for _ in entrants] for _ in entrants]
        for (a, b), tally in self.tallies.items():
            table[a][b] = tally.wins + tally.draws / 2
            table[b][a] = tally.losses + tally.draws / 2
        return table

    def ladder(self) -> list[Rung]:
        return ladder(self.points())

    def skills(self) -> list[Skill] | None:
        """Beliefs about each entrant where a game has more than two seats."""
        spec = self.contest.rules.spec
        if spec.seats == 2:
            return None
        played = (([g.sides[side] for side in spec.side_of], g.record.outcome) for g in self._games)
        return skills(spec, played, len(self.contest.entrants))

    def reasons(self) -> dict[str, int]:
        total: Counter[str] = sum((tally.reasons for tally in self.tallies.values()), Counter())
        return dict(total.most_common())

    def forfeits(self) -> list[Counter[str]]:
        """How each failed, where it lost by a failure of its own."""
        lost: list[Counter[str]] = [Counter() for _ in self.contest.entrants]
        for two, tally in self.tallies.items():
            for entrant, reasons in zip(two, tally.forfeits, strict=True):
                lost[entrant].update(reasons)
        return lost

    def json(self) -> dict[str, Any]:
        contest, skill, forfeits = self.contest, self.skills(), self.forfeits()
        places = [
            {
                "player": contest.entrants[rung.entrant],
                "elo": rung.elo,
                "elo_low": rung.elo - rung.error,
                "elo_high": rung.elo + rung.error,
                "points": rung.points,
                "games": rung.games,
                "forfeits": dict(forfeits[rung.entrant]),
            }
            | ({"mu": skill[rung.entrant].mu, "sigma": skill[rung.entrant].sigma} if skill else {})
            for rung in self.ladder()
        ]
        return {
            "game": contest.game,
            "players": list(contest.entrants),
            "games": self.games,
            "ladder": places,
            "matches": [self._match(two) for two in self.tallies],
            "points": self.points(),
            "reasons": self.reasons(),
            "seconds": self.seconds,
            "seed": contest.seed,
            "openings": contest.openings or contest.starts.name,
        }

    def _match(self, two: tuple[int, int]) -> dict[str, Any]:
        players = [self.contest.entrants[entrant] for entrant in two]
        return {"players": players, **self.tallies[two].json()}


def tournament(
    contest: Contest,
    record: Record | None = None,
    workers: int = 0,
    on_end: Callable[[Played], None] = lambda game: None,
    on_result: Callable[[TournamentResult], None] = lambda result: None,
) -> TournamentResult:
    """Hold a tournament; `on_result` hears of every game that counts.

    >>> result = tournament(Contest("chess", ("random", "random", "random"), games=2, max_plies=10))
    >>> result.games, result.points()[0]
    (6, [0.0, 1.0, 1.0])
    """
    began = perf_counter()
    result = TournamentResult.empty(contest)
    with closing(hold(contest, record, workers, on_end)) as games:
        for game in games:
            result.add(game)
            result.seconds = perf_counter() - began
            on_result(result)
    if record:
        record.settle(contest.schedule(), keep_others=True)
    result.seconds = perf_counter() - began
    return result
