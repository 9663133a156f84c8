"""Games as rows to learn a policy from: what python-chess says of the same games."""

from pathlib import Path

import chess
import numpy as np
import pytest
from games_made import SET_UP, imported, random_game, random_games

from rookery import native
from rookery.errors import BadOption, BadStore
from rookery.records.store import PARTS, Store

MADE = [*random_games(12), random_game(5, 60, SET_UP)]
ACTIONS = native.chess_actions()


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Store:
    return imported(tmp_path_factory.mktemp("made"), "".join(game.pgn for game in MADE))


def man(board: chess.Board, square: chess.Square) -> int:
    piece = board.piece_at(square)
    return 0 if piece is None else piece.piece_type + (0 if piece.color else 8)


def test_each_ply_is_a_row(store: Store) -> None:
    numbers = np.arange(len(store), dtype=np.uint32)
    rows = store.native.rows(numbers, 2)
    assert rows["games"].tolist() == [0, *np.cumsum(store.plies).tolist()]
    assert len(rows["played"]) == rows["games"][-1] and rows["legal_begins"][-1] == len(rows["legal"])
    for game, first in zip(MADE, rows["games"], strict=False):
        for ply, (board, move) in enumerate(zip(game.boards, game.board.move_stack, strict=False)):
            row = first + ply
            nibbles = rows["boards"][row]
            men = np.stack([nibbles & 15, nibbles >> 4], 1).ravel()
            assert men.tolist() == [man(board, square) for square in chess.SQUARES]
            assert ACTIONS[rows["played"][row]] == move.uci()
            legal = rows["legal"][rows["legal_begins"][row] : rows["legal_begins"][row + 1]]
            assert {ACTIONS[each] for each in legal} == {each.uci() for each in board.legal_moves}
            assert len(legal) == board.legal_moves.count()


def test_a_row_has_turn_rights_passed_square_and_clocks(store: Store) -> None:
    rows = store.native.rows(np.arange(len(store), dtype=np.uint32), 1)
    seen = set()
    for game, first in zip(MADE, rows["games"], strict=False):
        for ply, board in enumerate(game.boards[:-1]):
            state, passed, clock, number = rows["states"][first + ply].tolist()
            rights = [
                board.has_kingside_castling_rights(chess.WHITE),
                board.has_queenside_castling_rights(chess.WHITE),
                board.has_kingside_castling_rights(chess.BLACK),
                board.has_queenside_castling_rights(chess.BLACK),
            ]
            assert state == (not board.turn) + sum(2 << i for i, right in enumerate(rights) if right)
            assert passed == (board.ep_square if board.has_legal_en_passant() else 64)
            assert clock == board.halfmove_clock and number == board.fullmove_number
            seen |= {("turn", board.turn), ("rights", sum(rights)), ("passed", passed != 64)}
    assert {("turn", False), ("rights", 0), ("rights", 4), ("passed", True)} <= seen


def test_threads_and_order_change_nothing(store: Store) -> None:
    numbers = np.arange(len(store), dtype=np.uint32)
    one, three = store.native.rows(numbers, 1), store.native.rows(numbers, 3)
    assert one.keys() == three.keys() and all((one[key] == three[key]).all() for key in one)
    last = store.native.rows(numbers[-1:], 1)
    assert (last["boards"] == one["boards"][one["games"][-2] :]).all()
    nothing = store.native.rows(numbers[:0], 2)
    assert nothing["games"].tolist() == [0] and len(nothing["boards"]) == len(nothing["legal"]) == 0


def test_what_is_no_game_is_refused(store: Store) -> None:
    with pytest.raises(BadOption, match="game must be between 0 and"):
        store.native.rows(np.array([len(store)], np.uint32), 1)
    with pytest.raises(BadOption, match="threads"):
        store.native.rows(np.array([0], np.uint32), 0)


def test_a_move_that_cannot_be_played_is_told(store: Store) -> None:
    headers, moves, texts = (np.fromfile(Path(store.path) / part, np.uint8) for part in PARTS)
    moves[3] = 255
    with pytest.raises(BadStore, match="ply 3 of game 0"):
        native.ChessStore(headers, moves, texts).rows(np.array([0], np.uint32), 1)
