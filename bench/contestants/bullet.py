"""bulletchess, by its quickest way through a random game: its own choice of a move, not a list of all."""

from importlib.metadata import version

from bulletchess import CHECKMATE, DRAW, Board
from bulletchess.utils import perft as count_leaves
from bulletchess.utils import random_legal_move
from protocol import repeat, repeat_perft, serve


def playouts(game, seconds):
    def once():
        board = Board()
        plies = 0
        while board not in CHECKMATE and board not in DRAW:
            board.apply(random_legal_move(board))
            plies += 1
        return plies, 1

    return repeat(seconds, once)


def perft(game, depth, seconds):
    return repeat_perft(seconds, lambda: count_leaves(Board(), depth))


serve({"name": "bulletchess", "version": version("bulletchess")}, {"playouts": playouts, "perft": perft})
