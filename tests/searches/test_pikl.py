"""Moves drawn from a policy that a search has corrected (piKL)."""

from collections import Counter
from dataclasses import replace
from time import monotonic, sleep

import numpy as np
import pytest
from places import Numbers

from rookery import games, players
from rookery.api import Evaluation, Limit, Policy, PolicyWithQuickValues
from rookery.errors import BadOption, IllegalMove, UnsupportedGame
from rookery.evaluators.handmade import Pieces
from rookery.searches.alphabeta import AlphaBeta
from rookery.searches.pikl import PiKL
from rookery.seeds import generator

CHESS = games.get("chess")
GO5 = games.get("go5")
HANGING = CHESS.start("4k3/8/2p5/3p4/8/8/3R4/4K3 w - - 0 1")
"""The Rook is lost if it takes the Pawn."""


class Habits(PolicyWithQuickValues):
    """Knows how likely some moves are, by their text; all others are as likely as `rest`."""

    def __init__(self, rest=1.0, **shares):
        self.rest, self.shares = rest, shares

    def evaluate(self, states):
        policies = []
        for state in states:
            found = np.array([self.shares.get(state.text(move), self.rest) for move in state.moves()])
            policies.append(found / found.sum())
        return Evaluation(np.zeros((len(states), 2), np.float32), Policy.joined(policies))

    def quick_values(self):
        return Pieces(CHESS)


def think(search, state, limit=None, seed=1):
    return search.search(state.view(state.seat), limit or Limit(), generator(seed), lambda info: None)


def shares(search, state, limit=None):
    return {state.text(move): share for move, share in think(search, state, limit).policy.items()}


