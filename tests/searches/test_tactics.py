"""Null-move pruning and late-move reductions save most of the work and still find what there is to find."""

import pytest

from rookery import games, native
from rookery.api import Limit
from rookery.evaluators.handmade import Classical
from rookery.searches.deepening import Deepening
from rookery.seeds import generator

CHESS = games.get("chess")

NEAR = 0.15
"""Of a value from -1 to 1, in which a pawn is worth some 0.1."""

# Positions of our own games, the move that wins or saves something, and the depth from which on it is found.
TACTICS = [
    ("rn1k1b1r/ppp2ppp/2qPb3/8/N5n1/P3PP2/1BP4P/R2QKBNR b KQ - 0 15", "g4e3", 4),
    ("r1b1k2r/1ppp3p/2nbpqp1/pP6/4P3/P4NPP/2P2P1R/R1BQKB2 w Qkq - 3 13", "c1g5", 3),
    ("2kr1b1r/1pp3pp/p1n2n2/8/N1PNp1bP/P2BP3/1PQK2P1/R1B5 b - - 1 16", "c6d4", 4),
    ("r1bq1rk1/ppp2ppp/2n5/2Pnp3/P1N5/2P1Bp2/1PB1N1PP/R2QK2R w KQ - 0 15", "g2f3", 5),
    ("r1bq1rk1/ppp2ppp/2n5/2Pnp3/P1N5/2PQBp2/1PB1N1PP/R3K2R b KQ - 1 15", "g7g6", 4),
    ("1q3r2/pb1n3k/p2bp2N/Prp4p/N4p2/1PBP3Q/R1P2PP1/5R1K b - - 9 32", "h7h6", 5),
    ("1Qbk3r/p1pp1p2/1p5p/6p1/3p4/N1b2P1N/P1P1q1PP/1RB2nKR w - - 1 15", "a3b5", 4),
    ("1Qbk3r/p1pp1p2/1p5p/6N1/3p4/N1b1nP2/P1P1q1PP/1RB3KR w - - 1 16", "c1e3", 4),
    ("r3k2r/pp1bp1bp/3p3n/q1p3B1/1nP5/PQNP4/1P2PPP1/1R2KB1R b Kkq - 0 13", "h6f7", 4),
    ("rn2kbnr/pb1p2pp/1q3p2/2p1pNN1/4P2P/P7/1PPP1PPR/R1BQKB2 w Q - 1 11", "f5g7", 3),
    ("2b2k2/p2qn3/n1p1pp2/3p2p1/Nr6/5P1N/2QPBKP1/4R3 w - - 0 27", "e2a6", 4),
    ("2kr1b1r/ppp1p1p1/2nq1n2/3p1bNp/3P1P2/4P2P/PPP5/RNBQKB1R w - - 3 11", "g5f7", 3),
]

# Whoever must move here loses: each king defends its pawn and attacks the other's.
TREBUCHET = "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1"
PAWNS = [TREBUCHET, "8/8/8/8/3k4/8/3PK3/8 w - - 0 1", "8/8/8/1p6/1P6/2k5/8/2K5 w - - 0 1"]


def think(text, depth, null_move, late_moves):
    options = native.AlphaBetaOptions(
        history=True, qdepth=60, null_move=null_move, late_moves=late_moves, hash=4, threads=1
    )
    knowledge = Classical(CHESS)
    engine = native.alphabeta(knowledge.native, options)
    state = CHESS.start(text)
    search = Deepening(CHESS, engine, knowledge)
    found = search.search(state.view(state.seat), Limit(depth=depth), generator(1), lambda info: None)
    return state.text(found.move), found


@pytest.mark.parametrize(("text", "move", "depth"), TACTICS)
def test_the_move_is_found_and_kept_with_both(text, move, depth):
    for deep in (depth, depth + 1, depth + 2):
        assert think(text, deep, True, True)[0] == move


@pytest.mark.parametrize(("text", "move"), [case[:2] for case in TACTICS])
def test_it_is_the_move_of_a_search_without_either(text, move):
    found, everything = think(text, 6, False, False)
    assert found == move
    # Skipping a turn proves what the whole search would find; reductions and extensions see a little else.
    for null_move, late_moves, near in ((True, False, 1e-6), (False, True, NEAR), (True, True, NEAR)):
        found, result = think(text, 6, null_move, late_moves)
        assert found == move and result.value == pytest.approx(everything.value, abs=near)


@pytest.mark.parametrize(
    ("null_move", "late_moves", "share"), [(True, False, 0.55), (False, True, 0.45), (True, True, 0.25)]
)
def test_most_of_the_work_is_saved(null_move, late_moves, share):
    nodes = sum(think(text, 6, null_move, late_moves)[1].nodes for text, _, _ in TACTICS)
    assert nodes < share * sum(think(text, 6, False, False)[1].nodes for text, _, _ in TACTICS)


@pytest.mark.parametrize("text", PAWNS)
def test_with_pawns_alone_no_turn_is_skipped(text):
    """There zugzwang is common, and a turn skipped would look like a good move."""
    for depth in (6, 10):
        move, plain = think(text, depth, False, False)
        same, guarded = think(text, depth, True, False)
        assert (same, guarded.value, guarded.nodes) == (move, plain.value, plain.nodes)


def test_zugzwang_is_seen():
    """To move is to lose the pawn, whoever it is; were it the other's turn, it would be won."""
    for side, text in enumerate((TREBUCHET, TREBUCHET.replace(" w ", " b "))):
        assert think(text, 8, True, True)[1].value[side] < -0.3
