"""The hunt for a lone King: where he may be is never wrong, and the moves press him."""

from functools import reduce
from operator import or_

import chess
import numpy as np
import pytest

from rookery import players
from rookery.api import Limit
from rookery.games.kriegspiel import KRIEGSPIEL
from rookery.searches import hunt
from rookery.searches.hunt import LoneKing, drive, track


def square(name):
    return 8 * (int(name[1]) - 1) + "abcdefgh".index(name[0])


def hunted(men, squares, seat=0, stood=()):
    ours = {square(name[1:]): name[0] for name in men.split()}
    return LoneKing(seat, ours, sum(1 << square(name) for name in squares.split()), dict(stood))


def best(held, *texts):
    moves = dict(enumerate(texts))
    return {moves[move] for move in drive(held, moves)}


def true_king(state, seat):
    """Of the other side."""
    return chess.Board(state.native.fen).king(seat == 1)


def test_the_king_is_always_among_the_squares():
    """In games that get so far: every move of theirs is checked against the true board."""
    sergeant, chance = players.make("sergeant", KRIEGSPIEL), players.make("random", KRIEGSPIEL)
    checked = 0
    for game in range(12):
        seats = [sergeant, chance] if game % 2 == 0 else [chance, sergeant]
        for seat, player in enumerate(seats):
            player.start(KRIEGSPIEL.spec, seat, game)
        state, ours = KRIEGSPIEL.start(), game % 2
        while not state.outcome():
            view = state.view(state.seat)
            if state.seat == ours and (held := track(view)):
                checked += 1
                assert held.squares >> true_king(state, ours) & 1, str(state)
            state = state.play(seats[state.seat].choose(view, Limit()))
    assert checked > 50


def test_nobody_is_hunted_while_others_are_left():
    assert track(KRIEGSPIEL.start().view(0)) is None
    # Where a game began elsewhere nobody knows how many men are left.
    assert track(KRIEGSPIEL.start("7k/8/8/8/8/8/8/KQ6 w - - 0 1").view(0)) is None


def test_mate_is_given_and_stalemate_is_not():
    held = hunted("Kf6 Qa7", "h8")
    assert best(held, "a7f7", "a7h7", "a7g7", "a7a1") == {"a7g7"}
    held = hunted("Kg6 Qa7", "h8")
    assert "a7f7" not in best(held, "a7f7", "a7a8", "a7e7") and best(held, "a7f7", "a7a8") == {"a7a8"}


def test_men_are_not_left_to_him():
    assert best(hunted("Ka1 Qe1", "e5"), "e1e4", "e1e2") == {"e1e2"}


def test_a_refused_try_tells_where_he_is():
    assert hunt._blocking({0: "R"}, "a1a4") == sum(1 << square(name) for name in ("a2", "a3", "a4"))
    assert hunt._blocking({1: "N"}, "b1c3") == 1 << square("c3")
    assert hunt._blocking({0: "K"}, "a1b1").bit_count() == 6
    castling = hunt._blocking({4: "K", 7: "R"}, "e1g1")
    assert castling >> square("e2") & 1 and not castling >> square("d2") & 1
    assert hunt._blocking({0: "K"}, "h8h7") == (1 << 64) - 1, "nobody of ours: nothing is told"
    assert best(hunted("Ka1 Rb2", "b4"), "b2b5") == set(), "he is in the way"


def test_going_back_is_worth_less():
    men = "Ka1 Rh1"
    again = frozenset(hunted("Ka1 Rh2", "e8").pieces.items())
    plain, weary = hunted(men, "e8"), hunted(men, "e8", stood={again: 5})
    move = "h1h2"
    assert hunt._weigh(plain, move) > hunt._weigh(weary, move)


@pytest.mark.parametrize("seat", [0, 1])
def test_strikes_are_those_of_chess(seat):
    """Of our men among themselves, against python-chess."""
    rng = np.random.default_rng(seat)
    for _ in range(50):
        places = rng.choice(np.arange(8, 56), 6, replace=False).tolist()
        board = chess.Board(None)
        for place, man in zip(places, "KQRBNP", strict=True):
            board.set_piece_at(place, chess.Piece(chess.PIECE_SYMBOLS.index(man.lower()), seat == 0))
        men = dict(zip(places, "KQRBNP", strict=True))
        assert hunt._attacks(men, seat) == reduce(or_, map(board.attacks_mask, places))
