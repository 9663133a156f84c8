"""Programs that speak UCI, xboard or GTP and misbehave as a test tells them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = """#!{python}
import os, sys, time
import chess
def say(text):
    print(text, flush=True)
def log(line):
    with open({log!r}, "a") as file:
        file.write(line)
"""

UCI = """
board = chess.Board()
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    log(line)
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

XBOARD = """
board = chess.Board()
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    log(line)
    if word == {when!r}:
        {what}
    if word == "protover":
        say("feature myname=fake ping=1 setboard=0 usermove=1 reuse=1 sigint=0 done=1")
    elif word == "ping":
        say("pong " + rest)
    elif word == "new":
        board = chess.Board()
    elif word == "usermove":
        board.push_uci(rest)
    elif word == "go":
        board.push_uci(min(move.uci() for move in board.legal_moves))
        say("move " + board.peek().uci())
    elif word == "quit":
        break
"""

GTP = """
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    log(line)
    if word == {when!r}:
        {what}
    if word == "list_commands":
        say("= boardsize\\nclear_board\\nkomi\\nplay\\ngenmove\\nlevel\\nset_random_seed\\nquit\\n")
    elif word == "genmove":
        say("= pass\\n")
    elif word == "quit":
        say("=\\n")
        break
    else:
        say("=\\n")
"""


class Fake:
    """A program, its name as a player, and what it was told."""

    def __init__(self, path: Path, protocol: str, when: str, what: str) -> None:
        self.name = f"{protocol}:{path}"
        self._log = path.with_suffix(".log")
        head = HEAD.format(python=sys.executable, log=str(self._log))
        body = {"uci": UCI, "xboard": XBOARD, "gtp": GTP}[protocol]
        path.write_text(head + body.format(when=when, what=what))
        path.chmod(0o755)

    def heard(self) -> list[str]:
        return self._log.read_text().splitlines() if self._log.exists() else []


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Fake]:
    """Writes a program that plays the first move by name, and does `what` at a line beginning with `when`."""

    def write(protocol: str, when: str = "", what: str = "pass") -> Fake:
        return Fake(tmp_path / f"program{len(list(tmp_path.iterdir()))}", protocol, when, what)

    return write
