"""DeepChess: what one leaf costs, and searches with it beside those with the hand-made evaluation; one core.

The networks have random weights, the halves of the head opposed as training leaves them, so that about half
of the activations are 0. A trained one may have more of them, and be faster.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from rookery import games, native
from rookery.bench.work import Benchmark, Work, start, walk
from rookery.evaluators.deepchess import DeepChess
from rookery.evaluators.handmade import Classical
from rookery.seeds import generator

SMALL = {"embed": [773, 100, 100, 100], "compare": [200, 100, 100, 2], "scalar": [100, 32, 1]}
FULL = {
    "embed": [773, 600, 400, 200, 100],
    "compare": [200, 400, 200, 100, 2],
    "scalar": [100, 32, 1],
}
_STEPS = {"embedding": 1, "halves": 2, "comparison": 3}


def _leaf(subject: str) -> Work:
    """Leaves one move below some middle games: the first layer brought up to date and the embedding; the same
    and its halves of the head's first layer; the same and one comparison with a bound. Nothing is kept."""
    network, step = subject.split("-")
    knowledge = _network(SMALL if network == "small" else FULL).native
    work = partial(knowledge.weigh_moves, _middle_games(), _STEPS[step])
    return Work(lambda: [work() for _ in range(10)], 10 * work())


def _nodes(subject: str) -> Work:
    """Nodes of a search that is given 20,000 in each of some middle games."""
    search, knower = subject.split("-", 1)
    known: Any = (
        Classical(games.get("chess")).native
        if knower == "classical"
        else _network(SMALL if knower == "small" else FULL).native
    )
    made = (
        native.comparison(known, native.ComparisonOptions())
        if search == "comparison"
        else native.alphabeta(known, native.AlphaBetaOptions(null_move=True, late_moves=True))
    )
    assert made is not None
    states = _middle_games()

    def run() -> int:
        made.forget()
        return sum(made.search(state, 64, 20_000, 0.0, [], 1, None).nodes for state in states)

    return Work(run, run())


def _middle_games() -> list[Any]:
    return [state.native for state, _ in list(walk(start("chess"), 120))[4::20]]


def _network(sizes: dict[str, list[int]]) -> DeepChess:
    rng = generator(1, "bench", "deepchess")
    arrays: dict[str, Any] = {}
    for part, layers in sizes.items():
        for number, (inputs, outputs) in enumerate(pairwise(layers)):
            heard = 33 if inputs == 773 else inputs  # bits that are set
            weights = rng.normal(0, np.sqrt(2 / heard), (outputs, inputs))
            if part == "compare" and number == 0:
                weights[:, inputs // 2 :] = -weights[:, : inputs // 2]
            arrays[f"{part}.{number}.weight"] = weights.astype(np.float32)
            arrays[f"{part}.{number}.bias"] = np.zeros(outputs, np.float32)
        hidden = len(layers) - (1 if part == "embed" else 2)
        arrays[f"{part}.ranges"] = np.full(hidden, 5, np.float32)
    return DeepChess.of(games.get("chess"), arrays)


BENCHMARKS = {
    "leaf": Benchmark(
        _leaf, "us", tuple(f"{network}-{step}" for network in ("small", "full") for step in _STEPS)
    ),
    "nodes": Benchmark(
        _nodes,
        "nodes/s",
        tuple(
            f"{search}-{known}"
            for search in ("comparison", "alphabeta")
            for known in ("small", "full", "classical")
        ),
    ),
}
