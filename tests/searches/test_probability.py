"""Probability-limited alpha-beta against a recursion that follows the same lines, one state at a time."""

import math

import minimax
import numpy as np
import pytest
from places import OPEN, Numbers, number, places

from rookery import games, players
from rookery.api import Evaluation, Limit, Policy
from rookery.errors import BadOption, UnsupportedGame
from rookery.searches.probability import Probability
from rookery.seeds import generator

CHESS = games.get("chess")


def think(search, state, limit):
    return search.search(state.view(state.seat), limit, generator(1), lambda info: None)


def twin(state, knowledge, threshold, depth, prune=False, ply=0, probability=1.0):
    """The value to the side to move, and the nodes of the tree below."""
    shares = knowledge.evaluate([state]).policy.of(0).tolist()
    total = sum(shares)
    best, nodes = -math.inf, 1
    for move, share in sorted(zip(state.moves(), shares, strict=True), key=lambda pair: (-pair[1], pair[0])):
        after = state.play(move)
        flip = 1 if state.spec.side_of[after.seat] == state.spec.side_of[state.seat] else -1
        likely = probability * (share / total)
        outcome = after.outcome()
        if after.native.occurrences() > 1:
            value, below = 0.0, 1
        elif outcome:
            result = outcome.values[state.spec.side_of[after.seat]]
            value, below = (math.copysign(1_000_000 - ply - 1, result) if result else 0.0), 1
        elif likely >= threshold and ply + 1 < depth:
            value, below = twin(after, knowledge, threshold, depth, prune, ply + 1, likely)
        elif prune and likely < threshold and nodes > 1:
            continue
        else:
            value, below = number(after), 1
        best, nodes = max(best, flip * value), nodes + below
    return best, nodes


# Large Go boards are the same with more moves, and slow in the twin: one threshold does for them.
CASES = [
    (name, threshold)
    for name in OPEN
    for threshold in ([0.3] if name in ("go13", "go19") else [0.3, 0.05, 0.01])
]


@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize(("name", "threshold"), CASES)
def test_same_value_and_tree_as_the_twin(name, threshold, prune):
    game = games.get(name)
    for state in places(name, 4):
        value, nodes = twin(state, Numbers(game), threshold, 4, prune)
        search = Probability(game, Numbers(game), threshold=threshold, prune=prune)
        result = think(search, state, Limit(depth=4))
        assert result.nodes == nodes
        assert result.value[game.spec.side_of[state.seat]] == np.clip(value, -1, 1)


def test_everything_followed_is_minimax():
    for state in places("chess", 6):
        expected = minimax.values(state, 2, number)
        result = think(Probability(CHESS, Numbers(CHESS), threshold=0.0), state, Limit(depth=2))
        assert expected[result.move] == max(expected.values())
        assert result.value[state.seat] == np.clip(max(expected.values()), -1, 1)


def test_one_call_a_level_and_never_more_than_the_threshold_allows():
    knowledge = Numbers(CHESS)
    knowledge.static = Numbers(CHESS)
    result = think(Probability(CHESS, knowledge, threshold=0.01), CHESS.start(), Limit())
    assert len(knowledge.asked) <= 8
    assert max(knowledge.asked) <= 100
    assert sum(knowledge.asked) + sum(knowledge.static.asked) <= result.nodes


def test_the_depth_is_eight_unless_it_is_said():
    class Certain(Numbers):
        """Sees one line only."""

        def evaluate(self, states):
            evaluation = super().evaluate(states)
            shares = [np.arange(len(state.moves())) == len(state.moves()) - 1 for state in states]
            return Evaluation(evaluation.value, Policy.joined(shares))

    for limit, depth in [(Limit(), 8), (Limit(depth=3), 3), (Limit(depth=20), 20)]:
        knowledge = Certain(CHESS)
        knowledge.static = Numbers(CHESS)
        think(Probability(CHESS, knowledge), CHESS.start(), limit)
        assert knowledge.asked == [1] * depth


def test_knowledge_without_a_policy_finds_all_moves_alike():
    """A threshold between the probabilities of two plies and of three looks three plies ahead."""

    class Blind:
        def evaluate(self, states):
            return Evaluation(Numbers(CHESS).evaluate(states).value)

    state = CHESS.start("8/8/8/8/8/1k6/7p/K7 w - - 0 1")
    result = think(Probability(CHESS, Blind(), threshold=1 / 40), state, Limit())
    shallow = think(Probability(CHESS, Blind(), threshold=1.0), state, Limit())
    assert shallow.nodes < result.nodes < 1000


def test_mates_are_preferred_the_sooner_they_are():
    state = CHESS.start("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    heard = []
    search = Probability(CHESS, Numbers(CHESS), threshold=0.0)
    result = search.search(state.view(0), Limit(depth=3), generator(1), heard.append)
    assert heard[-1].wins_in == 1 and result.value == (1.0, -1.0)
    assert state.play(result.move).outcome()


def test_golden_nodes():
    """They change when the search or the rules do, and never otherwise."""
    nodes = [
        think(Probability(games.get(name), Numbers(games.get(name))), games.get(name).start(), Limit()).nodes
        for name in ("chess", "go5", "duchess4")
    ]
    assert nodes == [9251, 9645, 8202]


def test_only_the_moves_asked_for():
    only = tuple(CHESS.start().moves()[:2])
    assert think(Probability(CHESS, Numbers(CHESS)), CHESS.start(), Limit(only=only)).move in only


def test_unsuitable_games_and_options_are_refused_with_a_sentence():
    with pytest.raises(UnsupportedGame, match="probability needs to see the whole board"):
        Probability(games.get("kriegspiel"), Numbers(CHESS))
    with pytest.raises(BadOption, match="threshold must be between 0 and 1"):
        players.make("probability:threshold=2+pieces", CHESS)
    assert players.make("probability:threshold=0.001,depth=8+pieces", CHESS).name.startswith("probability:")


def test_leaves_are_evaluated_in_any_number_at_a_time(monkeypatch):
    state = next(iter(places("chess", 1)))
    found = []
    for chunk in (1000, 7):
        monkeypatch.setattr("rookery.searches.probability._CHUNK", chunk)
        knowledge = Numbers(CHESS)
        result = think(Probability(CHESS, knowledge, threshold=0.05), state, Limit(depth=3))
        found.append((result.nodes, result.move, result.value))
    assert found[0] == found[1] and found[0][0] > 100
