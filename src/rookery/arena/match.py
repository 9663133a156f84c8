"""A match: two entrants, and which of them is better."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from time import perf_counter
from typing import Any

from rookery.arena.contest import Contest
from rookery.arena.hold import hold
from rookery.arena.record import Played, Record
from rookery.arena.sprt import Sprt
from rookery.arena.tally import Tally
from rookery.errors import BadOption


@dataclass(frozen=True)
class MatchResult:
    """What a match says so far, from the view of its first entrant."""

    contest: Contest
    tally: Tally
    seconds: float = 0.0
    """How long this took, without what was recorded before."""
    llr: float | None = None
    decision: str | None = None
    """`H1` or `H0` once a sequential test has decided."""

    def json(self) -> dict[str, Any]:
        tally, contest = self.tally, self.contest
        test = Sprt(*contest.sprt) if contest.sprt else None
        return {
            "game": contest.game,
            "players": list(contest.entrants),
            **tally.json(),
            "llr": self.llr,
            "sprt": test
            and {
                "elo0": test.elo0,
                "elo1": test.elo1,
                "alpha": test.alpha,
                "beta": test.beta,
                "lower": test.lower,
                "upper": test.upper,
                "decision": self.decision,
            },
            "reasons": dict(tally.reasons.most_common()),
            "forfeits": [dict(reasons) for reasons in tally.forfeits],
            "plies": tally.plies,
            "thinking": tally.seconds,
            "seconds": self.seconds,
            "seed": contest.seed,
            "openings": contest.openings or contest.starts.name,
        }


def match(
    contest: Contest,
    record: Record | None = None,
    workers: int = 0,
    on_end: Callable[[Played], None] = lambda game: None,
    on_result: Callable[[MatchResult], None] = lambda result: None,
) -> MatchResult:
    """Hold a match; `on_end` hears of every game that ends, `on_result` of every one that counts.

    >>> result = match(Contest("chess", ("random", "random"), games=4, seed=1, max_plies=20))
    >>> result.tally.draws, result.tally.reasons["length"], result.tally.pentanomial
    (4, 4, [0, 0, 2, 0, 0])
    """
    began = perf_counter()
    with closing(hold(contest, record, workers, on_end)) as games:
        result = judge(contest, games, on_result)
    if record:
        # A sequential test is over where it decided, however far its workers had run ahead.
        record.settle(islice(contest.schedule(), result.tally.games), keep_others=contest.sprt is None)
    return replace(result, seconds=perf_counter() - began)


def judge(
    contest: Contest,
    games: Iterable[Played],
    on_result: Callable[[MatchResult], None] = lambda result: None,
) -> MatchResult:
    """What games, in the order in which they count, say; a sequential test hears none after its decision."""
    if len(contest.entrants) != 2:
        raise BadOption(f"a match is between two, not {len(contest.entrants)}; a tournament takes more")
    test = Sprt(*contest.sprt) if contest.sprt else None
    result = MatchResult(contest, Tally(), llr=0.0 if test else None)
    for game in games:
        if result.tally.add(game, contest.rules.spec.side_of) and test:
            llr = test.llr(result.tally.pentanomial)
            result = replace(result, llr=llr, decision=test.decide(llr))
        on_result(result)
        if result.decision:
            break
    return result
