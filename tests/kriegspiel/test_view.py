"""What a view says of the start, and that it stays what it is in a pickle."""

import pickle
import random

import chess
import pytest

from rookery import native
from rookery.games.kriegspiel import KRIEGSPIEL
from walks import walk

HERE, THERE = "8/8/8/3k4/8/8/8/K6R w - - 0 1", "8/8/2k5/8/8/8/8/K6R w - - 0 1"


def test_a_public_board_is_known_and_of_one_set_up_in_the_dark_the_material_alone():
    for seat in (0, 1):
        assert KRIEGSPIEL.start(HERE).view(seat) != KRIEGSPIEL.start(THERE).view(seat)
    here, there = (KRIEGSPIEL.start(f"{fen} material") for fen in (HERE, THERE))
    assert here.view(0) == there.view(0)
    more = KRIEGSPIEL.start("8/8/2k5/2p5/8/8/8/K6R w - - 0 1 material")
    assert more.view(0) != there.view(0)


def test_the_word_material_stays_in_the_text():
    state = KRIEGSPIEL.start(f"{HERE} material")
    assert str(state) == f"{HERE} material"
    state = state.play(state.parse("a1a3"))
    assert str(state) == f"{HERE} material tried a1a3"
    assert KRIEGSPIEL.start(str(state)) == state


def test_a_pickled_view_is_the_same():
    for state in walk(KRIEGSPIEL, 2, 120):
        for seat in (0, 1):
            view = state.view(seat)
            assert pickle.loads(pickle.dumps(view)) == view


def test_numbers_that_are_no_view_are_refused():
    view = KRIEGSPIEL.start().view(0).native
    numbers = view.__getstate__()
    kind = type(view)
    for spoilt in ([], numbers[:-1], [*numbers, 0], [7, *numbers[1:]], [*numbers[:-1], 2**40]):
        with pytest.raises(ValueError, match="not the numbers of a view"):
            kind.__new__(kind).__setstate__(spoilt)


def test_moves_that_a_seat_cannot_have_are_no_view():
    view = KRIEGSPIEL.start("7k/8/8/8/8/8/R7/K7 w - - 0 1").view(0).native
    numbers, moves = (
        view.__getstate__(),
        list(KRIEGSPIEL.start("7k/8/8/8/8/8/R7/K7 w - - 0 1").view(0).moves()),
    )
    at = next(i for i in range(len(numbers)) if numbers[i : i + len(moves) + 1] == [len(moves), *moves])

    def spoilt(instead):
        return [*numbers[:at], len(instead), *instead, *numbers[at + len(moves) + 1 :]]

    kind = type(view)
    kind.__new__(kind).__setstate__(spoilt(moves[1:]))
    from_nothing = native.read_uci("b3b4")
    for wrong in ([moves[0]] * 600, moves[::-1], [from_nothing]):
        with pytest.raises(ValueError, match="not the numbers of a view"):
            kind.__new__(kind).__setstate__(spoilt(wrong))


def test_a_view_carries_nothing_by_which_boards_that_sound_alike_could_be_told_apart():
    """All that a view is made of, as it is sent to other processes, follows from what its seat has heard."""
    compared = 0
    for seed in range(200):
        rng = random.Random(seed)
        squares = rng.sample([f"{file}{rank}" for file in "abcdefgh" for rank in "567"], 3)
        one, other = (placed(squares[i], squares[1 - i], squares[2]) for i in (0, 1))
        for _ in range(12):
            here, there = (state.view(0) for state in (one, other))
            told = [(each.events, each.tries, each.checks) for each in (here, there)]
            if one.outcome() or other.outcome() or told[0] != told[1]:
                break
            assert here.native.__getstate__() == there.native.__getstate__()
            compared += 1
            if one.seat == 0:
                move = rng.choice(here.moves())
                one, other = one.play(move), other.play(move)
            else:
                one, other = (state.play(rng.choice(state.view(1).moves())) for state in (one, other))
    assert compared > 400


def placed(rook: str, pawn: str, king: str):
    """White from the usual start against a Rook, a Pawn and a King, of whom only that is known."""
    board = chess.Board("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1")
    for square, piece in ((rook, "r"), (pawn, "p"), (king, "k")):
        board.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol(piece))
    return KRIEGSPIEL.start(f"{board.fen()} material")
