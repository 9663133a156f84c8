"""What Ciancarini and Favini did and found, and how much of it is done here."""

from __future__ import annotations

from dataclasses import dataclass

RANDOM = "random"
SAMPLING = ("los", "aosp", "hs")
"""Parker, Nau and Subrahmanian's samplings of boards, the weakest first."""
DEPTHS = (1, 3, 7, 10)
"""The k of approach B: own moves that a simulation looks ahead."""
EXPLORATION = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
"""The c of UCT in approach C."""
USED = 0.1
"""That with which it plays."""
THEIRS = (*(f"B{k}" for k in DEPTHS), "C")
"""The players of Figure 10."""
OURS = "ours"
APPROACHES = {
    "A": "approach=a,endgame=no",
    **{f"B{k}": f"approach=b,k={k},weights=count" for k in DEPTHS},
    "C": f"approach=c,c={USED},foresight=1,reactions=paper,weights=count",
    OURS: "approach=c",
}
"""A has no help with a bare King, as in the paper.

B and C count pieces, as the paper does. C, whose c of UCT is lower than B's, backs up as the paper says
and takes the enemy to capture with the same chance everywhere; ours weighs pieces, trusts what the tree finds
behind a message by half, and takes captures to be as likely as he controls the square."""
NODES_A_SECOND = {
    "A": 31_000,
    "B1": 470_000,
    "B3": 148_000,
    "B7": 61_000,
    "B10": 42_000,
    "C": 4_700_000,
    OURS: 3_900_000,
}
"""Of one idle core (`rookery bench kriegspiel-mcts`): simulations, for C and ours evaluated moves. Times are
given as nodes by these, so that a match is the same on any machine, whatever else that does."""
ABLATIONS = {
    "backed up as the paper says": "foresight=1",
    "reactions as in the paper": "reactions=paper",
    "illegal tries count as the position": "illegal=paper",
    "endgame module off": "endgame=no",
    "pieces counted, not weighted": "weights=count",
    "formulas as printed": "mode=paper",
}
"""What our approach C is changed by, one option at a time; each meets it as it is."""
WORTH_C = 80.0
"""Elo by which C must lead minimax at the two slower settings, for the paper's "more than 100"."""
WINS_A_LOSS = 2.5
"""For the paper's "about three times"."""
CLEARLY = 30.0
"""Elo that count as clearly better."""
SMALL = 40.0
"""Elo below which an effect is small."""
FIGURE, WEAK, LADDER = "figure10", "approach-a", "sampling"
PLATEAU, SCAN, ABLATED, SLOW = "plateau", "exploration", "ablations", "slow"
STAGES = (FIGURE, WEAK, LADDER, PLATEAU, SCAN, ABLATED, SLOW)
"""Of matches. The report can be written without the rest of any, from the games that were played."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    seconds: tuple[float, ...]
    """A move, each twice the one before; the paper's are 1, 2, 4 and 8 s."""
    games: int
    """A match; the paper has 1500 to 4000."""
    batch: int
    """That are played of each match before more of any."""
    nodes: int
    """Metapositions a move of minimax; the paper has 10,000."""
    boards: int
    """That the sampling players judge a move, to depth 1."""
    pool: int
    """Boards that AOSP and HS keep."""
    slow_games: int
    """Of the check at `slow_seconds`; 0: none."""
    timed_games: int
    """In which nodes a second are counted."""
    slow_seconds: float = 1.0

    @property
    def minimax(self) -> str:
        return f"kriegspiel-minimax:nodes={self.nodes}"

    @property
    def usual(self) -> float:
        """The setting for what is tried at one alone."""
        return self.seconds[1]

    def sampling(self, method: str) -> str:
        return f"kriegspiel-sampling:method={method},boards={self.boards},depth=1,pool={self.pool}"


def nodes(name: str, seconds: float) -> int:
    """As many as one of the approaches has time for."""
    return max(1, round(seconds * NODES_A_SECOND[name]))


def mcts(name: str, seconds: float, options: str = "") -> str:
    """One of the approaches, with so much time as nodes; options go before its own."""
    said = dict(each.split("=") for each in f"{APPROACHES[name]},{options}".split(",") if each)
    said["nodes"] = str(nodes(name, seconds))
    return "kriegspiel-mcts:" + ",".join(f"{key}={value}" for key, value in said.items())


FULL = Size((0.005, 0.01, 0.02, 0.04), 400, 4, 10_000, 200, 4000, 200, 20)
QUICK = Size((0.0001, 0.0002, 0.0004, 0.0008), 2, 2, 50, 4, 50, 0, 2)
