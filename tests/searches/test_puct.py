"""PUCT: its twin's visits, batch by batch, and what any of its reports must hold."""

import numpy as np
import puct_twin
import pytest
from places import OPEN, Numbers, places

from rookery import games, players
from rookery.api import Evaluation, Limit
from rookery.errors import BadOption, UnsupportedGame
from rookery.searches.puct import Puct
from rookery.seeds import generator

CHESS = games.get("chess")
BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def think(search, state, limit, seed=1):
    return search.search(state.view(state.seat), limit, generator(seed), lambda info: None)


@pytest.mark.parametrize(("batch", "reduction"), [(1, None), (4, None), (32, None), (1, 0.2), (8, 0.5)])
@pytest.mark.parametrize("name", OPEN)
def test_same_visits_as_the_twin(name, batch, reduction):
    game = games.get(name)
    for state in places(name, 3):
        root = puct_twin.grow(state, Numbers(game), 1.5, batch, 120, reduction)
        visits = sum(edge.visits for edge in root.edges)
        search = Puct(game, Numbers(game), c=1.5, batch=batch, fpu=reduction)
        result = think(search, state, Limit(nodes=120))
        assert result.nodes == 120 == visits + 1
        assert result.policy == {edge.move: edge.visits / visits for edge in root.edges}
        best = max(root.edges, key=lambda e: (e.visits, e.total / e.visits if e.visits else 0, -e.move))
        assert result.move == best.move
        side = game.spec.side_of[state.seat]
        assert result.value[side] == pytest.approx(best.total / best.visits)


def test_leaves_come_in_batches():
    knowledge = Numbers(CHESS)
    think(Puct(CHESS, knowledge, batch=16), CHESS.start(), Limit(nodes=400))
    assert knowledge.asked[0] == 1
    assert max(knowledge.asked) == 16
    assert len(knowledge.asked) < 60


def test_knowledge_without_a_policy_finds_all_moves_alike():
    seen = {}

    class Blind:
        def evaluate(self, states):
            for state in states:
                seen[str(state)] = seen.get(str(state), 0) + 1
            return Evaluation(np.zeros((len(states), 2), np.float32))

    result = think(Puct(CHESS, Blind(), batch=1), CHESS.start(), Limit(nodes=41))
    assert set(result.policy.values()) == {1 / 20}
    assert result.value == (0.0, 0.0)


def test_mates_are_found_for_either_side():
    for fen, seat, mate in [
        (BACK_RANK, 0, "a1a8"),
        ("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 1, "a8a1"),
    ]:
        state = CHESS.start(fen)
        result = think(players.make("puct:nodes=400+classical", CHESS)._searcher, state, Limit(nodes=400))
        assert state.text(result.move) == mate
        assert result.value[seat] > 0.9 and sum(result.value) == 0.0


def test_partners_share_values_in_duchess():
    """Values belong to sides: knowledge that likes side 0 makes both its seats hopeful and the others not."""
    game = games.get("duchess4")

    class Partial:
        def evaluate(self, states):
            return Evaluation(np.tile(np.float32([0.5, -0.5]), (len(states), 1)))

    for seat in range(4):
        state = game.start(str(game.start()).replace("t1", f"t{seat + 1}"))
        result = think(Puct(game, Partial()), state, Limit(nodes=50))
        assert result.value == (0.5, -0.5)


def test_noise_changes_the_tree_and_nothing_else_does():
    quiet, same = (
        think(Puct(CHESS, Numbers(CHESS)), CHESS.start(), Limit(nodes=200), seed) for seed in (1, 2)
    )
    noisy, again, other = (
        think(Puct(CHESS, Numbers(CHESS), noise=0.5), CHESS.start(), Limit(nodes=200), seed)
        for seed in (1, 1, 2)
    )
    assert quiet.policy == same.policy
    assert noisy.policy == again.policy
    assert len({tuple(r.policy.items()) for r in (quiet, noisy, other)}) == 3


def test_temperature_draws_by_visits():
    search = Puct(CHESS, Numbers(CHESS), temperature=1.0)
    results = [think(search, CHESS.start(), Limit(nodes=60), seed) for seed in range(60)]
    assert len({result.move for result in results}) > 3
    cold = Puct(CHESS, Numbers(CHESS), temperature=0.0)
    assert {think(cold, CHESS.start(), Limit(nodes=60), seed).move for seed in range(5)} == {
        max(results[0].policy, key=results[0].policy.get)
    }


def test_one_node_leaves_the_priors():
    state, numbers, heard = CHESS.start(), Numbers(CHESS), []
    priors = dict(zip(state.moves(), numbers.evaluate([state]).policy.of(0), strict=True))
    search = Puct(CHESS, numbers)
    result = search.search(state.view(0), Limit(nodes=1), np.random.default_rng(1), heard.append)
    assert result.move == max(state.moves(), key=lambda move: priors[move]) and not heard
    assert result.policy == pytest.approx({m: priors[m] / sum(priors.values()) for m in state.moves()})


def test_bounds_and_reports():
    state = CHESS.start()
    heard = []
    player = players.make("puct:nodes=300+pieces", CHESS)
    result = player.think(state.view(0), Limit(lines=2), heard.append)
    assert result.nodes == 300 == heard[-1].nodes
    assert [info.rank for info in heard[-2:]] == [1, 2]
    only = tuple(state.moves()[:2])
    assert player.think(state.view(0), Limit(only=only)).move in only
    assert player.think(state.view(0), Limit(nodes=1)).move in state.moves()
    assert player.think(state.view(0), Limit(time=0.01)).nodes > 0
    # Every line ends at once here: only the clock can stop it.
    mated = CHESS.start("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    mates = tuple(m for m in mated.moves() if mated.play(m).outcome())
    assert players.make("puct+pieces", CHESS).think(mated.view(0), Limit(time=0.01, only=mates)).move in mates


def test_golden_visits():
    """The tree of fixed knowledge: it changes when the search does, and never otherwise."""
    result = think(Puct(CHESS, Numbers(CHESS)), CHESS.start(), Limit(nodes=500))
    best = sorted(result.policy, key=lambda move: -result.policy[move])[:3]
    assert [(CHESS.start().text(move), round(result.policy[move] * 499)) for move in best] == [
        ("b1a3", 190),
        ("b2b3", 121),
        ("e2e3", 61),
    ]


@pytest.mark.parametrize("option", ["c=-1", "batch=0", "noise=2", "temperature=-1"])
def test_bad_options_are_refused_with_a_sentence(option):
    with pytest.raises(BadOption, match="must be"):
        players.make(f"puct:{option}+pieces", CHESS)


def test_hidden_games_are_refused_with_a_sentence():
    with pytest.raises(UnsupportedGame, match="puct needs to see the whole board"):
        Puct(games.get("kriegspiel"), Numbers(CHESS))
