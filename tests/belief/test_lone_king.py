"""Where a lone King may be is never wrong and never wider than need be."""

import chess
import numpy as np
import pytest

from rookery import native
from rookery.games.kriegspiel import KRIEGSPIEL

LoneKing = native.KriegspielLoneKing


def squares(state, seat):
    known = LoneKing.of(state.view(seat).native)
    return None if known is None else set(chess.SquareSet(known.squares))


def king(state, seat):
    """The enemy's, on the true board."""
    return chess.Board(state.native.fen).king(bool(seat))


def heard(state, seat):
    return state.view(seat).events[-1]


class Twin:
    """Every board that would have told the same: slow, and without any thought about Kings."""

    def __init__(self, state, seat):
        self.seat = seat
        board = chess.Board(state.native.fen)
        board.remove_piece_at(board.king(bool(seat)))
        self.boards = {}
        for square in chess.SQUARES:
            if board.piece_at(square) is None:
                there = board.copy()
                there.set_piece_at(square, chess.Piece(chess.KING, bool(seat)))
                if there.is_valid():
                    self.boards[square] = there.fen()

    def follow(self, line, move):
        """What we heard after a move or try of ours, or (None) after his."""
        left = {}
        for fen in self.boards.values():
            state = KRIEGSPIEL.start(fen)
            tries = [move] if move is not None else state.moves()
            for tried in tries:
                after = state.play(tried)
                if move is None and not after.stood:
                    continue
                if heard(after, self.seat) == line:
                    left[king(after, self.seat)] = after.native.fen if after.stood else fen
        self.boards = left


ARMIES = [
    "8/8/8/8/3R4/8/8/4K2k w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "8/8/3k4/8/8/2Q5/8/K7 w - - 0 1",
    "8/8/3k4/8/8/2B1N3/5P2/K7 w - - 0 1",
    "4k2r/7p/8/8/1n6/8/8/4K3 b k - 0 1",
    "8/8/8/2k5/8/1q5b/8/4K3 b - - 0 1",
]


@pytest.mark.parametrize("fen", ARMIES)
def test_the_set_is_every_board_that_tells_the_same(fen):
    rng = np.random.default_rng(len(fen))
    checked = 0
    for _game in range(4):
        state = KRIEGSPIEL.start(f"{fen} material")
        seat = state.seat
        twin = Twin(state, seat)
        for _ply in range(30):
            assert squares(state, seat) == set(twin.boards)
            checked += 1
            ours = state.seat == seat
            move = int(rng.choice(state.moves()))
            state = state.play(move)
            if state.outcome():
                break
            if ours or state.stood:
                twin.follow(heard(state, seat), move if ours else None)
    assert checked > 10


def test_who_saw_the_start_knows_the_square():
    state = KRIEGSPIEL.start("7k/8/8/8/8/8/8/KQ6 w - - 0 1")
    assert squares(state, 0) == {chess.H8}
    assert squares(state, 1) is None, "there is a Queen beside that King"


def test_nobody_is_alone_while_others_are_left():
    assert squares(KRIEGSPIEL.start(), 0) is None
    state = KRIEGSPIEL.start("8/8/3k4/8/8/p7/8/KQ6 w - - 0 1 material")
    assert squares(state, 0) is None
    state = KRIEGSPIEL.start("8/8/3k4/8/8/1p6/8/KQ6 w - - 0 1 material")
    state = state.play(state.parse("b1b3"))
    assert king(state, 0) in squares(state, 0), "alone once the last Pawn is taken"
    assert chess.B8 not in squares(state, 0), "no check was announced"


def test_senseless_tries_tell_nothing():
    state = KRIEGSPIEL.start("8/8/3k4/8/8/8/1P6/KQ6 w - - 0 1 material")
    before = squares(state, 0)
    for text in ("b1b4", "b2c3", "h8h7", "a1c1"):
        state = state.play(native.read_uci(text))
        assert not state.stood and squares(state, 0) == before


def test_the_king_is_always_among_the_squares():
    """In whole games: ours takes all that it finds, and the King is checked once he is alone."""
    checked = 0
    for game in range(60):
        rng = np.random.default_rng(game)
        state = KRIEGSPIEL.start("1nb1k3/8/8/8/8/8/8/RNBQKBNR w KQ - 0 1 material")
        while not state.outcome():
            known = squares(state, 0)
            if known is not None:
                checked += 1
                assert king(state, 0) in known, str(state)
            state = state.play(int(rng.choice(state.moves())))
    assert checked > 500
