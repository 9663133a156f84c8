"""What Mayer's paper did, and how much of it a small version does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.papers.measure import Measured, printed

REPRESENTATIONS = ("koten", "roban", "katatsugi")
SELECTIONS = ("epsilon", "creative")
SELECTED = {"epsilon": "greedy", "creative": "creative"}
"""What the paper calls them."""
RIVALS = ("gojen", "naive", "random")
DEPTHS = (1, 2, 4)


@dataclass(frozen=True)
class Config:
    """A board representation, a way to select moves while learning, and a learning rate."""

    representation: str
    selection: str
    learning_rate: float = 0.01
    """The paper's, unless it is said."""

    @property
    def selected(self) -> str:
        """The way to select moves, in the paper's word."""
        return SELECTED[self.selection]

    def __str__(self) -> str:
        """As the paper's tables write it.

        >>> str(Config("koten", "creative"))
        'koten (c)'
        >>> str(Config("koten", "creative", 0.001))
        'koten (c), rate 0.001'
        """
        rate = "" if self.learning_rate == Config.learning_rate else f", rate {self.learning_rate:g}"
        return f"{self.representation} ({self.selected[0]}){rate}"

    @property
    def key(self) -> str:
        return f"{self.representation}-{self.selection}-{self.learning_rate:g}"

    @property
    def options(self) -> dict[str, Any]:
        return {
            "representation": self.representation,
            "selection": self.selection,
            "learning_rate": self.learning_rate,
        }


CONFIGS = tuple(Config(r, s) for s in SELECTIONS for r in REPRESENTATIONS)
KOTEN_C, KATATSUGI_C = Config("koten", "creative"), Config("katatsugi", "creative")
ROBAN_C = Config("roban", "creative")
RATES = (0.01, 0.003, 0.001)
RATED = (
    *(Config(r, "creative", rate) for rate in RATES[1:] for r in ("koten", "katatsugi")),
    Config("roban", "creative", 0.001),
)
"""The paper's learning rate turned down."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    runs: int
    roban_runs: int
    """Of roban, whose games take four times as long; the paper has as many of all."""
    games: int
    """Of each run."""
    roban_games: int
    """Of those of roban; the paper has as many."""
    sample_every: int
    """Games between two samples."""
    sample_from: int
    """The first sample, and then after twice as many each time until they are so far apart."""
    sample_games: int
    """Against each rival in a sample."""
    ablation_runs: int
    roban_ablation_runs: int
    ablation_games: int
    pair_games: int
    """Of each pair of the best nets, and of the best nets against each rival."""
    openings: int
    """From which all last nets meet, each opening twice."""
    watched_games: int
    """Against gojen, as in Figure 4."""
    outside_games: int
    """Against a program of other people's."""

    @property
    def duel_games(self) -> int:
        """Of two rivals, which are quicker."""
        return 20 * self.pair_games

    def runs_of(self, config: Config) -> int:
        return self.roban_runs if config.representation == "roban" else self.runs

    def games_of(self, config: Config) -> int:
        return self.roban_games if config.representation == "roban" else self.games

    def ablation_runs_of(self, config: Config) -> int:
        return self.roban_ablation_runs if config.representation == "roban" else self.ablation_runs

    def shortened(self, *configs: Config) -> bool:
        """Whether one of these learns from fewer games than the others, as none of the paper's does."""
        return any(self.games_of(config) < self.games for config in configs)

    def learning(self, games: int) -> dict[str, Any]:
        """What a run of so many games is told about its length and its samples."""
        return {
            "games": games,
            "evaluate_every": self.sample_every,
            "evaluate_from": self.sample_from,
            "evaluation_games": self.sample_games,
        }


FULL = Size(20, 20, 1_000_000, 1_000_000, 50_000, 1_000, 1_000, 20, 20, 100_000, 1_000, 20, 200, 100)
QUICK = Size(2, 2, 20_000, 8_000, 4_000, 1_000, 100, 2, 2, 8_000, 100, 2, 20, 4)

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

