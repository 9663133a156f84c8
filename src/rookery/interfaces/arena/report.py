"""Results of matches and tournaments, for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rookery.interfaces.arena.progress import clock

if TYPE_CHECKING:
    from rookery.arena.match import MatchResult
    from rookery.arena.tally import Tally
    from rookery.arena.tournament import TournamentResult


def match_summary(result: MatchResult) -> str:
    """The state of a match in a few words."""
    llr = "" if result.llr is None else f", LLR {result.llr:.2f}"
    return f"{score(result.tally)}, Elo {result.tally.rating}{llr}"


def score(tally: Tally) -> str:
    return f"+{tally.wins} ={tally.draws} -{tally.losses}"


def match_lines(result: MatchResult) -> Iterator[str]:
    contest, tally = result.contest, result.tally
    first, second = contest.entrants
    yield f"{contest.rules.spec.title}: {first} against {second}"
    if not tally.games:
        yield "No game has ended yet."
        return
    yield (
        f"{tally.games} games: {tally.wins} won, {tally.draws} drawn, {tally.losses} lost; "
        f"{100 * tally.score:.1f} %"
    )
    pairs = sum(tally.pentanomial)
    counts = " ".join(map(str, tally.pentanomial))
    yield f"Elo {tally.rating}, 95 % from {pairs} {'pair' if pairs == 1 else 'pairs'}: {counts}"
    if result.llr is not None:
        yield _test(result)
    yield _endings(dict(tally.reasons.most_common()))
    for name, failures in zip(contest.entrants, tally.forfeits, strict=True):
        yield from _failures(name, failures)
    pace = [
        f"{tally.plies / max(1, tally.games):.0f} plies a game",
        _thinking(tally),
        _duration(result.seconds),
    ]
    yield "; ".join(filter(None, pace))


def _test(result: MatchResult) -> str:
    from rookery.arena.sprt import Sprt

    assert result.contest.sprt is not None and result.llr is not None
    test = Sprt(*result.contest.sprt)
    verdict = {
        "H1": f"H1, worth {test.elo1:g} rather than {test.elo0:g}",
        "H0": f"H0, worth {test.elo0:g} rather than {test.elo1:g}",
        None: "undecided",
    }[result.decision]
    return (
        f"SPRT {test.elo0:g} or {test.elo1:g} Elo: LLR {result.llr:.2f} "
        f"between {test.lower:.2f} and {test.upper:.2f}: {verdict}"
    )


def _thinking(tally: Tally) -> str:
    """Mean seconds a move; each of the two made half of them."""
    if not any(tally.seconds) or not tally.plies:
        return ""
    each = [f"{2000 * seconds / tally.plies:.3g}" for seconds in tally.seconds]
    return f"{each[0]} ms a move against {each[1]}"


def _duration(seconds: float) -> str:
    """Nothing where nothing was played."""
    return f"{clock(seconds)} in all" if seconds else ""


def _endings(reasons: dict[str, int]) -> str:
    return "Ended by " + ", ".join(f"{reason} {count}" for reason, count in reasons.items())


def _failures(name: str, failures: Counter[str]) -> Iterator[str]:
    if not failures:
        return
    yield f"{name} failed in {sum(failures.values())}:"
    for reason, count in failures.most_common(3):
        yield f"  {count} times {reason}"


def tournament_summary(result: TournamentResult) -> str:
    best = result.ladder()[0]
    return f"{result.contest.entrants[best.entrant]} leads with {best.elo:+.0f}"


def ladder_table(result: TournamentResult) -> tuple[list[str], list[list[str]]]:
    skills = result.skills()
    columns = ["", "player", "Elo", "+-", "points", "games", *(["mu", "sigma"] if skills else [])]
    rows = []
    for place, rung in enumerate(result.ladder(), 1):
        skill = skills[rung.entrant] if skills else None
        rows.append(
            [
                f"{place}",
                result.contest.entrants[rung.entrant],
                f"{round(rung.elo):+d}",  # no -0
                f"{rung.error:.0f}",
                f"{rung.points:g}",
                f"{rung.games}",
                *([f"{skill.mu:.1f}", f"{skill.sigma:.1f}"] if skill else []),
            ]
        )
    return columns, rows


def cross_table(result: TournamentResult) -> tuple[list[str], list[list[str]]]:
    """What each took from each, won, drawn and lost, in the order of the ladder."""
    order = [rung.entrant for rung in result.ladder()]
    rows = []
    for place, one in enumerate(order, 1):
        cells = []
        for other in order:
            if one == other:
                cells.append("-")
                continue
            tally = result.tallies[min(one, other), max(one, other)]
            mine, theirs = (tally.wins, tally.losses) if one < other else (tally.losses, tally.wins)
            cells.append(f"+{mine} ={tally.draws} -{theirs}")
        rows.append([f"{place}", result.contest.entrants[one], *cells])
    return ["", "", *(f"{place}" for place in range(1, len(order) + 1))], rows


def tournament_lines(result: TournamentResult) -> Iterator[str]:
    if not result.games:
        yield "No game has ended yet."
        return
    yield _endings(result.reasons())
    for name, failures in zip(result.contest.entrants, result.forfeits(), strict=True):
        yield from _failures(name, failures)
    yield "; ".join(filter(None, [f"{result.games} games", _duration(result.seconds)]))
