"""The work behind the report: trainings one after the other, then matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rookery.evaluators import linear
from rookery.papers.duchess import chess
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
    Stage,
)
from rookery.papers.matches import Met, Series, Terms, meet_all, meet_by_seed
from rookery.papers.measure import Measured
from rookery.papers.study import Study
from rookery.papers.trainings import Seeds, Training, folder, train_all

TRAINING = "training"


@dataclass(frozen=True)
class Outcome:
    """All that the pieces gave."""

    trained: dict[str, Seeds]
    """By stage."""
    weights: dict[str, list[linear.Weights]]
    """By stage, of each seed."""
    stages: dict[str, Series]
    """Those that follow each other, to the same depth: `stage2-stage1`, `stage3-stage2`, and the control."""
    searches: dict[str, Met]
    """Each against the paper's at equal time, with the weights of stage 3 of the first seed."""
    wishes: dict[str, Series]
    """Weights against those of stage 3 at equal time, with the same search."""
    best: Series
    """The best weights with the best search against stage 3 as the paper plays it, with more time."""
    chess: chess.ChessOutcome

    @property
    def nodes_a_second(self) -> Measured:
        return self.trained["stage1"].measure(
            lambda run: sum(line["nodes_per_second"] for line in run.metrics) / len(run.metrics)
        )


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, the paper's own first, in the order in which one thing needs the other."""
    seeds = range(seed, seed + size.seeds)
    trained: dict[str, Seeds] = {}

    def train(stages: Sequence[Stage]) -> None:
        for stage in stages:
            trained.update(train_all(study, TRAINING, {stage.name: _training(stage, size)}, seeds))

    def known(name: str, of: int) -> str:
        return f"+linear@{folder(TRAINING, name, of)}"

    def to_depth(name: str, of: int, shallower: int = MATCH_SHALLOWER) -> str:
        return f"{SAME},endgame_depth=yes,depth={size.plies(shallower)}{known(name, of)}"

    def pairs(first: str, second: str, shallower: int = MATCH_SHALLOWER) -> Mapping[int, tuple[str, str]]:
        return {of: (to_depth(first, of, shallower), to_depth(second, of, shallower)) for of in seeds}

    to_the_same_depth = Terms("duchess4", size.match_games, "random:4")
    timed = Terms("duchess4", size.beyond_games, "random:4", size.seconds)
    with_more_time = Terms("duchess4", size.beyond_games, "random:4", size.best_seconds)

    train(STAGES)
    following = {
        "stage2-stage1": pairs("stage2", "stage1"),
        "stage3-stage2": pairs("stage3", "stage2"),
    }
    stages = meet_by_seed(study, "stages", following, to_the_same_depth, seed)
    same = known("stage3", seed)
    searches = meet_all(
        study, "searches", {name: (search + same, BASE + same) for name, search in SEARCHES}, timed, seed
    )
    held = chess.do(study, size.chess, seed)
    train(CONTROL)
    control = {"at-once-stages": pairs("control-at-once", "control-stage2", 2)}
    stages |= meet_by_seed(study, "control", control, to_the_same_depth, seed)
    train(WISHES)
    wished = {
        wish.name: {of: (BEST + known(wish.name, of), BEST + known("stage3", of)) for of in seeds}
        for wish in WISHES
    }
    wishes = meet_by_seed(study, "wishes", wished, timed, seed)
    best = {"best": {of: (BEST + known("best", of), BASE + known("stage3", of)) for of in seeds}}
    return Outcome(
        trained,
        {
            name: [linear.read(study.out / run.weights, "duchess4") for run in found.runs]
            for name, found in trained.items()
        },
        stages,
        searches,
        wishes,
        meet_by_seed(study, "best", best, with_more_time, seed)["best"],
        held,
    )


def _training(stage: Stage, size: Size) -> Training:
    options: dict[str, Any] = {
        "features": stage.features,
        "learning_rate": stage.learning_rate,
        "games": size.games_of(stage),
        "depth": size.plies(stage.shallower),
        "parallel_games": 16,
        "step": 5,
        "phases": stage.phases,
        "max_plies": stage.max_plies,
        "late_move_pruning": stage.late_move_pruning,
        "sync_nodes": stage.sync_nodes,
    }
    return Training("treestrap", options, ("start", stage.start) if stage.start else None, "threads")
