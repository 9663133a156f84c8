"""What is compiled for one processor level plays as what is compiled for another."""

import os
import subprocess
import sys

import pytest
from deepchess_twin import FULL, SMALL, TINY, network

from rookery import games, native
from rookery.evaluators import deepchess
from walks import walk

GAMES = """
from rookery import games, native
print(native.level, [
    (name, [game.start().native.perft(d) for d in range(4)],
     played.plies, played.draws, list(played.wins))
    for name in games.names()
    for game in [games.get(name)]
    for played in [game.start().native.playouts(10, 1)]
])
"""


NETWORKS = """
import sys
from rookery import games, native
from rookery.evaluators.deepchess import DeepChess
chess = games.get("chess")
known = DeepChess(chess, sys.argv[1]).native
states = [chess.start().native]
for at in range(80):
    moves = states[-1].moves()
    states.append(states[-1].play(moves[at * 7 % len(moves)]))
report = native.comparison(known, native.ComparisonOptions()).search(states[9], 3, 0, 0.0, [], 1, None)
print(native.level, known.leads(states[1:], states[:-1]), known.values(states), known.above_draw(states),
      report.nodes, report.lines[0].moves, report.lines[0].value)
"""


def test_levels_agree():
    compare(GAMES)


@pytest.mark.parametrize("sizes", [SMALL, FULL, TINY])
def test_networks_in_whole_numbers_agree_to_the_last_bit(sizes, tmp_path):
    chess = games.get("chess")
    deepchess.write(tmp_path / "w", network(sizes, 1, list(walk(chess, 1, 30))))
    compare(NETWORKS, str(tmp_path / "w"))


def compare(program, *arguments):
    seen = {}
    for level in native.BUILT:
        environment = {**os.environ, "ROOKERY_LEVEL": level}
        done = subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        loaded, _, result = done.stdout.partition(" ")
        seen[loaded] = result
    assert native.level in seen
    assert len(set(seen.values())) == 1
