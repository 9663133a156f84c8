"""Random games behind the referee: every try is equally likely, and a refused one is not tried again."""

import pytest

from rookery import games


@pytest.mark.parametrize(
    "text",
    [
        "6k1/8/6K1/8/8/2n5/8/R2B4 w - - 99 80",
        "6k1/8/6K1/4n3/8/8/3B4/R7 w - - 99 80",  # in check: few tries stand
        "6k1/8/6K1/4n3/8/8/3B4/R7 w - - 99 80 tried a1a2 a1b1",
    ],
)
def test_tries_are_picked_evenly_until_one_stands(text):
    # One ply before the fifty-move draw, the first try that stands ends the game: by mate or by that rule.
    state = games.get("kriegspiel").start(text)
    tries = state.moves()
    legal = [move for move in tries if state.native.accepts(move)]
    ends = [state.play(move).outcome() for move in legal]
    assert all(ends)
    mates = sum(end.winner == 0 for end in ends) / len(ends)
    count = 40_000
    played = state.native.playouts(count, 3)
    assert played.games == count
    assert abs(played.wins[0] - count * mates) <= 4 * (count * mates * (1 - mates)) ** 0.5
    # Drawing from a bag without putting back: so many draws until the first good one, on average.
    assert played.plies / count == pytest.approx((len(tries) + 1) / (len(legal) + 1), rel=0.02)
