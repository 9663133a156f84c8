"""Two hundred games each with other people's programs: no illegal move, no lost time, no broken protocol."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from time import perf_counter

import chess
import chess.engine
import pytest
from spoken import ROOKERY, Piped, Spoken

PATH = "/usr/games:/usr/bin:/usr/local/bin"
GNU_GO, STOCKFISH = shutil.which("gnugo", path=PATH), shutil.which("stockfish", path=PATH)
GAMES = 200
SECONDS, INCREMENT = 0.5, 0.1
"""A clock that is lost as soon as a move is late; the increment leaves room for a busy machine."""


@pytest.mark.slow
def test_games_with_stockfish() -> None:
    rng = random.Random(1)
    command = [str(ROOKERY), "uci", "alphabeta+classical"]
    with (
        chess.engine.SimpleEngine.popen_uci(command, timeout=60) as ours,
        chess.engine.SimpleEngine.popen_uci(STOCKFISH, timeout=60) as theirs,  # type: ignore[arg-type]
    ):
        for game in range(GAMES):
            board, left = chess.Board(), SECONDS
            for _ in range(4):
                board.push(rng.choice(list(board.legal_moves)))
            ours.ping()
            while not board.is_game_over(claim_draw=True) and board.ply() < 160:
                if board.turn == (game % 2 == 0):
                    limit = chess.engine.Limit(
                        white_clock=left, black_clock=left, white_inc=INCREMENT, black_inc=INCREMENT
                    )
                    began = perf_counter()
                    move = ours.play(board, limit, game=game).move
                    left -= perf_counter() - began
                    assert left > 0, f"game {game}, ply {board.ply()}: {left:.3f} s"
                    left += INCREMENT
                else:
                    move = theirs.play(board, chess.engine.Limit(nodes=300), game=game).move
                assert move in board.legal_moves
                board.push(move)


class GnuGo(Spoken):
    """GNU Go at its quickest."""

    def __init__(self) -> None:
        super().__init__()
        command = [str(GNU_GO), "--mode", "gtp", "--level", "0", "--never-resign"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, *lines: str) -> None:
        assert self._process.stdin
        for line in lines:
            self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()

    def line(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().removesuffix("\n")

    def end(self) -> None:
        self.send("quit")
        self._process.communicate()


def ask(program: Spoken, command: str) -> str:
    """The answer to a command, which must be a success of exactly one block."""
    program.send(command)
    first = program.line()
    assert re.match(r"=( |$)", first), f"{command}: {first}"
    while line := program.line():
        first += "\n" + line
    return first.removeprefix("=").strip()


@pytest.mark.slow
@pytest.mark.parametrize("size", [5, 9])
def test_games_with_gnu_go(size: int) -> None:
    gnu = GnuGo()
    with Piped("gtp", "rollouts:games=1") as ours:
        for game in range(GAMES):
            for program in (ours, gnu):
                for command in (f"boardsize {size}", "clear_board", "komi 0"):
                    ask(program, command)
            passes, ply = 0, 0
            while passes < 2 and ply < 2 * size * size:
                mover, other = (ours, gnu) if (ply + game) % 2 == 0 else (gnu, ours)
                vertex = ask(mover, f"genmove {'bw'[ply % 2]}")
                ask(other, f"play {'bw'[ply % 2]} {vertex}")
                passes = passes + 1 if vertex.upper() == "PASS" else 0
                ply += 1
            assert re.fullmatch(r"0|[BW]\+\d+\.\d", ask(ours, "final_score"))
        ours.send("quit")
        assert ours.end() == (0, "")
    gnu.end()
