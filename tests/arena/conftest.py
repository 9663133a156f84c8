import sys
from pathlib import Path

import pytest

ENGINE = """#!{python}
import os, sys, time
import chess
board = chess.Board()
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    def say(text):
        print(text, flush=True)
    if word == {when!r}:
        {what}
    if word == "uci":
        say("id name fake")
        say("option name Level type spin default 3 min 1 max 9")
        say("option name Style type combo default calm var calm var wild")
        say("uciok")
    elif word == "isready":
        say("readyok")
    elif word == "position":
        fen, _, moves = line.partition(" moves ")
        board = chess.Board() if "startpos" in fen else chess.Board(fen.split("fen ")[1].strip())
        for move in moves.split():
            board.push_uci(move)
    elif word == "go":
        say("bestmove " + min(move.uci() for move in board.legal_moves))
    elif word == "quit":
        break
"""


@pytest.fixture
def program(tmp_path):
    """Writes a chess program that speaks UCI and plays the first move by name; gives its player's name.

    `when` it reads a line that begins with this word, it first does `what`.
    """

    def write(when: str = "", what: str = "pass", suffix: str = "") -> str:
        path: Path = tmp_path / f"engine{len(list(tmp_path.iterdir()))}"
        path.write_text(ENGINE.format(python=sys.executable, when=when, what=what))
        path.chmod(0o755)
        return f"uci:{path}{suffix}"

    return write
