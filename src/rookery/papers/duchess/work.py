"""The work behind the report: trainings one after the other, then matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.evaluators import linear
from rookery.papers.desk import Desk, Piece
from rookery.papers.duchess import chess
from rookery.papers.duchess.matches import Met, meet
from rookery.papers.duchess.plan import (
    BASE,
    BEST,
    CONTROL,
    MATCH_SHALLOWER,
    SAME,
    SEARCHES,
    STAGES,
    WISHES,
    Size,
    Training,
)
from rookery.papers.duchess.trainings import train
from rookery.seeds import generator


@dataclass(frozen=True)
class Outcome:
    """All that the pieces gave."""

    weights: dict[str, linear.Weights]
    """By training."""
    seconds: dict[str, float]
    """That each training took."""
    nodes_a_second: float
    stages: dict[str, Met]
    """Those that follow each other, to the same depth: `stage2-stage1`, `stage3-stage2`, and the control."""
    searches: dict[str, Met]
    """Each against the paper's at equal time, with the weights of stage 3."""
    wishes: dict[str, Met]
    """Weights against those of stage 3 at equal time, with the same search."""
    best: Met
    """The best weights with the best search against stage 3 as the paper plays it, with more time."""
    chess: chess.ChessOutcome


def do(desk: Desk, size: Size, seed: int) -> Outcome:
    """Everything, the paper's own first, in the order in which one thing needs the other."""
    raised: dict[str, Any] = {}
    known = {t.name: f"+linear@{desk.out / t.name}" for t in (*STAGES, *CONTROL, *WISHES)}

    def train_all(trainings: Sequence[Training]) -> None:
        for training in trainings:  # each on all processors
            raised.update(desk.do("training", {training.name: _training(desk, training, size, seed)}))

    def meet_all(stage: str, pairs: Mapping[str, tuple[str, str]]) -> dict[str, Met]:
        return {name: _match(desk, stage, name, pair, size, seed) for name, pair in pairs.items()}

    def to_depth(name: str, shallower: int = MATCH_SHALLOWER) -> str:
        return f"{SAME},late=yes,depth={size.plies(shallower)}{known[name]}"

    train_all(STAGES)
    one, two, three = (to_depth(t.name) for t in STAGES)
    stages = meet_all("stages", {"stage2-stage1": (two, one), "stage3-stage2": (three, two)})
    stage3 = known["stage3"]
    searches = meet_all("searches", {name: (search + stage3, BASE + stage3) for name, search in SEARCHES})
    held = chess.do(desk, size.chess, seed)
    train_all(CONTROL)
    at_once, in_stages = to_depth("control-at-once", 2), to_depth("control-stage2", 2)
    stages |= meet_all("stages", {"at-once-stages": (at_once, in_stages)})
    train_all(WISHES)
    wishes = meet_all("wishes", {t.name: (BEST + known[t.name], BEST + stage3) for t in WISHES})
    best = _match(desk, "best", "the best", (BEST + known["best"], BASE + stage3), size, seed)
    return Outcome(
        {name: linear.read(desk.out / name / raised[name]["weights"], "duchess4") for name in raised},
        {name: told["seconds"] for name, told in raised.items()},
        float(np.mean([raised[t.name]["nodes_a_second"] for t in STAGES])),
        stages,
        searches,
        wishes,
        best,
        held,
    )


def _training(desk: Desk, training: Training, size: Size, seed: int) -> Piece:
    options: dict[str, Any] = {
        "start": str(desk.out / training.start) if training.start else "initial",
        "features": training.features,
        "rate": training.rate,
        "games": size.games_of(training),
        "depth": size.plies(training.shallower),
        "side_by_side": 16,
        "step": 5,
        "phases": training.phases,
        "longest": training.longest,
        "selective": training.selective,
        "round": training.round,
    }
    return Piece(train, {"folder": str(desk.out / training.name), "options": options, "seed": seed})


def _match(desk: Desk, stage: str, name: str, players: tuple[str, str], size: Size, seed: int) -> Met:
    seconds = {"stages": None, "best": size.best_seconds}
    asked = {
        "game": "duchess4",
        "players": players,
        "games": size.match_games if stage == "stages" else size.beyond_games,
        "seconds": seconds.get(stage, size.seconds),
        "record": str(desk.out / "games" / f"{name.replace(' ', '-')}.jsonl"),
        "seed": int(generator(seed, "duchess", stage, name).integers(2**31)),
        "workers": desk.workers,
        "openings": "random:4",
    }
    return Met(**desk.do(stage, {name: Piece(meet, asked)})[name])
