"""The work behind the report: trainings one after the other, then matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from rookery import players as names
from rookery.arena.contest import Contest, enter
from rookery.arena.match import match
from rookery.arena.record import Record
from rookery.evaluators import linear
from rookery.learners.treestrap import TreeStrapLearner
from rookery.papers.desk import Desk, Piece
from rookery.papers.duchess.plan import BASE, BEYOND, STAGES, Size
from rookery.papers.measure import Measured
from rookery.runs import Recipe, Run
from rookery.seeds import generator
from rookery.weights import FILE


@dataclass(frozen=True)
class Met:
    """A match from the first one's view."""

    wins: int
    draws: int
    losses: int
    pentanomial: tuple[int, ...]
    elo: float | None
    elo_low: float | None
    elo_high: float | None

    @property
    def share(self) -> Measured:
        """Of the points; the error is that of pairs, which begin alike."""
        pairs = np.repeat(np.arange(5) / 4, self.pentanomial)
        spread = float(pairs.std(ddof=1)) if len(pairs) > 1 else 0.5
        # No spread at all is luck of few games, not certainty.
        return Measured(float(pairs.mean()), max(spread, 0.5 / len(pairs)) / sqrt(len(pairs)))

    def __str__(self) -> str:
        """As the paper writes it: wins, losses, draws."""
        return f"{self.wins}-{self.losses}-{self.draws}"


@dataclass(frozen=True)
class Outcome:
    """All that the pieces gave."""

    weights: dict[str, linear.Weights]
    """By stage."""
    seconds: dict[str, float]
    """That each stage took."""
    nodes_a_second: float
    stages: dict[str, Met]
    """`stage2-stage1`, `stage3-stage2`, `joint-stage2`."""
    beyond: dict[str, Met]


def do(desk: Desk, size: Size, seed: int) -> Outcome:
    """Everything, in the order in which one thing needs the other."""
    raised = {
        stage.name: desk.do("training", {stage.name: _training(desk, stage.name, size, seed)})[stage.name]
        for stage in STAGES
    }
    known = {name: str(desk.out / name) for name in raised}
    pairs = (("stage2", "stage1"), ("stage3", "stage2"), ("joint", "stage2"))
    by_depth = f"{BASE},late=yes,depth={size.depth}+linear@"
    stages = {
        f"{a}-{b}": _match(desk, "stages", f"{a}-{b}", (by_depth + known[a], by_depth + known[b]), size, seed)
        for a, b in pairs
    }
    by_time = f"{BASE}+linear@{known['stage3']}"
    beyond = {
        name: _match(desk, "beyond", name, (player.format(**known), by_time), size, seed)
        for name, player in BEYOND
    }
    return Outcome(
        {name: linear.read(desk.out / name / raised[name]["weights"], "duchess4") for name in raised},
        {name: told["seconds"] for name, told in raised.items()},
        float(np.mean([told["nodes_a_second"] for told in raised.values()])),
        stages,
        beyond,
    )


def _training(desk: Desk, name: str, size: Size, seed: int) -> Piece:
    stage = next(stage for stage in STAGES if stage.name == name)
    options = {
        "start": str(desk.out / stage.start) if stage.start else "initial",
        "features": stage.features,
        "rate": stage.rate,
        "games": max(2, round(size.part * stage.games)),
        "depth": size.depth,
        "side_by_side": 16,
        "step": 5,
    }
    return Piece(train, {"folder": str(desk.out / name), "options": options, "seed": seed})


def train(folder: str, options: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """One stage on all processors. It lies in a run folder, from which it goes on if it was broken off."""
    recipe = Recipe("treestrap", seed, TreeStrapLearner.Options(**options))
    run = Run.take_up(Path(folder), recipe, whatever=("threads",))
    run.train()
    lines = run.metrics()
    return {
        "weights": str((run.checkpoints()[-1] / FILE).relative_to(folder)),
        "seconds": lines[-1]["seconds"],
        "nodes_a_second": float(np.mean([line["nodes_per_second"] for line in lines])),
    }


def _match(desk: Desk, stage: str, name: str, players: tuple[str, str], size: Size, seed: int) -> Met:
    asked = {
        "players": players,
        "games": size.match_games if stage == "stages" else size.beyond_games,
        "seconds": None if stage == "stages" else size.seconds,
        "record": str(desk.out / "games" / f"{name.replace(' ', '-')}.jsonl"),
        "seed": int(generator(seed, "duchess", stage, name).integers(2**31)),
        "workers": desk.workers,
    }
    return Met(**desk.do(stage, {name: Piece(meet, asked)})[name])


def meet(
    players: tuple[str, str], games: int, seconds: float | None, record: str, seed: int, workers: int
) -> dict[str, Any]:
    """A match from four random moves, each opening twice; every game is kept as it ends."""
    timed = [names.vary(name, {"time": seconds}) for name in players] if seconds else players
    contest = Contest("duchess4", enter("duchess4", timed), games, seed=seed, openings="random:4")
    Path(record).parent.mkdir(parents=True, exist_ok=True)
    with Record(contest, Path(record)) as kept:
        tally = match(contest, kept, workers).tally
    told = tally.json()
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pentanomial": tuple(tally.pentanomial),
        **{key: told[key] for key in ("elo", "elo_low", "elo_high")},
    }
