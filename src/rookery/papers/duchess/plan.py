"""What Real and Blair did and found, and how much of it a small version does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rookery.papers.matches import of_paper

OURS = {"learning_rate": 3e-4, "parallel_games": 16, "max_plies": 300}
"""Our settings: games are left after so many plies, most of them long endings."""
PAPERS = {
    "learning_rate": 1e-4,
    "parallel_games": 1,
    "hash": 0,
    "windows": "plain",
    "killers": 1,
    "history": False,
}
"""The paper's, in stage 1: no table, one killer and no more order than that (but that captures come first),
plain alpha-beta, one game at a time. Games end by the rules alone."""
PAPER_RATE = 1e-5
"""In stage 2, and as we read it in stage 3."""


@dataclass(frozen=True, eq=False)
class Stage:
    """Weights, and how they are trained."""

    name: str
    start: str
    """`initial` for the paper's, one of the zoo, or the training that it goes on from."""
    features: tuple[str, ...]
    games: int
    depth: int
    options: Mapping[str, Any] = field(default_factory=lambda: OURS)

    @property
    def goes_on(self) -> bool:
        """From a training of the same seed."""
        return self.start not in ("initial", SHIPPED_STAGE1)


STAGE1 = ("material", "pawns")
STAGE2 = (*STAGE1, "attacks")
STAGE3 = (*STAGE2, "squares")
SHIPPED_STAGE1 = "duchess/stage1"
"""From which every stage 2 goes on: one stage 1, so that what it is worth can be told with many seeds."""

STAGE1_AGAIN = (
    Stage("stage1", "initial", STAGE1, 140, 5, {**OURS, "learning_rate": 1e-4, "max_plies": 2000}),
)
"""By more seeds: what differs from seed to seed in Table I."""
STAGES = (
    Stage("stage2", SHIPPED_STAGE1, STAGE2, 220, 3),
    Stage("stage3", "stage2", STAGE3, 60, 3),
)
"""By our settings, with which the players that come along were trained too."""
PAPER = (
    Stage("stage1", "initial", STAGE1, 140, 5, PAPERS),
    Stage("stage2", "stage1", STAGE2, 220, 5, {**PAPERS, "learning_rate": PAPER_RATE}),
    Stage("stage3", "stage2", STAGE3, 60, 5, {**PAPERS, "learning_rate": PAPER_RATE}),
)
"""As the paper says: the recipes duchess4-paper-stage1 to -stage3."""


def _changes() -> dict[Stage, str]:
    """From the paper's stage 2 to ours, one change after another; and ours from exact values alone.

    Minimax has no place here: a late search of it, four plies deeper, has more nodes than there is time for.
    """
    options: dict[str, Any] = {**PAPERS, "learning_rate": PAPER_RATE}
    found = {Stage("papers", SHIPPED_STAGE1, STAGE2, 220, 5, options): "the paper's settings"}
    steps: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("depth-3", "depth 3 instead of 5", {}),
        ("rate-1e-4", "learning rate 1e-4 instead of 1e-5", {"learning_rate": 1e-4}),
        ("ordering", "table, two killers, history", {"hash": 4, "killers": 2, "history": True}),
        ("null-windows", "null windows", {"windows": "null"}),
        ("averaged", "16 games in parallel, averaged", {"parallel_games": 16, "sync_update": "mean"}),
        ("summed", "summed instead of averaged", {"sync_update": "sum"}),
        ("cut", "games left at 300 plies", {"max_plies": 300}),
        ("rate-3e-4", "learning rate 3e-4: ours", {"learning_rate": 3e-4}),
    )
    for name, told, change in steps:
        options = {**options, **change}
        found[Stage(name, SHIPPED_STAGE1, STAGE2, 220, 3, options)] = told
    found[Stage("exact", SHIPPED_STAGE1, STAGE2, 220, 3, {**OURS, "exact_only": True})] = (
        "ours, from exact values alone"
    )
    return found


CHANGES = _changes()
RATES = {"high": 3e-4, "low": 3e-5}
CONTROL = tuple(
    # The stages and all at once, with the same games, depth and rate: material untrained or not.
    Stage(f"{name}-{rate}", start, features, games, 3, {**OURS, "learning_rate": RATES[rate]})
    for rate in RATES
    for name, start, features, games in (
        ("first", "initial", STAGE1, 140),
        ("staged", f"first-{rate}", STAGE2, 220),
        ("at-once", "initial", STAGE2, 360),
    )
)
WISHES = (
    # What the paper leaves to future work; and as much training with nothing new.
    Stage("longer", "training/stage3", STAGE3, 100, 3),
    Stage("phases", "training/stage3", STAGE3, 100, 3, {**OURS, "phases": 3}),
    Stage("modes", "training/stage3", (*STAGE3, "modes"), 100, 3),
    Stage("kings", "training/stage3", (*STAGE3, "kings"), 100, 3),
    Stage("everything", "training/stage3", (*STAGE3, "modes", "kings"), 100, 3, {**OURS, "phases": 3}),
)
# Nothing new to see, but searches that look further.
DEEPER = (
    Stage(
        "best",
        "training/stage3",
        STAGE3,
        800,
        6,
        {**OURS, "learning_rate": 1e-4, "late_move_pruning": True, "sync_nodes": 20_000},
    ),
)
STEP = 5
"""Games after which a training tells how far it is."""
KEEP = 4
"""Steps after which the weights of a stage are kept, for curves."""

