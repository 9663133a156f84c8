"""TreeStrap held to a game whose answers are known: chess, from next to nothing.

After Veness, Silver, Uther, Blair, "Bootstrapping from Game Tree Search" (2009), whose order of methods is
untrained, TD-Leaf, RootStrap, TreeStrap(minimax), TreeStrap(alpha-beta). Each chooses its rate by the same
sweep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import chess
import numpy as np

from rookery.evaluators import linear
from rookery.games.chess import CHESS
from rookery.papers.duchess.plan import ChessSize
from rookery.papers.matches import Series, Terms, meet_all, meet_by_seed
from rookery.papers.measure import Measured, mean
from rookery.papers.report import Section
from rookery.papers.study import Study
from rookery.papers.trainings import Training, folder, train_all
from rookery.papers.verdict import Truth, claim, every, greater
from rookery.seeds import generator

METHODS: Mapping[str, Mapping[str, Any]] = {
    "tdleaf": {"method": "tdleaf"},
    "rootstrap": {"method": "rootstrap"},
    "treestrap": {},
    "treestrap-exact": {"exact_only": True},
    "treestrap-minimax": {"windows": "open"},
}
"""TreeStrap as published, with bounds; from exact values alone; and from minimax, which has no bounds."""
RATES = {
    "tdleaf": (1e-3, 3e-3, 1e-2, 3e-2),
    "rootstrap": (1e-2, 3e-2, 1e-1, 3e-1),
    "treestrap": (1e-2, 3e-2, 1e-1, 3e-1),
    "treestrap-exact": (1e-2, 3e-2, 1e-1, 3e-1),
    "treestrap-minimax": (1e-2, 3e-2, 1e-1, 3e-1),
}
"""Each method's own, since TD-Leaf takes a whole game's steps at once. They fall to nothing."""
PAIRS = (
    # As Veness and others found them, from the weakest to the strongest.
    ("tdleaf", "untrained", True),
    ("rootstrap", "tdleaf", True),
    ("treestrap-minimax", "rootstrap", True),
    ("treestrap", "treestrap-minimax", True),
    ("treestrap", "rootstrap", True),
    # What bounds do.
    ("treestrap-exact", "treestrap", False),
    ("treestrap-exact", "rootstrap", False),
    ("treestrap-exact", "counter", False),
)
"""Who meets whom, and whether the first one's lead is what Veness and others found."""
VALUES = {"Knight": 3, "Bishop": 3, "Rook": 5, "Queen": 9}
"""In Pawns, as every beginner learns."""
COUNTER = "counter"
"""A search that counts men, and knows where they stand well."""
POSITIONS = 200
"""On which men are weighed."""


@dataclass(frozen=True)
class ChessOutcome:
    sweeps: dict[str, dict[float, float]]
    """By method and rate, the share of points against the other rates."""
    worth: dict[str, dict[str, Measured]]
    """By method, of each kind in Pawns."""
    steps: dict[tuple[str, str], Series]
    """The matches between methods."""


