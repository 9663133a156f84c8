"""What can stand on each square: never less than the truth, and as little more as can be told."""

import numpy as np
import pytest

from rookery import native
from rookery.games.kriegspiel import KRIEGSPIEL

from .possible_twin import EMPTY, KINDS, board, information_set, silent, spread, union

P, N, B, R, Q, K = (1 << kind for kind in range(6))


def at(state, square, seat=0):
    number = 8 * (int(square[1]) - 1) + "abcdefgh".index(square[0])
    return native.Possible(state.view(seat).native).masks[number]


def test_the_truth_is_always_possible():
    played = native.possible_violations(300, 1)
    assert played.games == 300 and played.events > 10_000
    assert played.violations == 0, played.first


def test_the_start_is_known():
    state = KRIEGSPIEL.start()
    masks = native.Possible(state.view(0).native).masks
    assert masks[:16] == [0] * 16, "own pieces"
    assert set(masks[16:48]) == {EMPTY}
    assert masks[48:] == [P] * 8 + [R, N, B, Q, K, B, N, R]


def test_of_a_start_with_the_material_alone_public_the_rest_is_open():
    state = KRIEGSPIEL.start("4k3/8/8/8/8/8/8/R3K3 w - - 0 1 material")
    known = native.Possible(state.view(0).native)
    assert known.bare_king
    # He is not next to our King, nor on a line of our Rook: he has just moved.
    away = {square for square, mask in enumerate(known.masks) if mask & K}
    near = {3, 5, 11, 12, 13}
    assert away == set(range(64)) - near - {0, 4} - {1, 2} - set(range(8, 64, 8))


@pytest.mark.parametrize(
    ("text", "moves", "square", "mask"),
    [
        # An illegal step of a pawn: somebody stands there.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4 e8d7 e4e5 d7e6 e5e6", "e6", K),
        # A silent slide: its path and its end were empty.
        ("4k1n1/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "b8", EMPTY),
        # Taken by nobody but a Knight.
        ("4k1n1/8/8/8/8/7P/8/4K2R w - - 0 1", "h3h4 g8h6 h4h5 h6f5 h5h6 f5h6", "h6", N),
    ],
)
def test_deductions(text, moves, square, mask):
    assert at(silent(text, moves), square) == mask


def test_pawn_tries_tell_of_pieces():
    state = silent("4k3/8/8/8/2n5/8/1P6/4K3 b - - 0 1", "c4a3")
    assert at(state, "a3") == N, "one try, and the Knight reaches a3 alone"
    state = silent("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5")
    assert at(state, "d5") == at(state, "d6") == P | EMPTY, "a pawn on d6, or one to take in passing"
    state = silent("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "e8f8")
    assert at(state, "d6") == EMPTY, "no try: nobody stands where the pawn takes"


def test_pawns_are_counted_by_file():
    state = silent("4k3/1p6/8/2N5/8/8/8/4K3 b - - 0 1", "e8e7 c5b7")
    known = native.Possible(state.view(0).native)
    assert known.bare_king and known.pawns == [(0, 0)] * 8
    state = silent("4k3/1p6/N7/8/8/8/8/4K3 b - - 0 1", "b7a6")
    known = native.Possible(state.view(0).native)
    assert known.pawns == [(1, 1)] + [(0, 0)] * 7
    assert at(state, "a6") == P


def test_a_pawn_may_have_promoted():
    state = silent("4k3/8/8/8/8/8/p5K1/8 b - - 0 1", "a2a1q")
    known = native.Possible(state.view(0).native)
    assert (known.pawns_left, known.pieces_left, known.promotable) == (1, 0, 1)
    # The check on the first rank told of it.
    state = silent("4k3/8/8/8/8/8/p7/6K1 b - - 0 1", "a2a1q")
    known = native.Possible(state.view(0).native)
    assert (known.pawns_left, known.pieces_left) == (0, 1)
    assert at(state, "a1") == R | Q


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "text",
    [
        "4k3/3p4/8/8/8/8/4P3/R3K3 w Q - 0 1",
        "2n1k3/8/8/3p4/4P3/8/8/4K2B b - - 0 1",
        "r3k3/8/8/8/1p6/8/P7/4K3 w q - 0 1",
        "8/2k5/8/2pP4/8/4b3/8/4KR2 b - - 0 1",
    ],
)
def test_holds_every_board_of_the_information_set(text, seed):
    rng = np.random.default_rng(seed)
    state = KRIEGSPIEL.start(text)
    sets = [[state], [state]]
    exact = allowed = 0
    for _ in range(9):
        if state.outcome() or max(map(len, sets)) > 400:
            break
        move = int(rng.choice(state.moves()))
        before, state = state, state.play(move)
        for seat in (0, 1):
            heard = state.view(seat).events[len(before.view(seat).events) :]
            for event in heard:
                sets[seat] = information_set(sets[seat], seat, event)
            assert state.native.fen in {each.native.fen for each in sets[seat]}
            masks, twin = native.Possible(state.view(seat).native).masks, union(sets[seat], seat)
            for square in range(64):
                assert masks[square] & twin[square] == twin[square], (str(state), seat, square)
            exact += sum(mask.bit_count() for mask in twin)
            allowed += sum(mask.bit_count() for mask in masks)
    # Masks forget what goes together, so they allow more; but not everything.
    assert allowed <= 2 * exact


def test_spreads_as_the_twin():
    text = "4k1n1/8/8/8/8/8/P7/4K3 w - - 0 1"
    state = silent(text, "e1d1")
    masks = native.Possible(state.view(0).native).masks
    for move, reply in (("", "g8f6"), ("d1c1", "f6d5"), ("c1b1", "d5f6")):
        if move:
            state = state.play(state.parse(move))
            masks = native.Possible(state.view(0).native).masks
        state = state.play(state.parse(reply))
        now, twin = native.Possible(state.view(0).native).masks, spread(masks)
        # No check was heard: nothing that would give one, and our King keeps his away.
        king = next(square for square, mark in enumerate(board(state)) if mark == "K")
        for square in range(64):
            up, right = abs(square // 8 - king // 8), abs(square % 8 - king % 8)
            wanted = twin[square] & ~(N if {up, right} == {1, 2} else 0) & ~(K if max(up, right) == 1 else 0)
            # No pawn try was heard either: nobody is where the pawn takes.
            assert now[square] == (EMPTY if square == 17 else wanted), (square, KINDS)


def test_its_tries_are_among_the_views():
    rng = np.random.default_rng(3)
    state = KRIEGSPIEL.start()
    for _ in range(60):
        if state.outcome():
            break
        tries = set(state.moves())
        known = set(native.Possible(state.view(state.seat).native).moves())
        refused = set(state.view(state.seat).native.refused)
        assert known - refused <= tries
        legal = {move for move in state.chess().moves() if state.text(move)[4:] in ("", "q")}
        assert legal <= known
        state = state.play(int(rng.choice(sorted(tries))))
