"""What every search does where there is nothing to choose, and where its knowledge fails."""

from dataclasses import replace

import pytest
from places import Numbers

from rookery import games, native, players
from rookery.api import Limit, Policy
from rookery.errors import IllegalMove
from rookery.searches.alphabeta import AlphaBeta
from rookery.searches.comparison import Comparison
from rookery.searches.probability import Probability
from rookery.searches.puct import Puct
from rookery.seeds import generator

CHESS = games.get("chess")
STALEMATE = CHESS.start("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
WITH_KNOWLEDGE = [AlphaBeta, Comparison, Probability, Puct]
NAMES = ["alphabeta+pieces", "comparison+pieces", "probability+pieces", "puct+pieces", "uct"]


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_game_is_refused(name):
    with pytest.raises(IllegalMove, match="there is no move in '7k/"):
        players.make(name, CHESS).think(STALEMATE.view(1), Limit())


@pytest.mark.parametrize("name", NAMES)
def test_moves_to_choose_from_must_be_legal(name):
    with pytest.raises(IllegalMove, match="none of the moves to choose from is legal"):
        players.make(name, CHESS).think(CHESS.start().view(0), Limit(only=(0,), nodes=100))


@pytest.mark.parametrize("search", WITH_KNOWLEDGE)
def test_a_failure_of_knowledge_is_told(search):
    class Broken(Numbers):
        def evaluate(self, states):
            if len(self.asked) > 2:
                raise ZeroDivisionError("knowledge failed")
            return super().evaluate(states)

    with pytest.raises(ZeroDivisionError, match="knowledge failed"):
        search(CHESS, Broken(CHESS)).search(
            CHESS.start().view(0), Limit(depth=3, nodes=1000), generator(1), lambda info: None
        )


def test_a_failure_on_a_helping_thread_is_told():
    class Broken(Numbers):
        def evaluate(self, states):
            raise ZeroDivisionError("knowledge failed")

    with pytest.raises(ZeroDivisionError, match="knowledge failed"):
        AlphaBeta(CHESS, Broken(CHESS), threads=3).search(
            CHESS.start().view(0), Limit(depth=3), generator(1), lambda info: None
        )


def test_evaluations_of_the_wrong_shape_are_refused():
    tree = native.PuctTree(CHESS.start().native.any(), [], 1.0)
    tree.collect(1, 1)
    with pytest.raises(ValueError, match="2 rows of values for 1 positions"):
        tree.absorb(Numbers(CHESS).evaluate([CHESS.start()] * 2).value, None)

    class Short(Numbers):
        def evaluate(self, states):
            evaluation = super().evaluate(states)
            policy = Policy(evaluation.policy.offsets, evaluation.policy.shares[:-1])
            return type(evaluation)(evaluation.value, policy)

    with pytest.raises(ValueError, match="1 states of chess"):
        Puct(CHESS, Short(CHESS)).search(CHESS.start().view(0), Limit(), generator(1), lambda info: None)


FORCED = CHESS.start("r1b1k1nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 b kq - 0 21")
"""The Immortal Game: Kd8 is the one move, and then Qf6 and Be7 mate."""
MATE_IN_ONE = CHESS.start("7k/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")


def thought(name, state, limit):
    """What a search reported at last, by rank."""
    infos = {}
    players.make(name, CHESS).think(
        state.view(state.seat), limit, lambda info: infos.update({info.rank: info})
    )
    return infos


@pytest.mark.parametrize("name", ["alphabeta:hash=0+pieces", "comparison+pieces"])
def test_a_forced_move_is_played_at_once_and_analysed_to_the_end(name):
    bounds = Limit(depth=4, time=60)
    assert thought(name, FORCED, bounds)[1].depth == 1
    looked_on = thought(name, FORCED, replace(bounds, analyse=True))
    assert looked_on[1].depth == 4 and looked_on[1].wins_in == -4


def test_trees_too_grow_to_the_bound_where_a_move_is_forced():
    bounds = Limit(nodes=2000, time=60)
    assert thought("uct", FORCED, bounds)[1].nodes == 256
    assert thought("uct", FORCED, replace(bounds, analyse=True))[1].nodes == 2000


@pytest.mark.parametrize("name", ["alphabeta:hash=0+pieces", "comparison+pieces"])
def test_a_mate_ends_a_players_search_and_not_that_of_the_other_lines(name):
    bounds = Limit(depth=4, lines=3)
    assert thought(name, MATE_IN_ONE, bounds)[1].depth == 1
    looked_on = thought(name, MATE_IN_ONE, replace(bounds, analyse=True))
    assert [info.depth for info in looked_on.values()] == [4, 4, 4]
    assert looked_on[1].wins_in == 1
    # Nothing is left to look for where every line asked for is known to its end.
    assert thought(name, MATE_IN_ONE, replace(bounds, analyse=True, lines=1))[1].depth == 1
