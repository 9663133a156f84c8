"""A random game picks each legal move equally often, and no other."""

import pytest

from rookery import games


@pytest.mark.parametrize(
    "fen",
    [
        "6k1/8/6K1/8/8/8/8/R7 w - - 99 80",
        "7k/8/5NKN/8/8/8/8/R6R w - - 99 80",
        "r6r/8/8/8/8/1n3bk1/8/6K1 b - - 99 80",
    ],
)
def test_moves_are_picked_evenly(fen):
    # One ply before the fifty-move draw, every move ends the game: by mate or by that rule.
    state = games.get("chess").start(fen)
    ends = [state.play(move).outcome() for move in state.moves()]
    assert all(ends)
    share = sum(end.winner == state.seat for end in ends) / len(ends)
    assert 0 < share < 1
    played = state.native.playouts(40_000, 7)
    assert (played.games, played.plies) == (40_000, 40_000)
    deviation = (40_000 * share * (1 - share)) ** 0.5
    assert abs(played.wins[state.seat] - 40_000 * share) < 4 * deviation
    assert played.wins[1 - state.seat] == 0
