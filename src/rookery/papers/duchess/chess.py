"""TreeStrap held to a game whose answers are known: chess, from next to nothing.

After Veness, Silver, Uther, Blair, "Bootstrapping from Game Tree Search" (2009), whose order of methods it
must find: untrained, TD-Leaf, RootStrap, TreeStrap. Each method chooses its rate by the same sweep.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rookery.evaluators import linear
from rookery.evaluators.chess_features import KINDS, ChessFeatures
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
    "tdleaf": (1e-4, 1e-3, 1e-2, 1e-1, 1),
    "rootstrap": (1e-3, 1e-2, 1e-1, 1, 10),
    "treestrap": (1e-4, 1e-3, 1e-2, 1e-1, 1),
}
"""Each method's own five, since a step of TreeStrap sums over a tree, and one of TD-Leaf over a game."""
VALUES = {"Knight": 3, "Bishop": 3, "Rook": 5, "Queen": 9}
"""In Pawns, as every beginner learns."""
NEAR = 0.25
"""How far from that a learnt value may lie."""
COUNTER = "counter"
"""A search that counts men, and knows where they stand well."""
ALL = ("material", "attacks", "squares")


@dataclass(frozen=True)
class ChessOutcome:
    sweeps: dict[str, dict[float, float]]
    """By method and rate, the share of points against the other rates."""
    worth: dict[str, float]
    """Of each kind, as TreeStrap weighs it when it sees material alone."""
    steps: dict[tuple[str, str], Met]
    """Each method against the one before it, and TreeStrap against the counter."""


def do(desk: Desk, size: ChessSize, seed: int) -> ChessOutcome:
    def training(method: str, rate: float, games: int, name: str, features: tuple[str, ...] = ALL) -> Piece:
        options = {"game": "chess", "method": method, "rate": rate, "features": features, "games": games,
                   "depth": size.depth, "discount": 1.0, "quiescence": True, "random_moves": 10,
                   "longest": 400, "step": max(1, games // 20), "threads": 1,
                   "side_by_side": 1}  # fmt: skip
        return Piece(train, {"folder": str(desk.out / f"chess-{name}"), "options": options, "seed": seed})

    def contest(a: str, b: str) -> Piece:
        search = f"alphabeta:hash=0,selective=no,depth={size.depth}"
        known = {name: f"{search}+linear@{desk.out / f'chess-{name}'}" for name in (a, b)}
        known[COUNTER] = f"{search}+pieces"
        asked = {"game": "chess", "players": (known[a], known[b]), "games": size.match_games,
                 "seconds": None, "record": str(desk.out / "games" / f"chess-{a}-{b}.jsonl"),
                 "seed": int(generator(seed, "duchess", "chess", a, b).integers(2**31)), "workers": 0,
                 "openings": "random:10"}  # fmt: skip
        return Piece(meet, asked)

    tried = {f"{method}-{rate:g}": (method, rate) for method in METHODS for rate in RATES[method]}
    desk.do("chess-sweep", {name: training(*how, size.sweep_games, name) for name, how in tried.items()})
    rivals = [
        pair for method in METHODS for pair in combinations([n for n in tried if tried[n][0] == method], 2)
    ]
    judged = desk.do("chess-judged", {f"{a}-{b}": contest(a, b) for a, b in rivals})
    sweeps = {method: dict.fromkeys(RATES[method], 0.0) for method in METHODS}
    for a, b in rivals:
        method, others = tried[a][0], len(RATES[tried[a][0]]) - 1
        points = Met(**judged[f"{a}-{b}"]).share.value
        sweeps[method][tried[a][1]] += points / others
        sweeps[method][tried[b][1]] += (1 - points) / others
    rates = {method: max(found, key=lambda rate: found[rate]) for method, found in sweeps.items()}

    raised = {method: training(method, rates[method], size.games, method) for method in METHODS}
    raised["untrained"] = training("treestrap", 0, 1, "untrained")
    raised["material"] = training("treestrap", rates["treestrap"], size.games, "material", ("material",))
    told = desk.do("chess", raised)
    order = ("untrained", *METHODS)
    pairs = [*zip(METHODS, order, strict=False), ("treestrap", COUNTER)]
    met = desk.do("chess-steps", {f"{a}-{b}": contest(a, b) for a, b in pairs})
    rows = linear.read(desk.out / "chess-material" / told["material"]["weights"], "chess")
    worth = ChessFeatures().material(rows[0])
    return ChessOutcome(
        sweeps,
        {kind: float(worth[n]) for n, kind in enumerate(KINDS)},
        {pair: Met(**met["-".join(pair)]) for pair in pairs},
    )


def tell(section: Section, outcome: ChessOutcome, size: ChessSize) -> None:
    section.say(
        f"Material, attacks and squares of chess, from weights next to nothing, depth {size.depth} and "
        f"captures beyond, ten random first moves. Every method has the same sweep of five rates over "
        f"{size.sweep_games} games each, which then meet each other over {size.match_games} games; with the "
        f"best rate it learns from {size.games} games, one at a time. Nodes count alike at all depths of the "
        "tree. The counter is a search of the same depth that counts men and knows where they stand well."
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
        f"Which is stronger, over {size.match_games} games.",
        [
            Finding(
                f"{a} beats {b}", "" if b == COUNTER else "yes", met.told, greater(met.share, Measured(0.5))
            )
            for (a, b), met in outcome.steps.items()
        ],
    )
    pawn = outcome.worth["Pawn"]
    ratio = {kind: outcome.worth[kind] / pawn for kind in VALUES}
    section.judge(
        "What men are worth in Pawns, learnt by TreeStrap from material alone.",
        [
            Finding(
                kind,
                str(value),
                f"{ratio[kind]:.2f}",
                "holds" if np.isclose(ratio[kind], value, rtol=NEAR) else "fails",
            )
            for kind, value in VALUES.items()
        ],
    )
