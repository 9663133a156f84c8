"""A seat's view must follow from its own men and what it heard, and from nothing else."""

from itertools import pairwise

import chess
import numpy as np

from rookery.games.kriegspiel import KRIEGSPIEL
from walks import walk


def shuffled_enemies(fen: str, seat: int, rng: np.random.Generator) -> str | None:
    """The same position with the unseen men elsewhere, if that is a position at all."""
    board = chess.Board(fen)
    enemy = chess.BLACK if seat == 0 else chess.WHITE
    men = [board.remove_piece_at(s) for s in list(chess.SquareSet(board.occupied_co[enemy]))]
    free = [s for s in chess.SQUARES if board.piece_at(s) is None]
    for man in men:
        s = free.pop(rng.integers(len(free)))
        board.set_piece_at(s, man)
    board.castling_rights &= chess.BB_RANKS[0 if seat == 0 else 7]
    board.ep_square = None
    return board.fen() if board.is_valid() else None


def test_another_hidden_board_gives_the_same_view():
    rng = np.random.default_rng(1)
    compared = 0
    for seed in range(60):
        for state in walk(KRIEGSPIEL, seed, 150):
            if state.outcome() or rng.random() < 0.7:
                continue
            seat = state.seat
            fen = shuffled_enemies(state.native.fen, seat, rng)
            if fen is None:
                continue
            first, second = KRIEGSPIEL.start(state.native.fen).view(seat), KRIEGSPIEL.start(fen).view(seat)
            told = (first.tries > 0, bool(first.checks)) == (second.tries > 0, bool(second.checks))
            if not told or KRIEGSPIEL.start(fen).outcome():
                continue
            compared += 1
            assert first.men == second.men
            assert first.moves() == second.moves(), (state.native.fen, fen)
            assert first.picture() == second.picture()
    assert compared > 50


def test_refusals_are_private():
    for seed in range(5):
        states = list(walk(KRIEGSPIEL, seed, 200))
        for before, after in pairwise(states):
            if after.native.fen == before.native.fen:
                other = 1 - before.seat
                assert after.view(other) == before.view(other)
                assert after.view(before.seat).events[-1].startswith("ILLEGAL")


def test_view_shows_own_men_only():
    for state in walk(KRIEGSPIEL, 3, 200):
        board = chess.Board(state.native.fen)
        for seat, colour in ((0, chess.WHITE), (1, chess.BLACK)):
            seen = chess.BaseBoard(state.view(seat).men)
            assert seen.occupied == board.occupied_co[colour]
            assert all(seen.piece_at(s) == board.piece_at(s) for s in chess.SquareSet(seen.occupied))
