"""Blunders counted: those played, and those of a policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import small_store

from programs import Fake, fake
from rookery import games, players
from rookery.api import Evaluation, Limit, Policy, PolicyEvaluator, State
from rookery.examine import blunders, moves
from rookery.records.store import Store

__all__ = ["fake"]

CHESS = games.get("chess")
ENGINE = "alphabeta:depth=1,quiescence=no+pieces"


class Certain(PolicyEvaluator):
    """Plays what the engine plays, or the move that it likes least."""

    def __init__(self, best: bool) -> None:
        self._best, self._engine = best, players.make(ENGINE, CHESS)

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        shares = []
        for state in states:
            legal = list(state.moves())
            worth = [blunders._after(self._engine, state, move) for move in legal]
            move = blunders._worth(self._engine, state)[1] if self._best else legal[int(np.argmin(worth))]
            shares.append(np.array([float(each == move) for each in legal]))
        return Evaluation(np.zeros((len(states), 2), np.float32), Policy.joined(shares))


def measured(best: bool) -> dict[str, blunders.Rates]:
    task = moves.draw(Store.open(small_store.folder()), None, 60, 1, 1, blunders.RATINGS)
    known, asked = Certain(best), list[int]()

    def knowledge(rating: int) -> Certain:
        asked.append(rating)
        return known

    found = dict(blunders.measure(task, knowledge, players.make(ENGINE, CHESS), 1))
    assert asked == task.ratings.tolist()
    return found


def test_who_plays_as_the_engine_never_blunders_and_who_plays_the_worst_often_does() -> None:
    good, bad = measured(True), measured(False)
    assert set(good) == set(bad) == {"2000-2199", "2200-2399"}
    for band, rates in good.items():
        assert rates.drawn.value == 0 <= rates.played.value
        assert bad[band].drawn.value > 0.3
        assert bad[band].played.value == rates.played.value
        assert rates.difference.value == rates.drawn.value - rates.played.value


def test_the_same_number_of_positions_is_drawn_of_each_band() -> None:
    task = moves.draw(Store.open(small_store.folder()), None, 70, 1, 1, blunders.RATINGS)
    counts = [int(moves.within(task.ratings, band).sum()) for band in blunders.RATINGS]
    assert counts == [0, 0, 0, 0, 10, 10, 0]


def test_a_mate_is_worth_more_than_any_material() -> None:
    engine = players.make("alphabeta:depth=3+pieces", CHESS)
    state = CHESS.start("6k1/5ppp/8/8/8/n7/b4PPP/3R2K1 w - - 0 1")
    worth, move = blunders._worth(engine, state)
    assert worth == 1000 and move == state.parse("Rd8#")
    assert blunders._after(engine, state, move) == 1000
    assert engine.think(state.view(0), Limit()).move == move


def test_a_program_is_believed_to_the_centipawn(fake: Callable[..., Fake]) -> None:
    program = fake("uci", "go", 'say("info depth 9 score cp " + ("300" if board.turn else "-30"))')
    engine = players.make(program.name, CHESS)
    try:
        state = CHESS.start()
        assert blunders._worth(engine, state)[0] == 300
        assert blunders._after(engine, state, state.moves()[0]) == 30
    finally:
        engine.close()


class Nothing(PolicyEvaluator):
    """Finds no move likely at all."""

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        shares = [np.zeros(len(state.moves()), np.float32) for state in states]
        return Evaluation(np.zeros((len(states), 2), np.float32), Policy.joined(shares))


def test_who_finds_no_move_likely_draws_all_alike() -> None:
    nothing, alike = rates_of(Nothing()), rates_of(Torn(alike=True))
    assert {band: rates.drawn for band, rates in nothing.items()} == {
        band: rates.drawn for band, rates in alike.items()
    }
    assert any(rates.drawn.value > 0 for rates in nothing.values())


class Torn(PolicyEvaluator):
    """Draws the best move by the engine as often as not, and else the worst; or all moves alike."""

    def __init__(self, alike: bool = False) -> None:
        self._alike, self._each = alike, (Certain(True), Certain(False))

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        best, worst = (known.evaluate(states) for known in self._each)
        assert best.policy is not None and worst.policy is not None
        shares = (best.policy.shares + worst.policy.shares) / 2
        if self._alike:
            shares = np.concatenate([np.full(len(s.moves()), 1 / len(s.moves())) for s in states])
        return Evaluation(best.value, Policy(best.policy.offsets, shares.astype(np.float32)))


def rates_of(knowledge: PolicyEvaluator) -> dict[str, blunders.Rates]:
    task = moves.draw(Store.open(small_store.folder()), None, 60, 1, 1, blunders.RATINGS)
    return dict(blunders.measure(task, lambda rating: knowledge, players.make(ENGINE, CHESS), 1))


def test_what_is_drawn_counts_by_its_share() -> None:
    torn, worst = rates_of(Torn()), rates_of(Certain(False))
    for band, rates in torn.items():
        assert rates.drawn.value == pytest.approx(worst[band].drawn.value / 2)
        assert rates.drawn_loss.value == pytest.approx(worst[band].drawn_loss.value / 2)
        assert 0 < rates.played_loss.value == worst[band].played_loss.value < worst[band].drawn_loss.value


def test_unlikely_moves_count_through_one_of_them() -> None:
    shares = np.array([0.5, 0.0, 0.015, 0.47, 0.005, 0.01])
    picked = []
    for seed in range(400):
        weights = blunders._weights(shares, np.random.default_rng(seed))
        (other,) = set(weights) - {0, 3}
        assert weights[0] == 0.5 and weights[3] == 0.47 and weights[other] == pytest.approx(0.03)
        picked.append(other)
    counts = np.bincount(picked, minlength=6) / 400
    assert counts == pytest.approx([0, 0, 0.5, 0, 1 / 6, 1 / 3], abs=0.08)
