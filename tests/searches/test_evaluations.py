"""Knowledge may say anything: a search still finds a legal move, or says in one line what is wrong."""

import numpy as np
import pytest

from alone import lived
from rookery import games, native
from rookery.api import Comparator, Evaluation, Limit, Policy, PolicyEvaluator
from rookery.errors import EvaluationError, RookeryError
from rookery.evaluators.linear import Linear
from rookery.searches.alphabeta import AlphaBeta
from rookery.searches.choice import Creative, Epsilon, TopK
from rookery.searches.comparison import Comparison
from rookery.searches.greedy import Greedy
from rookery.searches.probability import Probability
from rookery.searches.puct import Puct
from rookery.searches.rollouts import Rollouts
from rookery.thinker import SearchPlayer

CHESS = games.get("chess")
SEARCHES = [AlphaBeta, Comparison, Creative, Epsilon, Greedy, Probability, Puct, Rollouts, TopK]
LARGE = [1e30, -1e30, 3e38, -3e38, float("inf"), float("-inf")]


class Prefers(Comparator):
    """A comparator that is sure of nothing."""

    def prefer(self, a, b, side):
        return np.full(len(a), np.nan)

    prefer_to_draw = prefer


class Says(PolicyEvaluator):
    """Knowledge that gives numbers of its own making."""

    def __init__(self, value, policy=1.0):
        self.value, self.likely = value, policy

    def evaluate(self, states):
        spec = states[0].spec
        values = np.full((len(states), spec.sides), self.value, np.float32)
        values[:, 1] *= -1
        return Evaluation(values, Policy.joined([np.full(len(s.moves()), self.likely) for s in states]))


def think(search, knowledge):
    state = CHESS.start()
    player = SearchPlayer("tested", CHESS, search(CHESS, knowledge), Limit())
    move = player.choose(state.view(0), Limit(depth=2, nodes=60))
    assert move in state.moves()


@pytest.mark.parametrize("value", LARGE)
@pytest.mark.parametrize("search", SEARCHES)
def test_large_values_give_a_legal_move(search, value):
    think(search, Says(value))


@pytest.mark.parametrize("search", SEARCHES)
def test_what_is_no_number_is_refused(search):
    with pytest.raises(EvaluationError, match=r"^tested: .*NaN"):
        think(search, Says(float("nan")))


def test_a_preference_is_a_number():
    with pytest.raises(EvaluationError, match=r"^tested: Prefers gave a preference .*NaN"):
        think(Comparison, Prefers())


@pytest.mark.parametrize("policy", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("search", [Probability, Puct, Rollouts, TopK])
def test_a_policy_is_numbers(search, policy):
    with pytest.raises(EvaluationError, match=r"^tested: Says gave a policy that is not all finite numbers"):
        think(search, Says(0.0, policy))


def test_answers_that_are_no_numbers():
    search = native.alphabeta(native.Asked(lambda leaf: "much"), native.AlphaBetaOptions(qdepth=0, hash=1))
    with pytest.raises(EvaluationError, match="answered with str, not with a number"):
        search.search(CHESS.start().native.any(), 2, 0, 0.0, [], 1, None)


def linear(weight):
    return np.full((1, native.ChessLinear.features), weight, np.float32)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), float("-inf")])
def test_weights_are_finite(weight):
    rows = linear(0)
    rows[0, 7] = weight
    with pytest.raises(RookeryError, match=r"weights must be finite numbers \(number 7 is"):
        Linear.of(CHESS, rows)
    layers = {"board": np.zeros((25, 25), np.float32), "output": np.full((1, 25), weight, np.float32)}
    with pytest.raises(RookeryError, match="output must be finite numbers"):
        native.TdNet("koten", layers)


def test_large_weights_do_not_end_the_process():
    told = lived("""
        import numpy as np
        from rookery import games, native
        from rookery.api import Limit
        from rookery.errors import EvaluationError
        from rookery.evaluators.linear import Linear
        from rookery.searches.alphabeta import AlphaBeta
        from rookery.searches.comparison import Comparison
        from rookery.searches.greedy import Greedy
        from rookery.searches.puct import Puct
        from rookery.thinker import SearchPlayer

        game = games.get("chess")
        for kind in (AlphaBeta, Comparison, Greedy, Puct):
            for weight in (1e30, 3e38, -3e38):
                rows = np.full((1, native.ChessLinear.features), weight, np.float32)
                search = kind(game, Linear.of(game, rows))
                try:
                    move = SearchPlayer("big", game, search, Limit()).choose(
                        game.start().view(0), Limit(depth=3, nodes=500, lines=3)
                    )
                    assert move in game.start().moves()
                except EvaluationError as error:
                    assert str(error).startswith("big: ")
        print("alive")
    """)
    assert told == "alive\n"


def test_one_nan_among_branches_keeps_their_order():
    """Trees that were fed what the seam refuses elsewhere: what is compared is a number."""
    tree = native.PuctTree(CHESS.start().native.any(), [], 1.0)
    tree.collect(1, 1)
    for bad in (float("nan"),):
        with pytest.raises(EvaluationError):
            tree.absorb(np.full((1, 2), bad, np.float32), None)
    tree.absorb(np.full((1, 2), 3e38, np.float32), None)
    with pytest.raises(RookeryError):
        tree.mix_priors([float("nan")], 0.5)
    assert len(tree.report().moves) == 20
