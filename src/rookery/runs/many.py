"""Many runs side by side, each in a process and a folder of its own.

Nothing is shared between them, so each is the run that it would be alone; the folders tell how far they are.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from rookery.arena.workers import deaf
from rookery.errors import RookeryError, describe, warn
from rookery.runs.recipe import Recipe
from rookery.runs.run import Run

_LOOK = 1.0
"""Seconds between two looks at how far they are."""


def train_all(
    recipes: Mapping[Path, Recipe],
    workers: int,
    on_look: Callable[[Mapping[Path, Mapping[str, Any]]], None] = lambda last: None,
    checkpoint_every: float = 30.0,
) -> None:
    """Bring the run in each folder to its end: new ones begin, broken-off ones go on, finished ones stay.

    `on_look` is told, about once a second, the last metrics of each run that is under way or has ended.

    Raises:
        RookeryError: one of them failed; the others are saved where they stood.
    """
    for folder, recipe in recipes.items():
        run = Run.open(folder) if (folder / "config.toml").exists() else Run.create(folder, recipe)
        if run.recipe != recipe:
            raise RookeryError(f"{folder} holds a run by another recipe; name another folder")
    waiting = list(recipes)
    working: dict[int, tuple[BaseProcess, Path]] = {}
    seen: dict[Path, Mapping[str, Any]] = {}
    try:
        while waiting or working:
            while waiting and len(working) < workers:
                folder = waiting.pop(0)
                process: BaseProcess = get_context("spawn").Process(
                    target=_train, args=(folder, checkpoint_every)
                )
                with deaf():
                    process.start()
                working[process.sentinel] = process, folder
            ended = wait(list(working), _LOOK)
            for sentinel in [each for each in working if each in ended]:
                process, folder = working.pop(sentinel)
                process.join()
                seen |= _last(folder)
                if process.exitcode:
                    raise RookeryError(f"the run in {folder} failed; the others are saved where they stood")
            for _, folder in working.values():
                seen |= _last(folder)
            on_look(seen)
    finally:
        for process, _ in working.values():
            process.terminate()  # which they take for a wish to save and leave
        for process, _ in working.values():
            process.join()


def _last(folder: Path) -> dict[Path, Mapping[str, Any]]:
    lines = Run.open(folder).metrics()
    return {folder: lines[-1]} if lines else {}


def _train(folder: Path, checkpoint_every: float) -> None:
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, frame: asked.append(number))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the parent, which then asks.
    parent = os.getppid()
    # A parent that was killed can ask for nothing any more.
    try:
        Run.open(folder).train(
            abandon=lambda: bool(asked) or os.getppid() != parent, checkpoint_every=checkpoint_every
        )
    except (RookeryError, OSError, MemoryError) as error:
        warn(describe(error))
        sys.exit(1)
