"""Moves predicted: counted as a slow twin counts them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import small_store

from rookery.api import Evaluation, Policy, PolicyEvaluator, State
from rookery.errors import RookeryError
from rookery.examine import moves, positions
from rookery.records import importing
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
        assert list(state.history()) == list(store.native.line(game)[:ply])
        assert task.ratings[i] == store.elos[game, state.seat]


def test_shares_are_those_of_a_slow_count() -> None:
    task = moves.draw(Store.open(STORE), None, 80, 1, 1)
    found = moves.measure(task, lambda rating: Knowing()).all
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
    found = moves.measure(task, lambda rating: Knowing(alike=True))
    counts = np.array([len(state.moves()) for state in task.positions.states])
    assert found.all.top1.value == pytest.approx(np.mean(1 / counts))
    assert found.all.top3.value == pytest.approx(np.mean(np.minimum(1, 3 / counts)))
    assert found.all.cross_entropy.value == pytest.approx(np.mean(np.log(counts)), rel=1e-5)
    for part in (found.by_ply, found.by_material, found.by_rating):
        assert sum(score.positions for score in part.values()) == 80
    assert set(found.by_rating) <= {"2000-2299", "2300-2499", "2500+"}


def test_an_uneven_policy_need_not_sum_to_one() -> None:
    told: Any = moves._predicted(np.array([2.0, 6.0], np.float32), 1)
    assert told[:2] == (1.0, 1.0) and told[2] == pytest.approx(-np.log(0.75))


BLACK_FIRST = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


def test_bands_are_of_the_movers_rating_whoever_moves_first(tmp_path: Path) -> None:
    """A game may begin from a position of its own, where Black moves first."""
    elos = '[WhiteElo "1500"]\n[BlackElo "2500"]'
    (tmp_path / "games.pgn").write_text(
        f'[SetUp "1"]\n[FEN "{BLACK_FIRST}"]\n{elos}\n[Result "1-0"]\n\ne5 Nf3 Nc6 Bb5 a6 Ba4 1-0\n'
    )
    importing.run([tmp_path / "games.pgn"], tmp_path / "store", importing.Filter())
    store = Store.open(tmp_path / "store")
    task = moves.draw(store, None, 10, 1, 1, [(2400, None)])
    assert task.ratings.tolist() == [2500] * 3 and task.positions.plies.tolist() == [0, 2, 4]


def test_few_positions_are_still_one_of_each_band() -> None:
    bands: list[positions.Band] = [(1, 1999), (2000, 2099), (2100, 2199)]
    task = moves.draw(Store.open(STORE), None, 2, 1, 1, bands)
    assert [int(moves.within(task.ratings, band).sum()) for band in bands] == [0, 1, 1]


def test_where_all_that_was_drawn_is_left_out_a_sentence_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def left_out(store: Store, games: Any, plies: Any) -> positions.Positions:
        return positions.Positions(games[:0], plies[:0], (), np.zeros(0, np.int64))

    monkeypatch.setattr(moves, "replay", left_out)
    with pytest.raises(RookeryError, match="draw more"):
        moves.draw(Store.open(STORE), None, 2, 1, 1)


def test_a_game_that_went_on_after_repetitions_is_followed(tmp_path: Path) -> None:
    """Where our rules had ended it, states know the position alone."""
    back_and_forth = "Nf3 Nf6 Ng1 Ng8 " * 3
    (tmp_path / "games.pgn").write_text(f'[Result "1-0"]\n\n{back_and_forth} e4 e5 1-0\n')
    importing.run([tmp_path / "games.pgn"], tmp_path / "store", importing.Filter())
    store = Store.open(tmp_path / "store")
    plies = np.arange(14, dtype=np.uint16)
    found = positions.replay(store, np.zeros(14, np.uint32), plies)
    plain = positions.look_up(store, np.zeros(14, np.uint32), plies)
    assert [str(a).split()[:4] for a in found.states] == [str(a).split()[:4] for a in plain.states]
    assert all(state.outcome() is None for state in found.states)
    assert len(found.states[7].history()) == 7


def test_a_game_that_went_on_after_fifty_moves_is_followed_while_mate_is_possible(tmp_path: Path) -> None:
    fen = "k7/8/8/8/8/8/8/KR5r w - - 98 80"
    moves = "Rc1 Rg1 Rd1 Rh1 Rxh1 Ka7 Rh7+ Kb6 Rb7+ Kxb7 Kb2 Kb6"
    (tmp_path / "games.pgn").write_text(
        f'[SetUp "1"]\n[FEN "{fen}"]\n[Result "1/2-1/2"]\n\n{moves} 1/2-1/2\n'
    )
    importing.run([tmp_path / "games.pgn"], tmp_path / "store", importing.Filter())
    store = Store.open(tmp_path / "store")
    found = positions.replay(store, np.zeros(13, np.uint32), np.arange(13, dtype=np.uint16))
    assert found.plies.tolist() == list(range(10))
    plain = positions.look_up(store, found.games, found.plies)
    assert [str(a).split()[:4] for a in found.states] == [str(a).split()[:4] for a in plain.states]
    assert all(state.outcome() is None for state in found.states)
