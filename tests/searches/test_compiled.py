"""Which searches are compiled with which knowledge, and that others ask Python instead."""

import numpy as np
import pytest
from deepchess_twin import TINY, network

from rookery import games, native
from rookery.api import Evaluator, Limit, NativeKnowledge
from rookery.evaluators.deepchess import DeepChess
from rookery.evaluators.features import linear_game
from rookery.evaluators.handmade import Classical, Pieces
from rookery.evaluators.linear import Linear
from rookery.evaluators.td import Td
from rookery.searches.alphabeta import AlphaBeta
from rookery.searches.comparison import Comparison
from rookery.seeds import generator
from walks import walk

CHESS = games.get("chess")


def linear(name):
    game = games.get(name)
    return Linear.of(game, linear_game(game).features().initial(1))


def td():
    return Td(games.get("go5"), "go5/koten")


def deep():
    return DeepChess.of(CHESS, network(TINY, 1, list(walk(CHESS, 1, 20))))


PAIRS = {
    "pieces": (lambda: Pieces(CHESS), True, True),
    "classical": (lambda: Classical(CHESS), True, True),
    "chess": (lambda: linear("chess"), True, False),
    "duchess4": (lambda: linear("duchess4"), True, False),
    "duchess6": (lambda: linear("duchess6"), True, False),
    "td": (td, True, False),
    "deepchess": (deep, True, True),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pairs_are_found_by_the_knowledge(name):
    make, alphabeta, comparison = PAIRS[name]
    knowledge = make()
    assert isinstance(knowledge, NativeKnowledge)
    assert bool(native.alphabeta(knowledge.native, native.AlphaBetaOptions())) == alphabeta
    assert bool(native.comparison(knowledge.native, native.ComparisonOptions())) == comparison
    assert native.alphabeta(object(), native.AlphaBetaOptions()) is None


class Asked(Evaluator):
    """The same numbers as other knowledge, from Python."""

    def __init__(self, inner):
        self.inner, self.count = inner, 0

    def evaluate(self, states):
        self.count += 1
        return self.inner.evaluate(states)


def look(search):
    infos = []
    result = search.search(CHESS.start().view(0), Limit(depth=3), generator(1), infos.append)
    return result, infos


@pytest.mark.parametrize("search", [AlphaBeta, Comparison])
def test_what_is_not_compiled_asks_python(search):
    asked = Asked(Pieces(CHESS))
    slow, slow_infos = look(search(CHESS, asked, quiescence=False))
    quick, quick_infos = look(search(CHESS, Pieces(CHESS), quiescence=False))
    assert asked.count > 100 and (slow.move, slow.nodes) == (quick.move, quick.nodes)
    assert slow.value == pytest.approx(quick.value, abs=1e-6)
    # Only native knowledge says what its numbers are in centipawns.
    assert {info.score for info in slow_infos} == {None}
    assert all(np.tanh(info.score / 400) == info.value[0] for info in quick_infos)


def test_a_search_refuses_states_of_another_game():
    search = native.alphabeta(native.ChessPieces(), native.AlphaBetaOptions())
    with pytest.raises(TypeError, match="another game"):
        search.search(games.get("go5").start().native, 1, 0, 0.0, [], 1, None)


def test_options_go_by_name():
    options = native.AlphaBetaOptions(null_move=True, hash=3)
    assert (options.null_move, options.late_moves, options.hash, options.threads) == (True, False, 3, 1)
    with pytest.raises(TypeError):
        native.AlphaBetaOptions(True)
    compared = native.ComparisonOptions(quiescence=False, hash=3)
    assert (compared.quiescence, compared.hash) == (False, 3)


def test_logits_are_no_centipawns():
    search = AlphaBeta(CHESS, linear("chess"))
    _, infos = look(search)
    assert infos and {info.score for info in infos} == {None}
