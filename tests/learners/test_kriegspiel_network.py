"""The learner of the network of beliefs: what it learns from games, and what it refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import small_kriegspiel

from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import BadOption
from rookery.evaluators.kriegspiel_network import SHAPES, read

torch = pytest.importorskip("torch")
torch.set_num_threads(1)

from rookery.learners.kriegspiel_network import NetworkLearner, NetworkOptions  # noqa: E402
from rookery.nets.kriegspiel import BeliefNet  # noqa: E402

GAME = games.get("kriegspiel")
SMALL = {"records": (small_kriegspiel.file(),), "positions": 12, "held_out": 4, "batch": 16, "device": "cpu"}


def learner(**changes: Any) -> NetworkLearner:
    return NetworkLearner(NetworkOptions(**{**SMALL, **changes}), 7)


def test_it_learns_where_pieces_stand_beyond_what_the_matrices_say() -> None:
    found = learner(epochs=8)
    found._held_out = found._turns  # twelve games tell little of others
    first = found.step()
    for _ in range(7):
        last = found.step()
    assert last["loss"] < first["loss"]
    assert last["square_loss"] < last["square_loss_matrices"] - 0.05
    assert last["value_loss"] < last["value_loss_balance"] - 0.02
    assert found.steps == 8


def test_a_network_that_has_learnt_nothing_says_what_balance_and_matrices_say() -> None:
    found = learner(epochs=1)
    measured = found._measure()
    assert measured["value_loss"] == pytest.approx(measured["value_loss_balance"])
    assert measured["square_loss"] == pytest.approx(measured["square_loss_matrices"])


def test_the_loss_is_the_mean_over_hidden_pieces() -> None:
    """By hand: a King believed with 0.5 where it stands, and two pawns of which the matrix sums to 2."""
    net = BeliefNet(584, 4, 4, 192, 1.67)
    inputs, truth = torch.zeros(1, 584), torch.zeros(1, 3, 64)
    inputs[0, 384 + 3], inputs[0, 384 + 4] = 0.5, 0.5
    inputs[0, 448 + 8], inputs[0, 448 + 9], inputs[0, 448 + 10] = 1.0, 0.5, 0.5
    truth[0, 0, 3] = truth[0, 1, 8] = truth[0, 1, 9] = 1
    balance, points = torch.tensor([0.2]), torch.tensor([1.0])
    result, squares = net.losses(inputs, balance, torch.zeros(1), truth, points)
    assert float(squares.detach()) == pytest.approx(-(np.log(0.5) + np.log(0.5) + np.log(0.25)) / 3, abs=1e-3)
    assert float(result.detach()) == pytest.approx(np.log(1 + np.exp(-2 * 1.67 * 0.2)), abs=1e-5)
    _, none = net.losses(inputs, balance, torch.ones(1), truth, points)
    assert float(none.detach()) == 0, "what is imagined teaches results alone"


def test_native_code_runs_what_was_trained(tmp_path: Path) -> None:
    found = learner(epochs=2)
    found.step()
    found.save(tmp_path)
    layers = read(tmp_path / "weights.safetensors")
    network = native.BeliefNetwork(*(layers[name].reshape(-1) for name in SHAPES))
    state: Any = GAME.start().play(GAME.start().parse("e2e4"))
    state = state.play(state.parse("e7e5"))
    inputs = torch.from_numpy(native.belief_lessons(state.native, 1)[0])
    with torch.no_grad():
        value, _ = found._net(inputs)
    before = GAME.start().play(GAME.start().parse("e2e4"))
    assert network.value(before.view(1).native) == pytest.approx(float(value[0]), abs=1e-4)


def test_the_balance_of_equal_armies_is_nothing_whatever_is_left() -> None:
    from rookery.learners.kriegspiel_network import _balance

    state: Any = GAME.start()
    equal = True
    for text in ("e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d2", "c1d2", "a7a6", "a2a3"):
        state = state.play(state.parse(text))
    for seat, pawns in ((0, 1), (1, -1)):
        inputs, counted, imagined, _ = native.belief_lessons(state.native, seat)
        found = _balance(inputs, counted)[imagined[:, 0] == 0]
        assert found[0] == pytest.approx(0, abs=1e-3)
        equal = equal and abs(found[-1]) < 1e-3
        assert np.sign(found[-1]) == pawns
    assert not equal


def test_its_player_is_the_one_that_is_named(tmp_path: Path) -> None:
    found = learner(epochs=2)
    found.step()
    found.save(tmp_path)
    named = players.make(
        f"kriegspiel-mcts:nodes=4000+kriegspiel-network@{tmp_path / 'weights.safetensors'}", GAME
    )
    state: Any = GAME.start()
    for text in ("e2e4", "d7d5", "e4d5", "d8d5"):
        state = state.play(state.parse(text))
    told = []
    for player in (named, found.player()):
        player.start(GAME.spec, 0, 3)
        told.append(player.think(state.view(0), Limit()))
    assert told[0].policy == told[1].policy and told[0].value == told[1].value


def test_games_that_are_held_out_are_not_learnt_from() -> None:
    found = learner(epochs=1)
    kept, held_out = found._turns, found._held_out
    assert len(kept.balance) == 9 * 2 * 12 and len(held_out.balance) == 3 * 2 * 12


@pytest.mark.parametrize(
    ("changes", "told"),
    (
        ({"records": ()}, "records must name files of games"),
        ({"epochs": 0}, "epochs must be between 1 and 10000"),
        ({"held_out": 1}, "held_out must be between 2 and 1000"),
        ({"held_out": 100}, "12 games are too few to hold one in 100 out"),
        ({"records": ("nowhere",)}, "is no file"),
    ),
)
def test_what_cannot_be_learnt_from_is_told(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(BadOption, match=told):
        learner(**changes)


def test_returns_mix_later_balances_and_the_result() -> None:
    """Three turns of a seat, the second imagined too, by hand."""
    from rookery.learners.kriegspiel_network import _returns

    balance = np.array([0.0, 0.3, 0.3, 0.0], np.float32)
    imagined = np.array([[0], [0], [1], [0]], np.uint8)
    second = np.tanh(1.67 * 0.3)
    last = 1.0
    middle = 0.5 * 0 + 0.5 * last
    first = 0.5 * second + 0.5 * middle
    found = _returns(balance, imagined, 1.0, 0.5)
    assert found == pytest.approx(np.array([1 + first, 1 + middle, 1 + middle, 2.0]) / 2)
    assert _returns(balance, imagined, -1.0, 1.0) == pytest.approx(np.zeros(4))
