"""What Real and Blair did and found, and how much of it a small version does."""

from __future__ import annotations

from dataclasses import dataclass

from rookery.papers.matches import of_paper


@dataclass(frozen=True)
class Stage:
    """Weights, and how they are trained."""

    name: str
    start: str | None
    """The stage whose weights it begins with; None for the paper's initial ones."""
    features: tuple[str, ...]
    learning_rate: float
    games: int
    """As many as the paper says, where it says."""
    phases: int = 1
    shallower: int = 0
    """Plies less than the first stage looks ahead."""
    max_plies: int = 300
    """Plies after which a game is left. Most time goes into long endings, and no lesson hangs on a result."""
    late_move_pruning: bool = False
    """Whether its searches reduce and prune late moves."""
    sync_nodes: int = 500_000
    """Nodes that each of the games side by side looks at before they share what they learnt."""


STAGE1 = ("material", "pawns")
STAGE2 = (*STAGE1, "attacks")
STAGE3 = (*STAGE2, "squares")
MATCH_SHALLOWER = 1
"""Plies less in matches of stages than in the first of them."""
PAPER_RATE = 1e-5
"""In stage 2, and as we read it in stage 3. A step sums over the nodes of a tree, and the paper's trees have
many more: no table, so that a position counts as often as it comes up, one killer, no order by history."""
STAGES = (
    Stage("stage1", None, STAGE1, 1e-4, 140, max_plies=2000),
    Stage("stage2", "stage1", STAGE2, 3e-4, 220, shallower=2),
    Stage("stage3", "stage2", STAGE3, 3e-4, 60, shallower=2),
)
CONTROL = (
    # Less deep, both the stages and all at once: the same games, material untrained or not.
    Stage("control-stage1", None, STAGE1, 1e-4, 140, shallower=2),
    Stage("control-stage2", "control-stage1", STAGE2, 3e-4, 220, shallower=2),
    Stage("control-at-once", None, STAGE2, 3e-4, 360, shallower=2),
)
WISHES = (
    # What the paper leaves to future work, two plies less deep; and as much training with nothing new.
    Stage("longer", "stage3", STAGE3, 3e-4, 100, shallower=2),
    Stage("phases", "stage3", STAGE3, 3e-4, 100, phases=3, shallower=2),
    Stage("modes", "stage3", (*STAGE3, "modes"), 3e-4, 100, shallower=2),
    Stage("kings", "stage3", (*STAGE3, "kings"), 3e-4, 100, shallower=2),
    Stage("everything", "stage3", (*STAGE3, "modes", "kings"), 3e-4, 100, phases=3, shallower=2),
    # Nothing new to see, but searches that look further.
    Stage("best", "stage3", STAGE3, 1e-4, 800, shallower=-1, late_move_pruning=True, sync_nodes=20_000),
)
BASE = "alphabeta:hash=0,pruning=no,quiescence=no,history=no"
"""The paper's search but for a better order of captures, and two killers a ply instead of one."""
SAME = "alphabeta:hash=16,pruning=no,quiescence=no"
"""As deep as the paper's, in less time."""
BEST = "alphabeta:quiescence=no"
"""With which weights meet at equal time."""
SEARCHES = (
    ("transposition table", "alphabeta:hash=16,pruning=no,quiescence=no,history=no"),
    ("order by history", "alphabeta:hash=0,pruning=no,quiescence=no"),
    ("two plies of quiescence", "alphabeta:hash=0,pruning=no,history=no,qdepth=2"),
    ("late moves passed over", "alphabeta:hash=0,quiescence=no,history=no"),
    ("all but quiescence", BEST),
)
"""Searches that meet the paper's at equal time, with the weights of stage 3."""
WANTED = 150
"""Elo by which the best player should beat stage 3 as the paper plays it."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    seeds: int
    """By which everything is trained."""
    part: float
    """Of the training games."""
    depth: int
    match_games: int
    """Between two stages; the paper has 100."""
    beyond_games: int
    seconds: float
    """A move, in the matches at equal time."""
    best_seconds: float
    """A move, where the best search meets the paper's once more: with more time depth tells more."""
    chess: ChessSize

    def games_of(self, training: Stage) -> int:
        return max(2, round(self.part * training.games))

    def plies(self, shallower: int) -> int:
        """The depth of a search that looks so much less far than the first stage."""
        return max(1, self.depth - shallower)


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


FULL = Size(5, 1.0, 5, 100, 400, 0.002, 0.01, ChessSize(4, 3, 200, 2000, 100, 1000))
QUICK = Size(2, 0.03, 2, 12, 4, 0.005, 0.005, ChessSize(2, 1, 4, 8, 2, 2))

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
