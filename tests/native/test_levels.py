"""What is compiled for one processor level plays as what is compiled for another."""

import os
import subprocess
import sys

from rookery import native

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


def test_levels_agree():
    seen = {}
    for level in native.BUILT:
        environment = {**os.environ, "ROOKERY_LEVEL": level}
        done = subprocess.run(
            [sys.executable, "-c", GAMES], env=environment, capture_output=True, text=True, check=True
        )
        loaded, _, result = done.stdout.partition(" ")
        seen[loaded] = result
    assert native.level in seen
    assert len(set(seen.values())) == 1
