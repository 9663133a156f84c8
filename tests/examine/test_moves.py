"""Moves foretold: counted as a slow twin counts them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import small_store

from rookery.api import Evaluation, Policy, PolicyEvaluator, State
from rookery.examine import moves
from rookery.records.store import Store

STORE = small_store.folder()


class Knowing(PolicyEvaluator):
    """Likes the first of the legal moves best, then the second and so on; or all alike."""

    def __init__(self, alike: bool = False) -> None:
        self.alike = alike

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        shares = []
        for state in states:
            legal = len(state.moves())
            share = np.ones(legal) if self.alike else 0.5 ** np.minimum(np.arange(legal), 60)
            shares.append(share / share.sum())
        return Evaluation(np.zeros((len(states), 2), np.float32), Policy.joined(shares))


def test_moves_and_ratings_are_those_of_the_game() -> None:
    store = Store.open(STORE)
    task = moves.draw(store, None, 60, 1, 1)
    for i in range(60):
        game, ply, state = (
            int(task.positions.games[i]),
            int(task.positions.plies[i]),
            task.positions.states[i],
        )
        assert int(task.played[i]) == store.native.line(game)[ply]
        assert task.ratings[i] == store.elos[game, state.seat]


def test_shares_are_those_of_a_slow_count() -> None:
    task = moves.draw(Store.open(STORE), None, 80, 1, 1)
    found = moves.measure(task, Knowing()).all
    ranks = [
        list(state.moves()).index(played)
        for state, played in zip(task.positions.states, task.played.tolist(), strict=True)
    ]
    assert found.positions == 80
    assert found.top1.value == pytest.approx(np.mean([rank < 1 for rank in ranks]))
    assert found.top3.value == pytest.approx(np.mean([rank < 3 for rank in ranks]))
    assert found.cross_entropy.value > 0


def test_moves_that_are_alike_share_their_places() -> None:
    task = moves.draw(Store.open(STORE), None, 80, 1, 1)
    found = moves.measure(task, Knowing(alike=True))
    counts = np.array([len(state.moves()) for state in task.positions.states])
    assert found.all.top1.value == pytest.approx(np.mean(1 / counts))
    assert found.all.top3.value == pytest.approx(np.mean(np.minimum(1, 3 / counts)))
    assert found.all.cross_entropy.value == pytest.approx(np.mean(np.log(counts)), rel=1e-5)
    for part in (found.by_ply, found.by_material, found.by_rating):
        assert sum(score.positions for score in part.values()) == 80
    assert set(found.by_rating) <= {"2000-2299", "2300-2499", "2500+"}


def test_an_uneven_policy_need_not_sum_to_one() -> None:
    told: Any = moves._foretold(np.array([2.0, 6.0], np.float32), 1)
    assert told[:2] == (1.0, 1.0) and told[2] == pytest.approx(-np.log(0.75))
