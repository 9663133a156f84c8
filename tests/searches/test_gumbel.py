"""The search of Gumbel AlphaZero at play: its twin's visits in every game."""

import numpy as np
import pytest
from gumbel_twin import Twin
from places import OPEN, Numbers, places

from rookery import games, players
from rookery.api import Evaluation, Limit
from rookery.errors import BadOption
from rookery.searches.gumbel import Gumbel
from rookery.seeds import generator

CHESS = games.get("chess")


def think(search, state, limit, seed=1):
    return search.search(state.view(state.seat), limit, generator(seed), lambda info: None)


@pytest.mark.parametrize(("nodes", "considered"), [(9, 4), (33, 16), (2, 16), (60, 3)])
@pytest.mark.parametrize("name", OPEN)
def test_same_choice_as_the_twin(name, nodes, considered):
    game = games.get(name)
    for state in places(name, 3):
        move, root, shares = Twin(Numbers(game), nodes - 1, considered, 0.1).search(state)
        result = think(
            Gumbel(game, Numbers(game), max_considered=considered, c_scale=0.1), state, Limit(nodes=nodes)
        )
        assert result.nodes == nodes == 1 + root.visits
        assert result.move == move
        assert list(result.policy) == [edge.move for edge in root.edges]
        assert list(result.policy.values()) == pytest.approx(shares, abs=1e-4)
        best = next(edge for edge in root.edges if edge.move == move)
        assert result.value[root.side] == pytest.approx(best.total / best.visits, abs=1e-5)


def test_leaves_of_a_round_come_at_once():
    knowledge = Numbers(CHESS)
    think(Gumbel(CHESS, knowledge), CHESS.start(), Limit(nodes=65))
    assert knowledge.asked[:2] == [1, 16]
    assert max(knowledge.asked) == 16


def test_mates_are_found_for_either_side():
    for fen, mate in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
        ("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "a8a1"),
    ]:
        state = CHESS.start(fen)
        player = players.make("gumbel:nodes=100,max_considered=40+classical", CHESS)
        assert state.text(player.think(state.view(state.seat), Limit()).move) == mate


def test_noise_alone_depends_on_the_seed():
    def policies(**options):
        search = Gumbel(CHESS, Numbers(CHESS), max_considered=3, **options)
        return [think(search, CHESS.start(), Limit(nodes=20), seed).policy for seed in (1, 1, 2, 3, 4)]

    quiet, noisy = policies(), policies(noise=True)
    assert all(policy == quiet[0] for policy in quiet)
    assert noisy[0] == noisy[1]
    assert len({tuple(policy.items()) for policy in noisy}) > 1


def test_one_node_leaves_the_priors():
    state, numbers = CHESS.start(), Numbers(CHESS)
    result = think(Gumbel(CHESS, numbers), state, Limit(nodes=1))
    priors = numbers.evaluate([state]).policy.of(0)
    assert list(result.policy.values()) == pytest.approx(priors.tolist(), abs=1e-6)
    assert result.move == state.moves()[int(priors.argmax())]


def test_bounds_and_strange_knowledge():
    state = CHESS.start()
    only = tuple(state.moves()[3:5])
    assert set(think(Gumbel(CHESS, Numbers(CHESS)), state, Limit(nodes=9, only=only)).policy) == set(only)
    assert think(Gumbel(CHESS, Numbers(CHESS)), state, Limit(time=0.01)).move in state.moves()

    class Blind:
        def evaluate(self, states):
            return Evaluation(np.tile(np.float32([3e38, -np.inf]), (len(states), 1)))

    result = think(Gumbel(CHESS, Blind()), state, Limit(nodes=50))
    assert sum(result.policy.values()) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("option", ["max_considered=0", "c_visit=-1", "c_scale=-1"])
def test_bad_options_are_refused_with_a_sentence(option):
    with pytest.raises(BadOption, match="must be"):
        players.make(f"gumbel:{option}+pieces", CHESS)
