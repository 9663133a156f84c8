"""Whether one move is legal is answered without the list of moves, and must agree with it."""

import pytest

from rookery import games
from walks import walk


@pytest.mark.parametrize("seed", range(4))
def test_every_number_is_judged_as_the_list_does(seed):
    game = games.get("kriegspiel")
    for state in list(walk(games.get("chess"), seed, 400))[::12]:
        accepts = game.start(str(state)).native.accepts
        legal = [move for move in range(state.spec.policy_size) if accepts(move)]
        assert legal == state.native.board_moves()


@pytest.mark.parametrize(
    "fen",
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1",
        "8/8/8/K1pP3r/8/8/8/7k w - c6 0 1",  # en passant would open the rank
        "8/8/8/1KpP4/8/8/8/7k w - c6 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/8/4r3/8/4R3/4K3 w - - 0 1",  # a pinned rook
        "4k3/8/8/8/4r3/5n2/4R3/4K3 w - - 0 1",  # double check
    ],
)
def test_awkward_positions(fen):
    state = games.get("chess").start(fen)
    accepts = games.get("kriegspiel").start(fen).native.accepts
    assert [move for move in range(state.spec.policy_size) if accepts(move)] == state.native.board_moves()
