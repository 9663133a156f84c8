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
APPROACHES = {
    **{f"B{k}": f"approach=b,k={k}" for k in DEPTHS},
    "C": "approach=c,foresight=1",
    "ours": "approach=c",
}
"""C backs up as the paper says; ours trusts what the tree finds behind a message by half."""
NODES_A_SECOND = {"A": 31_000, "B1": 470_000, "B3": 148_000, "B7": 61_000, "B10": 42_000, "C": 4_700_000}
NODES_A_SECOND["ours"] = NODES_A_SECOND["C"]
"""Of one idle core (`rookery bench kriegspiel-mcts`): simulations, for C evaluated moves. Times are given as
nodes by these, so that a match is the same on any machine, whatever else that does."""
ABLATIONS = {
    "backed up as the paper says": "foresight=1",
    "illegal tries count as the position": "illegal=paper",
    "endgame module off": "endgame=no",
    "pieces counted, not weighted": "weights=count",
    "only the silent answer expanded": "variant=fast",
    "formulas as printed": "mode=paper",
}
"""What our approach C is changed by, one option at a time; each meets it as it is."""
WORTH_C = 80.0
"""Elo by which C must lead minimax at the two slower settings, for the paper's "more than 100"."""
WINS_A_LOSS = 2.5
"""For the paper's "about three times"."""
CLEARLY = 30.0
"""Elo that count as clearly better."""


@dataclass(frozen=True)
class Size:
    """How much is done."""

    seconds: tuple[float, ...]
    """A move, each twice the one before; the paper's are 1, 2, 4 and 8 s."""
    games: int
    """A match of Figure 10; the paper has 1500 to 4000."""
    other_games: int
    """A match of anything else."""
    nodes: int
    """Metapositions a move of minimax; the paper has 10,000."""
    boards: int
    """That the sampling players judge a move, to depth 1."""
    pool: int
    """Boards that AOSP and HS keep."""
    slow_games: int
    """Of the check at `slow_seconds`; 0: none."""
    slow_seconds: float = 1.0

    @property
    def minimax(self) -> str:
        return f"kriegspiel-minimax:nodes={self.nodes}"

    @property
    def usual(self) -> float:
        """The setting for what is tried at one alone."""
        return self.seconds[1]


def mcts(name: str, seconds: float, options: str = "") -> str:
    """One of the approaches, with as many nodes as it has time for."""
    said = {"A": "approach=a"}.get(name) or APPROACHES[name]
    nodes = max(1, round(seconds * NODES_A_SECOND[name]))
    return f"kriegspiel-mcts:{said}{options and ','}{options},nodes={nodes}"


FULL = Size((0.005, 0.01, 0.02, 0.04), 400, 400, 10_000, 200, 4000, 200)
QUICK = Size((0.0001, 0.0002, 0.0004, 0.0008), 2, 2, 50, 4, 50, 0)
