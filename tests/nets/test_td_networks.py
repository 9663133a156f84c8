"""The networks of 5x5 Go against worked figures, and against their twin."""

import numpy as np
import pytest
from positions import board, walk
from td_twin import Twin, encode

from rookery import native
from rookery.errors import CheckpointMismatch
from rookery.evaluators import td
from rookery.games.go import Go, GoState

REPRESENTATIONS = ["koten", "katatsugi", "roban"]
GO = Go(5)


def learner(representation: str, seed: int = 1, **options) -> native.TdLearner:
    return native.TdLearner(GO.start().native, representation, seed, **options)


def net_of(learner: native.TdLearner, representation: str) -> native.TdNet:
    return native.TdNet(representation, learner.weights())


def worked(representation: str) -> dict[str, np.ndarray]:
    """The layers of the worked example."""
    first = np.array([[((7 * i + 3 * j) % 11 - 5) / 10 for i in range(25)] for j in range(25)])
    last = np.array([[((5 * j) % 7 - 3) / 10 for j in range(25)]])
    folded = first @ np.array(native.td_encoding(representation))
    return {"board": folded.astype(np.float32), "output": last.astype(np.float32)}


def states(games: int = 6, seed: int = 3) -> list[GoState]:
    return [state for state in walk(GO, games, seed) if not state.outcome()]


def test_what_networks_see_of_a_board() -> None:
    state = GO.start(board("..... .XO.. .XOO. ..X.. ....."))
    x = encode("koten", state, 0)
    katatsugi = np.array(native.td_encoding("katatsugi")) @ x
    rows = [
        [0, 0, 0.2, 0, 0],
        [0, 0.4, 0, 0, 0],
        [0.2, 0.2, -0.2, -0.4, -0.2],
        [0.2, 0.2, -0.2, -0.4, 0],
        [0, 0.2, -0.2, 0, 0],
    ]
    assert np.allclose(katatsugi.reshape(5, 5), rows)
    roban = np.array(native.td_encoding("roban")) @ x
    assert np.allclose(roban[:9] * 9, [1, 0, -1, 1, 0, -2, 0, -1, -3])
    assert roban[9] == pytest.approx(0)


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_encodings_are_the_twins(representation: str) -> None:
    matrix = np.array(native.td_encoding(representation))
    for state in states(2):
        assert np.allclose(matrix @ encode("koten", state, 1), encode(representation, state, 1))


def test_worked_values() -> None:
    state = GO.start("...../...../..X../.O.../..... b")
    koten = native.TdNet("koten", worked("koten"))
    assert koten.value(state.native, 0) == pytest.approx(0.0214202992, abs=1e-6)
    assert koten.value(state.native, 1) == pytest.approx(-0.3214202992, abs=1e-6)
    katatsugi = native.TdNet("katatsugi", worked("katatsugi"))
    assert katatsugi.value(state.native, 0) == pytest.approx(-0.1240830347, abs=1e-6)


@pytest.mark.parametrize(("representation", "value"), [("koten", 0.0869855909), ("katatsugi", -0.0534236404)])
def test_worked_step(representation: str, value: float) -> None:
    """One step from Black's board to a win: Black moves once and the game is broken off."""
    state = GO.start("...../...../...../.O.../..... b")
    learner = native.TdLearner(state.native, representation, 1, tie_reward=1.0)
    learner.set_weights(worked(representation))
    counts = learner.replay([GO.start().parse("C3")], [False])
    assert (counts.updates, counts.ties) == (1, 1)
    after = state.play(state.parse("C3"))
    assert net_of(learner, representation).value(after.native, 0) == pytest.approx(value, abs=1e-6)
    if representation == "koten":
        weights = learner.weights()
        assert weights["output"][0, 0] == pytest.approx(-0.2955947669, abs=1e-7)
        assert weights["board"][0, 12] == pytest.approx(0.1992733559, abs=1e-7)
        assert weights["board"][1, 12] == pytest.approx(0.5004021969, abs=1e-7)


@pytest.mark.parametrize("representation", ["koten", "katatsugi"])
def test_both_views_sum_to_a_constant_without_bias(representation: str) -> None:
    """Hidden units of opposite boards sum to 1; in roban's second layer they do not."""
    net = net_of(learner(representation), representation)
    total = float(net.weights()["output"].sum())
    for state in states(3):
        both = net.value(state.native, 0) + net.value(state.native, 1)
        assert both == pytest.approx(total, abs=1e-5)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_values_stone_by_stone_are_those_from_scratch(representation: str, bias: bool) -> None:
    made = learner(representation, bias=bias)
    made.play(200)
    net = net_of(made, representation)
    twin = Twin(representation, net.weights())
    captures = 0
    for state in states():
        values = net.values(state.native)
        slow = twin.values(state)
        assert values == pytest.approx(list(slow.values()), abs=1e-5)
        for move, value in zip(state.moves(), values, strict=True):
            after = state.play(move)
            captures += after.captures != state.captures
            assert net.value(after.native, state.seat) == pytest.approx(value, abs=1e-5)
    assert captures > 20


def test_sigmoids_are_right_far_out() -> None:
    layers = worked("koten")
    for size in (0.01, 1, 10, 1000):
        scaled = {**layers, "board": (layers["board"] * size).astype(np.float32)}
        net, twin = native.TdNet("koten", scaled), Twin("koten", scaled)
        for state in states(1):
            assert net.value(state.native, 0) == pytest.approx(twin.value(state, 0), abs=3e-6)


def test_weights_that_do_not_fit_are_told() -> None:
    with pytest.raises(ValueError, match="no representation is called 'go'"):
        native.TdNet("go", worked("koten"))
    with pytest.raises(ValueError, match="there is no layer middle"):
        native.TdNet("roban", {k: v[:20] if k == "board" else v[:, :20] for k, v in worked("koten").items()})
    with pytest.raises(ValueError, match="output is 1 x 20, not 1 x 25"):
        native.TdNet("koten", {**worked("koten"), "output": np.zeros((1, 20), np.float32)})
    with pytest.raises(ValueError, match="more layers"):
        native.TdNet("koten", {**worked("koten"), "more": np.zeros((1, 20), np.float32)})


def test_files_of_weights(tmp_path) -> None:
    path = tmp_path / "weights.safetensors"
    layers = learner("roban", bias=True).weights()
    td.write(path, "roban", layers)
    representation, again = td.read(path)
    assert representation == "roban"
    assert {name: layer.tobytes() for name, layer in again.items()} == {
        name: layer.tobytes() for name, layer in layers.items()
    }
    path.write_bytes(b"nothing")
    with pytest.raises(CheckpointMismatch, match="cannot be read as weights"):
        td.read(path)
