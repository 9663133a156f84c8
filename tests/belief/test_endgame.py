"""Mating a King who is alone and not seen."""

import chess
import numpy as np
import pytest

from rookery import native
from rookery.api import Limit
from rookery.errors import RookeryError
from rookery.games.kriegspiel import KRIEGSPIEL
from rookery.players import make

LoneKing = native.KriegspielLoneKing


def lone(men, squares, seat=0):
    ours = [(chess.parse_square(name[1:]), name[0]) for name in men.split()]
    return LoneKing(seat, ours, sum(1 << chess.parse_square(name) for name in squares.split()))


def ranked(men, squares, seat=0, **how):
    return [native.uci(move) for move, _ in lone(men, squares, seat).tries(**how)]


def board(men, square):
    found = chess.Board(None)
    for name in men.split():
        found.set_piece_at(chess.parse_square(name[1:]), chess.Piece.from_symbol(name[0]))
    found.set_piece_at(chess.parse_square(square), chess.Piece.from_symbol("k"))
    return found


@pytest.mark.parametrize(
    ("men", "squares"),
    [
        ("Kg6 Ra1", "g8"),
        ("Kf6 Qa7", "h8"),
        ("Ka1 Rb7 Ra6", "d8 e8 f8"),
        ("Ka1 Rb7 Ra6 Qg1", "d8 e8"),
        ("Kb6 Be6 Bd6", "a8"),
    ],
)
def test_mate_in_one_is_given(men, squares):
    move = chess.Move.from_uci(ranked(men, squares)[0])
    for square in squares.split():
        there = board(men, square)
        there.push(move)
        assert there.is_checkmate(), there


def test_pawns_become_queens():
    assert ranked("Kc6 Pb7", "h1")[0] == "b7b8q"


@pytest.mark.parametrize("seat", [0, 1])
def test_no_stalemate_and_nothing_left_to_him(seat):
    """Wherever that can be avoided; against python-chess, where he is on one of a few squares."""
    rng = np.random.default_rng(seat)
    tested = 0
    for _ in range(150):
        pieces = "KQ" if rng.integers(2) else "KRR"
        places = rng.choice(64, len(pieces), replace=False).tolist()
        men = list(zip(places, pieces, strict=True))
        near = int(rng.integers(64))
        around = 1 << near | int(chess.BB_KING_ATTACKS[near])
        try:
            known = LoneKing(seat, men, around)
        except RookeryError:
            continue  # no square is left to him
        fatal = {move: False for move, _ in known.tries(nodes=3000)}
        for square in chess.SquareSet(known.squares):
            there = chess.Board(None)
            for place, piece in men:
                there.set_piece_at(place, chess.Piece.from_symbol(piece if seat == 0 else piece.lower()))
            there.set_piece_at(square, chess.Piece(chess.KING, seat == 1))
            there.turn = seat == 0
            for move in fatal:
                made = chess.Move.from_uci(native.uci(move))
                if not there.is_legal(made):
                    continue
                after = there.copy()
                after.push(made)
                fatal[move] |= after.is_stalemate() or any(map(after.is_capture, after.legal_moves))
        if not all(fatal.values()):
            tested += 1
            assert not fatal[known.tries(nodes=3000)[0][0]], (men, known.squares)
    assert tested > 100


def test_tries_that_must_be_refused_are_not_made():
    assert not {"c3b4", "c3c4", "c3d4"} & set(ranked("Kc3 Ra1", "c5"))
    assert {"c3b4", "c3c4", "c3d4"} <= set(ranked("Kc3 Ra1", "c5 g8"))


def test_the_same_nodes_give_the_same_ranking():
    known = lone("Kc3 Rh1", "c5 d5 e5 e6 f7")
    assert known.tries(nodes=5000) == known.tries(nodes=5000)
    assert {move for move, _ in known.tries(nodes=0)} == {move for move, _ in known.tries(nodes=5000)}


def test_what_is_no_ending_is_refused():
    for men, squares, wrong in [
        ([(0, "K")], 1 << 40, "more than a King"),
        ([(0, "R")], 1 << 40, "one King"),
        ([(0, "K"), (0, "R")], 1 << 40, "two men"),
        ([(0, "K"), (64, "R")], 1 << 40, "between 0 and 63"),
        ([(0, "K"), (3, "P")], 1 << 40, "a Pawn"),
        ([(0, "K"), (9, "x")], 1 << 40, "PNBRQK"),
        ([(0, "K"), (9, "R")], 1, "no square"),
    ]:
        with pytest.raises(RookeryError, match=wrong):
            LoneKing(0, men, squares)
    for nodes in (-1, 10**9):
        with pytest.raises(RookeryError, match="nodes must be between"):
            lone("Kc3 Rh1", "c5").tries(nodes=nodes)


def hunt(state, reply):
    """Plays to the end, the best try each time; how it ended."""
    seat = state.seat
    while not (outcome := state.outcome()):
        if state.seat == seat:
            move, _ = LoneKing.of(state.view(seat).native).tries(nodes=20_000)[0]
        else:
            move = reply(state)
        state = state.play(move)
    return outcome.reason


def central(move):
    rank, file = divmod(move >> 6 & 63, 8)
    return min(rank, 7 - rank) + min(file, 7 - file)


STARTS = [
    "8/8/8/3k4/8/8/8/K6R w - - 0 1",
    "8/7R/8/8/2k5/8/8/4K3 w - - 0 1",
    "7q/8/8/3K4/8/8/8/k7 b - - 0 1",
    "8/5R2/8/3k4/8/R7/8/4K3 w - - 0 1",
    "8/8/2k5/8/5P2/5K2/8/8 w - - 0 1",
    "8/8/2k5/8/3P4/5K2/8/1R6 w - - 0 1",
]


@pytest.mark.parametrize("fen", STARTS)
def test_mates_in_the_dark(fen):
    """A King who moves at random, and one who sees the board and keeps to the middle."""
    rng = np.random.default_rng(5)

    def stroll(state):
        return int(rng.choice([move for move in state.moves() if state.accepts(move)]))

    def linger(state):
        return max((move for move in state.moves() if state.accepts(move)), key=central)

    for reply in (stroll, linger):
        assert hunt(KRIEGSPIEL.start(f"{fen} material"), reply) == "checkmate", reply.__name__


def test_players_hunt_with_it():
    state = KRIEGSPIEL.start("8/8/8/3k4/8/8/8/K6R w - - 0 1 material")
    hunter = make("sergeant", KRIEGSPIEL)
    hunter.start(KRIEGSPIEL.spec, 0, 1)
    best, _ = LoneKing.of(state.view(0).native).tries()[0]
    assert hunter.choose(state.view(0), Limit()) == best
