"""Training, followed and steered from the page: the folders that `rookery train` works in."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from io import StringIO
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as InPath
from fastapi.responses import PlainTextResponse
from pydantic import Field

from rookery import games, opponents
from rookery.errors import BadOption, RookeryError, UnknownName
from rookery.interfaces.web.engines import Question
from rookery.interfaces.web.jobs import BOUNDED, Jobs
from rookery.interfaces.web.messages import Asked, Told
from rookery.interfaces.web.permits import Permits
from rookery.learners import learners
from rookery.learners.keys import Key, keys
from rookery.names import PlayerName
from rookery.runs import Run, recipe
from rookery.runs.run import metrics_of

router = APIRouter(prefix="/api")
RunName = Annotated[str, InPath(max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Change = Annotated[str, Field(max_length=200, pattern=r"^[A-Za-z_]\w*=")]
_POINTS = 400
"""Of each curve."""
_PATIENCE = 60.0
_SEED = "The same seed gives the same run."


class KeyShown(Told):
    """One key of a recipe, for a form."""

    name: str
    kind: str
    """whole, number, truth, choice, text or list."""
    value: Any
    """What the recipe says, or the default."""
    choices: list[Any]
    low: float | None
    high: float | None
    meaning: str


class RecipeListed(Told):
    name: str
    about: str
    learner: str
    first: bool
    """Whether it is the one to begin with."""
    keys: list[KeyShown]


class MeasureShown(Told):
    """What one of the curves is."""

    title: str
    meaning: str
    share: bool
    games: int
    """Behind each of its points, if it is a win rate; else 0."""


class RunAsked(Asked):
    recipe: Annotated[str, Field(max_length=80)]
    name: Annotated[str, Field(max_length=60, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")] | None = None
    changes: Annotated[list[Change], Field(max_length=40)] = Field(default_factory=list)


class RunListed(Told):
    name: str
    learner: str | None
    running: bool
    failure: str | None
    step: int
    steps: int | None
    seconds: float
    checkpoints: list[str]


class RunShown(RunListed):
    config: str
    metrics: list[dict[str, Any]]
    """Spread over the whole run, the last one always among them."""
    measures: dict[str, MeasureShown]
    """What they are; the first is what curves are drawn over."""


class TrainedPlayer(Told):
    """One of them, in one game."""

    game: str
    name: str
    title: str
    """How it plays, without saying again which run it is of."""


class TrainedPlayers(Told):
    """Who can be played with what a run has learnt so far."""

    players: list[TrainedPlayer]


class Runs:
    """The runs of the studio, one folder each."""

    def __init__(self, folder: Path, permits: Permits, jobs: Jobs) -> None:
        self.folder = folder
        self._permits = permits
        self._jobs = jobs
        self.command: Sequence[str] = (*BOUNDED, str(permits.budget.job))

    async def start(self, asked: RunAsked) -> str:
        allowed = self._permits.recipe(asked.recipe, asked.changes)
        name = asked.name or self._free(asked.recipe)
        if (self.folder / name).exists():
            raise BadOption(f"there is a run called {name!r} already; choose another name")
        self.folder.mkdir(parents=True, exist_ok=True)
        changes = [word for change in allowed for word in ("--set", change)]
        arguments = ["train", asked.recipe, "--run", str(self.folder / name), *changes, "--json"]
        await self._jobs.start(f"run-{name}", [*self.command, *arguments])
        return name

    async def resume(self, name: str) -> None:
        self._require(name)
        arguments = ["resume", str(self.folder / name), "--json"]
        await self._jobs.start(f"run-{name}", [*self.command, *arguments])

    def stop(self, name: str) -> None:
        """Save and leave.

        Raises:
            RookeryError: it is not running.
        """
        self._jobs.stop(f"run-{name}")

    def names(self) -> list[str]:
        """The newest first."""
        if not self.folder.is_dir():
            return []
        found: dict[str, float] = {}
        for path in self.folder.iterdir():
            with suppress(OSError):
                if (path / "config.toml").is_file():
                    found[path.name] = path.stat().st_mtime
        return sorted(found, key=lambda name: -found[name])

    def listed(self, name: str) -> RunListed:
        """How far it is; one whose files are damaged says so."""
        job = self._jobs.get(f"run-{name}")
        running, failure = self._jobs.running(f"run-{name}"), job.failure if job else None
        learner, run = None, None
        try:
            run = Run.open(self.folder / name)
            learner = run.recipe.learner
        except RookeryError as error:
            # One that has just been started has no folder yet.
            failure = failure or (None if running else str(error))
        last = (self._metrics(name) or [{}])[-1]
        step, steps = int(last.get("step", 0)), run.steps if run else None
        finished = steps is not None and step >= steps and not running
        return RunListed(
            name=name,
            learner=learner,
            running=running,
            failure=None if finished else failure,
            step=step,
            steps=steps,
            seconds=float(last.get("seconds", 0.0)),
            checkpoints=[path.name for path in run.checkpoints()] if run else [],
        )

    def shown(self, name: str, points: int) -> RunShown:
        self._require(name)
        metrics = self._metrics(name)
        stride = max(1, -(-len(metrics) // points))
        thinned = metrics[::-stride][::-1]
        config = self._config(name)
        return RunShown(
            **self.listed(name).model_dump(), config=config, metrics=thinned, measures=_measures(config)
        )

    def csv(self, name: str) -> str:
        """All metrics, a line for each step."""
        self._require(name)
        rows = self._metrics(name)
        text = StringIO()
        writer = csv.DictWriter(text, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def _require(self, name: str) -> None:
        # A run that has just been started has no folder yet.
        if name not in self.names() and self._jobs.get(f"run-{name}") is None:
            raise UnknownName(f"there is no run called {name!r}")

    def _config(self, name: str) -> str:
        path = self.folder / name / "config.toml"
        return path.read_text(errors="replace") if path.is_file() else ""

    def _metrics(self, name: str) -> list[dict[str, Any]]:
        try:
            rows = metrics_of(self.folder / name)
        except OSError:
            return []
        # What is no number that JSON knows cannot be drawn.
        return [
            {key: value for key, value in row.items() if isinstance(value, int | float) and isfinite(value)}
            for row in rows
        ]

    def _free(self, start: str) -> str:
        number = 1
        while (self.folder / f"{start}-{number}").exists() or self._jobs.get(f"run-{start}-{number}"):
            number += 1
        return f"{start}-{number}"


def _measures(config: str) -> dict[str, MeasureShown]:
    """What the metrics of a run mean; nothing if its recipe cannot be read, or not any more."""
    try:
        found = recipe.Recipe.read(config, "the run")
    except RookeryError:
        return {}
    measures = learners()[found.learner].measures(found.options)
    return {name: MeasureShown(**asdict(measure)) for name, measure in measures.items()}


def _listed(name: str, found: recipe.Recipe, about: str) -> RecipeListed:
    said = {"seed": found.seed, **asdict(found.options)}
    shown = [
        KeyShown.model_validate({**asdict(key), "value": said[key.name]})
        for key in (Key("seed", "whole", 0, low=0, meaning=_SEED), *keys(found.learner))
    ]
    first = recipe.is_first(name)
    return RecipeListed(name=name, about=about, learner=found.learner, first=first, keys=shown)


def _runs(request: Request) -> Runs:
    found: Runs = request.app.state.studio.runs
    return found


@router.get("/recipes")
async def list_recipes() -> list[RecipeListed]:
    """What can be trained."""
    return [_listed(*each) for each in recipe.catalogue()]


@router.get("/runs")
async def list_runs(request: Request) -> list[RunListed]:
    """Every run, the newest first."""
    runs = _runs(request)
    return await asyncio.to_thread(lambda: [runs.listed(name) for name in runs.names()[:50]])


@router.post("/runs", status_code=201)
async def start(asked: RunAsked, request: Request) -> RunListed:
    """Begin to train a player."""
    runs = _runs(request)
    return runs.listed(await runs.start(asked))


@router.get("/runs/{run}")
async def look(
    run: RunName, request: Request, points: Annotated[int, Query(ge=2, le=2000)] = _POINTS
) -> RunShown:
    """How far it is, and its curves."""
    return await asyncio.to_thread(_runs(request).shown, run, points)


@router.get("/runs/{run}/metrics.csv", response_class=PlainTextResponse)
async def table(run: RunName, request: Request) -> PlainTextResponse:
    """Every step's metrics, for spreadsheets and notebooks."""
    text = await asyncio.to_thread(_runs(request).csv, run)
    name = {"content-disposition": f'attachment; filename="{run}.csv"'}
    return PlainTextResponse(text, media_type="text/csv", headers=name)


@router.post("/runs/{run}/stop")
async def stop(run: RunName, request: Request) -> RunListed:
    """Save and leave."""
    runs = _runs(request)
    runs.stop(run)
    return runs.listed(run)


@router.post("/runs/{run}/resume")
async def resume(run: RunName, request: Request) -> RunListed:
    """Go on from the last checkpoint."""
    runs = _runs(request)
    await runs.resume(run)
    return runs.listed(run)


@router.get("/runs/{run}/players")
async def trained_players(run: RunName, request: Request) -> TrainedPlayers:
    """Who can be played with its newest checkpoint."""
    studio = request.app.state.studio
    if run not in studio.runs.names():
        raise UnknownName(f"there is no run called {run!r}")
    studio.permits.source(run)
    reply = await studio.analysts.ask(
        Question("trained players", "", None, [], 0, "random", run=run), _PATIENCE
    )
    return TrainedPlayers(
        players=[
            TrainedPlayer(
                game=game,
                name=name,
                title=opponents.meet(PlayerName.parse(name).without_source(), games.get(game)).title,
            )
            for game, name in reply["players"]
        ]
    )
