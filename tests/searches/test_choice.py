"""Choice without looking ahead: which moves are drawn, and how often."""

from collections import Counter

import numpy as np
import pytest
from places import OPEN, Numbers, number, places

from rookery import games, players
from rookery.api import Evaluation, Limit, Policy, PolicyEvaluator
from rookery.errors import BadOption, UnsupportedGame
from rookery.searches.choice import Creative, Epsilon, Sample, TopK
from rookery.searches.greedy import Greedy
from rookery.seeds import generator
from sticks import Sticks

CHESS = games.get("chess")
GO5 = games.get("go5")


class Table(PolicyEvaluator):
    """Knows a value for the first seat after each move, and a share for each move."""

    def __init__(self, values, shares=()):
        self.values, self.shares = values, shares

    def evaluate(self, states):
        value = np.zeros((len(states), 2), np.float32)
        shares = np.zeros(GO5.spec.policy_size)
        shares[: len(self.shares)] = self.shares
        for i, state in enumerate(states):
            if state.history():
                value[i] = self.values.get(state.history()[-1], -1.0) * np.array([1, -1])
        return Evaluation(value, Policy.joined([shares[state.moves()] for state in states]))


def draw(search, state, count, limit=None):
    rng = generator(5)
    results = [
        search.search(state.view(state.seat), limit or Limit(), rng, lambda info: None) for _ in range(count)
    ]
    return Counter(result.move for result in results), results[0]


@pytest.mark.parametrize("name", OPEN)
def test_greedy_takes_what_leads_to_the_best_position(name):
    game = games.get(name)
    for state in places(name, 6):
        side = game.spec.side_of[state.seat]

        def worth(move, state=state, side=side):
            after = state.play(move)
            if after.outcome():
                return after.outcome().values[side]
            return number(after) if game.spec.side_of[after.seat] == side else -number(after)

        result = Greedy(game, Numbers(game)).search(
            state.view(state.seat), Limit(), generator(1), lambda info: None
        )
        assert worth(result.move) == max(map(worth, state.moves()))
        assert result.value[side] == worth(result.move)
        assert result.nodes == len(state.moves())


def test_greedy_draws_among_equals():
    moves, result = draw(Greedy(GO5, Table({3: 0.5, 7: 0.5, 9: 0.4})), GO5.start(), 300)
    assert set(moves) == {3, 7} and min(moves.values()) > 100
    assert result.value == (0.5, -0.5)


