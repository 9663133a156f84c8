"""The work behind the report: trainings one after the other, then matches.

Any of it may be left out; what is not there is not in the outcome, and the report says that it was not run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rookery import weights
from rookery.evaluators import linear
from rookery.papers.duchess import chess, teams, trees
from rookery.papers.duchess.plan import (
    BASE,
    BEST,
    BLIND,
    CHANGES,
    CONTROL,
    DEEPER,
    KEEP,
    PAPER,
    RATES,
    SEARCH,
    SEARCHES,
    SHIPPED_STAGE1,
    STAGE1_AGAIN,
    STAGES,
    STEP,
    TEAMS,
    WISHES,
    Size,
    Stage,
)
from rookery.papers.duchess.teams import Play
from rookery.papers.matches import Met, Series, Terms, meet_all, meet_by_seed
from rookery.papers.study import Study
from rookery.papers.trainings import Seeds, Training, folder, kept, train_all

GAME = "duchess4"


@dataclass
class Outcome:
    """All that the pieces gave, by study stage and name; what was not run is missing."""

    trained: dict[str, dict[str, Seeds]] = field(default_factory=dict)
    weights: dict[str, dict[str, list[linear.Weights]]] = field(default_factory=dict)
    """Of each seed."""
    shipped: linear.Weights | None = None
    """Stage 1 as it is shipped, from which stage 2 goes on."""
    met: dict[str, dict[str, Series]] = field(default_factory=dict)
    searches: dict[str, Met] = field(default_factory=dict)
    """Each against the paper's at equal time, with the weights of stage 3 of the zoo."""
    teams: dict[tuple[str, str, bool], Play] = field(default_factory=dict)
    team_depths: dict[tuple[int, str], Play] = field(default_factory=dict)
    """By plies that both teams look ahead and the team that begins."""
    trees: dict[str, list[int]] = field(default_factory=dict)
    """Nodes of each search at the same positions."""
    chess: chess.ChessOutcome | None = None


class _Work:
    """What all parts of the study have in common."""

    def __init__(self, study: Study, size: Size, seed: int) -> None:
        self.study, self.size, self.seed = study, size, seed
        self.outcome = Outcome(shipped=linear.read(weights.find(SHIPPED_STAGE1), GAME))

    def train(self, stage: str, trainings: Sequence[Stage], seeds: int, keep: bool = False) -> None:
        for training in trainings:
            found = train_all(
                self.study,
                stage,
                {training.name: _training(training, self.size, keep)},
                range(self.seed, self.seed + seeds),
            )
            there = {name: trained for name, trained in found.items() if trained.runs}
            self.outcome.trained.setdefault(stage, {}).update(there)
            for name, trained in there.items():
                self.outcome.weights.setdefault(stage, {})[name] = [
                    linear.read(self.study.out / run.weights, GAME) for run in trained.runs
                ]

    def seeds_of(self, stage: str, name: str) -> list[int]:
        found = self.outcome.trained.get(stage, {}).get(name)
        return [run.seed for run in found.runs] if found else []

    def meet(
        self,
        stage: str,
        pairs: dict[str, dict[int, tuple[str, str]]],
        games: float,
        seconds: float | None = None,
    ) -> None:
        """Each match by every seed that is there, so many games of each seed."""
        terms = Terms(GAME, _even(games), "random:4", seconds)
        there = {name: by_seed for name, by_seed in pairs.items() if by_seed}
        self.outcome.met[stage] = meet_by_seed(self.study, stage, there, terms, self.seed)

    def player(self, stage: str, name: str, of: int) -> str:
        return self.knowing(folder(stage, name, of))

    def knowing(self, source: str) -> str:
        return f"{SEARCH},nodes={self.size.nodes}+linear@{source}"


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, the paper's own first, in the order in which one thing needs the other."""
    work = _Work(study, size, seed)
    for part in (_stages, _trees, _teams, _chess, _control, _papers, _changes, _wishes, _searches):
        part(work)
    return work.outcome


def _stages(work: _Work) -> None:
    """Stages 2 and 3 with our settings, with curves; then what of stage 1 differs from seed to seed."""
    work.train("training", STAGES, work.size.seeds, keep=True)
    second, third = work.seeds_of("training", "stage2"), work.seeds_of("training", "stage3")
    first = work.knowing(SHIPPED_STAGE1)

    def of(name: str, seed: int) -> str:
        return work.player("training", name, seed)

    pairs = {
        "stage2-stage1": {seed: (of("stage2", seed), first) for seed in second},
        "stage3-stage2": {seed: (of("stage3", seed), of("stage2", seed)) for seed in third},
    }
    work.meet("stages", pairs, work.size.match_games / work.size.seeds)
    curve = {
        f"{stage.name}-{step}": {
            seed: (work.knowing(str(kept(folder("training", stage.name, seed), step))), first)
            for seed in work.seeds_of("training", stage.name)
        }
        for stage in STAGES
        for step in curve_of(stage, work.size)
    }
    work.meet("curve", curve, work.size.curve_games / work.size.seeds)
    work.train("stage1", STAGE1_AGAIN, work.size.long_seeds)


