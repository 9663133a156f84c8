"""Alpha-beta with a Python evaluator, in every open game, against plain minimax."""

import minimax
import pytest
from places import OPEN, Numbers, number, places

from rookery import games, native
from rookery.api import Limit
from rookery.searches.alphabeta import AlphaBeta
from rookery.seeds import generator


def asked(table):
    return native.alphabeta(native.Asked(number), native.AlphaBetaOptions(qdepth=0, hash=table))


@pytest.mark.parametrize("table", [0, 1], ids=["pruned", "remembered"])
@pytest.mark.parametrize("name", OPEN)
def test_same_value_and_move_as_minimax(name, table):
    ends = 0
    for state in places(name, 24):
        depth = 3 if len(state.moves()) <= 25 else 2 if len(state.moves()) <= 60 else 1
        expected = minimax.values(state, depth, number)
        best = max(expected.values())
        line = asked(table).search(state.native.any(), depth, 0, 0.0, [], 1, None).lines[0]
        assert line.value == best, state
        assert expected[line.moves[0]] == best, state
        ends += abs(best) > 1
    assert ends or not name.startswith("duchess"), "no mate among the positions: this test has lost its point"


@pytest.mark.parametrize("name", OPEN)
def test_as_many_lines_as_moves_give_every_move_its_value(name):
    for state in places(name, 6):
        depth = 2 if len(state.moves()) <= 30 else 1
        report = asked(0).search(state.native.any(), depth, 0, 0.0, [], len(state.moves()), None)
        assert {line.moves[0]: line.value for line in report.lines} == minimax.values(state, depth, number)


@pytest.mark.parametrize("name", OPEN)
def test_any_evaluator_makes_a_player_of_any_game(name):
    game = games.get(name)
    search = AlphaBeta(game, Numbers(game))
    for state in places(name, 2):
        result = search.search(state.view(state.seat), Limit(depth=1), generator(1), lambda info: None)
        assert result.move in state.moves()
        assert sum(result.value) == 0
        assert max(map(abs, result.value)) <= 1
