"""The quick answer whether a move may be played is that of the list of moves."""

import pytest

from rookery.errors import IllegalMove
from rookery.games.go import Go

from .positions import walk


@pytest.mark.parametrize("ko", ["simple", "psk"])
def test_exactly_the_listed_moves_can_be_played(ko: str) -> None:
    game = Go(4, ko=ko)
    for state in walk(game, 12, seed=1):
        listed = set(state.moves())
        for move in range(-1, game.spec.policy_size + 1):
            if move in listed:
                state.play(move)
            else:
                with pytest.raises(IllegalMove):
                    state.play(move)