def test_greedy_takes_a_win_before_any_promise():
    state = CHESS.start("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    result = players.make("greedy+pieces", CHESS).think(state.view(0), Limit())
    assert state.text(result.move) == "a1a8" and result.value == (1.0, -1.0)


def test_greedy_fits_games_that_are_not_native():
    class Even:
        def evaluate(self, states):
            return Evaluation(np.zeros((len(states), 2), np.float32))

    game = Sticks()
    state = game.start("2 5")
    result = Greedy(game, Even()).search(state.view(state.seat), Limit(), generator(1), lambda info: None)
    assert state.text(result.move) == "take2"


def test_epsilon_is_mostly_greedy():
    search = Epsilon(GO5, Table({3: 0.5, 9: 0.4}), epsilon=0.26)
    moves, result = draw(search, GO5.start(), 2000)
    assert len(moves) == 26
    assert 1400 < moves[3] < 1600  # 0.74 + 0.26 / 26
    assert result.policy[3] == pytest.approx(0.75)
    assert result.policy[0] == pytest.approx(0.01)
    assert set(draw(Epsilon(GO5, Table({3: 0.5}), epsilon=0.0), GO5.start(), 50)[0]) == {3}


def test_creative_draws_evenly_from_all_that_is_nearly_best():
    # As chances of winning: 0.8, 0.77, 0.76, 0.75; within 5 % of 0.8 is down to 0.76.
    values = {1: 0.6, 2: 0.54, 3: 0.5200001, 4: 0.5}
    moves, result = draw(Creative(GO5, Table(values), c=0.05), GO5.start(), 900)
    assert set(moves) == {1, 2, 3}
    assert min(moves.values()) > 240
    assert result.policy[1] == result.policy[3] == pytest.approx(1 / 3)
    assert result.policy[4] == 0


def test_creative_keeps_to_the_best_where_no_chance_is_left():
    class Lost(Table):
        def evaluate(self, states):
            return Evaluation(np.tile(np.float32([-1, 1]), (len(states), 1)))

    only = (4, 5)
    moves, _ = draw(Creative(GO5, Lost({})), GO5.start(), 60, Limit(only=only))
    assert set(moves) == set(only)


def test_topk_draws_the_likeliest_by_their_shares():
    shares = [0.1, 0.45, 0.15, 0.3]
    moves, result = draw(TopK(GO5, Table({}, shares)), GO5.start(), 2000)
    assert set(moves) == {1, 3}
    assert 1100 < moves[1] < 1300  # 0.45 / 0.75
    assert result.policy[1] == pytest.approx(0.6)
    assert set(draw(TopK(GO5, Table({}, shares), k=1), GO5.start(), 20)[0]) == {1}
    assert len(draw(TopK(GO5, Table({}, shares), k=9), GO5.start(), 500)[0]) == 4


def test_sample_draws_every_move_by_its_share():
    shares = [0.1, 0.45, 0.15, 0.3]
    moves, result = draw(Sample(GO5, Table({}, shares)), GO5.start(), 2000)
    assert set(moves) == {0, 1, 2, 3}
    assert 820 < moves[1] < 980 and 150 < moves[0] < 250
    assert result.policy[3] == pytest.approx(0.3)


class Content(PolicyEvaluator):
    """Sees White win by `value`, and all moves alike."""

    def __init__(self, value):
        self.value = value

    def evaluate(self, states):
        shares = [np.full(len(state.moves()), 1 / len(state.moves())) for state in states]
        value = np.tile(np.float32([self.value, -self.value]), (len(states), 1))
        return Evaluation(value, Policy.joined(shares))


def test_sample_makes_no_draw_of_a_won_game():
    state = CHESS.start("7k/8/8/8/8/8/8/KQ6 w - - 0 1")
    for move in ("b1b2", "h8g8", "b2b1", "g8h8", "b1b2", "h8g8"):
        state = state.play(state.parse(move))
    again = state.parse("b2b1")  # whereupon the king may go back, for the third time
    moves = state.moves()
    _, result = draw(Sample(CHESS, Content(0.9)), state, 1)
    assert result.policy[again] == 0 and sum(result.policy.values()) == pytest.approx(1)
    assert sum(share > 0 for share in result.policy.values()) > len(moves) / 2
    _, result = draw(Sample(CHESS, Content(0.2)), state, 1)
    assert result.policy[again] == pytest.approx(1 / len(moves))
    _, result = draw(Sample(CHESS, Content(0.9)), state, 1, Limit(only=(again,)))
    assert result.move == again  # where nothing else is left


@pytest.mark.parametrize("word", ["greedy", "epsilon:epsilon=0.1", "creative:c=0.2"])
def test_every_choice_makes_a_player_and_is_seeded(word):
    player = players.make(f"{word}+pieces", CHESS)

    def game(seed):
        state = CHESS.start()
        player.start(CHESS.spec, 0, seed)
        for _ in range(20):
            state = state.play(player.choose(state.view(state.seat), Limit()))
        return state.history()

    assert game(1) == game(1)
    assert word == "greedy" or game(1) != game(2)


@pytest.mark.parametrize("name", ["epsilon:epsilon=2", "creative:c=-1"])
def test_bad_options_are_refused_with_a_sentence(name):
    with pytest.raises(BadOption, match="must be"):
        players.make(f"{name}+pieces", CHESS)
    with pytest.raises(BadOption, match="k must be 1 or more"):
        TopK(GO5, Table({}), k=0)


def test_unsuitable_games_and_knowledge_are_refused_with_a_sentence():
    kinds = [(Epsilon, "epsilon"), (Creative, "creative"), (TopK, "topk"), (Sample, "sample")]
    for kind, word in [(Greedy, "greedy"), *kinds]:
        with pytest.raises(UnsupportedGame, match=f"{word} needs to see the whole board"):
            kind(games.get("kriegspiel"), Table({}))
    with pytest.raises(UnsupportedGame, match="topk needs a policy evaluator; pieces is"):
        players.make("topk+pieces", CHESS)
