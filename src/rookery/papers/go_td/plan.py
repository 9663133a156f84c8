"""What Mayer's paper did, and how much of it a small version does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.papers.measure import Measured, printed

REPRESENTATIONS = ("koten", "roban", "katatsugi")
SELECTIONS = ("epsilon", "creative")
RIVALS = ("gojen", "naive", "random")
DEPTHS = (1, 2, 4)


@dataclass(frozen=True)
class Config:
    """A board representation and a way to select moves while learning."""

    representation: str
    selection: str

    def __str__(self) -> str:
        """As the paper's tables write it.

        >>> str(Config("koten", "creative"))
        'koten (c)'
        """
        return f"{self.representation} ({'c' if self.selection == 'creative' else 'g'})"

    @property
    def key(self) -> str:
        return f"{self.representation}-{self.selection}"

    @property
    def options(self) -> dict[str, Any]:
        return {"representation": self.representation, "selection": self.selection}


CONFIGS = tuple(Config(r, s) for s in SELECTIONS for r in REPRESENTATIONS)
KOTEN_C, KATATSUGI_C = Config("koten", "creative"), Config("katatsugi", "creative")
ROBAN_C = Config("roban", "creative")


@dataclass(frozen=True)
class Size:
    """How much is done."""

    runs: int
    samples: int
    """Of each run; the paper has 20."""
    sample_every: int
    """Games between two samples."""
    sample_games: int
    """Against each rival in a sample."""
    pair_games: int
    """Of each pair in the tournament, and of the best nets against each rival."""
    ablation_runs: int
    ablation_samples: int
    outside_games: int
    """Against a program of other people's."""

    @property
    def duel_games(self) -> int:
        """Of two rivals, which are quicker."""
        return 20 * self.pair_games

    @property
    def games(self) -> int:
        return self.samples * self.sample_every


FULL = Size(20, 20, 50_000, 1_000, 1_000, 5, 10, 100)
QUICK = Size(2, 5, 4_000, 100, 100, 2, 3, 4)

# --- what the paper says -----------------------------------------------------------------------------

LEVELS = {
    Config("koten", "epsilon"): 0.50,
    Config("katatsugi", "epsilon"): 0.50,
    Config("roban", "epsilon"): 0.40,
    Config("koten", "creative"): 0.60,
    Config("katatsugi", "creative"): 0.68,
    Config("roban", "creative"): 0.46,
}
"""Strength towards the end, Figures 2 and 3 as the text reads them."""

TOURNAMENT = {
    Config("koten", "creative"): 0.7040,
    Config("koten", "epsilon"): 0.5892,
    Config("katatsugi", "creative"): 0.4866,
    Config("katatsugi", "epsilon"): 0.4796,
    Config("roban", "creative"): 0.3758,
    Config("roban", "epsilon"): 0.3282,
}
"""Table I: wins / 5,000."""

SEARCH = {
    1: {"gojen": 0.650, "naive": 0.737, "random": 0.986},
    2: {"gojen": 0.583, "naive": 0.892, "random": 1.0},
    4: {"gojen": 0.656, "naive": 0.911, "random": 1.0},
}
"""Table II: the best creative katatsugi net, wins of 1,000."""
SEARCH_STRENGTH = {
    KATATSUGI_C: {1: 0.7527, 2: 0.7753, 4: 0.8320},
    KOTEN_C: {1: 0.7033, 2: 0.7890, 4: 0.8293},
}
"""The strengths printed; those of katatsugi are not the means of Table II's own rows."""
GAMES_A_SECOND = 20_000_000 / (70 * 3600)
"""20 million games in about 70 hours."""


def of_games(value: float, games: int) -> Measured:
    """A share that the paper measured over so many games, and printed to three digits at least."""
    return printed(value, 3, games)


# --- what the paper leaves open ----------------------------------------------------------------------


@dataclass(frozen=True)
class Ablation:
    """One decision of ours turned round, for some configurations."""

    name: str
    configs: tuple[Config, ...]
    changes: dict[str, Any]
    why: str


_CREATIVE = (KOTEN_C, KATATSUGI_C)
_GREEDY = (Config("koten", "epsilon"), Config("katatsugi", "epsilon"))
ABLATIONS = (
    Ablation("as decided", _CREATIVE + _GREEDY, {}, "what all others are measured against"),
    Ablation("bias", _CREATIVE, {"bias": True}, "the link counts of the paper leave no room for one"),
    Ablation("area scoring", _CREATIVE, {"scoring": "area"}, "Figure 4 counts prisoners, so we do"),
    Ablation(
        "dead stones off", _CREATIVE, {"dead_stones": "benson"}, "we count every stone on the board as alive"
    ),
    Ablation(
        "ties reward 0", _CREATIVE, {"tie_reward": 0.0}, "the paper names no reward for a tie; ours is 0.5"
    ),
    Ablation("skip t+2", _GREEDY, {"skip": "t+2"}, "whether only a random second move spoils the target"),
    Ablation("skip t or t+2", _GREEDY, {"skip": "t|t+2"}, "whether a random first move spoils it too"),
    Ablation("skip any of three", _GREEDY, {"skip": "any"}, "whether any random move near it does"),
    Ablation("never skip", _GREEDY, {"skip": "none"}, "what the paper's omission is worth"),
    Ablation(
        "koten begun and paced as katatsugi",
        (KOTEN_C, Config("koten", "epsilon")),
        {"init_input": 0.45, "input_learning_rate": 0.0017},
        "katatsugi is koten with a fixed linear layer: smaller weights at the start, and smaller steps",
    ),
    *(
        Ablation(
            f"creativity {window:g}",
            (ROBAN_C,),
            {"creativity": window},
            "roban's values lie close together, so that the same share of the best lets in more moves",
        )
        for window in (0.01, 0.005)
    ),
)

GOJENS = (
    "gojen",
    "gojen:noise=25",
    "gojen:noise=40",
    "gojen:noise=60",
    "gojen:attack=2",
    "gojen:attack=1",
    "gojen:escape=no",
    "gojen:noise=60,escape=no",
    "gojen:noise=100,escape=no",
    "gojen:noise=200,escape=no",
)
"""As it is, and weakened in some ways."""
