"""ONNX files that somebody else made: only known operators on plain numbers are ever run."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rookery import games, players
from rookery.errors import RookeryError
from rookery.nets import backend, onnx_file
from rookery.weights import find

onnx = pytest.importorskip("onnx")
torch = pytest.importorskip("torch")
zero = pytest.importorskip("rookery.nets.zero")
helper, numpy_helper = onnx.helper, onnx.numpy_helper
CARD = {"encoder": "go-zero-1"}
C = 3


def weights() -> Any:
    torch.manual_seed(1)
    net = zero.ZeroNet(zero.Shape(blocks=2, channels=C, head=2, hidden=4))
    for part in net.parameters():
        part.data.add_(torch.randn_like(part))
    return net


SOUND = zero.onnx_file(weights(), 0.2, CARD)


def make(path: Path) -> Any:
    return players.make(f"puct:nodes=2+zero@{path}", games.get("go5"))


def refused(tmp_path: Path, content: bytes, *words: str) -> None:
    path = tmp_path / "zero.onnx"
    path.write_bytes(content)
    with pytest.raises(RookeryError) as error:
        make(path)
    told = str(error.value)
    assert "\n" not in told and len(told) < 400 + len(str(path)), told
    for word in words:
        assert word in told


def test_ours_are_read(tmp_path: Path) -> None:
    (tmp_path / "zero.onnx").write_bytes(SOUND)
    make(tmp_path / "zero.onnx")
    assert backend.check(SOUND).card.items() >= CARD.items()
    content = find("go/zero", "zero.onnx").read_bytes()
    assert backend.check(content).card["encoder"] == "go-zero-1"


def test_it_is_read_as_the_package_reads_it() -> None:
    ours, theirs = onnx_file.read(SOUND), onnx.load_from_string(SOUND)
    assert [n.kind for n in ours.nodes] == [n.op_type for n in theirs.graph.node]
    assert [n.inputs for n in ours.nodes] == [tuple(n.input) for n in theirs.graph.node]
    for tensor in theirs.graph.initializer:
        assert np.array_equal(ours.constants[tensor.name], numpy_helper.to_array(tensor))


@pytest.mark.parametrize(
    "content", [b"", b"\0", b"junk" * 100, b"\xff" * 1000, b"\x3a\x00", b"\x3a\xff\xff\xff\xff\x7f"]
)
def test_junk(tmp_path: Path, content: bytes) -> None:
    refused(tmp_path, content, "no network")


def change(edit: Callable[[Any], None]) -> bytes:
    model = onnx.load_from_string(SOUND)
    edit(model)
    return bytes(model.SerializeToString())


def tensor(model: Any, name: str) -> Any:
    return next(each for each in model.graph.initializer if each.name == name)


def put(model: Any, name: str, array: np.ndarray) -> None:
    tensor(model, name).CopyFrom(numpy_helper.from_array(array, name))


def loop(model: Any) -> None:
    """It never ends."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["go"], ["on"]), helper.make_node("Identity", ["x"], ["y"])],
        "body",
        [
            helper.make_tensor_value_info("i", onnx.TensorProto.INT64, []),
            helper.make_tensor_value_info("go", onnx.TensorProto.BOOL, []),
            helper.make_tensor_value_info("x", onnx.TensorProto.FLOAT, None),
        ],
        [
            helper.make_tensor_value_info("on", onnx.TensorProto.BOOL, []),
            helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT, None),
        ],
    )
    model.graph.node.append(helper.make_node("Loop", ["", "", "planes"], ["looped"], body=body))


def bomb(model: Any) -> None:
    """Forty doublings of what comes in, which the value needs."""
    last = "planes"
    for node in model.graph.node:
        node.output[:] = ["worth" if name == "value" else name for name in node.output]
    for number in range(40):
        model.graph.node.append(helper.make_node("Concat", [last, last], [f"b{number}"], axis=0))
        last = f"b{number}"
    model.graph.node.append(helper.make_node("ReduceMean", [last], ["end"], axes=[0, 1, 2, 3], keepdims=0))
    model.graph.node.append(helper.make_node("Add", ["worth", "end"], ["value"]))


