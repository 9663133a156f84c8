"""Self-play on 5x5 Go from which a network learns."""

from __future__ import annotations

from rookery import games, native
from rookery.bench.work import Benchmark, Work, batch


def _td(network: str) -> Work:
    """Games of self-play on 5x5 Go that a network learns from, after some that show it how to play."""
    learner = native.TdLearner(games.get("go5").start().native, network, 1)  # type: ignore[attr-defined]
    learner.play(2000)
    return batch(learner.play)


BENCHMARKS = {"td": Benchmark(_td, "games/s", ("koten", "katatsugi", "roban"))}
