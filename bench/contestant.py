"""The bench's half of the protocol in contestants/protocol.py."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any

PROGRAMS = Path(__file__).parent / "contestants"
PATIENCE = 120
"""Seconds beyond those asked for, after which a silent contestant is taken for dead."""


class Unmeasured(Exception):
    """A contestant that cannot be measured; the message says why."""


@dataclass(frozen=True)
class Sample:
    """What a contestant did in one round."""

    units: int
    games: int
    seconds: float
    count: int | None = None
    """The leaves of the tree, where a tree was counted: contestants must agree on it."""

    @property
    def rate(self) -> float:
        return self.units / self.seconds

    @property
    def games_rate(self) -> float:
        return self.games / self.seconds


class Contestant:
    """A running contestant: `python contestants/PROGRAM.py ARGUMENTS...`."""

    def __init__(self, python: str, program: str, *arguments: str) -> None:
        self._program = program
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 - it lives as long as the process
        self._process = subprocess.Popen(
            [python, str(PROGRAMS / f"{program}.py"), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
        )
        self.greeting = self._listen(0)

    def measure(self, task: str, seconds: float, details: Mapping[str, Any]) -> Sample:
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps({"task": task, "seconds": seconds, **details}) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Unmeasured(f"{self._program}: {self._last_words()}") from None
        return Sample(**self._listen(seconds))

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._errors.close()

    def _listen(self, seconds: float) -> dict[str, Any]:
        assert self._process.stdout
        timer = Timer(seconds + PATIENCE, self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        if not line:
            raise Unmeasured(f"{self._program}: {self._last_words()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _last_words(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        lines = self._errors.read().split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it ended without a word")
