"""The processes in which players think, as seen from the server.

A search is bounded in time and memory. One that crashes or will not stop takes its process with it, and
whoever asked gets an `EngineError`; the next search has a new process.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from rookery.errors import EngineError, Resignation

_GRACE = 2.0
"""Seconds in which a search must obey a stop."""
_SOON = 0.3
"""Seconds to wait for a process before another is started."""
_LINE = 4 << 20
_KNOWN = 64
"""Tables whose players a process may still remember."""

Lines = list[dict[str, Any]]


class WrongQuestion(EngineError):
    """It could not be answered because of what was asked."""


@dataclass(frozen=True)
class Question:
    """What a player is asked."""

    do: str
    """move, belief, explain or name."""
    game: str
    start: str | None
    moves: list[str]
    seat: int
    player: str
    table: str = ""
    """Where it sits: for the next move there it is the same player."""
    seed: int = 0
    limit: dict[str, Any] = field(default_factory=dict)
    run: str = ""
    """Whose players are wanted, where no player is asked."""


class _Worker:
    """One process and what it is doing."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._answer: asyncio.Future[dict[str, Any]] | None = None
        self._hear: Callable[[Lines], None] = lambda lines: None
        self._number = 0
        self.known: set[str] = set()
        self._reading = asyncio.create_task(self._read())

    @property
    def alive(self) -> bool:
        return self._process.returncode is None and not self._reading.done()

    @property
    def idle(self) -> bool:
        return self._answer is None

    def ask(
        self, number: int, question: Question, hear: Callable[[Lines], None]
    ) -> asyncio.Future[dict[str, Any]]:
        self._number = number
        self._hear = hear
        self._answer = asyncio.get_running_loop().create_future()
        if len(self.known) > _KNOWN:
            self.known.clear()
        self.known.add(question.table)
        self._write({"id": number, **asdict(question)})
        return self._answer

    def stop(self) -> None:
        self._write({"id": self._number, "do": "stop"})

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()

    async def wait(self) -> None:
        await self._process.wait()
        await asyncio.gather(self._reading, return_exceptions=True)

    def _write(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(ConnectionError, RuntimeError):
            self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            while text := await self._process.stdout.readline():
                reply = json.loads(text)
                if reply["id"] != self._number or self._answer is None:
                    continue
                if "lines" in reply:
                    self._hear(reply["lines"])
                else:
                    settled, self._answer = self._answer, None
                    if not settled.done():
                        settled.set_result(reply)
        finally:
            answer, self._answer = self._answer, None
            if answer is not None and not answer.done():
                answer.set_exception(EngineError("its process ended in the middle of a thought"))


class Engines:
    """A pool of such processes: a few, and more while those think for long."""

    def __init__(
        self,
        permit: Callable[[str], object],
        few: int,
        most: int,
        memory: int,
        nice: int = 0,
        runs: Path | None = None,
    ) -> None:
        """permit: raises if a player of that name may not be asked; memory: bytes that a process may have;
        runs: where a run named in a player's name lies; the processes work from there."""
        self._permit = permit
        self._few = few
        self._most = most
        self._memory = memory
        self._nice = nice
        self._runs = runs
        self._workers: list[_Worker] = []
        self._changed = asyncio.Condition()
        self._numbers = count(1)
        self._tidying: set[asyncio.Task[None]] = set()

    async def warm(self) -> None:
        """Start one process before anybody asks."""
        if not self._workers:
            self._workers.append(await self._spawn())

    async def ask(
        self, question: Question, seconds: float, hear: Callable[[Lines], None] = lambda lines: None
    ) -> dict[str, Any]:
        """The player's answer. If the caller is cancelled, so is the search.

        Raises:
            EngineError: it failed; the message says how.
            Resignation: it gives up.
            BadOption: nobody may ask this player.
        """
        self._permit(question.player)
        worker = await self._take(question.table)
        answer = worker.ask(next(self._numbers), question, hear)
        try:
            reply = await asyncio.wait_for(asyncio.shield(answer), seconds)
        except TimeoutError:
            reply = await self._hurry(worker, answer)
        except asyncio.CancelledError:
            worker.stop()
            self._tidy(self._settle(worker, answer))
            raise
        finally:
            self._tidy(self._notify())
        if "error" in reply:
            raise (WrongQuestion if "asker" in reply else EngineError)(reply["error"])
        if "resigned" in reply:
            raise Resignation("it resigned")
        return reply

    async def close(self) -> None:
        for worker in self._workers:
            worker.kill()
        await asyncio.gather(*(worker.wait() for worker in self._workers), return_exceptions=True)
        await asyncio.gather(*self._tidying, return_exceptions=True)

    async def _take(self, table: str) -> _Worker:
        async with self._changed:
            while True:
                self._workers = [worker for worker in self._workers if worker.alive]
                idle = [worker for worker in self._workers if worker.idle]
                if idle:
                    return next((worker for worker in idle if table in worker.known), idle[0])
                if len(self._workers) < self._few or (
                    not await self._freed() and len(self._workers) < self._most
                ):
                    worker = await self._spawn()
                    self._workers.append(worker)
                    return worker

    async def _freed(self) -> bool:
        """Whether somebody became free soon: light players always do, and need no more processes."""
        try:
            await asyncio.wait_for(self._changed.wait(), _SOON)
        except TimeoutError:
            return any(worker.idle for worker in self._workers)
        return True

    async def _spawn(self) -> _Worker:
        environment = os.environ | {
            "ROOKERY_WORKER_MEMORY": str(self._memory),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        command = [sys.executable, "-m", "rookery.interfaces.web.worker"]
        if self._nice:
            command = ["nice", "-n", str(self._nice), *command]
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            limit=_LINE,
            env=environment,
            cwd=self._runs,
            start_new_session=True,  # Ctrl-C is for the server; without it they leave by themselves
        )
        return _Worker(process)

    async def _hurry(self, worker: _Worker, answer: asyncio.Future[dict[str, Any]]) -> dict[str, Any]:
        worker.stop()
        try:
            return await asyncio.wait_for(asyncio.shield(answer), _GRACE)
        except TimeoutError:
            answer.cancel()
            worker.kill()
            raise EngineError("it thought for too long and would not stop") from None

    async def _settle(self, worker: _Worker, answer: asyncio.Future[dict[str, Any]]) -> None:
        """A search that nobody waits for any more."""
        with suppress(EngineError):
            try:
                await asyncio.wait_for(asyncio.shield(answer), _GRACE)
            except TimeoutError:
                answer.cancel()
                worker.kill()
        await self._notify()

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    def _tidy(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tidying.add(task)
        task.add_done_callback(self._tidying.discard)
