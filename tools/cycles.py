"""Counts circles of preferences among sibling positions of chess: python tools/cycles.py WEIGHTS [--json]

WEIGHTS is a file, a run or a name of the zoo that `deepchess@` takes. Positions come from random games of
fixed seeds; every three that one move leads to from each are compared. Where the weights have a scalar head,
its numbers are counted as well: they can go in no circle.
"""

from __future__ import annotations

import argparse
import json

from rookery import games
from rookery.evaluators.comparing import Comparing
from rookery.evaluators.deepchess import DeepChess
from rookery.evaluators.transitivity import cyclic_triples
from rookery.seeds import generator

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    chess = games.get("chess")
    knowledge = DeepChess(chess, asked.weights)
    rng = generator(1, "cycles")
    states = []
    while len(states) < asked.positions:
        state = chess.start()
        for _ in range(int(rng.integers(10, 80))):
            if moves := state.moves():
                state = state.play(moves[int(rng.integers(len(moves)))])
        if state.moves():
            states.append(state)
    counted = {"comparison": cyclic_triples(knowledge, states)}
    if knowledge.native.has_scalar:
        counted["scalar"] = cyclic_triples(Comparing(knowledge), states)
    if asked.json:
        print(json.dumps({name: {"triples": t.all, "cyclic": t.cyclic} for name, t in counted.items()}))
    else:
        for name, t in counted.items():
            print(f"{name}: {t.cyclic} of {t.all} triples are cyclic ({100 * t.share:.3f} %)")
