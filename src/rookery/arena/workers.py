"""Processes that play the games of a contest, each with its own players and external programs.

A worker tells whom it is about to ask. So even a player that takes its whole process with it, or never
returns, loses its game with a reason, and the contest goes on in a new process.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing import connection, get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any, Protocol

from rookery import players
from rookery.api import GameRecord, Limit, Player, Seat
from rookery.arena.contest import Contest, ScheduledGame
from rookery.arena.game import crash, forfeited, play_game
from rookery.errors import RookeryError

_HANGING = 10.0
"""Seconds beyond its limit after which nobody waits for a player any longer."""


class Executor(Protocol):
    """Where games are played: here, or in processes of their own."""

    def play(self, schedule: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        """Plays them all; gives each when it ends, in whatever order."""
        ...

    def close(self) -> None: ...


def open_executor(contest: Contest, workers: int) -> Executor:
    """A place for the games of a contest; with no workers it is this process."""
    return Workers(contest, workers) if workers else InProcess(contest)


class InProcess:
    """Plays one game after the other in this process."""

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._seated: dict[tuple[int, int], Player] = {}

    def play(self, schedule: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        for scheduled in schedule:
            yield scheduled, self.play_one(scheduled)

    def play_one(
        self, scheduled: ScheduledGame, watch: Callable[[Seat, Sequence[str]], None] | None = None
    ) -> GameRecord:
        contest = self._contest
        record = play_game(
            contest.rules,
            self._seat(scheduled),
            contest.limit,
            scheduled.seed,
            scheduled.start,
            scheduled.opening,
            max_plies=contest.max_plies,
            watch=watch,
        )
        if forfeited(record.outcome.reason):
            # Who failed once may be in any state; the next game gets new players.
            self.close()
        return record

    def close(self) -> None:
        for player in self._seated.values():
            player.close()
        self._seated = {}

    def _seat(self, scheduled: ScheduledGame) -> list[Player]:
        """The players by seat. An entrant is made once for each seat that it may have at a time."""
        spec = self._contest.rules.spec
        seated = []
        for seat in range(spec.seats):
            place = (scheduled.sides[spec.side_of[seat]], spec.side_of[:seat].count(spec.side_of[seat]))
            if place not in self._seated:
                self._seated[place] = players.make(self._contest.entrants[place[0]], self._contest.rules)
            seated.append(self._seated[place])
        return seated


@dataclass
class _Worker:
    """A process, and what it was doing when last heard of."""

    process: BaseProcess
    pipe: Connection
    scheduled: ScheduledGame | None = None
    seat: Seat | None = None
    """Who was asked; None between two games."""
    moves: list[str] = field(default_factory=list)
    asked: float = 0.0

    def give(self, scheduled: ScheduledGame) -> None:
        self.scheduled, self.seat, self.moves = scheduled, None, []
        # A worker that has died in the meantime shows when it is listened to.
        with suppress(BrokenPipeError):
            self.pipe.send(scheduled)

    def late(self, limit: Limit) -> bool:
        if self.seat is None or not (limit.time or limit.clocks):
            return False
        clock = limit.clocks[self.seat] if limit.clocks else None
        # All the increments of a long game may have been saved for one move.
        most = limit.time or (clock.left + 300 * clock.increment if clock else 0.0)
        return monotonic() - self.asked > most + _HANGING


class Workers:
    """Plays games in several processes at once."""

    def __init__(self, contest: Contest, workers: int) -> None:
        self._contest = contest
        self._context = get_context("spawn")
        self._workers = [self._start() for _ in range(workers)]

    def play(self, schedule: Iterable[ScheduledGame]) -> Iterator[tuple[ScheduledGame, GameRecord]]:
        waiting = iter(schedule)
        idle, busy = list(self._workers), list[_Worker]()
        while True:
            while idle and (scheduled := next(waiting, None)) is not None:
                worker = idle.pop()
                worker.give(scheduled)
                busy.append(worker)
            if not busy:
                return
            for worker, record in self._listen(busy):
                busy.remove(worker)
                idle.append(self._replace(worker) if not worker.process.is_alive() else worker)
                assert worker.scheduled is not None
                yield worker.scheduled, record

    def close(self) -> None:
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers = []

    def _start(self) -> _Worker:
        here, there = self._context.Pipe()
        process = self._context.Process(target=_work, args=(self._contest, there), daemon=True)
        with deaf():
            process.start()
        there.close()
        return _Worker(process, here)

    def _replace(self, worker: _Worker) -> _Worker:
        worker.pipe.close()
        self._workers.remove(worker)
        self._workers.append(self._start())
        return self._workers[-1]

    def _listen(self, busy: Sequence[_Worker]) -> list[tuple[_Worker, GameRecord]]:
        """The games that have ended since."""
        ready = connection.wait([worker.pipe for worker in busy], timeout=1.0)
        ended = []
        for worker in busy:
            record = None
            if worker.pipe in ready:
                record = self._hear(worker)
            elif worker.late(self._contest.limit):
                worker.process.kill()
                worker.process.join()
                record = self._lost(worker, "time")
            if record:
                ended.append((worker, record))
        return ended

    def _hear(self, worker: _Worker) -> GameRecord | None:
        try:
            message: Any = worker.pipe.recv()
        except (EOFError, OSError):  # it may have died in the middle of a message
            worker.process.join()
            return self._lost(worker, crash(f"its process ended with {_how(worker.process.exitcode)}"))
        if isinstance(message, GameRecord):
            return message
        if isinstance(message, Exception):
            raise message
        worker.seat, new = message
        worker.moves += new
        worker.asked = monotonic()
        return None

    def _lost(self, worker: _Worker, reason: str) -> GameRecord:
        """The record of a game that its process could not finish."""
        contest, scheduled = self._contest, worker.scheduled
        spec = contest.rules.spec
        assert scheduled is not None
        if worker.seat is None:
            raise RookeryError(f"a worker could not begin a game: {reason}")
        state = contest.rules.start(scheduled.start)
        start, plies = str(state), 0
        for text in worker.moves:
            state = state.play(state.parse(text))
            plies += state.stood
        return GameRecord(
            game=spec.name,
            version=spec.version,
            seed=scheduled.seed,
            players=tuple(contest.entrants[scheduled.sides[side]] for side in spec.side_of),
            start=start,
            moves=tuple(worker.moves),
            outcome=spec.lost_by(worker.seat, reason),
            opening=len(scheduled.opening),
            plies=plies,
            seconds=(0.0,) * spec.seats,
        )


def _how(code: int | None) -> str:
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"status {code}"


def _work(contest: Contest, pipe: Connection) -> None:
    """What a worker does: plays what it is given, until nobody gives anything more."""
    leave_it_to_parent()
    leave_with_parent()
    executor = InProcess(contest)
    while True:
        try:
            scheduled: ScheduledGame = pipe.recv()
        except EOFError:
            break
        sent = 0

        def watch(seat: Seat, moves: Sequence[str]) -> None:
            nonlocal sent
            pipe.send((seat, list(moves[sent:])))
            sent = len(moves)

        try:
            pipe.send(executor.play_one(scheduled, watch))
        except BrokenPipeError:
            break
        except Exception as error:
            pipe.send(error if isinstance(error, RookeryError) else RookeryError(crash(error)))
    executor.close()


@contextmanager
def deaf() -> Iterator[None]:
    """Processes begun here do not hear Ctrl-C, not even before `leave_it_to_parent`, while they import."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        # A process of the library's own, which tells of it if it is ended before us. To begin it lets SIGINT
        # through again, so it comes first.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_SETMASK, before | {signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_it_to_parent() -> None:
    """Ctrl-C, and whoever ends a group of processes, reach all of them; the first one is to say what follows.

    Else a player would lose its game since its process was asked to leave.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        # Heard, and not ignored, for the programs that play here would inherit that.
        signal.signal(number, lambda number, frame: None)


def leave_with_parent() -> None:
    """Nobody wants what an orphan thinks; where the parent is killed, its workers follow at once."""
    parent = parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
