"""The commands `train`, `resume` and `recipes`."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rookery.errors import BadOption
from rookery.interfaces.arena.progress import clock
from rookery.interfaces.writing import print_table, write_json

if TYPE_CHECKING:
    from rookery.api import Measure
    from rookery.runs import Recipe, Run, Step

Json = Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")]
Every = Annotated[float, typer.Option(min=0, metavar="SECONDS", help="Time between checkpoints.")]
Minutes = Annotated[
    float | None,
    typer.Option(min=0, help="Save and stop after this many minutes; `rookery resume` continues."),
]
_LINE_EVERY = 10.0
"""Seconds between two lines where stderr is no terminal."""


def train(
    recipe: Annotated[
        str,
        typer.Argument(metavar="RECIPE", help="A recipe (`rookery recipes` lists them) or a file with one."),
    ],
    run: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder of the run; default runs/RECIPE.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Override a setting of the recipe; may be given again."
        ),
    ] = None,
    copies: Annotated[
        int,
        typer.Option(
            min=1, max=10_000, help="Train this many runs with consecutive seeds, in DIR/00, DIR/01, ..."
        ),
    ] = 1,
    workers: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Runs in parallel; default one per core.")
    ] = None,
    save_every: Every = 30.0,
    minutes: Minutes = None,
    as_json: Json = False,
) -> None:
    """Train a player from a recipe. Runs are saved; `rookery resume DIR` continues one."""
    from rookery.runs import Run, find

    wanted = find(recipe, changes or [])
    folder = run or Path("runs") / Path(recipe).stem
    if copies > 1:
        if minutes is not None:
            raise BadOption("--minutes is for one run; leave out --copies")
        _train_copies(wanted, folder, copies, workers or os.cpu_count() or 1, save_every, as_json)
    else:
        _train(Run.create(folder, wanted), save_every, minutes, as_json)


def resume(
    run: Annotated[Path, typer.Argument(metavar="DIR", help="The folder of a run.")],
    save_every: Every = 30.0,
    minutes: Minutes = None,
    as_json: Json = False,
) -> None:
    """Resume a run from its last checkpoint."""
    from rookery.runs import Run

    _train(Run.open(run), save_every, minutes, as_json)


def recipes(as_json: Json = False) -> None:
    """List the recipes that come with Rookery."""
    from rookery.runs import catalogue

    rows = [(name, recipe.learner, about) for name, recipe, about in catalogue()]
    if as_json:
        write_json({"recipes": [dict(zip(("name", "learner", "about"), row, strict=True)) for row in rows]})
    else:
        print_table(("recipe", "learner", "about"), rows)


def _train(run: Run, save_every: float, minutes: float | None, as_json: bool) -> None:
    from rookery.learners import learners

    began = monotonic()
    progress = _Progress(learners()[run.recipe.learner].measures(run.recipe.options))
    last: list[Step] = []

    def note(step: Step) -> None:
        last[:] = [step]
        progress.step(step)

    with _asked_to_stop() as asked:

        def stop() -> bool:
            return minutes is not None and monotonic() - began >= 60 * minutes

        learner = run.train(note, stop, save_every, abandon=lambda: bool(asked))
    progress.close()
    finished = run.done >= learner.steps
    if as_json:
        metrics = dict(last[0].metrics) if last else {}
        write_json(
            {
                "run": str(run.folder),
                "step": run.done,
                "steps": learner.steps,
                "finished": finished,
                "metrics": metrics,
            }
        )
    elif finished:
        typer.echo(f"{run.folder}: done, {learner.steps} steps")
    else:
        where = f"saved after step {run.done} of {learner.steps}" if run.done else "stopped in its first step"
        typer.echo(f"{run.folder}: {where}; `rookery resume {shlex.quote(str(run.folder))}` goes on")


def _train_copies(
    recipe: Recipe, folder: Path, copies: int, workers: int, save_every: float, as_json: bool
) -> None:
    from rookery.runs.many import train_all

    plan = {folder / f"{copy:02}": recipe.with_seed(recipe.seed + copy) for copy in range(copies)}
    steps = recipe.make().steps
    progress = _Progress()

    def look(seen: Mapping[Path, Mapping[str, Any]]) -> None:
        progress.many(sum(line["step"] for line in seen.values()), copies * steps, seen)

    try:
        train_all(plan, workers, look, save_every)
    except KeyboardInterrupt:
        typer.echo(f"rookery: all runs in {folder} are saved; the same command goes on with them", err=True)
        raise typer.Exit(1) from None
    progress.close()
    if as_json:
        write_json({"runs": [str(path) for path in plan], "finished": True})
    else:
        typer.echo(f"{folder}: done, {copies} runs of {steps} steps")


@contextmanager
def _asked_to_stop() -> Iterator[list[int]]:
    """The first Ctrl-C gives up the step under way and saves what was done before; the second saves none."""
    asked: list[int] = []

    def hear(number: int, frame: object) -> None:
        asked.append(number)
        signal.signal(number, before[number])
        _tell("rookery: stopping; once more to stop without saving\n")

    asks = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before: dict[int, Any] = {number: signal.getsignal(number) for number in asks}
    if before[signal.SIGHUP] == signal.SIG_IGN:
        del before[signal.SIGHUP]  # as `nohup` wants it
    for number in before:
        signal.signal(number, hear)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class _Progress:
    """How a run is going, on stderr: a line that renews itself, or a line now and then."""

    def __init__(self, measures: Mapping[str, Measure] = MappingProxyType({})) -> None:
        self._measures = measures
        self._began = monotonic()
        self._last = -_LINE_EVERY
        self._first: int | None = None
        self._terminal = sys.stderr.isatty()

    def step(self, step: Step) -> None:
        self._show(step.number, step.steps, _spell(step.metrics, self._measures))

    def many(self, done: int, steps: int, seen: Mapping[Path, Mapping[str, Any]]) -> None:
        mean = [line["strength"] for line in seen.values() if "strength" in line]
        strength = f"mean win rate {sum(mean) / len(mean):.3f}" if mean else ""
        self._show(done, steps, f"{len(seen)} runs {strength}".strip())

    def close(self) -> None:
        if self._terminal:
            _tell("\r\x1b[K")

    def _show(self, done: int, steps: int, said: str) -> None:
        if self._first is None:
            self._first = done - 1  # what an earlier sitting did says nothing about the pace of this one
        now = monotonic()
        pace = (now - self._began) / max(done - self._first, 1)
        line = f"step {done}/{steps}; {said}; {clock(pace * (steps - done))} left"
        if self._terminal:
            _tell(f"\r\x1b[K{line[:118]}")
        elif now - self._last >= _LINE_EVERY or done == steps:
            self._last = now
            _tell(f"{line}\n")


def _tell(text: str) -> None:
    """On stderr. A terminal that was closed takes no more words, and no training ends for that."""
    with suppress(OSError):
        print(text, end="", file=sys.stderr, flush=True)


def _spell(metrics: Mapping[str, float], measures: Mapping[str, Measure]) -> str:
    """How far a learner is by its own count, and its win rates, if it measures any; else all that it tells.

    >>> from rookery.api import Measure
    >>> told = {"games": Measure("Games", ""), "strength": Measure("Win rate", "", True, games=9)}
    >>> _spell({"games": 50000, "strength": 0.51234, "plies": 40}, told)
    'games 50,000, win rate 0.512'
    """
    judged = [key for key in metrics if key in measures and measures[key].games]
    count = [key for key in list(measures)[:1] if key in metrics]
    return ", ".join(
        f"{measures[key].title.lower() if key in measures else key.replace('_', ' ')} {_number(metrics[key])}"
        for key in (dict.fromkeys([*count, *judged]) if judged else metrics)
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 or float(value).is_integer() else f"{value:.3g}"
