"""One file, two backends, one network: ONNX Runtime and torch give what the module gives."""

from __future__ import annotations

import numpy as np
import pytest

from rookery import games, native
from rookery.nets import backend
from walks import walk

torch = pytest.importorskip("torch")

import tiny_policy  # noqa: E402

from rookery.nets import quantise  # noqa: E402
from rookery.nets.torch_backend import TorchBackend  # noqa: E402

STATES = [s.native for seed in range(4) for s in walk(games.get("chess"), seed, 40)]


def shares(logits: np.ndarray) -> np.ndarray:
    likely = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def asked(rated: bool) -> dict[str, np.ndarray]:
    if not rated:
        return {"planes": native.chess_planes(STATES).astype(np.float32)}
    ratings = np.linspace(1000, 2800, 2 * len(STATES), dtype=np.float32).reshape(-1, 2)
    return {"planes": native.chess_squares(STATES).astype(np.float32), "ratings": ratings}


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize("stored", ["float32", "float16", "int8"])
def test_both_backends_give_what_the_module_gives(rated: bool, stored: str) -> None:
    net, names = tiny_policy.module(rated), ["policy", "wdl"] if rated else ["policy"]
    content = tiny_policy.write(net, stored=stored)  # type: ignore[arg-type]
    model, given = backend.check(content), asked(rated)
    by_onnx = backend.OnnxBackend(content, model).run(given, names)
    by_torch = TorchBackend(model, "cpu").run(given, names)
    with torch.no_grad():
        wanted = net(*(torch.from_numpy(array) for array in given.values()))
    for i, name in enumerate(names):
        exact = shares((wanted[i] if rated else wanted).numpy())
        assert by_onnx[name].dtype == by_torch[name].dtype == np.float32
        assert np.abs(shares(by_onnx[name]) - shares(by_torch[name])).max() < 1e-5
        assert (
            np.abs(shares(by_onnx[name]) - exact).max()
            < {"float32": 1e-5, "float16": 1e-3, "int8": 0.05}[stored]
        )


def test_a_file_says_what_it_is_and_has_a_hash_of_its_weights() -> None:
    one, same, other = (
        tiny_policy.write(tiny_policy.module(False, seed), {"elo": "1"}) for seed in (1, 1, 2)
    )
    assert one == same
    cards = [backend.check(content).card for content in (one, other)]
    assert cards[0]["encoder"] == "chess-planes-41" and cards[0]["elo"] == "1"
    assert cards[0]["hash"] != cards[1]["hash"]


def test_export_leaves_the_module_as_it_was() -> None:
    net = tiny_policy.module(True).train()
    before = {name: array.clone() for name, array in net.state_dict().items()}
    tiny_policy.write(net)
    assert net.training
    assert all(torch.equal(array, before[name]) for name, array in net.state_dict().items())


def test_int8_is_within_half_a_scale() -> None:
    from rookery.nets.quantise import to_int8

    weights = np.random.default_rng(1).normal(size=(5, 7, 3, 3)).astype(np.float32)
    weights[2] = 0
    numbers, scales = to_int8(weights, 0)
    off = np.abs(numbers * scales[:, None, None, None] - weights).max(axis=(1, 2, 3))
    assert numbers.dtype == np.int8 and (off <= scales * 0.5001).all()
    across, wide = to_int8(np.ascontiguousarray(weights[:, :, 0, 0].T), 1)
    assert across.shape == (7, 5) and wide.shape == (5,)


def test_every_operator_that_may_be_run_is_run_by_torch() -> None:
    from rookery.nets.torch_backend import _OPERATORS

    assert set(_OPERATORS) == backend.OPERATORS


def test_a_device_that_is_not_there_is_refused_in_one_line() -> None:
    content = tiny_policy.write(tiny_policy.module(False))
    for device in ("nowhere", "cuda:77"):
        with pytest.raises(ValueError, match=f"device '{device}' cannot be used"):
            backend.open_network(content, backend.check(content), device)


def test_a_file_in_half_precision_is_stored_again_in_int8() -> None:
    net = tiny_policy.module(False)
    made = quantise.restored(tiny_policy.write(net, stored="float16"), "int8")
    model, given = backend.check(made), asked(False)
    direct = tiny_policy.write(net, stored="int8")
    assert abs(len(made) - len(direct)) < 0.02 * len(direct)
    assert model.card["hash"] != backend.check(tiny_policy.write(net, stored="float16")).card["hash"]
    found = backend.OnnxBackend(made, model).run(given, ["policy"])["policy"]
    wanted = backend.OnnxBackend(direct, backend.check(direct)).run(given, ["policy"])["policy"]
    assert np.abs(shares(found) - shares(wanted)).max() < 0.01
