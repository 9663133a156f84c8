"""Games of chess that the tests make: random ones, as PGN by python-chess."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from rookery.records import importing
from rookery.records.store import Store

SET_UP = "4k3/P6p/8/3pP3/8/8/p6P/R3K2R w KQ d6 0 30"


@dataclass(frozen=True)
class Made:
    """A game and its PGN."""

    board: chess.Board
    pgn: str

    @property
    def boards(self) -> list[chess.Board]:
        """The positions, the first and the last included."""
        here = self.board.root()
        found = [here.copy()]
        for move in self.board.move_stack:
            here.push(move)
            found.append(here.copy())
        return found


def random_game(seed: int, plies: int = 80, fen: str | None = None) -> Made:
    rng = random.Random(seed)
    board = chess.Board(fen) if fen else chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    game = chess.pgn.Game.from_board(board)
    game.headers["Event"] = f"Game {seed}"
    game.headers["Date"] = f"20{seed % 20:02}.{1 + seed % 12:02}.{1 + seed % 28:02}"
    game.headers["White"], game.headers["Black"] = "Anna", 'Bert "B" \\ é'
    game.headers["WhiteElo"], game.headers["BlackElo"] = str(2000 + seed), str(2100 - seed)
    game.headers["Result"] = ("1-0", "1/2-1/2", "0-1", "*")[seed % 4]
    return Made(board, f"{game}\n\n")


def random_games(count: int) -> list[Made]:
    return [
        random_game(seed, 20 + 5 * seed % 120, SET_UP if seed % 5 == 3 else None) for seed in range(count)
    ]


def import_text(folder: Path, text: str | bytes, keep: importing.Filter | None = None) -> importing.Counts:
    """What is counted when a text is imported to `folder`/store."""
    folder.mkdir(exist_ok=True)
    (folder / "games.pgn").write_bytes(text if isinstance(text, bytes) else text.encode())
    return importing.run([folder / "games.pgn"], folder / "store", keep or importing.Filter())


def imported(folder: Path, text: str | bytes) -> Store:
    import_text(folder, text)
    return Store.open(folder / "store")