@pytest.mark.parametrize("kl", [0.05, 0.3, 2.0])
def test_shares_follow_from_policy_values_and_kl(kl):
    """policy * exp(value / kl), value = tanh(centipawns / 700) by an alpha-beta search of each move alone."""
    state = CHESS.start("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    likely = {"f3f7": 0.3, "f3h5": 0.2, "a2a3": 0.1, "c4f7": 0.4}
    found = shares(PiKL(CHESS, Habits(0, **likely), kl=kl), state, Limit(depth=3))
    weights = {}
    for text, share in likely.items():
        alone = AlphaBeta(CHESS, Pieces(CHESS))
        value = think(alone, state, Limit(depth=3, only=(state.parse(text),), analyse=True)).value[0]
        with np.errstate(divide="ignore"):  # mate is worth 1
            weights[text] = share * np.exp(np.tanh(np.arctanh(value) * 400 / 700) / kl)
    assert sum(found[text] for text in likely) == pytest.approx(1)
    for text, weight in weights.items():
        assert found[text] == pytest.approx(weight / sum(weights.values()), abs=0.02)


def test_kl_leads_from_the_best_move_to_the_policy():
    habits = Habits(0.0, d2d5=0.6, d2d4=0.2, d2e2=0.2)
    near = shares(PiKL(CHESS, habits, kl=0.02), HANGING)
    assert near["d2d5"] < 1e-6
    far = shares(PiKL(CHESS, habits, kl=1000), HANGING)
    assert [far[text] for text in ("d2d5", "d2d4", "d2e2")] == pytest.approx([0.6, 0.2, 0.2], abs=0.001)


def test_moves_are_drawn_by_their_shares():
    search = PiKL(CHESS, Habits(0.0, d2d5=0.5, d2e2=0.3, d2d4=0.2), kl=1000)
    drawn = Counter(HANGING.text(think(search, HANGING, Limit(depth=1), seed).move) for seed in range(200))
    assert 75 < drawn["d2d5"] < 125 and 40 < drawn["d2e2"] < 85 and 20 < drawn["d2d4"] < 60


def test_unlikely_moves_are_not_searched_and_count_as_the_worst_that_was():
    state, habits = HANGING, Habits(0.0, d2d4=0.8, d2d5=0.1995, d2e2=0.0005)
    found = shares(PiKL(CHESS, habits, kl=0.3), state)
    assert found["d2e2"] / found["d2d5"] == pytest.approx(0.0005 / 0.1995, rel=1e-4)
    assert found["d2d4"] > 0.9
    searched = PiKL(CHESS, Habits(), kl=0.3)._judge
    asked = []
    search = PiKL(CHESS, Habits(), kl=0.3)
    search._judge = lambda view, moves, *rest: (asked.append(len(moves)), searched(view, moves, *rest))[1]
    assert len(shares(search, CHESS.start())) == 20 and asked == [16]


def test_moves_to_choose_from_are_kept_to():
    only = tuple(HANGING.parse(text) for text in ("d2a2", "e1f1"))
    result = think(PiKL(CHESS, Habits(d2d5=1000.0)), HANGING, Limit(only=only))
    assert set(result.policy) == set(only)


def test_moves_to_choose_from_are_legal_and_count_once():
    good, bad = HANGING.parse("d2a2"), HANGING.parse("d2d5")
    result = think(PiKL(CHESS, Habits()), HANGING, Limit(only=(good, bad, 0, good), depth=1))
    assert set(result.policy) == {good, bad} and sum(result.policy.values()) == pytest.approx(1)
    for only in ((0,), (2**31 - 1,)):
        with pytest.raises(IllegalMove, match="none of the moves to choose from is legal in '4k3/"):
            think(PiKL(CHESS, Habits()), HANGING, Limit(only=only))
    over = CHESS.start("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    with pytest.raises(IllegalMove, match="there is no move in '7k/"):
        think(PiKL(CHESS, Habits()), over)


def test_a_single_move_is_played_at_once_and_analysed_to_the_end():
    """Kd8 is forced, and then Qf6 and Be7 mate."""
    forced = CHESS.start("r1b1k1nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 b kq - 0 21")
    bounds = Limit(time=60, depth=4)
    assert think(PiKL(CHESS, Habits()), forced, bounds).value[0] < 1
    assert think(PiKL(CHESS, Habits()), forced, replace(bounds, analyse=True)).value == (1.0, -1.0)
    began = monotonic()
    think(PiKL(CHESS, Habits()), forced, Limit(time=5))
    think(PiKL(CHESS, Habits()), HANGING, Limit(time=5, only=HANGING.moves()[:1]))
    assert monotonic() - began < 4


def test_a_mate_is_seen_and_its_value_told():
    state = CHESS.start("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    result = think(PiKL(CHESS, Habits(0.0, a1a8=0.1, a1a7=0.8, h2h3=0.1), kl=0.01), state)
    assert state.text(result.move) == "a1a8" and result.value == (1.0, -1.0)


def test_bounds_are_those_of_the_search():
    search = PiKL(CHESS, Habits(), kl=0.1)
    assert think(search, CHESS.start(), Limit(nodes=300)).nodes <= 400
    assert think(search, CHESS.start(), Limit(nodes=20_000)).nodes > 5_000


def test_the_policy_alone_counts_where_no_depth_was_looked_at_for_all_moves():
    search = PiKL(CHESS, Habits(0.0, d2d5=0.75, d2e2=0.25), kl=0.02)
    inner = search._search.search

    def broken_off(view, limit, rng, on_info):
        return inner(view, limit, rng, lambda info: on_info(info) if info.rank == 1 else None)

    search._search.search = broken_off
    found = shares(search, HANGING)
    assert (found["d2d5"], found["d2e2"]) == pytest.approx((0.75, 0.25))


def test_the_search_has_the_time_that_the_policy_leaves():
    class Slow(Habits):
        def evaluate(self, states):
            sleep(0.05)
            return super().evaluate(states)

    search, asked = PiKL(CHESS, Slow()), []
    inner = search._search.search
    search._search.search = lambda view, limit, *rest: (asked.append(limit.time), inner(view, limit, *rest))[
        1
    ]
    for seconds in (1.0, 0.01):
        think(search, HANGING, Limit(time=seconds, depth=1))
    assert 0 < asked[0] <= 0.95 and asked[1] == 0.001


def test_it_needs_a_policy_with_quick_values():
    with pytest.raises(UnsupportedGame, match="quick"):
        players.make("pikl+classical", CHESS)
    with pytest.raises(BadOption, match=r"kl must be between 0\.001 and 1000 \(got 0\)"):
        PiKL(CHESS, Habits(), kl=0)
    with pytest.raises(UnsupportedGame):
        PiKL(games.get("kriegspiel"), Numbers(GO5))
