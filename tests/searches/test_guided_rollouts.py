"""Plain rollouts whose games knowledge plays against itself."""

import numpy as np
import pytest
from places import Numbers

from rookery import games, players
from rookery.api import Evaluation, Limit, Policy, PolicyEvaluator
from rookery.errors import BadOption, UnsupportedGame
from rookery.searches.rollouts import Rollouts
from rookery.seeds import generator

CHESS = games.get("chess")
GO5 = games.get("go5")


def think(search, state, limit=None, seed=1, heard=None):
    on_info = (lambda info: None) if heard is None else heard.append
    return search.search(state.view(state.seat), limit or Limit(), generator(seed), on_info)


class Fill(PolicyEvaluator):
    """Always plays the lowest point, and passes last: one game, whatever the draws."""

    def evaluate(self, states):
        shares = [np.arange(len(state.moves())) == 0 for state in states]
        return Evaluation(np.zeros((len(states), 2), np.float32), Policy.joined(shares))


def test_games_follow_the_policy():
    state = GO5.start()

    def result(move):
        after = state.play(move)
        while not after.outcome():
            after = after.play(after.moves()[0])
        return after.outcome().values[0]

    search = Rollouts(GO5, Fill(), games=3, plies=10_000)
    best = think(search, state)
    expected = {move: result(move) for move in state.moves()}
    assert best.value[0] == expected[best.move] == max(expected.values())
    points = {move: (1 + value) / 2 for move, value in expected.items()}
    assert best.policy == pytest.approx({move: p / sum(points.values()) for move, p in points.items()})


def test_a_game_that_is_too_long_ends_as_knowledge_thinks():
    class Hopeful(Fill):
        def evaluate(self, states):
            policy = super().evaluate(states).policy
            return Evaluation(np.tile(np.float32([0.25, -0.25]), (len(states), 1)), policy)

    assert think(Rollouts(GO5, Hopeful(), games=2, plies=3), GO5.start()).value == (0.25, -0.25)


def test_all_games_of_all_moves_are_played_side_by_side():
    knowledge = Numbers(GO5)
    think(Rollouts(GO5, knowledge, games=10, plies=20), GO5.start())
    assert knowledge.asked[0] == 260
    assert len(knowledge.asked) <= 21


def test_same_for_the_same_seed_and_stops_at_its_nodes():
    search = Rollouts(CHESS, Numbers(CHESS), games=2, plies=30)
    assert think(search, CHESS.start(), seed=1) == think(search, CHESS.start(), seed=1)
    assert think(search, CHESS.start(), seed=1) != think(search, CHESS.start(), seed=2)
    heard = []
    result = think(Rollouts(CHESS, Numbers(CHESS), plies=5), CHESS.start(), Limit(nodes=150), heard=heard)
    assert 150 <= result.nodes <= 150 + 5 * 20
    assert heard


def test_knowledge_without_a_policy_is_refused_with_a_sentence():
    with pytest.raises(UnsupportedGame, match="rollouts needs knowledge that is a policy evaluator"):
        players.make("rollouts+pieces", CHESS)
    with pytest.raises(BadOption, match="plies must be 1 or more"):
        players.make("rollouts:plies=0", CHESS)
