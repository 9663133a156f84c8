"""Searches of Duchess with the full linear evaluation, and the evaluation alone."""

from __future__ import annotations

from functools import partial

from rookery import games, native
from rookery.bench.work import Benchmark, Work, start, walk
from rookery.evaluators.duchess_features import Features
from rookery.evaluators.linear import Linear
from rookery.seeds import generator


def _search(game: str) -> Work:
    """Nodes of alpha-beta at depth 5, with the full linear evaluation; one core, some middle games."""
    search = native.alphabeta(_linear(game).native, native.AlphaBetaOptions(qdepth=0, hash=0))
    assert search is not None
    states = [state.native for state, _ in list(walk(start(game), 120))[4::20]]

    def run() -> int:
        return sum(search.search(state, 5, 0, 0.0, [], 1, None).nodes for state in states)

    return Work(run, run())


def _values(how: str) -> Work:
    """Values of positions one move further, kept from the one before or computed from nothing."""
    knowledge = _linear("duchess4").native
    states = [state.native for state, _ in list(walk(start("duchess4"), 120))[4::20]]
    work = partial(knowledge.weigh_moves, states, how == "scratch")
    return Work(lambda: [work() for _ in range(20)], 20 * work())


def _linear(game: str) -> Linear:
    """Weights that all count for something: the first ones of the paper, and a little of everything else."""
    rules = games.get(game)
    rows = Features(rules.spec.seats).initial()
    rows += generator(1, "bench", "weights").normal(0, 0.003, rows.shape).astype(rows.dtype)
    return Linear.of(rules, rows)


BENCHMARKS = {
    "search": Benchmark(_search, "nodes/s", ("duchess4", "duchess6")),
    "values": Benchmark(_values, "values/s", ("kept", "scratch")),
}
