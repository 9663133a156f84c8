"""python-chess, held against ours ply for ply."""

from __future__ import annotations

import chess
import numpy as np

from rookery import games


def expected_end(board: chess.Board) -> tuple[int, str] | None:
    """The winner and reason, by python-chess and the order of our rules."""
    if not any(board.generate_legal_moves()):
        return (int(board.turn), "checkmate") if board.is_check() else (-1, "stalemate")
    if board.is_insufficient_material():
        return -1, "insufficient material"
    if board.halfmove_clock >= 100:
        return -1, "fifty moves"
    if board.is_repetition(3):
        return -1, "threefold repetition"
    return None


def compare_game(seed: int, fen: str = chess.STARTING_FEN) -> tuple[int, str]:
    """Plays a random game on both and gives its plies and end reason; every difference is an assertion."""
    rng = np.random.default_rng(seed)
    board = chess.Board(fen)
    state = games.get("chess").start(fen)
    plies = 0
    while True:
        legal = sorted(move.uci() for move in board.legal_moves)
        assert sorted(state.text(move) for move in state.board_moves()) == legal, board.fen()
        assert str(state) == board.fen()
        assert state.check == board.is_check(), board.fen()
        assert state.native.outcome() == expected_end(board), board.fen()
        moves = state.moves()
        if not moves:
            return plies, state.outcome().reason
        move = moves[rng.integers(len(moves))]
        board.push_uci(state.text(move))
        state = state.play(move)
        plies += 1
