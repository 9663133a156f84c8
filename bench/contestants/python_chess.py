"""python-chess, the package that PyPI calls `chess`."""

import chess
from protocol import repeat_perft, serve


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


serve({"name": "chess", "version": chess.__version__}, {"perft": perft})
