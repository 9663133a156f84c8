"""Alpha-beta with a Python evaluator, in every open game, against plain minimax."""

import minimax
import pytest
from places import OPEN, Numbers, number, places

from rookery import games, native, players
from rookery.api import Limit
from rookery.searches.alphabeta import AlphaBeta
from rookery.seeds import generator

DEPTHS = {"chess": 2, "go5": 2, "duchess4": 2, "duchess6": 2}


def asked(table=0):
    return native.AskedAlphaBeta(lambda leaf: number_of(leaf), True, True, False, False, False, table, 1)


def number_of(leaf):
    return number(leaf)


@pytest.mark.parametrize("table", [0, 1], ids=["pruned", "remembered"])
@pytest.mark.parametrize("name", OPEN)
def test_same_value_and_move_as_minimax(name, table):
    ends = 0
    for state in places(name, 8):
        depth = 2 if len(state.moves()) <= 60 else 1
        expected = minimax.values(state, depth, number)
        best = max(expected.values())
        line = asked(table).search(state.native.any(), depth, 0, 0.0, [], 1, None).lines[0]
        assert line.value == best, state
        assert expected[line.moves[0]] == best, state
        ends += abs(best) > 1
    assert ends or not name.startswith("duchess"), "no mate among the positions: this test has lost its point"


@pytest.mark.parametrize("name", OPEN)
def test_any_evaluator_makes_a_player_of_any_game(name):
    game = games.get(name)
    search = AlphaBeta(game, Numbers(game))
    for state in places(name, 2):
        result = search.search(state.view(state.seat), Limit(depth=1), generator(1), lambda info: None)
        assert result.move in state.moves()
        assert sum(result.value) == 0
        assert max(map(abs, result.value)) <= 1