def curve_of(stage: Stage, size: Size) -> list[int]:
    """Steps after which the strength of a stage is measured: every other time that its weights are kept."""
    return [*range(KEEP, size.games_of(stage) // STEP + 1, 2 * KEEP)]


def _papers(work: _Work) -> None:
    """At the paper's own settings."""
    work.train("paper", PAPER, work.size.long_seeds, keep=True)

    def of(name: str, seed: int) -> str:
        return work.player("paper", name, seed)

    after = {"stage2": "stage1", "stage3": "stage2"}
    pairs = {
        f"{name}-{before}": {s: (of(name, s), of(before, s)) for s in work.seeds_of("paper", name)}
        for name, before in after.items()
    }
    work.meet("paper-matches", pairs, work.size.long_match_games)


def _changes(work: _Work) -> None:
    """From the paper's settings of stage 2 to ours, each against the stage 1 from which all of them go on."""
    work.train("changes", [*CHANGES], work.size.long_seeds)
    first = work.knowing(SHIPPED_STAGE1)
    pairs = {
        change.name: {
            s: (work.player("changes", change.name, s), first) for s in work.seeds_of("changes", change.name)
        }
        for change in CHANGES
    }
    work.meet("changes-matches", pairs, work.size.long_match_games)


def _control(work: _Work) -> None:
    """Material and attacks at once, at two rates, against stages with the same rate, depth and games."""
    work.train("control", CONTROL, work.size.seeds)
    pairs = {}
    for rate in RATES:
        once, staged = f"at-once-{rate}", f"staged-{rate}"
        both = [s for s in work.seeds_of("control", once) if s in work.seeds_of("control", staged)]
        pairs[rate] = {s: (work.player("control", once, s), work.player("control", staged, s)) for s in both}
    work.meet("control-matches", pairs, work.size.match_games / work.size.seeds)


def _trees(work: _Work) -> None:
    size = work.size
    work.outcome.trees.update(trees.count_all(work.study, size.positions, size.paper_depth, work.seed))


def _teams(work: _Work) -> None:
    searched = f"{SEARCH},nodes={work.size.nodes}"
    work.outcome.teams.update(teams.play_all(work.study, TEAMS, searched, work.size.team_games, work.seed))
    depths = {depth: f"{SEARCH},depth={depth}" for depth in range(1, work.size.paper_depth + 1)}
    played = teams.play_at_depths(work.study, TEAMS[BLIND], depths, work.size.depth_games, work.seed)
    work.outcome.team_depths.update(played)


def _wishes(work: _Work) -> None:
    """What the paper leaves to future work, against as much training with nothing new; deeper searches."""
    work.train("wishes", WISHES, work.size.seeds)
    longer = work.seeds_of("wishes", "longer")
    pairs = {
        wish.name: {
            s: (work.player("wishes", wish.name, s), work.player("wishes", "longer", s))
            for s in work.seeds_of("wishes", wish.name)
            if s in longer
        }
        for wish in WISHES[1:]
    }
    pairs["longer against stage 3"] = {
        s: (work.player("wishes", "longer", s), work.player("training", "stage3", s)) for s in longer
    }
    work.meet("wishes-matches", pairs, work.size.match_games / work.size.seeds)
    work.train("deeper", DEEPER, work.size.long_seeds)
    best = {
        "best": {
            s: (
                f"{BEST}+linear@{folder('deeper', 'best', s)}",
                f"{BASE}+linear@{folder('training', 'stage3', s)}",
            )
            for s in work.seeds_of("deeper", "best")
        }
    }
    work.meet("best", best, work.size.long_match_games, seconds=5 * work.size.seconds)


def _searches(work: _Work) -> None:
    same = "+duchess/stage3"
    timed = Terms(GAME, work.size.match_games, "random:4", work.size.seconds)
    pairs = {name: (search + same, BASE + same) for name, search in SEARCHES}
    work.outcome.searches.update(meet_all(work.study, "searches", pairs, timed, work.seed))


def _chess(work: _Work) -> None:
    work.outcome.chess = chess.do(work.study, work.size.chess, work.seed)


def _training(stage: Stage, size: Size, keep: bool) -> Training:
    options: dict[str, Any] = {
        "features": stage.features,
        "games": size.games_of(stage),
        "depth": size.depth_of(stage),
        "step": STEP,
        **stage.options,
    }
    if not stage.goes_on:
        options["start"] = stage.start
    before = ("start", stage.start) if stage.goes_on else None
    return Training("treestrap", options, before, "threads", keep=KEEP if keep else 0)


def _even(games: float) -> int:
    """Games are played in pairs."""
    return max(2, 2 * round(games / 2))
