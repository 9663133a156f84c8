"""Holding a contest: playing what its record lacks, and giving all of it in order."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing

from rookery.arena.contest import Contest, ScheduledGame
from rookery.arena.record import Played, Record
from rookery.arena.workers import open_executor
from rookery.errors import RecordMismatch


def hold(
    contest: Contest,
    record: Record | None = None,
    workers: int = 0,
    on_end: Callable[[Played], None] = lambda game: None,
) -> Generator[Played, None, None]:
    """The games of a contest in the order in which they count, whatever the order in which they end.

    Short games end first and are not like long ones, so a score over whatever has ended would lean; a score
    over what this gives never does, and stopping early gives the same games for any number of workers.
    Each game is in the record as soon as it ends, and `on_end` is told.
    """
    known = dict(record.played) if record else {}
    plan = list(contest.schedule())
    for scheduled in plan:
        if scheduled.key in known:
            _check(scheduled, known[scheduled.key], record)
    place = 0
    while place < len(plan) and plan[place].key in known:
        yield known.pop(plan[place].key)
        place += 1
    if place == len(plan):
        return
    missing = [scheduled for scheduled in plan[place:] if scheduled.key not in known]
    with closing(open_executor(contest, min(workers, len(missing)))) as executor:
        for scheduled, played in executor.play(missing):
            game = Played(scheduled.pair, scheduled.sides, played)
            if record:
                record.append(game)
            on_end(game)
            known[game.key] = game
            while place < len(plan) and plan[place].key in known:
                yield known.pop(plan[place].key)
                place += 1


def _check(scheduled: ScheduledGame, game: Played, record: Record | None) -> None:
    """A recorded game must be the one that would be played now."""
    moves = game.record.moves[: game.record.opening]
    if game.record.seed != scheduled.seed or moves != scheduled.opening:
        raise RecordMismatch(
            f"{record.path if record else 'the record'}: the game of pair {scheduled.pair + 1} began "
            "otherwise than it would now; another version of the program recorded it, so name another file"
        )
