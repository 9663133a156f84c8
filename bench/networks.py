"""How fast policy networks answer on one core, beside ONNX Runtime with nothing of ours around it.

    python bench/networks.py FILE.onnx...        policy.onnx of a run or of the zoo; each a row a batch

What is measured is processor time, so that other programs on the machine matter little; the files and ways
take turns. All numbers are milliseconds a position; knowledge is the whole way, from states to shares.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from time import thread_time
from typing import cast

import numpy as np
import onnxruntime

from rookery import games
from rookery.api import State
from rookery.evaluators.policy import ENCODERS, PolicyNetwork
from rookery.games.state import NativeState
from rookery.nets import backend
from rookery.seeds import generator

_BATCHES = ((1, 60), (8, 12), (64, 3))
"""Positions at a time, and how often."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    files = parser.parse_args().files
    print(f"{'file':40} {'MB':>5} {'batch':>5} {'ours':>7} {'runtime':>7} {'ratio':>5} {'knowledge':>9}")
    networks = [_Network(path) for path in files]
    for batch, times in _BATCHES:
        for network in networks:
            network.prepare(batch)
        for _ in range(times + 2):
            for network in networks:
                network.measure()
        for network in networks:
            network.tell(batch)


class _Network:
    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        model = backend.check(content)
        self.path, self.size, self.outputs = path, len(content), model.outputs
        self.encode = ENCODERS[model.card["encoder"]].planes
        self.rated = "ratings" in model.inputs
        self.ours = backend.OnnxBackend(content, model)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.alone = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        self.knowledge = PolicyNetwork(games.get("chess"), str(path))

    def prepare(self, batch: int) -> None:
        self.states = _states(batch)
        planes = self.encode([cast(NativeState, state).native for state in self.states]).astype(np.float32)
        self.arrays = {"planes": planes}
        if self.rated:
            self.arrays["ratings"] = np.full((batch, 2), 1500, np.float32)
        self.times: list[list[float]] = [[], [], []]

    def measure(self) -> None:
        ways = (
            lambda: self.ours.run(self.arrays, self.outputs),
            lambda: self.alone.run(self.outputs, self.arrays),
            lambda: self.knowledge.evaluate(self.states),
        )
        for way, times in zip(ways, self.times, strict=True):
            began = thread_time()
            way()
            times.append(thread_time() - began)

    def tell(self, batch: int) -> None:
        ours, alone, knowledge = (1000 * median(times[2:]) / batch for times in self.times)
        print(
            f"{str(self.path)[-40:]:40} {self.size / 1e6:5.1f} {batch:5} {ours:7.2f} {alone:7.2f} "
            f"{ours / alone:5.2f} {knowledge:9.2f}"
        )


def _states(count: int) -> list[State]:
    """Positions of random games."""
    game, rng = games.get("chess"), generator(1, "bench", "networks")
    state, found = game.start(), list[State]()
    while len(found) < count:
        if not (moves := state.moves()):
            state = game.start()
            continue
        found.append(state)
        state = state.play(moves[int(rng.integers(len(moves)))])
    return found


if __name__ == "__main__":
    main()
