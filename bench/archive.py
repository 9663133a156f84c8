"""The file of games that readers of PGN are measured on: ROOKERY_PGN names it, else random games are made."""

from __future__ import annotations

import atexit
import os
import random
import shutil
import tempfile
from functools import cache
from pathlib import Path

from rookery import games

GAMES = 2000
PLIES = 90
"""About as many as people play."""


@cache
def path() -> str:
    """An uncompressed file."""
    if given := os.environ.get("ROOKERY_PGN"):
        return given
    folder = Path(tempfile.mkdtemp(prefix="rookery-bench-"))
    atexit.register(shutil.rmtree, folder, True)
    made = folder / "games.pgn"
    made.write_text("".join(_game(number) for number in range(GAMES)))
    return str(made)


def _game(number: int) -> str:
    rng = random.Random(number)
    state, words = games.get("chess").start(), []
    for _ in range(PLIES):
        moves = state.moves()
        if not moves:
            break
        move = rng.choice(moves)
        words.append(state.san(move))
        state = state.play(move)
    return f'[Event "Game {number}"]\n[Result "*"]\n\n{" ".join(words)} *\n\n'
