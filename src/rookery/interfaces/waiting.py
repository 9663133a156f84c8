"""Long work in the native half: it shows how far it is, and Ctrl-C ends it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Thread
from time import perf_counter
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress

T = TypeVar("T")

_PATIENCE = 1.0
"""Seconds that people wait in the dark without wondering."""


def wait_for(work: Callable[[Callable[[], None]], T], what: str, steps: int) -> T:
    """Do the work, which calls its argument after each of its steps, and give what it gives.

    If stderr is a terminal, a bar appears there as soon as the work lasts longer than people's patience.
    """
    console = Console(stderr=True)
    progress = Progress(console=console, transient=True, disable=not console.is_terminal)
    task = progress.add_task(what, total=steps)
    results: list[T] = []
    errors: list[BaseException] = []

    def attempt() -> None:
        try:
            results.append(work(lambda: progress.advance(task)))
        except BaseException as error:
            errors.append(error)

    # Python hears Ctrl-C only between two of its own instructions, so native code gets another thread;
    # a daemon, for nobody waits for it once the person has left.
    thread = Thread(target=attempt, daemon=True)
    began = perf_counter()
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
            if perf_counter() - began > _PATIENCE:
                progress.start()
    except KeyboardInterrupt:
        progress.stop()
        print("rookery: interrupted", file=sys.stderr, flush=True)
        os._exit(1)  # Python cannot end in good order while native code runs on.
    progress.stop()
    if errors:
        raise errors[0]
    return results[0]
