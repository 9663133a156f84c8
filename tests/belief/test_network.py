"""The network of beliefs: against a slow twin, in the tree of approach C, and what it learns from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import BadOption, CheckpointMismatch, EvaluationError, UnsupportedGame
from rookery.evaluators import kriegspiel_network
from rookery.evaluators.kriegspiel_network import SHAPES, KriegspielNetwork
from rookery.searches.kriegspiel.mcts import KriegspielMcts

GAME: Any = games.get("kriegspiel")
Layers = dict[str, NDArray[np.float32]]


def layers(seed: int | None = None) -> Layers:
    """Some weights; without a seed all 0."""
    if seed is None:
        return {name: np.zeros(shape, np.float32) for name, shape in SHAPES.items()}
    chance = np.random.default_rng(seed)
    return {name: chance.normal(0, 0.2, shape).astype(np.float32) for name, shape in SHAPES.items()}


def played(*moves: str) -> Any:
    state = GAME.start()
    for text in moves:
        state = state.play(state.parse(text))
    return state


def turns(state: Any, seat: int) -> tuple[NDArray[np.float32], ...]:
    return native.belief_lessons(state.native, seat)


def twin(inputs: NDArray[np.float32], w: Layers) -> float:
    hidden = np.maximum(0, inputs @ w["first"][:-1] + w["first"][-1])
    narrow = np.maximum(0, hidden @ w["second"][:-1] + w["second"][-1])
    return float(narrow @ w["last"][:-1] + w["last"][-1])


@pytest.mark.parametrize("seat", (0, 1))
def test_its_value_is_that_of_the_twin(seat: int) -> None:
    moves = ("e2e4", "e7e5", "g1f3", "d7d5", "e4d5", "d8d5")
    w = layers(seat)
    network = KriegspielNetwork.of(GAME, w, value=1.0)
    inputs, _, imagined, _ = turns(played(*moves), seat)
    believed = inputs[imagined[:, 0] == 0]
    for turn, seen in enumerate(believed):
        view = played(*moves[: 2 * turn + seat]).view(seat)
        assert network.view_value(view) == pytest.approx(twin(seen, w), abs=1e-4)
    assert len(believed) == 3


def test_both_colours_see_the_board_from_their_own_side() -> None:
    white, _, _, squares = turns(played("e2e4", "e7e5", "g1f3", "g8f6"), 0)
    black, _, _, mirrored = turns(played("g1h3", "e7e5", "h3g1", "g8f6", "b1c3", "b8c6"), 1)
    assert np.array_equal(white[0, : 6 * 64], black[0, : 6 * 64])
    assert np.array_equal(squares[0, :2], mirrored[0, :2])  # King and pawns: a knight has moved


def test_the_truth_is_what_the_other_side_has_and_was_believed_possible() -> None:
    state = played("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2", "g8f6")
    for seat in (0, 1):
        inputs, balance, imagined, truth = turns(state, seat)
        squares = (truth[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
        assert np.array_equal(squares.sum(axis=2)[:, 0], np.ones(len(truth)))
        assert squares.sum(axis=2)[-1].tolist() == [1, 7, 7]
        believed = inputs[:, 6 * 64 : 9 * 64].reshape(-1, 3, 64)
        real = imagined[:, 0] == 0
        assert (believed[real][squares[real] == 1] > 0).all()
        lost = 0.0 if seat == 0 else 0.1  # by the second turn Black has lost a pawn
        assert np.round(balance[0, 0] - balance[1, 0], 3) == np.float32(lost)


def test_what_a_tree_imagines_is_vaguer_than_what_is_believed() -> None:
    state = played("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "d2d3", "a7a6")
    inputs, _, imagined, truth = turns(state, 0)
    assert imagined[:, 0].tolist() == [0, 0, 1, 0, 1, 0, 1]
    pieces = inputs[:, 8 * 64 : 9 * 64]
    spread = -(pieces * np.log(pieces + 1e-9)).sum(axis=1)
    assert (spread[2::2] != spread[1::2]).all() and np.array_equal(truth[1::2], truth[2::2])


def test_matrices_are_corrected_within_what_is_possible() -> None:
    view = played("e2e4", "e7e5", "g1f3", "b8c6").view(0)
    w = layers()
    e7, e8 = 8 * 6 + 4, 8 * 7 + 4
    w["where"][-1, e7] = 2.0  # the King rather stands on e7
    plain = native.KriegspielBelief(view.native)
    found = native.KriegspielBelief(view.native, network=KriegspielNetwork.of(GAME, w).native)
    assert found.masks == plain.masks
    before, after = plain.king[e7] / plain.king[e8], found.king[e7] / found.king[e8]
    assert after / before == pytest.approx(np.exp(2), rel=0.1)
    assert found.king.sum() == pytest.approx(1, abs=1e-4)
    assert (found.king[plain.king == 0] == 0).all()
    left = KriegspielNetwork.of(GAME, w, corrects=False)
    assert np.allclose(native.KriegspielBelief(view.native, network=left.native).king, plain.king)


@pytest.fixture
def file(tmp_path: Path) -> Any:
    def write(w: Layers) -> Path:
        path = tmp_path / "weights.safetensors"
        kriegspiel_network.write(path, w, {})
        return path

    return write


def think(name: str, view: Any) -> Any:
    player = players.make(name, GAME)
    player.start(GAME.spec, view.seat, 1)
    return player.think(view, Limit(nodes=2000))


def test_a_constant_value_changes_no_choice(file: Any) -> None:
    w = layers()
    w["last"][-1] = 0.125
    view = played("e2e4", "d7d5", "e4d5", "d8d5").view(0)
    plain = think("kriegspiel-mcts:foresight=1", view)
    shifted = think(f"kriegspiel-mcts:foresight=1+kriegspiel-network@{file(w)}:value=1,corrects=no", view)
    assert shifted.policy == plain.policy
    assert shifted.value[0] == pytest.approx(plain.value[0] + 0.125, abs=1e-4)
    half = think(f"kriegspiel-mcts:foresight=1+kriegspiel-network@{file(w)}:value=0.5,corrects=no", view)
    assert half.value[0] == pytest.approx(plain.value[0] + 0.0625, abs=1e-4)


@pytest.mark.parametrize("player", ("kriegspiel-mcts", "kriegspiel-hybrid:boards=20,pool=50,tree=2000"))
@pytest.mark.parametrize("seat", (0, 1))
def test_it_leads_a_search_to_what_it_likes(player: str, seat: int, file: Any) -> None:
    w = layers()
    a3 = 8 * 2 + 0
    w["first"][64 + a3, 0] = w["second"][0, 0] = 1.0  # a knight of its own on the file of a, third rank
    w["last"][0] = 0.8
    state = played() if seat == 0 else played("e2e4")
    found = think(f"{player}+kriegspiel-network@{file(w)}", state.view(seat))
    assert state.text(found.move) in (("b1a3", "Na3") if seat == 0 else ("b8a6", "Na6"))
    assert think(player, state.view(seat)).move != found.move


def test_what_does_not_fit_is_refused(file: Any, tmp_path: Path) -> None:
    path = file(layers())
    with pytest.raises(BadOption, match="approach c"):
        players.make(f"kriegspiel-mcts:approach=b+kriegspiel-network@{path}", GAME)
    with pytest.raises(BadOption, match="value must be between 0 and 1"):
        players.make(f"kriegspiel-mcts+kriegspiel-network@{path}:value=2", GAME)
    w = layers()
    w["last"] = w["last"][:-1]
    with pytest.raises(CheckpointMismatch, match="last must be 33"):
        KriegspielNetwork(GAME, str(file(w)))
    with pytest.raises(BadOption, match="last must have 33 numbers"):
        native.BeliefNetwork(*(w[name].reshape(-1) for name in SHAPES))


def test_weights_whose_products_are_no_numbers_are_an_error(file: Any) -> None:
    view = played("e2e4", "e7e5").view(0)
    bias = SHAPES["first"][0] - 1
    w = layers()
    w["first"][bias, 0] = w["second"][0, 0] = 1e30
    w["last"][0] = 1.0
    with pytest.raises(EvaluationError, match="finite"):
        think(f"kriegspiel-mcts+kriegspiel-network@{file(w)}:value=1", view)
    w = layers()
    w["first"][bias, :2], w["where"][0, 5], w["where"][1, 5] = 1e30, 1e30, -1e30
    for player in ("kriegspiel-mcts", "kriegspiel-hybrid:boards=20,pool=50,tree=2000"):
        with pytest.raises(EvaluationError, match="finite"):
            think(f"{player}+kriegspiel-network@{file(w)}", view)


def test_a_value_too_large_is_cut(file: Any) -> None:
    w = layers()
    w["last"][-1] = 1e30
    assert KriegspielNetwork.of(GAME, w, value=1.0).view_value(played().view(0)) == 10


def test_knowledge_that_no_native_search_runs_is_refused() -> None:
    class Mine:
        def view_value(self, view: Any) -> float:
            return 0.0

    with pytest.raises(UnsupportedGame, match="got Mine"):
        KriegspielMcts(GAME, Mine())  # type: ignore[arg-type]
