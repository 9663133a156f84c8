"""A store of some random games of chess, won by whoever has more men at the end."""

from __future__ import annotations

import atexit
import random
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import chess

from rookery.records import importing

WORTH = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9, "K": 0}


def pgn(games: int, seed: int, plies: int = 36) -> str:
    chance, texts = random.Random(seed), []
    for number in range(games):
        board, words = chess.Board(), []
        while len(words) < plies and (moves := list(board.legal_moves)):
            move = chance.choice(moves)
            words.append(board.san(move))
            board.push(move)
        lead = sum(
            WORTH[piece.symbol().upper()] * (1 if piece.color else -1) for piece in board.piece_map().values()
        )
        result = "1-0" if lead > 0 else "0-1" if lead < 0 else "1/2-1/2"
        date = f"20{10 + number % 10}.{1 + number % 12:02}.{1 + number % 28:02}"
        elos = f'[WhiteElo "{2000 + number % 500}"]\n[BlackElo "{2100 + number % 300}"]\n'
        texts.append(f'[Date "{date}"]\n[Result "{result}"]\n{elos}\n{" ".join(words)} {result}\n\n')
    return "".join(texts)


@cache
def folder(games: int = 150, seed: int = 1) -> str:
    """Where it lies; made once in a process."""
    place = Path(mkdtemp(prefix="rookery-games-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    (place / "games.pgn").write_text(pgn(games, seed))
    importing.run([place / "games.pgn"], place / "store", importing.Filter())
    return str(place / "store")
