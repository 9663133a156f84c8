"""Long work in the native half: it shows that it goes on, and Ctrl-C ends it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Event, Thread
from time import perf_counter
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds that people wait in the dark without wondering."""
_LAST_WORD = 5.0
"""Seconds that work may take to hear a stop."""


def aside(work: Callable[[], T], on_wait: Callable[[float], None], stop: Callable[[], None]) -> T:
    """Do the work in a thread of its own, and give what it gives.

    Python hears Ctrl-C only between two of its own instructions, and native code may be long: so this thread
    waits, calls `on_wait` with the seconds so far several times in each, and `stop` upon Ctrl-C.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    results: list[T] = []
    errors: list[BaseException] = []
    done = Event()

    def attempt() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)
        done.set()

    # A daemon: nobody waits for it once the person has left. And an event, for an interrupted join() takes
    # a running thread for dead.
    began = perf_counter()
    try:
        Thread(target=attempt, daemon=True).start()
        while not done.wait(0.1):
            on_wait(perf_counter() - began)
    except KeyboardInterrupt:
        # More than once: a search that is just about to begin forgets a stop that came before.
        began = perf_counter()
        while not done.is_set() and perf_counter() - began < _LAST_WORD:
            stop()
            done.wait(0.05)
        raise
    if errors:
        raise errors[0]
    return results[0]


def wait_for(work: Callable[[Callable[[], None]], T], what: str, steps: int) -> T:
    """Do the work, which calls its argument after each of its steps, and give what it gives.

    If stderr is a terminal, a bar appears there as soon as the work lasts longer than people's patience.
    Ctrl-C ends the program.
    """
    console = Console(stderr=True)
    progress = Progress(console=console, transient=True, disable=not console.is_terminal)
    task = progress.add_task(what, total=steps)

    def show(seconds: float) -> None:
        if seconds > PATIENCE:
            progress.start()

    def leave() -> None:
        progress.stop()
        print("rookery: interrupted", file=sys.stderr, flush=True)
        os._exit(1)  # Python cannot end in good order while native code runs on.

    try:
        return aside(lambda: work(lambda: progress.advance(task)), show, leave)
    finally:
        progress.stop()
