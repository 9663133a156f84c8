"""What policy networks see of chess, and how they count moves, against python-chess."""

from __future__ import annotations

from collections.abc import Iterator

import chess
import numpy as np
import pytest

from rookery import games, native
from walks import walk

CHESS = games.get("chess")
ACTIONS = native.chess_actions()
# Positions with promotions, castling, en passant (once pinned, so that it is no legal move), and late ones.
STARTS = [
    None,
    "r3k2r/pppq1ppp/2npbn2/4p3/2B1P3/2NP1N2/PPPQ1PPP/R3K2R w KQkq - 6 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
    "8/5k2/8/8/8/8/5K2/7R w - - 97 300",
]


def plays() -> Iterator[list]:
    """The states of random games, each from its start."""
    for seed, start in enumerate(STARTS * 2):
        yield list(walk(CHESS, seed, 60, start))


def board_of(state) -> chess.Board:
    """The same game in python-chess, with its moves."""
    first = state
    while before := first.previous():
        first = before
    board = chess.Board(str(first))
    for move in state.history():
        board.push_uci(native.uci(move))
    return board


def thirteen(board: chess.Board) -> np.ndarray:
    planes = np.zeros((13, 64), np.uint8)
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        plane = 12 if piece is None else piece.piece_type - 1 + (0 if piece.color else 6)
        planes[plane, square] = 1
    return planes


def history_twin(state) -> np.ndarray:
    now = board_of(state)
    boards = [now]
    for plies in (2, 4):
        earlier = now.copy()
        if len(now.move_stack) >= plies:
            for _ in range(plies):
                earlier.pop()
        boards.append(earlier)
    rest = np.zeros((2, 64), np.uint8)
    rest[0], rest[1] = now.turn, min(now.fullmove_number, 255)
    return np.concatenate([*map(thirteen, boards), rest]).reshape(41, 8, 8)


def squares_twin(state) -> np.ndarray:
    board = board_of(state)
    over = 0 if board.turn else 56
    planes = np.zeros((20, 64), np.uint8)
    for square, piece in board.piece_map().items():
        planes[piece.piece_type - 1 + (0 if piece.color == board.turn else 6), square ^ over] = 1
    if board.move_stack:
        last = board.peek()
        planes[12, last.from_square ^ over] = planes[13, last.to_square ^ over] = 1
    for plane, colour in ((14, board.turn), (16, not board.turn)):
        planes[plane] = board.has_kingside_castling_rights(colour)
        planes[plane + 1] = board.has_queenside_castling_rights(colour)
    if board.has_legal_en_passant():
        planes[18, board.ep_square ^ over] = 1
    planes[19] = board.halfmove_clock
    return planes.reshape(20, 8, 8)


@pytest.mark.parametrize(
    ("encode", "twin"), [(native.chess_planes, history_twin), (native.chess_squares, squares_twin)]
)
def test_planes_are_those_of_the_twin(encode, twin) -> None:
    for states in plays():
        found = encode([state.native for state in states])
        assert found.dtype == np.uint8
        for state, planes in zip(states, found, strict=True):
            assert np.array_equal(planes, twin(state)), str(state)


def test_the_vocabulary_is_what_a_queen_and_a_knight_reach_and_promotions() -> None:
    found = []
    for square in chess.SQUARES:
        board = chess.BaseBoard.empty()
        for kind in (chess.QUEEN, chess.KNIGHT):
            board.set_piece_at(square, chess.Piece(kind, chess.WHITE))
            found += [(square, to) for to in board.attacks(square)]
    plain = [chess.square_name(a) + chess.square_name(b) for a, b in sorted(found)]
    promotions = []
    for square in chess.SQUARES:
        rank, file = chess.square_rank(square), chess.square_file(square)
        if rank in (1, 6):
            for to in range(max(0, file - 1), min(7, file + 1) + 1):
                end = chess.square_name(chess.square(to, 0 if rank == 1 else 7))
                promotions += [chess.square_name(square) + end + letter for letter in "qrbn"]
    assert plain + promotions == ACTIONS
    assert len(ACTIONS) == len(set(ACTIONS)) == 1968


@pytest.mark.parametrize("turned", [False, True])
def test_legal_moves_are_counted_in_their_order(turned) -> None:
    for states in plays():
        offsets, actions = native.chess_legal_actions([state.native for state in states], turned)
        assert offsets[0] == 0 and offsets[-1] == len(actions)
        for i, state in enumerate(states):
            moves = [chess.Move.from_uci(native.uci(move)) for move in state.moves()]
            if turned and state.seat == 1:
                moves = [chess.Move(m.from_square ^ 56, m.to_square ^ 56, m.promotion) for m in moves]
            told = [ACTIONS[action] for action in actions[offsets[i] : offsets[i + 1]]]
            assert told == [move.uci() for move in moves]


def test_no_state_at_all_is_an_empty_batch() -> None:
    assert native.chess_planes([]).shape == (0, 41, 8, 8)
    assert native.chess_squares([]).shape == (0, 20, 8, 8)
    assert [part.tolist() for part in native.chess_legal_actions([])] == [[0], []]
    with pytest.raises(TypeError):
        native.chess_planes([games.get("go5").start().native])