def do(study: Study, size: ChessSize, seed: int) -> ChessOutcome | None:
    """None where it was left out."""
    seeds = range(seed, seed + size.seeds)

    def training(method: str, rate: float, games: int) -> Training:
        # One game at a time, and no limit to what a move may teach: as those who found the methods did it.
        options = {"game": "chess", "learning_rate": rate, "final_rate_factor": 0, "max_update": 1,
                   "features": ("material", "attacks", "squares"), "games": games, "depth": size.depth,
                   "quiescence": True, "quiet_only": True, "random_moves": 10, "max_plies": 400,
                   "step": max(1, games // 20), "threads": 1, "parallel_games": 1,
                   **METHODS.get(method, {})}  # fmt: skip
        return Training("treestrap", options)

    def player(stage: str, name: str, of: int) -> str:
        search = f"alphabeta:hash=0,pruning=no,depth={size.depth}"
        return f"{search}+pieces" if name == COUNTER else f"{search}+linear@{folder(stage, name, of)}"

    tried = {f"{method}-{rate:g}": (method, rate) for method in METHODS for rate in RATES[method]}
    sweep = {name: training(*how, size.sweep_games) for name, how in tried.items()}
    there = [n for n, found in train_all(study, "chess-sweep", sweep, [seed]).items() if found.runs]
    rivals = [
        pair for method in METHODS for pair in combinations([n for n in there if tried[n][0] == method], 2)
    ]
    between_rates = Terms("chess", size.match_games, "random:10")
    meetings = {
        f"{a}-{b}": (player("chess-sweep", a, seed), player("chess-sweep", b, seed)) for a, b in rivals
    }
    judged = meet_all(study, "chess-judged", meetings, between_rates, seed)
    sweeps: dict[str, dict[float, float]] = {}
    for a, b in rivals:
        if met := judged.get(f"{a}-{b}"):
            points = sweeps.setdefault(tried[a][0], dict.fromkeys(RATES[tried[a][0]], 0.0))
            points[tried[a][1]] += met.share.value / (len(points) - 1)
            points[tried[b][1]] += (1 - met.share.value) / (len(points) - 1)
    if not sweeps:
        return None
    rates = {method: max(found, key=lambda rate: found[rate]) for method, found in sweeps.items()}

    by_method = {method: training(method, rate, size.games) for method, rate in rates.items()}
    by_method["untrained"] = training("treestrap", 0, 1)
    trained = train_all(study, "chess", by_method, seeds)
    ran = {name: [run.seed for run in found.runs] for name, found in trained.items()}
    ran[COUNTER] = [*seeds]
    steps = {
        f"{a}-{b}": {of: (player("chess", a, of), player("chess", b, of)) for of in ran[a] if of in ran[b]}
        for a, b, _ in PAIRS
        if ran.get(a) and ran.get(b)
    }
    met_by = meet_by_seed(study, "chess-steps", steps, Terms("chess", size.step_games, "random:10"), seed)
    return ChessOutcome(
        sweeps,
        {
            method: _mean_worth(
                [linear.read(study.out / run.weights, "chess") for run in trained[method].runs], seed
            )
            for method in METHODS
            if ran.get(method)
        },
        {(a, b): met_by[f"{a}-{b}"] for a, b, _ in PAIRS if f"{a}-{b}" in met_by},
    )


def _mean_worth(rows: Sequence[linear.Weights], seed: int) -> dict[str, Measured]:
    found = [worth(each, seed) for each in rows]
    return {kind: mean([each[kind] for each in found]) for kind in VALUES}


def worth(rows: linear.Weights, seed: int) -> dict[str, float]:
    """What men are worth in Pawns: by how much the value falls, in the mean, when one is taken off.

    A man counts by its kind, its square and whom it attacks, so no single weight tells it.
    """
    rng = generator(seed, "duchess", "chess", "worth")
    knowledge = linear.Linear.of(CHESS, rows)
    falls: dict[int, list[float]] = {kind: [] for kind in chess.PIECE_TYPES}

    def value(board: chess.Board) -> float:
        return float(knowledge.native.values([CHESS.start(board.fen()).native])[0])

    for _ in range(POSITIONS):
        board = chess.Board()
        for _ in range(int(rng.integers(10, 60))):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[int(rng.integers(len(moves)))])
        whole = value(board)
        for square, man in board.piece_map().items():
            without = board.copy(stack=False)
            without.remove_piece_at(square)
            if without.is_valid():
                fall = whole - value(without)
                falls[man.piece_type].append(fall if man.color == board.turn else -fall)
    pawn = np.mean(falls[chess.PAWN])
    kinds = {chess.piece_name(kind).capitalize(): kind for kind in chess.PIECE_TYPES}
    return {name: float(np.mean(falls[kinds[name]]) / pawn) for name in VALUES}


def tell(section: Section, outcome: ChessOutcome | None, size: ChessSize) -> None:
    if outcome is None:
        section.say("Not run.")
        return
    section.say(
        f"Material, attacks and squares of chess, from weights next to nothing, depth {size.depth} and "
        "captures beyond, ten random first moves. Every method has the same sweep of four learning rates "
        f"over {size.sweep_games} games each, which then meet each other over {size.match_games} games; "
        f"with the best rate it learns from {size.games} games, one at a time. A rate falls evenly to "
        "nothing. Only positions whose best move takes nothing teach, of TD-Leaf only such leaves: a "
        "quiescence "
        "search plays captures out, so it evaluates no others. TreeStrap comes in three kinds: as "
        "published, where a bound "
        "teaches an evaluation on the wrong side of it; from exact values alone; and from minimax, where "
        "nothing is pruned and every node has its exact value. In all three a node a ply further from the "
        "root counts a third. The counter is a search of the same depth that counts pieces and knows where "
        "they stand well."
    )
    section.table(
        "The sweep: share of points against the other rates, one seed.",
        ("method", *(f"rate {n + 1}" for n in range(len(RATES["tdleaf"])))),
        [
            (method, *(f"{rate:g}: {value:.3f}" for rate, value in found.items()))
            for method, found in outcome.sweeps.items()
        ],
    )
    section.judge(
        f"Which is stronger, over {size.step_games} games a seed. The order is that of Veness and others.",
        [
            claim(
                f"{a} beats {b}",
                greater(outcome.steps[a, b].share, Measured(0.5)),
                outcome.steps[a, b].told,
                paper="yes" if theirs else "",
                own=True,
                note=NOTES.get((a, b), ""),
            )
            for a, b, theirs in PAIRS
            if (a, b) in outcome.steps
        ],
    )
    section.table(
        "What pieces are worth in Pawns: how far the value falls when one is taken off, in the mean over "
        f"{POSITIONS} positions and the seeds.",
        ("method", *VALUES),
        [(method, *(str(found[kind]) for kind in VALUES)) for method, found in outcome.worth.items()],
    )


