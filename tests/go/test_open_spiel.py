"""The same games under OpenSpiel, whose rules are ours with area scoring."""

import random

import pyspiel
import pytest

from rookery.games.go import Go


@pytest.mark.parametrize(("size", "games"), [(5, 300), (9, 30), (13, 5)])
def test_open_spiel_agrees(size: int, games: int) -> None:
    game = pyspiel.load_game(f"go(board_size={size},komi=0.0,max_game_length={8 * size * size})")
    rng = random.Random(size)
    ended = 0
    for _ in range(games):
        ours, theirs = Go(size, scoring="area").start(), game.new_initial_state()
        while moves := ours.moves():
            if theirs.is_terminal():
                break  # it calls a game drawn when a board comes again
            assert list(moves) == theirs.legal_actions()
            move = rng.choice(moves)
            ours = ours.play(move)
            theirs.apply_action(move)
        else:
            ended += 1
            assert list(ours.outcome().values) == theirs.returns()
    assert ended > games / 2