SEARCH = "alphabeta:hash=4,pruning=no,quiescence=no"
"""With which weights meet, each move with the same number of nodes."""
BASE = "alphabeta:hash=0,pruning=no,quiescence=no,history=no,killers=1,windows=plain"
"""The paper's search, but that captures come before the killer."""
BEST = "alphabeta:quiescence=no"
"""The search of `duchess/best`."""
SEARCHES = (
    ("transposition table", "alphabeta:hash=16,pruning=no,quiescence=no,history=no,killers=1,windows=plain"),
    ("order by history", "alphabeta:hash=0,pruning=no,quiescence=no,killers=1,windows=plain"),
    ("two killers", "alphabeta:hash=0,pruning=no,quiescence=no,history=no,windows=plain"),
    ("null windows", "alphabeta:hash=0,pruning=no,quiescence=no,history=no,killers=1"),
    ("two plies of quiescence", "alphabeta:hash=0,pruning=no,history=no,qdepth=2,killers=1,windows=plain"),
    ("late moves passed over", "alphabeta:hash=0,quiescence=no,history=no,killers=1,windows=plain"),
    ("all but quiescence", BEST),
)
"""Searches that meet the paper's at equal time, with the weights of stage 3."""
WANTED = 150
"""Elo by which the best player should beat stage 3 as the paper plays it."""
TEAMS = {"the initial weights": "initial", "stage 1": SHIPPED_STAGE1, "stage 3": "duchess/stage3"}
"""Weights that play against themselves, to see which team wins."""
BLIND = "the initial weights"
"""Those of them that know no team. They also play at fixed depths, up to the paper's."""
PAPER_DEPTH = 5
OPTIONAL = (
    *("stage1", "training", "stages", "curve", "paper", "paper-matches", "changes", "changes-matches"),
    *(
        "control",
        "control-matches",
        "trees",
        "teams",
        "team-depths",
        "searches",
        "wishes",
        "wishes-matches",
        "deeper",
        "best",
    ),
    *("chess-sweep", "chess-judged", "chess", "chess-steps"),
)
"""Stages of the study that may be left out."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    seeds: int
    """By which stages 2 and 3 are trained with our settings."""
    long_seeds: int
    """By which whatever takes hours is trained."""
    part: float
    """Of the training games."""
    shallower: int
    """Plies that all trainings look less far."""
    nodes: int
    """A move, in matches."""
    match_games: int
    """A match, by all seeds together; the paper has 100."""
    long_match_games: int
    """Of each seed of what takes hours, so that another seed leaves the games of the others as they are."""
    curve_games: int
    """For each point of a curve, by all seeds together."""
    team_games: int
    """Of equal players, for each way to begin."""
    depth_games: int
    """The same, at each depth."""
    positions: int
    """At which the nodes of searches are counted."""
    seconds: float
    """A move, in the matches at equal time."""
    chess: ChessSize

    def games_of(self, training: Stage) -> int:
        return max(2, round(self.part * training.games))

    def depth_of(self, training: Stage) -> int:
        return max(1, training.depth - self.shallower)

    @property
    def paper_depth(self) -> int:
        """The paper's, or as near to it as this size goes."""
        return max(1, PAPER_DEPTH - self.shallower)


@dataclass(frozen=True)
class ChessSize:
    """How much of the check by chess is done."""

    seeds: int
    depth: int
    sweep_games: int
    games: int
    match_games: int
    """Between two rates."""
    step_games: int
    """Between one method and the next."""


FULL = Size(5, 3, 1.0, 0, 2000, 400, 200, 200, 50, 100, 40, 0.002, ChessSize(4, 2, 40, 300, 12, 60))
QUICK = Size(2, 1, 0.03, 2, 200, 4, 4, 2, 2, 2, 2, 0.002, ChessSize(2, 1, 4, 8, 2, 2))

# --- what the paper says -----------------------------------------------------------------------------

MATERIAL = {
    "Fortress": 0.12,
    "Duchess": 0.11,
    "Wizard": 0.06,
    "Queen": 0.13,
    "Rook": 0.09,
    "Bishop": 0.07,
    "Knight": 0.05,
    "Pawn": 0.06,
}
BOTH_WIZARDS = 0.05
CHECK = (-0.05, 0.08, -0.04, 0.04)
MATE = (-0.33, 0.26, -0.22, 0.24)
"""Table I, after stage 1; from P1, who is to move, to P4."""
HOURS = 32
"""Of training, in all three stages."""
STAGE2_V_1 = of_paper(85, 13, 2)
STAGE3_V_2 = of_paper(53, 38, 9)
