"""Pieces of work for the tests, as a module that other processes can import too."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from time import monotonic, sleep

from rookery.papers.study import Done


def note(log: str, number: int) -> int:
    """Leaves a mark that it was done."""
    with Path(log).open("a") as file:
        file.write(f"{number}\n")
    return number * number


def deaf(number: int) -> bool:
    """Whether Ctrl-C would not reach this process, and would not have reached it from the first moment."""
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def stumble(log: str, number: int) -> int:
    if number == 3 and not Path(log + ".mended").exists():
        raise ArithmeticError("three")
    return note(log, number)


def kill_parent(log: str, number: int) -> int:
    """The third time takes the whole program with it, as a lack of power would."""
    if number == 3 and not Path(log + ".mended").exists():
        sleep(0.5)
        os.kill(os.getppid(), 9)
        sleep(5)
    return note(log, number)


def kill_itself(log: str, number: int) -> int:
    """As a machine without memory does to a process."""
    os.kill(os.getpid(), 9)
    return number


def note_in(log: str, number: int, threads: int) -> int:
    """The same at a place in the study's folder; the threads change nothing."""
    Path(log).parent.mkdir(exist_ok=True)
    return note(log, number)


def long_ago(seconds: float) -> Done:
    """Most of it was done in earlier sittings."""
    return Done("done", seconds)


def span(name: str) -> tuple[float, float]:
    began = monotonic()
    sleep(0.2)
    return began, monotonic()
