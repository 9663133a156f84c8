"""The search trees alone: an evaluation that costs nothing leaves the tree and the rules to be timed."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery import native
from rookery.bench.work import Benchmark, Work, start, walk

_NODES = 2000
_BATCH = 64


def _puct(game: str) -> Work:
    """Simulations of PUCT, 2000 in each of some middle games, 64 leaves at a time."""
    states = [state.native.any() for state, _ in list(walk(start(game), 120))[4::40]]

    def run() -> None:
        for state in states:
            tree = native.PuctTree(state, [], 1.25)
            while tree.simulations < _NODES:
                if leaves := tree.collect(_BATCH, _NODES):
                    tree.absorb(np.zeros((len(leaves), 2), np.float32), None)

    return Work(run, _NODES * len(states))


def _selfplay(game: str) -> Work:
    """Positions that self-play hands out, 256 games at a time with 32 simulations a move; one thread."""
    size = int(game.removeprefix("go"))
    settings, go = native.SelfPlaySettings(), native.GoSelfPlaySettings()
    settings.games, go.cap = 256, 5 * size * size // 2
    games: Any = getattr(native, f"GoSelfPlay{size}")(settings, go, 1)
    planes = np.zeros((games.capacity, native.go_zero_plane_count * size * size), np.uint8)
    values = np.zeros(games.capacity, np.float32)
    logits = np.random.default_rng(1).normal(size=(games.capacity, size * size + 1)).astype(np.float32)
    workers = native.Workers(1)

    def run() -> int:
        return sum(games.step(logits, values, planes, workers) for _ in range(20))

    for _ in range(20):
        run()  # games are under way, and at different stages
    return Work(run, run())


BENCHMARKS = {
    "puct": Benchmark(_puct, "nodes/s", ("chess", "go9", "duchess4")),
    "selfplay": Benchmark(_selfplay, "positions/s", ("go5", "go9")),
}
