"""python-chess, the package that PyPI calls `chess`."""

from pathlib import Path

import chess
import chess.pgn
from protocol import repeat, repeat_perft, serve


def count_leaves(board, depth):
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += count_leaves(board, depth - 1)
        board.pop()
    return leaves


def perft(game, depth, seconds):
    return repeat_perft(seconds, lambda: count_leaves(chess.Board(), depth))


def read_pgn(game, file, seconds):
    """Game after game of the file, and again from its first."""
    with Path(file).open(errors="replace") as stream:

        def once():
            found = chess.pgn.read_game(stream)
            if found is None:
                stream.seek(0)
                found = chess.pgn.read_game(stream)
            return 0, 1

        return repeat(seconds, once)


serve({"name": "chess", "version": chess.__version__}, {"perft": perft, "read_pgn": read_pgn})
