"""Long work that the studio starts as commands of its own: matches, tournaments, training.

A job outlives a server that is killed. What it is known by, its process and since when that runs, is written
down, so the next server finds it again: it is shown as running, and can be stopped.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from rookery import durable
from rookery.errors import RookeryError, describe

BOUNDED = (sys.executable, "-m", "rookery.job")
"""`rookery`, wherever it is installed; the bytes that it may have come first."""
END = "ROOKERY_JOB_END"
"""The environment variable that names the file in which a job says how it ended."""
_NAME = re.compile(r"[\w.-]+")
_TAIL = 4096
"""Bytes at the end of what a job said that are looked at."""
_PATIENCE = 5.0
"""Seconds in which a job must save and leave; who asks again after that ends it."""


@dataclass
class Job:
    """One command at work, or one that was."""

    pid: int
    since: str
    """When its process began, as the system tells it: numbers of processes come again."""
    log: Path
    """What it said."""
    process: Process | None = field(default=None, repr=False)
    """None: an earlier server started it."""
    _asked: float | None = None

    @property
    def running(self) -> bool:
        if self.process is not None:
            return self.process.returncode is None
        return began(self.pid) == self.since

    @property
    def failure(self) -> str | None:
        """Why it ended, if not well."""
        if self.running:
            return None
        code = self.process.returncode if self.process is not None else self._code()
        asked = code == -signal.SIGKILL and self._asked
        if asked or code in (None, 0, -signal.SIGTERM, 128 + signal.SIGTERM, 128 + signal.SIGINT):
            return None
        return self._said() or f"it ended with code {code}"

    def stop(self) -> None:
        """Ask it to save and leave; if it was asked long ago, end it. What it saved is there."""
        late = self._asked is not None and monotonic() - self._asked > _PATIENCE
        self._asked = self._asked or monotonic()
        self._signal(signal.SIGKILL if late else signal.SIGTERM)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    async def wait(self, seconds: float) -> bool:
        """Whether it has ended by then."""
        end = monotonic() + seconds
        while self.running and monotonic() < end:
            await asyncio.sleep(0.05)
        return not self.running

    def _signal(self, number: int) -> None:
        if self.running:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, number)

    def _code(self) -> int | None:
        """What it ended with, as it wrote itself; None: it was killed."""
        try:
            return int(end_of(self.log).read_text())
        except (OSError, ValueError):
            return None

    def _said(self) -> str:
        """The last thing that it said: of a command that failed, why."""
        try:
            with self.log.open("rb") as file:
                file.seek(max(0, self.log.stat().st_size - _TAIL))
                lines = file.read().decode(errors="replace").split("\n")
        except OSError:
            return ""
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return last.removeprefix("rookery: ")[:300]


class Jobs:
    """Commands by the name of what they work on."""

    def __init__(self, kept: Path, folder: Path, most: int) -> None:
        """kept: where it is written down what runs; folder: where commands run; most: so many at a time."""
        self._kept = kept
        self._folder = folder
        self._most = most
        self._jobs: dict[str, Job] = {}
        for path in kept.glob("*.json"):
            with suppress(OSError, ValueError, TypeError, KeyError):
                known = json.loads(path.read_text())
                self._jobs[path.stem] = Job(int(known["pid"]), str(known["since"]), self._log(path.stem))

    def get(self, name: str) -> Job | None:
        return self._jobs.get(name)

    def running(self, name: str) -> bool:
        job = self._jobs.get(name)
        return job is not None and job.running

    async def start(self, name: str, command: Sequence[str]) -> None:
        """Begin.

        Raises:
            RookeryError: it is at work already, or too many others are, or it cannot be started.
        """
        assert _NAME.fullmatch(name), name
        if self.running(name):
            raise RookeryError(f"{name} is running already")
        if sum(job.running for job in self._jobs.values()) >= self._most:
            raise RookeryError(f"at most {self._most} matches and trainings run at a time; stop one first")
        try:
            self._kept.mkdir(parents=True, exist_ok=True)
            end = end_of(self._log(name))
            end.unlink(missing_ok=True)
            with self._log(name).open("wb") as log:
                process = await asyncio.create_subprocess_exec(
                    *command,
                    stdin=DEVNULL,
                    stdout=DEVNULL,
                    stderr=log,
                    cwd=self._folder,
                    env=os.environ | {END: str(end)},
                )
            job = Job(process.pid, began(process.pid), self._log(name), process)
            self._jobs[name] = job
            durable.write(self._kept / f"{name}.json", json.dumps({"pid": job.pid, "since": job.since}))
        except OSError as error:
            raise RookeryError(f"{name} cannot be started: {describe(error)}") from None

    def stop(self, name: str) -> None:
        """Ask it to save and leave.

        Raises:
            RookeryError: it is not at work.
        """
        if not self.running(name):
            raise RookeryError(f"{name} is not running")
        self._jobs[name].stop()

    async def close(self) -> None:
        """Let all save and leave."""
        running = [job for job in self._jobs.values() if job.running]
        for job in running:
            job.stop()
        for job in running:
            if not await job.wait(_PATIENCE):
                job.kill()
                await job.wait(_PATIENCE)

    def _log(self, name: str) -> Path:
        return self._kept / f"{name}.log"


def end_of(log: Path) -> Path:
    """Where a job writes down what it ended with, for a server that did not start it."""
    return log.with_suffix(".end")


def began(pid: int) -> str:
    """When a process began; empty: there is none of that number, or it has ended."""
    try:
        # The name of the program stands in brackets, and may hold anything.
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if fields[0] in "ZX" else fields[19]
    except OSError:
        if Path("/proc/self/stat").exists():
            return ""
    asked = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True)
    return asked.stdout.strip()