KINDS = {
    "treestrap": "with bounds, as published",
    "treestrap-exact": "from exact values alone",
    "treestrap-minimax": "from minimax values",
}
"""Of TreeStrap."""


def bounds(section: Section, outcome: ChessOutcome | None) -> None:
    """Whether what bounds teach makes a player weaker, and a Pawn worth less, as it may."""
    section.say(
        "Alpha-beta knows of most nodes only that they are worth at least or at most so much. Such a bound "
        "teaches only an evaluation on the wrong side of it. A side that is a Pawn behind by its evaluation, "
        "and by the search is not, is corrected; a side that is a Pawn ahead, and is so by the search too, "
        "confirms nothing. Most bounds lie near the root's value, so what they teach may draw values down. "
        "An earlier study, of single seeds, found that they do, and the Pawn's furthest "
        "(docs/duchess_notes.md). It is asked again here: if bounds do harm, TreeStrap without them is "
        "stronger; if they draw down the Pawn most, with them all pieces count for more Pawns."
    )
    if outcome is None:
        section.say("Not run.")
        return
    with_bounds = outcome.worth.get("treestrap")
    section.table(
        "The three kinds of TreeStrap in chess: what pieces are worth in Pawns.",
        ("TreeStrap", *VALUES),
        [
            (told, *(str(outcome.worth[method][kind]) for kind in VALUES))
            for method, told in KINDS.items()
            if method in outcome.worth
        ],
    )
    leads = {method: lead for method in KINDS if (lead := _lead(outcome, method, "treestrap"))}
    stronger = {method: greater(lead, Measured(0.5)) for method, lead in leads.items()}
    words = {"holds": "stronger", "fails": "weaker", "open": "open"}
    section.table(
        "Share of the points against TreeStrap with bounds, from the matches above.",
        ("TreeStrap", "share", "is it stronger?"),
        [(KINDS[method], str(lead), words[stronger[method]]) for method, lead in leads.items()],
    )
    if with_bounds:
        section.judge(
            "What pieces are worth, with bounds and without.",
            [
                claim(
                    f"with bounds all pieces count for more Pawns than {KINDS[method]}",
                    every(greater(with_bounds[kind], outcome.worth[method][kind]) for kind in VALUES),
                    ", ".join(
                        f"{kind} by {with_bounds[kind] - outcome.worth[method][kind]}" for kind in VALUES
                    ),
                    paper="",
                    own=True,
                )
                for method in KINDS
                if method != "treestrap" and method in outcome.worth
            ],
        )
    section.say(_bounds_told(stronger))


def _lead(outcome: ChessOutcome, method: str, other: str) -> Measured | None:
    """The share of the points of one against another, whoever was named first."""
    if series := outcome.steps.get((method, other)):
        return series.share
    if series := outcome.steps.get((other, method)):
        return Measured(1 - series.share.value, series.share.error)
    return None


def _bounds_told(stronger: Mapping[str, Truth]) -> str:
    """What follows, whatever was found."""
    truths = [*stronger.values()]
    if not truths:
        return "No match says which is stronger."
    if set(truths) == {"holds"}:
        return (
            "TreeStrap without bounds is the stronger in each match: that bounds do harm here is confirmed."
        )
    if set(truths) == {"fails"}:
        return "TreeStrap with bounds is the stronger in each match: that bounds do harm is not confirmed."
    if "holds" in truths and "fails" in truths:
        return (
            "One kind without bounds is stronger than with them and the other weaker, so it is not bounds "
            "alone "
            "that decide."
        )
    if "holds" in truths:
        return "One kind without bounds is surely stronger than with them; of the other it is open."
    if "fails" in truths:
        return "One kind without bounds is surely weaker than with them; of the other it is open."
    return "Which is stronger is open, so that bounds do harm is neither confirmed nor refuted here."


CHANGED = (
    "The check by chess was changed after TreeStrap had lost to RootStrap: the bound on a move's change, a "
    "rate that falls, quiet positions alone, the discount by ply, and last that bounds do not teach were "
    "each tried for it (docs/duchess_notes.md). Here the three kinds of TreeStrap stand beside each other."
)
NOTES: Mapping[tuple[str, str], str] = {
    (
        "treestrap-exact",
        "rootstrap",
    ): "that bounds were left out was our idea, after TreeStrap with bounds had lost"
}
