"""Trainings of a study: each by several seeds, each seed a run folder and a piece of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from rookery.learners import learners
from rookery.papers.measure import Measured, mean
from rookery.papers.study import Done, Piece, Study
from rookery.runs import Recipe, Run, Step
from rookery.weights import FILE


@dataclass(frozen=True)
class Training:
    """What a learner shall do; the same for every seed."""

    learner: str
    options: Mapping[str, Any]
    start: tuple[str, str] | None = None
    """An option and the training whose weights it names, of another stage as STAGE/NAME: each seed goes on
    from the same seed's."""
    threads: str | None = None
    """The learner's option for how many threads it uses, where it has one that changes nothing else."""
    gpu: bool = False
    keep: int = 0
    """Steps after which its weights are kept each time, for a curve; 0: only the last ones."""


@dataclass(frozen=True)
class Trained:
    """One run that has ended."""

    seed: int
    checkpoint: str
    """Its last, relative to the study's folder."""
    metrics: Sequence[Mapping[str, Any]]
    """A dict a step."""
    seconds: float

    @property
    def weights(self) -> str:
        return str(Path(self.checkpoint) / FILE)


@dataclass(frozen=True)
class Seeds:
    """The runs of one training, a seed each."""

    runs: tuple[Trained, ...]

    def measure(self, value: Callable[[Trained], float]) -> Measured:
        """Something of each run: the mean over the seeds, with the error that their spread tells."""
        return mean([value(run) for run in self.runs])

    @property
    def seconds(self) -> float:
        """Of one run, in the mean."""
        return fmean(run.seconds for run in self.runs)


def folder(stage: str, name: str, seed: int) -> str:
    """Where the run of a training lies in the study's folder."""
    return f"{stage}/{name}-seed{seed}"


def train_all(
    study: Study, stage: str, trainings: Mapping[str, Training], seeds: Sequence[int]
) -> dict[str, Seeds]:
    """Every training by every seed; of a stage that the study goes without, by those that are kept. One that
    goes on from another must come in a later call.

    The first seed of all comes first, so that there is something of everything early.
    """
    cores = study.cores_each(len(trainings) * len(seeds))
    pieces = {
        f"{name}-seed{seed}": _piece(stage, name, training, seed, cores)
        for seed in seeds
        for name, training in trainings.items()
    }
    done = study.do(stage, pieces)
    return {
        name: Seeds(
            tuple(Trained(seed, **done[key]) for seed in seeds if (key := f"{name}-seed{seed}") in done)
        )
        for name in trainings
    }


def _piece(stage: str, name: str, training: Training, seed: int, cores: int) -> Piece:
    options = dict(training.options)
    if training.start:
        option, before = training.start
        elsewhere, _, name_before = before.rpartition("/")
        options[option] = folder(elsewhere or stage, name_before, seed)
    asked = {
        "run": folder(stage, name, seed),
        "learner": training.learner,
        "options": options,
        "seed": seed,
        **({"keep": training.keep} if training.keep else {}),
    }
    threads = {"threads": (training.threads, cores)} if training.threads else {}
    return Piece(train, asked, threads, cores if threads else 1, training.gpu)


def train(
    run: str,
    learner: str,
    options: Mapping[str, Any],
    seed: int,
    threads: tuple[str, int] | None = None,
    keep: int = 0,
) -> Done:
    """One training. It lies in a run folder, from which it goes on if it was broken off."""
    said = {**options, threads[0]: threads[1]} if threads else options
    recipe = Recipe(learner, seed, learners()[learner].Options(**said))
    made = Run.take_up(Path(run), recipe, whatever=threads[:1] if threads else ())
    while keep:
        if made.done:
            (weights := kept(run, made.done)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(made.checkpoints()[-1] / FILE, weights)
        if made.done == made.steps:
            break
        _train_until(made, (made.done // keep + 1) * keep)
    made.train()
    lines = made.metrics()
    seconds = lines[-1]["seconds"]
    return Done({"checkpoint": str(made.checkpoints()[-1]), "metrics": lines, "seconds": seconds}, seconds)


def kept(run: str, step: int) -> Path:
    """The weights of a run after so many steps, where they were to be kept."""
    return Path(run) / "kept" / f"{step:06}" / FILE


def _train_until(made: Run, step: int) -> None:
    """To the end of a step; the run may have ended before."""
    now = [made.done]

    def told(each: Step) -> None:
        now[0] = each.number

    made.train(told, lambda: now[0] >= step)
