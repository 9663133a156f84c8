"""What David, Netanyahu and Wolf did and found, and how much of it a small version does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rookery.papers.matches import of_paper
from rookery.papers.measure import printed

FULL_NET, DISTILLED, SCRATCH, PAPER_SCHEDULE = "full", "distilled", "scratch", "paper"
RECIPES = {
    FULL_NET: "chess-deepchess",
    DISTILLED: "chess-deepchess-small",
    SCRATCH: "chess-deepchess-scratch",
    PAPER_SCHEDULE: "chess-deepchess-paper",
}
"""The recipe of each training; `distilled` learns from the full network of the same seed."""
PEOPLE, ENGINES, MASTERS = "people", "engines", "masters"
SPLITS = ("position", "game", "time")
SPLIT_SEED = 1
"""As the recipes have it: what is held out is the same in all of them."""


@dataclass(frozen=True)
class Engine:
    """A program of others that DeepChess meets; its name takes the time of a move."""

    title: str
    player: str


STAND_IN = "Toga II"
"""For Crafty, which cannot be had freely: chosen before DeepChess had met it, as a strong engine of that time
that keeps to the time that it is given."""
ENGINES_OUTSIDE = (
    Engine("Toga II", "uci:toga2"),
    Engine("GNU Chess", "uci:gnuchess,arguments=--uci"),
    Engine("Phalanx", "xboard:phalanx"),
    Engine("Glaurung", "uci:glaurung"),  # takes at least some 40 ms, whatever it is given
    *(
        Engine(
            f"Stockfish at UCI_Elo {elo}",
            f"uci:stockfish,UCI_LimitStrength=true,UCI_Elo={elo}",
        )
        for elo in (1350, 1600, 1900)
    ),
)
REFERENCE = "uci:stockfish,nodes=10000"


@dataclass(frozen=True)
class Size:
    """How much is done."""

    seeds: Mapping[str, Mapping[str, int]]
    """By data and training: how many of each."""
    changes: Mapping[str, Mapping[str, Mapping[str, Any]]]
    """By data and training: what is other than in the recipe."""
    own_games: int
    """0: games are given; else so many are played by players of ours, and all data are these."""
    gpu: bool
    pairs: int
    """To measure by."""
    reference_pairs: int
    """The same for the engine whose search is the reference."""
    triples_of: int
    """Positions whose moves are compared by threes."""
    games: int
    """Of each match of each seed, where there are several."""
    single_games: int
    """Of the others."""
    seconds: float
    """A move."""
    more_time: int = field(default=4)
    """As in the paper: DeepChess's time as a multiple of the other's."""


FULL = Size(
    seeds={
        PEOPLE: {FULL_NET: 3, DISTILLED: 3, SCRATCH: 3},
        ENGINES: {FULL_NET: 2, DISTILLED: 2, SCRATCH: 1, PAPER_SCHEDULE: 1},
    },
    changes={
        PEOPLE: {FULL_NET: {"epochs": 600}, DISTILLED: {"epochs": 300}, SCRATCH: {"epochs": 300}},
        ENGINES: {
            FULL_NET: {"epochs": 60},
            DISTILLED: {"epochs": 60},
            SCRATCH: {"epochs": 60},
            PAPER_SCHEDULE: {"epochs": 500, "pretrain_epochs": 50},
        },
    },
    own_games=0,
    gpu=True,
    pairs=20_000,
    reference_pairs=1_000,
    triples_of=200,
    games=70,
    single_games=200,
    seconds=0.01,
)
_SHORT = {
    "epochs": 3,
    "pairs": 8_192,
    "batch": 512,
    "pretrain_epochs": 1,
    "scalar_epochs": 1,
    "evaluation_pairs": 2000,
    "device": "cpu",
}
QUICK = Size(
    seeds={PEOPLE: {FULL_NET: 2, DISTILLED: 2, SCRATCH: 2}, ENGINES: {FULL_NET: 1, PAPER_SCHEDULE: 1}},
    changes={
        PEOPLE: dict.fromkeys((FULL_NET, DISTILLED, SCRATCH), _SHORT),
        ENGINES: {FULL_NET: _SHORT, PAPER_SCHEDULE: {**_SHORT, "evaluate_every": 1}},
    },
    own_games=500,
    gpu=False,
    pairs=1000,
    reference_pairs=20,
    triples_of=10,
    games=2,
    single_games=2,
    seconds=0.002,
)

# --- what the paper says -----------------------------------------------------------------------------

PAIRS = 100_000
"""Positions of each kind that the paper sets aside; we take it to have as many pairs."""
ACCURACY = {
    FULL_NET: printed(0.980, 3, PAIRS),
    DISTILLED: printed(0.971, 3, PAIRS),
    SCRATCH: printed(0.954, 3, PAIRS),
}
"""Table 1."""
GAMES, DECIDED = 640_000, 386_082
TABLE2 = {"crafty": of_paper(59, 41, 0), "equal": of_paper(51, 48, 1), "more": of_paper(63, 36, 1)}
"""Table 2, of which only points are printed: 59.0 - 41.0, 51.5 - 48.5, 63.5 - 36.5 of 100 games."""
UNDERSTOOD = {"material": 0.9, "positional": 0.7}
"""The paper says that all such things are well understood; shares that we hold for that, set beforehand."""
ABOVE_MATERIAL = 0.08
MASTERS_FLOOR = 0.81
"""Ours, set beforehand."""