def external(model: Any) -> None:
    stem = tensor(model, "net.stem.weight")
    onnx.external_data_helper.set_external_data(stem, "/etc/passwd")
    stem.data_location = onnx.TensorProto.EXTERNAL
    stem.ClearField("raw_data")


def function(model: Any) -> None:
    model.functions.append(
        helper.make_function(
            "evil", "f", ["x"], ["y"], [helper.make_node("Relu", ["x"], ["y"])], model.opset_import
        )
    )


def rename(model: Any) -> None:
    model.graph.input[0].name = "boards"


def renamed_output(model: Any) -> None:
    model.graph.output[0].name = "moves"


def another_operator(model: Any) -> None:
    next(n for n in model.graph.node if n.op_type == "Relu").op_type = "Exp"


def another_domain(model: Any) -> None:
    model.graph.node[0].domain = "com.microsoft"


def another_attribute(model: Any) -> None:
    next(n for n in model.graph.node if n.op_type == "Conv").attribute[0].ints[0] = 1 << 30


def more_operators(model: Any) -> None:
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))


def a_huge_constant(model: Any) -> None:
    tensor(model, "net.stem.bias").dims[:] = [1 << 62, 4]


def a_text(model: Any) -> None:
    stem = tensor(model, "net.stem.bias")
    stem.data_type = onnx.TensorProto.STRING


def no_nodes(model: Any) -> None:
    del model.graph.node[:]


def no_graph(model: Any) -> None:
    model.ClearField("graph")


@pytest.mark.parametrize(
    "edit",
    [
        *(loop, bomb, external, function, rename, renamed_output, another_operator, another_domain),
        *(another_attribute, more_operators, a_huge_constant, a_text, no_nodes, no_graph),
    ],
)
def test_any_other_graph(tmp_path: Path, edit: Callable[[Any], None]) -> None:
    refused(tmp_path, change(edit), "no network that can be used")


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 3e38])
def test_numbers_beyond_all_use(tmp_path: Path, bad: float) -> None:
    refused(
        tmp_path,
        change(lambda model: put(model, "net.stem.bias", np.full(C, bad, np.float32))),
        "NaN or numbers",
    )


def test_weights_that_give_no_numbers(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        for each in list(model.graph.initializer):
            array = numpy_helper.to_array(each)
            if array.dtype == np.float32:
                put(model, each.name, np.full_like(array, 9e29))

    refused(tmp_path, change(edit), "gives NaN or infinity")


@pytest.mark.parametrize("shape", [(), (0,), (C + 1,), (1, C), (C, 1, 1)])
def test_shapes_that_do_not_fit(tmp_path: Path, shape: tuple[int, ...]) -> None:
    refused(tmp_path, change(lambda model: put(model, "net.stem.bias", np.zeros(shape, np.float32))))


def test_a_type_that_does_not_fit(tmp_path: Path) -> None:
    refused(tmp_path, change(lambda model: put(model, "net.stem.bias", np.zeros(C, np.int64))))
    refused(tmp_path, change(lambda model: put(model, "net.stem.bias", np.zeros(C, np.float64))))


def test_a_batch_of_one_is_found_out_when_it_is_used(tmp_path: Path) -> None:
    def edit(model: Any) -> None:
        model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = 7

    refused(tmp_path, change(edit), "no network that can be used")


@pytest.mark.parametrize("card", [{}, {"encoder": ""}, {"encoder": "go-zero-2"}, {"encoder": "x\n" * 10**5}])
def test_another_encoder(tmp_path: Path, card: dict[str, str]) -> None:
    refused(tmp_path, zero.onnx_file(weights(), 0.2, card), "was trained on")


def test_mutated_bytes_are_refused_in_one_line_or_are_of_known_operators(tmp_path: Path) -> None:
    chance = random.Random(2)
    refusals = 0
    for trial in range(400):
        content = bytearray(SOUND)
        if trial % 4 == 0:
            del content[chance.randrange(len(content)) :]
        else:
            for _ in range(chance.choice([1, 1, 3])):
                content[chance.randrange(len(content))] = chance.randrange(256)
        try:
            backend.check(bytes(content))
        except ValueError as error:
            refusals += 1
            assert "\n" not in str(error)
        else:
            assert {node.kind for node in onnx_file.read(bytes(content)).nodes} <= backend.OPERATORS
    assert refusals > 150