PAIRS = {
    (Config("koten", "creative"), Config("koten", "epsilon")): 1.0,
    (Config("katatsugi", "creative"), Config("katatsugi", "epsilon")): 0.0,
    (Config("koten", "creative"), Config("katatsugi", "creative")): 0.5,
}
"""What the text says of single pairs of Table I, wins of 1,000."""

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
WATCHED = {"strength": 0.7693, "after move 2": 0.68, "at the end": 0.61}
"""Figure 4: the strength of the best creative katatsugi net, and what it thought of its game with GOjen."""
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
_KATATSUGI = (KATATSUGI_C, Config("katatsugi", "epsilon"))
_ALL_C = (*_CREATIVE, ROBAN_C)

ONE_MOVE, ONE_MOVE_OF_MOVER, ONE_REWARD = "one move later", "one move as its mover sees it", "one reward"
WEIGHTS = ("center 0.4, neighbors 0.15", "center 0.6, neighbors 0.1")
PACED = "koten begun and paced as katatsugi"
NARROW = ("creativity 0.01", "creativity 0.005")

TESTED = (
    Ablation(
        ONE_MOVE,
        _CREATIVE,
        {"difference": "t+1"},
        "a value learns from 1 less the opponent's next, as is usual",
    ),
    Ablation(
        ONE_MOVE_OF_MOVER,
        _CREATIVE,
        {"difference": "t+1 mover"},
        "the paper's words taken literally: from before a move to after it, both as the mover sees them",
    ),
    Ablation(ONE_REWARD, _ALL_C, {"rewards": "last"}, "only the last mover learns what the game brought"),
    Ablation(WEIGHTS[0], _KATATSUGI, {"center": 0.4, "neighbor": 0.15}, "the weights of katatsugi"),
    Ablation(WEIGHTS[1], _KATATSUGI, {"center": 0.6, "neighbor": 0.1}, "the weights of katatsugi"),
)
"""What the paper tried too, and says to be worse or much the same (sections II.A and II.C)."""
SMALL = 0.05
"""A difference in strength that is small; the paper does not say what it takes for small."""

ABLATIONS = (
    Ablation("bias", _ALL_C, {"bias": True}, "the link counts of the paper leave no room for one"),
    Ablation("area scoring", _ALL_C, {"scoring": "area"}, "Figure 4 counts prisoners, so we do"),
    Ablation(
        "dead stones off", _ALL_C, {"dead_stones": "benson"}, "we count every stone on the board as alive"
    ),
    Ablation(
        "ties reward 0", _ALL_C, {"tie_reward": 0.0}, "the paper names no reward for a tie; ours is 0.5"
    ),
    Ablation(
        "learn from the best",
        _CREATIVE,
        {"target": "best"},
        "the paper says both that V is of the move selected and that it is of the best",
    ),
    Ablation("cut at 50 plies", _CREATIVE, {"ply_cap": 50}, "the paper names no limit; ours is 200"),
    Ablation("skip t+2", _GREEDY, {"skip": "t+2"}, "whether only a random second move spoils the target"),
    Ablation("skip t or t+2", _GREEDY, {"skip": "t|t+2"}, "whether a random first move spoils it too"),
    Ablation("skip any of three", _GREEDY, {"skip": "any"}, "whether any random move near it does"),
    Ablation("never skip", _GREEDY, {"skip": "none"}, "what the paper's omission is worth"),
    Ablation(
        PACED,
        (KOTEN_C, Config("koten", "epsilon")),
        {"init_input": 0.45, "input_learning_rate": 0.0017},
        "katatsugi is koten with a fixed linear layer: smaller weights at the start, and smaller steps",
    ),
    *(
        Ablation(
            name,
            (ROBAN_C,),
            {"creativity": window},
            "perhaps roban's values lie close together, so that the same share of the best lets in more "
            "moves; how close they lie was not measured",
        )
        for name, window in zip(NARROW, (0.01, 0.005), strict=True)
    ),
)

