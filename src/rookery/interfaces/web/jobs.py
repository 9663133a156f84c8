"""Long work that the studio starts as commands of its own: matches, tournaments, training."""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rookery.errors import RookeryError

COMMAND = (sys.executable, "-c", "from rookery.cli import main; main()")
"""`rookery`, wherever it is installed."""
_MOST = 4
"""So many at a time."""
_STEPS = re.compile(r"step ([\d,]+)/([\d,]+)")


class Job:
    """One command at work."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._said = ""
        self.steps: int | None = None
        """Of how many steps a training consists, once it has said so."""
        self._reading = asyncio.create_task(self._read())

    @property
    def running(self) -> bool:
        return not self._reading.done()

    @property
    def failure(self) -> str | None:
        """Why it ended, if not well."""
        if self.running or self._process.returncode in (0, None, -15, 130):
            return None
        return self._said or f"it ended with code {self._process.returncode}"

    def stop(self) -> None:
        with suppress(ProcessLookupError):
            self._process.terminate()

    def kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()

    async def wait(self, seconds: float) -> bool:
        """Whether it has ended by then."""
        done, _ = await asyncio.wait([self._reading], timeout=seconds)
        return bool(done)

    async def _read(self) -> None:
        assert self._process.stderr is not None
        while line := await self._process.stderr.readline():
            text = line.decode(errors="replace").strip()
            if found := _STEPS.search(text):
                self.steps = int(found[2].replace(",", ""))
            if text:
                self._said = text.removeprefix("rookery: ")[:300]
        await self._process.wait()


class Jobs:
    """Commands by the name of what they work on."""

    def __init__(self, folder: Path | None = None) -> None:
        """folder: where the commands run."""
        self._folder = folder
        self._jobs: dict[str, Job] = {}

    def get(self, name: str) -> Job | None:
        return self._jobs.get(name)

    def running(self, name: str) -> bool:
        job = self._jobs.get(name)
        return job is not None and job.running

    async def start(self, name: str, arguments: Sequence[str], command: Sequence[str] = COMMAND) -> None:
        """Begin.

        Raises:
            RookeryError: it is at work already, or too many others are.
        """
        if self.running(name):
            raise RookeryError(f"{name} is being worked on already")
        if sum(job.running for job in self._jobs.values()) >= _MOST:
            raise RookeryError(f"{_MOST} are at work already; stop one of them first")
        process = await asyncio.create_subprocess_exec(
            *("nice", "-n", "10", *command, *arguments),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
            cwd=self._folder,
        )
        self._jobs[name] = Job(process)

    def stop(self, name: str) -> None:
        """Ask it to save and leave.

        Raises:
            RookeryError: it is not at work.
        """
        if not self.running(name):
            raise RookeryError(f"{name} is not being worked on")
        self._jobs[name].stop()

    async def close(self) -> None:
        """Let all save and leave."""
        running = [job for job in self._jobs.values() if job.running]
        for job in running:
            job.stop()
        for job in running:
            if not await job.wait(5.0):
                job.kill()
                await job.wait(5.0)
