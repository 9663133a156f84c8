"""TreeStrap held to a game whose answers are known: chess, from next to nothing.

After Veness, Silver, Uther, Blair, "Bootstrapping from Game Tree Search" (2009), whose order of methods it
must find: untrained, TD-Leaf, RootStrap, TreeStrap. Each method chooses its rate by the same sweep.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import chess
import numpy as np

from rookery.evaluators import linear
from rookery.games.chess import CHESS
from rookery.papers.desk import Desk, Piece
from rookery.papers.duchess.matches import Met, meet
from rookery.papers.duchess.plan import ChessSize
from rookery.papers.duchess.trainings import train
from rookery.papers.measure import Measured, greater
from rookery.papers.report import Finding, Section
from rookery.seeds import generator

METHODS = ("tdleaf", "rootstrap", "treestrap")
"""From the weakest to the strongest, as Veness and others found them."""
RATES = {
    "tdleaf": (1e-3, 3e-3, 1e-2, 3e-2, 1e-1),
    "rootstrap": (1e-2, 3e-2, 1e-1, 3e-1, 1),
    "treestrap": (1e-2, 3e-2, 1e-1, 3e-1, 1),
}
"""Each method's own five, since TD-Leaf takes a whole game's steps at once. They fall to nothing."""
VALUES = {"Knight": 3, "Bishop": 3, "Rook": 5, "Queen": 9}
"""In Pawns, as every beginner learns."""
NEAR = 0.25
"""How far from that a learnt value may lie."""
COUNTER = "counter"
"""A search that counts men, and knows where they stand well."""
POSITIONS = 200
"""On which men are weighed."""


@dataclass(frozen=True)
class ChessOutcome:
    sweeps: dict[str, dict[float, float]]
    """By method and rate, the share of points against the other rates."""
    worth: dict[str, float]
    """Of each kind in Pawns, as TreeStrap learnt it."""
    steps: dict[tuple[str, str], Met]
    """Each method against the one before it, and TreeStrap against the counter."""


def do(desk: Desk, size: ChessSize, seed: int) -> ChessOutcome:
    def training(method: str, rate: float, games: int, name: str) -> Piece:
        # One game at a time, and no limit to what a move may teach: as those who found the methods did it.
        # That bounds do not teach is ours: see docs/duchess.md.
        options = {"game": "chess", "method": method, "rate": rate, "final": 0, "limit": 1,
                   "features": ("material", "attacks", "squares"), "games": games,
                   "depth": size.depth, "quiescence": True, "quiet": True, "exact": True,
                   "random_moves": 10, "longest": 400, "step": max(1, games // 20), "threads": 1,
                   "side_by_side": 1}  # fmt: skip
        return Piece(train, {"folder": str(desk.out / f"chess-{name}"), "options": options, "seed": seed})

    def contest(a: str, b: str, games: int) -> Piece:
        search = f"alphabeta:hash=0,selective=no,depth={size.depth}"
        known = {name: f"{search}+linear@{desk.out / f'chess-{name}'}" for name in (a, b)}
        known[COUNTER] = f"{search}+pieces"
        asked = {"game": "chess", "players": (known[a], known[b]), "games": games,
                 "seconds": None, "record": str(desk.out / "games" / f"chess-{a}-{b}.jsonl"),
                 "seed": int(generator(seed, "duchess", "chess", a, b).integers(2**31)), "workers": 0,
                 "openings": "random:10"}  # fmt: skip
        return Piece(meet, asked)

    tried = {f"{method}-{rate:g}": (method, rate) for method in METHODS for rate in RATES[method]}
    desk.do("chess-sweep", {name: training(*how, size.sweep_games, name) for name, how in tried.items()})
    rivals = [
        pair for method in METHODS for pair in combinations([n for n in tried if tried[n][0] == method], 2)
    ]
    judged = desk.do("chess-judged", {f"{a}-{b}": contest(a, b, size.match_games) for a, b in rivals})
    sweeps = {method: dict.fromkeys(RATES[method], 0.0) for method in METHODS}
    for a, b in rivals:
        method, others = tried[a][0], len(RATES[tried[a][0]]) - 1
        points = Met(**judged[f"{a}-{b}"]).share.value
        sweeps[method][tried[a][1]] += points / others
        sweeps[method][tried[b][1]] += (1 - points) / others
    rates = {method: max(found, key=lambda rate: found[rate]) for method, found in sweeps.items()}

    raised = {method: training(method, rates[method], size.games, method) for method in METHODS}
    raised["untrained"] = training("treestrap", 0, 1, "untrained")
    told = desk.do("chess", raised)
    order = ("untrained", *METHODS)
    pairs = [*zip(METHODS, order, strict=False), ("treestrap", COUNTER)]
    met = desk.do("chess-steps", {f"{a}-{b}": contest(a, b, size.step_games) for a, b in pairs})
    rows = linear.read(desk.out / "chess-treestrap" / told["treestrap"]["weights"], "chess")
    return ChessOutcome(
        sweeps,
        worth(rows, seed),
        {pair: Met(**met["-".join(pair)]) for pair in pairs},
    )


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


def tell(section: Section, outcome: ChessOutcome, size: ChessSize) -> None:
    section.say(
        f"Material, attacks and squares of chess, from weights next to nothing, depth {size.depth} and "
        f"captures beyond, ten random first moves. Every method has the same sweep of five rates over "
        f"{size.sweep_games} games each, which then meet each other over {size.match_games} games; with the "
        f"best rate it learns from {size.games} games, one at a time. A rate falls evenly to nothing. Only "
        "positions whose best move takes nothing teach, for at the others quiescence never ends, and of a "
        "tree only the nodes whose value the search has found, not those with a bound. The counter is a "
        "search of the same depth that counts men and knows where they stand well."
    )
    section.table(
        "The sweep: share of points against the other rates.",
        ("method", *(f"rate {n + 1}" for n in range(5))),
        [
            (method, *(f"{rate:g}: {value:.3f}" for rate, value in found.items()))
            for method, found in outcome.sweeps.items()
        ],
    )
    section.judge(
        f"Which is stronger, over {size.step_games} games.",
        [
            Finding(
                f"{a} beats {b}", "" if b == COUNTER else "yes", met.told, greater(met.share, Measured(0.5))
            )
            for (a, b), met in outcome.steps.items()
        ],
    )
    section.judge(
        "What men are worth in Pawns to TreeStrap: how far the value falls when one is taken off, in the "
        f"mean over {POSITIONS} positions.",
        [
            Finding(
                kind,
                str(value),
                f"{outcome.worth[kind]:.2f}",
                "holds" if np.isclose(outcome.worth[kind], value, rtol=NEAR) else "fails",
            )
            for kind, value in VALUES.items()
        ],
    )
