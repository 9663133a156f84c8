"""What Pelat did and found, and how much of it a small version does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rookery.papers.matches import of_paper
from rookery.papers.measure import printed

OURS, DENSE, PLAIN, POOLING, ALL = "ours", "dense", "plain", "pooling", "all-moves"
RECIPES = {
    DENSE: "chess-policy-dense",
    OURS: "chess-policy",
    PLAIN: "chess-policy-plain",
    POOLING: "chess-policy-pooling",
    ALL: "chess-policy-all-moves",
}
"""The networks of Table 1, in its order."""
LEARNING_RATES = (1e-2, 1e-3, 1e-4, 1e-5)
BEST_FIRST = (1e-3, 1e-4, 1e-5, 1e-2)
"""Figure 9, from top to bottom."""
SELF_PLAY = "chess-policy-selfplay"
SPLIT_SEED = 1
"""As the recipes have it: what is held out is the same in all of them."""
FIRST_PLY = 10
"""Positions before it are not learnt from."""
STEPS = 90_000
"""Of Table 1."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    seeds: int
    """Of each network of Table 1."""
    steps: int
    rate_steps: int
    """Of each learning rate of Figure 9; 0: none is tried."""
    changes: Mapping[str, Any]
    """What is other than in the recipes."""
    own_games: int
    """0: games are given; else so many are played by players of ours."""
    gpu: bool
    network: str
    """Whose players meet; empty: the one of Table 1 that was trained first."""
    positions: int
    """On which that network is measured."""
    plain: str
    """The search that it meets, AB."""
    stronger: str
    """The same with quiescence search, which is a question of ours."""
    probability: str
    games: int
    """Of a match of players at a glance; the paper has 100."""
    slow_games: int
    """Of one with the probability search."""
    rollouts: Mapping[int, int]
    """By the games that Monte-Carlo plays after each move: games of the match."""
    rollout_plies: int


_AB = "alphabeta:depth=4,pruning=no,quiescence={}+pieces"
FULL = Size(
    seeds=3,
    steps=STEPS,
    rate_steps=20_000,
    changes={"rounds": 4},
    own_games=0,
    gpu=True,
    network="chess/policy",
    positions=10_000,
    plain=_AB.format("no"),
    stronger=_AB.format("yes"),
    probability="probability",
    games=400,
    slow_games=400,
    rollouts={3: 200, 5: 200, 10: 200, 40: 200},
    rollout_plies=200,
)
QUICK = Size(
    seeds=2,
    steps=6,
    rate_steps=6,
    changes={
        "rounds": 2, "blocks": 1, "channels": 8, "batch": 16, "evaluation_positions": 100, "device": "cpu",
        "threads": 1,
    },
    own_games=120,
    gpu=False,
    network="",
    positions=100,
    plain="alphabeta:depth=1,pruning=no,quiescence=no+pieces",
    stronger="alphabeta:depth=1,pruning=no,quiescence=yes+pieces",
    probability="probability:threshold=0.2,depth=2",
    games=2,
    slow_games=2,
    rollouts={1: 2},
    rollout_plies=4,
)  # fmt: skip

# --- what the paper says -----------------------------------------------------------------------------

ACCURACY = {
    DENSE: printed(0.24, 2),
    OURS: printed(0.38, 2),
    PLAIN: printed(0.34, 2),
    POOLING: printed(0.36, 2),
    ALL: printed(0.36, 2),
}
"""Table 1. A sixth network, Maia's, is not trained here."""
TABLE2 = {
    "ours-ab": of_paper(60, 24, 16),
    "probability-ab": printed(0.735, 3, 100),
    "probability-ours": of_paper(47, 33, 20),
}
TABLE3 = {
    3: printed(0.71, 2, 100),
    5: printed(0.76, 2, 100),
    10: printed(0.77, 2, 100),
    40: printed(0.78, 2, 100),
}
"""Games after each move: the share of points against the network alone."""