RULES: dict[str, dict[str, str]] = {
    "dead stones off": {"dead_stones": "benson"},
    "area, dead stones off": {"scoring": "area", "dead_stones": "benson"},
}
"""Other ends of the game, by which nets that learnt by the usual ones are measured."""

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

# --- every sentence about results --------------------------------------------------------------------

_ONE = "told, not judged, of one net"
_ANOTHER, _WORDS = "not judged: another's result, which is cited", "not judged: it names nothing to measure"
SENTENCES = (
    ("II.A", "a difference of one move gave poor results", "What the paper tried too"),
    ("II.A", "two rewards matter even more than that", "What the paper tried too"),
    ("II.A", "with one reward Black comes to win more and more games", "What the paper tried too"),
    ("II.B", "early in training more moves are creative than late", "not judged: said as what may be"),
    ("II.C", "other weights of katatsugi make small differences", "What the paper tried too"),
    ("III", "GOjen plays at about 28 kyu by GNU Go 3.2", "not judged: GOjen is not available"),
    (
        "III",
        "5x5 Go is solved: C3 wins by 25, C2 and its like by 3",
        _ANOTHER + "; our proof: docs/go.md",
    ),
    ("III", "GNU Go 3.2 opens at C3, and passes after any winning opening", "not judged: another version"),
    ("III", "nets mostly learn the optimal opening", "What else the paper says"),
    ("IV.B", "Figures 2 and 3, their levels and what is said of the curves", "Learning"),
    ("IV.B", "Figure 4: the game, and its values", "A game against GOjen"),
    ("IV.B", "Figure 4: the strength of the net", f"{_ONE}: A game against GOjen"),
    ("IV.B", "nets often fail to see moves that save the game", _WORDS),
    ("IV.C", "Table I", f"{_ONE} each: Tournament"),
    ("IV.C", "the koten nets beat the katatsugi nets", "Tournament"),
    ("IV.C", "koten (c) beats koten (g) in every game", f"{_ONE} each: Tournament"),
    ("IV.C", "katatsugi (c) loses every game to katatsugi (g)", f"{_ONE} each: Tournament"),
    ("IV.C", "koten (c) has 0.5 against katatsugi (c)", f"{_ONE} each: Tournament"),
    (
        "IV.C",
        "so some nets fully exploit weaknesses of others",
        f"{_ONE} each: Tournament has how many pairs are won outright",
    ),
    ("IV.C", "creative nets score above greedy ones, and roban is last", "Tournament"),
    ("IV.D", "Table II", f"{_ONE}: Deep search"),
    ("IV.D", "strength rises with depth, but not against GOjen", "Deep search"),
    (
        "IV.D",
        "deeper search finds weaker moves at times, since not all positions are judged rightly",
        "not judged: a reason, not a result",
    ),
    (
        "IV.D",
        "koten (c) is a bit weaker at depth 1, gains more by depth and arrives at a comparable level",
        f"{_ONE} each: Deep search",
    ),
    ("V", "creative selection makes considerably better players", "Learning"),
    ("V", "because it looks at promising moves more densely", "not judged: said as what may be"),
    ("V", "on average katatsugi outperforms the other two", "Learning"),
    ("V", "katatsugi nets see captures and rescues better, subjectively", _WORDS),
    ("V", "win rates fall with the quality of the rival", "What else the paper says"),
    ("V", "about 98 % against Random", "What else the paper says"),
    (
        "V",
        "that may be credited to the two improvements of TDL too",
        "told, not judged, as it is said as what may be: What the paper tried too has both against Random",
    ),
    ("V", "the best net has 65 % against GOjen", f"{_ONE}: What else the paper says"),
    ("V", "the best nets open in the centre, always", "What else the paper says"),
    ("V", "evolved nets beat GOjen in 68 % of the games", _ANOTHER),
    ("V", "20 million games in about 70 hours", "not judged: another machine; our speed is told"),
)
"""Where in the paper, what it says in our words, and the section that judges it or why none does."""
