"""One run: a learner at work in its folder."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

from rookery import checkpoint, durable
from rookery.api import Learner, Metrics
from rookery.checkpoint import Mark
from rookery.errors import BadOption, CheckpointMismatch, Diverged, Interrupted, RookeryError, describe, warn
from rookery.runs.events import Events
from rookery.runs.recipe import Recipe

_CONFIG = "config.toml"
_METRICS = "metrics.jsonl"
_LENGTH = "steps.json"
_KEPT = 2
"""Checkpoints that are kept, newest first: where a disk damaged one, the other is taken."""


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


class Run:
    """A run folder. `train` goes on from the newest checkpoint, or begins."""

    def __init__(self, folder: Path, recipe: Recipe) -> None:
        self.folder = folder
        self.recipe = recipe

    @classmethod
    def create(cls, folder: Path, recipe: Recipe) -> Run:
        """A new run in a folder that is empty or not there yet.

        Raises:
            CheckpointMismatch: something else lies there, or the recipe is bound to other data.
        """
        if (folder / _CONFIG).exists():
            raise CheckpointMismatch(f"{folder} holds a run already; `rookery resume {folder}` goes on")
        # What a program killed right at its start may have left is no reason to refuse.
        leftovers = {f"{_CONFIG}.part", "checkpoints"}
        if folder.exists() and any(path.name not in leftovers for path in folder.iterdir()):
            raise CheckpointMismatch(f"{folder} is not empty; name another folder for the run")
        recipe = recipe.bound()
        (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        durable.write(folder / _CONFIG, recipe.toml())
        return cls(folder, recipe)

    @classmethod
    def open(cls, folder: Path) -> Run:
        """The run that lies in a folder.

        Raises:
            CheckpointMismatch: none does.
            BadOption: its recipe cannot be read.
        """
        try:
            text = (folder / _CONFIG).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise BadOption(f"{folder / _CONFIG} cannot be read: it is no text") from None
        except OSError as error:
            why = "it has no" if isinstance(error, FileNotFoundError) else f"{error.strerror}:"
            raise CheckpointMismatch(f"{folder} holds no run that can be read: {why} {_CONFIG}") from None
        return cls(folder, Recipe.read(text, str(folder / _CONFIG)))

    @classmethod
    def take_up(cls, folder: Path, recipe: Recipe, whatever: Collection[str] = ()) -> Run:
        """The run of that recipe; one of another, or on other data, that lies in the same place gives way.

        whatever: options that may differ, since they change nothing of what is learnt.
        """
        if (folder / _CONFIG).exists():
            run = cls.open(folder)
            same = {
                name: getattr(run.recipe.options, name)
                for name in whatever
                if run.recipe.learner == recipe.learner
            }
            same_data = not run.recipe.data or run.recipe.data == recipe.bound().data
            if same_data and run.recipe == replace(recipe, options=replace(recipe.options, **same)):
                return run
            shutil.rmtree(folder)
        return cls.create(folder, recipe)

    def metrics(self) -> list[dict[str, Any]]:
        """A dict a step, as far as the run has come; what a kill cut off or a disk damaged is left out."""
        return metrics_of(self.folder)

    def checkpoints(self) -> list[Path]:
        """The folders of all checkpoints, oldest first."""
        return sorted(path for path in (self.folder / "checkpoints").glob("[0-9]*") if path.is_dir())

    @property
    def steps(self) -> int | None:
        """How many the whole run takes; None before it has begun."""
        try:
            steps = json.loads((self.folder / _LENGTH).read_text())["steps"]
        except (OSError, ValueError, TypeError, KeyError):
            return None
        return steps if type(steps) is int else None

    @property
    def done(self) -> int:
        """The step of the newest checkpoint that says it."""
        for folder in reversed(self.checkpoints()):
            with suppress(checkpoint.Damaged):
                return checkpoint.read(folder).step
        return 0

    def train(
        self,
        on_step: Callable[[Step], None] = lambda step: None,
        stop: Callable[[], bool] = lambda: False,
        checkpoint_every: float = 30.0,
        abandon: Callable[[], bool] = lambda: False,
    ) -> Learner:
        """Work until the recipe is done, or until `stop` says so after a step; then all is saved.

        `abandon` is asked inside steps too, some times a second. When it says so, the step under way is given
        up, and what was done before it is saved.

        The seconds between checkpoints decide what a kill costs, never what is learnt.

        Raises:
            CheckpointMismatch: another program works on this run, no checkpoint can be read, or the data are
                not those that it began with.
            RookeryError: what was learnt could not be saved; the last checkpoint is still there.
            Diverged: what is learnt means nothing any more; the last checkpoint stays as it was.
        """
        with self._alone():
            self._check_data()
            learner, mark = self._take_up()
            self._tell_length(learner, mark.step)
            told = self._restore_metrics(mark)
            number, saved, kept, before = mark.step, monotonic(), mark.step, mark.seconds
            began = monotonic()
            with Events(self.folder / "events", self.metrics()) as events:
                while number < learner.steps and not abandon() and not (number > mark.step and stop()):
                    try:
                        metrics = learner.step(abandon)
                    except Interrupted:
                        break
                    except Diverged as error:
                        raise Diverged(
                            f"{self.folder}: training diverged in step {number + 1}: {error}"
                        ) from None
                    number += 1
                    step = Step(number, learner.steps, before + monotonic() - began, metrics)
                    line = {"step": number, "seconds": round(step.seconds, 3), **metrics}
                    told.append(json.dumps(line) + "\n")
                    self._append(told[-1], kept)
                    events.add(line)
                    if monotonic() - saved >= checkpoint_every:
                        self._save(learner, Mark(number, step.seconds, "".join(told)), kept)
                        saved, kept = monotonic(), number
                    on_step(step)
            if number > kept:
                self._save(learner, Mark(number, before + monotonic() - began, "".join(told)), kept)
            self._tell_length(learner, number)  # which may have become less, where time bounds it
            return learner

    # --- the folder ----------------------------------------------------------------------------------

    @contextmanager
    def _alone(self) -> Iterator[None]:
        busy = CheckpointMismatch(f"another program is at work in {self.folder}")
        held = durable.open_alone(self.folder / _CONFIG, busy)
        try:
            for path in (self.folder / "checkpoints").glob(".*"):  # half-written when a program was killed
                shutil.rmtree(path)
            yield
        finally:
            os.close(held)

    def _check_data(self) -> None:
        try:
            self.recipe.bound()
        except CheckpointMismatch as error:
            raise CheckpointMismatch(
                f"{self.folder}: {error}; bring it back, or train anew in another folder"
            ) from None

    def _tell_length(self, learner: Learner, kept: int) -> None:
        if self.steps != learner.steps:
            with self._saving(kept):
                durable.write(self.folder / _LENGTH, json.dumps({"steps": learner.steps}))

    def _take_up(self) -> tuple[Learner, Mark]:
        """A learner as it was at the newest checkpoint that is whole; a new one where there is none yet."""
        damaged: dict[Path, str] = {}
        for folder in reversed(self.checkpoints()):
            learner = self.recipe.make()
            try:
                summed = checkpoint.check(folder)
                self._load(learner, folder, summed)
                mark = checkpoint.read(folder)
            except checkpoint.Damaged as error:
                damaged[folder] = f"{folder} is damaged: {error}"
                continue
            for bad, why in damaged.items():
                warn(f"{why}; going on from step {mark.step}")
                # Where it lies another checkpoint will be written.
                aside = bad.with_name(f"damaged-{bad.name}")
                shutil.rmtree(aside, ignore_errors=True)
                bad.rename(aside)
            return learner, mark
        if damaged:
            told = "; ".join(damaged.values())
            raise CheckpointMismatch(f"{told}; there is no other checkpoint: train anew in another folder")
        return self.recipe.make(), Mark()

    def _load(self, learner: Learner, folder: Path, summed: bool) -> None:
        try:
            learner.load(folder)
        except Exception as error:
            if not summed:  # then damage shows only here
                raise checkpoint.Damaged(describe(error)) from None
            if isinstance(error, RookeryError):
                raise
            raise CheckpointMismatch(f"{folder} cannot be read: {describe(error)}") from None

    def _restore_metrics(self, mark: Mark) -> list[str]:
        """The lines told up to the checkpoint; what was told after it will be told again."""
        path = self.folder / _METRICS
        content = path.read_bytes() if path.exists() else b""
        if mark.metrics is None:
            lines = [line for line in _sound(content) if json.loads(line)["step"] <= mark.step]
            if len(lines) < mark.step:
                warn(f"{path} has lost {mark.step - len(lines)} of {mark.step} lines; the run goes on")
        else:
            lines = mark.metrics.splitlines(keepends=True)
            if not content.startswith(mark.metrics.encode()):
                warn(f"{path} was damaged or lost; it is written anew from the checkpoint")
        wanted = "".join(lines).encode()
        if content.startswith(wanted):
            with path.open("ab") as file:
                file.truncate(len(wanted))
        else:
            durable.write(path, wanted)
        return lines

    def _append(self, line: str, kept: int) -> None:
        path = self.folder / _METRICS
        with self._saving(kept), durable.naming(path), path.open("a", encoding="utf-8") as file:
            file.write(line)

    def _save(self, learner: Learner, mark: Mark, kept: int) -> None:
        folder = self._checkpoint(mark.step)
        aside = folder.with_name(f".{folder.name}")
        with self._saving(kept):
            aside.mkdir()
            try:
                learner.save(aside)
                checkpoint.seal(aside, mark)
                for path in (*aside.rglob("*"), self.folder / _METRICS, aside):
                    durable.bring_to_disk(path)
                aside.rename(folder)
            except Exception:
                shutil.rmtree(aside, ignore_errors=True)  # on a full disk half of one is only in the way
                raise
            durable.bring_to_disk(folder.parent)
        for old in self.checkpoints()[:-_KEPT]:
            # Its last name must not look like a checkpoint while half of it is gone.
            doomed = old.rename(old.with_name(f".{old.name}"))
            shutil.rmtree(doomed)

    def _checkpoint(self, step: int) -> Path:
        return self.folder / "checkpoints" / f"{step:06}"

    @contextmanager
    def _saving(self, kept: int) -> Iterator[None]:
        """What cannot be written is told with what is safe: the checkpoint of step `kept`."""
        try:
            yield
        except RookeryError:
            raise
        except Exception as error:
            safe = f"step {kept} is safe, and `rookery resume` goes on from it"
            if not self._checkpoint(kept).is_dir():
                safe = "what was saved before is gone" if kept else "nothing was saved yet"
            raise RookeryError(f"{self.folder} cannot be saved: {describe(error)}; {safe}") from None


def metrics_of(folder: Path) -> list[dict[str, Any]]:
    """What `Run.metrics` gives, also where the recipe cannot be read any more."""
    try:
        return [json.loads(line) for line in _sound((folder / _METRICS).read_bytes())]
    except FileNotFoundError:
        return []


def _sound(content: bytes) -> list[str]:
    """The lines of metrics that are whole, each of a later step than the one before."""
    lines, last = [], 0
    for line in content.split(b"\n")[:-1]:
        try:
            text = line.decode()
            step = json.loads(text)["step"]
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
        if type(step) is int and step > last:
            lines.append(text + "\n")
            last = step
    return lines
