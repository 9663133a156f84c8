"""What Real and Blair did and found, and how much of it a small version does."""

from __future__ import annotations

from dataclasses import dataclass

from rookery.papers.measure import Measured, share


@dataclass(frozen=True)
class Stage:
    """One of the trainings."""

    name: str
    start: str | None
    """The stage whose weights it begins with; None for the paper's initial ones."""
    features: tuple[str, ...]
    rate: float
    games: int
    """As many as the paper says."""


STAGES = (
    Stage("stage1", None, ("material", "pawns"), 1e-4, 140),
    Stage("stage2", "stage1", ("material", "pawns", "attacks"), 1e-5, 220),
    Stage("stage3", "stage2", ("material", "pawns", "attacks", "squares"), 1e-5, 60),
    # The negative control: attacks learnt together with material that is not trained.
    Stage("joint", None, ("material", "pawns", "attacks"), 1e-5, 360),
)
BASE = "alphabeta:hash=0,selective=no,quiescence=no,history=no"
"""The paper's search but for a better order of captures, and two killers a ply instead of one."""
BEYOND = (
    ("transposition table", "alphabeta:hash=16,selective=no,quiescence=no,history=no+linear@{stage3}"),
    ("order by history", "alphabeta:hash=0,selective=no,quiescence=no+linear@{stage3}"),
    ("quiescence", "alphabeta:hash=0,selective=no,history=no+linear@{stage3}"),
    ("late moves less deeply", "alphabeta:hash=0,quiescence=no,history=no+linear@{stage3}"),
    ("all but quiescence", "alphabeta:quiescence=no+linear@{stage3}"),
    ("all of these", "alphabeta+linear@{stage3}"),
)
"""Searches that meet the paper's at equal time, with the weights of stage 3."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    part: float
    """Of the paper's training games."""
    depth: int
    match_games: int
    """Between two stages; the paper has 100."""
    beyond_games: int
    seconds: float
    """A move, in the matches at equal time."""


FULL = Size(1.0, 5, 200, 400, 0.02)
QUICK = Size(0.03, 2, 12, 4, 0.005)

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


def result(wins: int, losses: int, draws: int) -> Measured:
    """A match of the paper's, as the share of points."""
    games = wins + losses + draws
    return Measured((wins + draws / 2) / games, share(wins + draws / 2, games).error)


STAGE2_V_1 = (85, 13, 2)
STAGE3_V_2 = (53, 38, 9)
