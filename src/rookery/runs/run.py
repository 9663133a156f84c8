"""One run: a learner at work in its folder."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from rookery.api import Learner, Metrics
from rookery.errors import CheckpointMismatch, RookeryError
from rookery.runs.events import Events
from rookery.runs.recipe import Recipe

_CONFIG = "config.toml"
_METRICS = "metrics.jsonl"
_PROGRESS = "run.json"
"""In each checkpoint: where the run stood."""
_KEPT = 2
"""Checkpoints that are kept, newest first; one would do, were disks perfect."""


@dataclass(frozen=True)
class Step:
    """What a run tells after each step."""

    number: int
    """Counted from 1."""
    steps: int
    """Of the whole run."""
    seconds: float
    """Spent on the run so far, in all its sittings."""
    metrics: Metrics


@dataclass(frozen=True)
class _Mark:
    """Where a run stood at a checkpoint."""

    step: int = 0
    seconds: float = 0.0
    metrics_bytes: int = 0


class Run:
    """A run folder. `train` goes on from the newest checkpoint, or begins."""

    def __init__(self, folder: Path, recipe: Recipe) -> None:
        self.folder = folder
        self.recipe = recipe

    @classmethod
    def create(cls, folder: Path, recipe: Recipe) -> Run:
        """A new run in a folder that is empty or not there yet.

        Raises:
            CheckpointMismatch: something else lies there.
        """
        if (folder / _CONFIG).exists():
            raise CheckpointMismatch(f"{folder} holds a run already; `rookery resume {folder}` goes on")
        # What a program killed right at its start may have left is no reason to refuse.
        leftovers = {f"{_CONFIG}.part", "checkpoints"}
        if folder.exists() and any(path.name not in leftovers for path in folder.iterdir()):
            raise CheckpointMismatch(f"{folder} is not empty; name another folder for the run")
        (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        _write_aside(folder / _CONFIG, recipe.toml())
        return cls(folder, recipe)

    @classmethod
    def open(cls, folder: Path) -> Run:
        """The run that lies in a folder.

        Raises:
            CheckpointMismatch: none does.
        """
        try:
            text = (folder / _CONFIG).read_text()
        except OSError:
            raise CheckpointMismatch(f"{folder} holds no run: it has no {_CONFIG}") from None
        return cls(folder, Recipe.read(text, str(folder / _CONFIG)))

    @classmethod
    def take_up(cls, folder: Path, recipe: Recipe, whatever: Collection[str] = ()) -> Run:
        """The run of that recipe; one of another, from an earlier work in the same place, gives way.

        whatever: options that may differ, since they change nothing of what is learnt.
        """
        if (folder / _CONFIG).exists():
            run = cls.open(folder)
            same = {
                name: getattr(run.recipe.options, name)
                for name in whatever
                if run.recipe.learner == recipe.learner
            }
            if run.recipe == replace(recipe, options=replace(recipe.options, **same)):
                return run
            shutil.rmtree(folder)
        return cls.create(folder, recipe)

    def metrics(self) -> list[dict[str, Any]]:
        """A dict a step, as far as the run has come; what a kill cut off is left out."""
        try:
            lines = (self.folder / _METRICS).read_text().splitlines(keepends=True)
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def checkpoints(self) -> list[Path]:
        """The folders of all checkpoints, oldest first."""
        return sorted(path for path in (self.folder / "checkpoints").glob("[0-9]*") if path.is_dir())

    @property
    def done(self) -> int:
        """The step of the newest checkpoint."""
        return self._mark().step

    def train(
        self,
        on_step: Callable[[Step], None] = lambda step: None,
        stop: Callable[[], bool] = lambda: False,
        checkpoint_every: float = 30.0,
    ) -> Learner:
        """Work until the recipe is done, or until `stop` says so after a step; then all is saved.

        The seconds between checkpoints decide what a kill costs, never what is learnt.

        Raises:
            CheckpointMismatch: another program works on this run, or its checkpoint cannot be read.
        """
        with self._alone():
            learner = self.recipe.make()
            mark = self._mark()
            if mark.step:
                self._load(learner, mark)
            self._cut_metrics(mark)
            number, saved, before = mark.step, monotonic(), mark.seconds
            began = monotonic()
            with Events(self.folder / "events", self.metrics()) as events:
                while number < learner.steps and not (number > mark.step and stop()):
                    metrics = learner.step()
                    number += 1
                    step = Step(number, learner.steps, before + monotonic() - began, metrics)
                    line = {"step": number, "seconds": round(step.seconds, 3), **metrics}
                    self._append(line)
                    events.add(line)
                    if monotonic() - saved >= checkpoint_every:
                        self._save(learner, number, step.seconds)
                        saved = monotonic()
                    on_step(step)
            if number > self.done:
                self._save(learner, number, before + monotonic() - began)
            return learner

    # --- the folder ----------------------------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[None]:
        with (self.folder / _CONFIG).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise CheckpointMismatch(f"another program is at work in {self.folder}") from None
            for path in (self.folder / "checkpoints").glob(".*"):  # half-written when a program was killed
                shutil.rmtree(path)
            yield

    def _mark(self) -> _Mark:
        newest = self.checkpoints()[-1:]
        return _Mark(**json.loads((newest[0] / _PROGRESS).read_text())) if newest else _Mark()

    def _load(self, learner: Learner, mark: _Mark) -> None:
        folder = self.checkpoints()[-1]
        try:
            learner.load(folder)
        except RookeryError:
            raise
        except Exception as error:
            raise CheckpointMismatch(f"{folder} cannot be read: {error}") from None

    def _cut_metrics(self, mark: _Mark) -> None:
        """What was told after the checkpoint will be told again."""
        with (self.folder / _METRICS).open("ab") as file:
            file.truncate(mark.metrics_bytes)

    def _append(self, line: dict[str, Any]) -> None:
        with (self.folder / _METRICS).open("a") as file:
            file.write(json.dumps(line) + "\n")

    def _save(self, learner: Learner, step: int, seconds: float) -> None:
        folder = self.folder / "checkpoints" / f"{step:06}"
        aside = folder.with_name(f".{folder.name}")
        aside.mkdir()
        learner.save(aside)
        size = (self.folder / _METRICS).stat().st_size
        mark = {"step": step, "seconds": seconds, "metrics_bytes": size}
        (aside / _PROGRESS).write_text(json.dumps(mark))
        for path in (*aside.rglob("*"), self.folder / _METRICS, aside):
            _to_disk(path)
        aside.rename(folder)
        _to_disk(folder.parent)
        for old in self.checkpoints()[:-_KEPT]:
            # Its last name must not look like a checkpoint while half of it is gone.
            doomed = old.rename(old.with_name(f".{old.name}"))
            shutil.rmtree(doomed)


def _write_aside(path: Path, text: str) -> None:
    part = path.with_name(f"{path.name}.part")
    part.write_text(text)
    _to_disk(part)
    part.rename(path)
    _to_disk(path.parent)


def _to_disk(path: Path) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
