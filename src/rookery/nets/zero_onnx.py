"""The network of `zero` as an ONNX graph, written node by node from its weights.

No exporter stands between: the graph is the same whatever version of torch trained the weights, takes batches
and boards of any size, and needs neither torch nor a pickle.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.nets import backend, onnx_file
from rookery.nets.onnx_file import Node

Weights = Mapping[str, NDArray[np.float32]]

INPUT, OUTPUTS, OPSET = "planes", ("policy", "value", "score", "owner"), backend.OPSET


def write(weights: Weights, score_weight: float, card: Mapping[str, str]) -> bytes:
    """The model: `planes` [batch, 14, N, N] in; `policy` (logits), `value`, `score` and `owner` out."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    graph = _Graph(weights)
    graph.build(score_weight)
    nodes = [helper.make_node(n.kind, n.inputs, [n.output], **n.attributes) for n in graph.nodes]
    constants = [numpy_helper.from_array(array.copy(order="C"), k) for k, array in graph.constants.items()]
    float_ = TensorProto.FLOAT
    value = helper.make_tensor_value_info
    inputs = [value(INPUT, float_, ["batch", 14, "rows", "columns"])]
    outputs = [
        value("policy", float_, ["batch", "moves"]),
        value("value", float_, ["batch"]),
        value("score", float_, ["batch"]),
        value("owner", float_, ["batch", "points"]),
    ]
    body = helper.make_graph(nodes, "zero", inputs, outputs, constants)
    model = helper.make_model(body, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    helper.set_model_props(model, dict(card))
    onnx.checker.check_model(model)
    return model.SerializeToString()


def check(content: bytes) -> onnx_file.Model:
    """What a file holds, if that is this network, with whatever weights, and nothing else.

    The graph is made again from the names and shapes of the weights and must be the same, node by node: what
    a file from elsewhere lets a runtime do is what our own files do.

    Raises:
        ValueError: the file is anything else.
    """
    model = onnx_file.read(content)
    if model.opsets != [("", OPSET)] or model.inputs != [INPUT] or model.outputs != list(OUTPUTS):
        raise ValueError(
            f"it should have {INPUT} in and {', '.join(OUTPUTS)} out, by operators of version {OPSET}"
        )
    backend.check_numbers(model)
    graph = _Graph(model.constants)
    try:
        # How much the score counts stands before the sum that is the value.
        lead = next(n for n in model.nodes if n.output == "value").inputs[1]
        weighed = next(n for n in model.nodes if n.output == lead).inputs[1]
        graph.build(float(weighed.removeprefix("number_")))
    except (StopIteration, KeyError, IndexError, ValueError):
        raise ValueError("its graph is not that of zero") from None
    if graph.nodes != model.nodes or set(graph.constants) != set(model.constants):
        raise ValueError("its graph is not that of zero")
    for name, array in graph.constants.items():
        if not np.array_equal(array, model.constants[name]) or array.dtype != model.constants[name].dtype:
            raise ValueError("the constants of its graph are not those of zero")
    return model


class _Graph:
    """Nodes and constants in the order in which they are written."""

    def __init__(self, weights: Weights) -> None:
        self.nodes: list[Node] = []
        self.constants: dict[str, NDArray[Any]] = {}
        self._weights = weights

    def build(self, score_weight: float) -> None:
        told, width = self._globals()
        x = self._add_bias(self._conv("stem", "planes", 1), self._linear("told", told))
        x = self.op("Relu", x)
        block = 0
        while f"blocks.{block}.first.weight" in self._weights:
            x = self._block(f"blocks.{block}", x, width)
            block += 1
        pooled = self._pool(self.op("Relu", self._conv("policy_pool", x, 0)), width)
        p = self._add_bias(self._conv("policy", x, 0), self._linear("policy_spread", pooled))
        points = self.op("Flatten", self._conv("points", self.op("Relu", p), 0), axis=1)
        self.op("Concat", points, self._linear("passing", pooled), axis=1, out="policy")
        v = self.op("Relu", self._conv("value", x, 0))
        self.op("Tanh", self.op("Flatten", self._halved(self._conv("owner", v, 0)), axis=1), out="owner")
        hidden = self.op("Concat", self._pool(v, width), told, axis=1)
        values = self._linear("values", self.op("Relu", self._linear("hidden", hidden)))
        won, score = (self.op("Gather", values, self.whole([i], scalar=True), axis=1) for i in (0, 1))
        sure = self.op("Mul", self.op("Tanh", self._halved(won)), self.number(1 - score_weight))
        lead = self.op("Mul", self.op("Tanh", score), self.number(score_weight))
        self.op("Add", sure, lead, out="value")
        size = self.op("Squeeze", self._size, self.whole([1]))
        self.op("Mul", score, size, out="score")

    def op(self, kind: str, *inputs: str, out: str | None = None, **attributes: Any) -> str:
        name = out or f"t{len(self.nodes)}"
        self.nodes.append(Node(kind, inputs, name, attributes))
        return name

    def number(self, value: float) -> str:
        return self._constant(f"number_{value!r}", np.array(value, np.float32))

    def whole(self, values: list[int], scalar: bool = False) -> str:
        array = np.array(values[0] if scalar else values, np.int64)
        return self._constant(f"whole_{values}_{scalar}", array)

    def _constant(self, name: str, array: NDArray[Any]) -> str:
        self.constants.setdefault(name, array)
        return name

    def _weight(self, name: str) -> str:
        return self._constant(name, np.asarray(self._weights[name], np.float32))

    def _conv(self, name: str, x: str, padding: int) -> str:
        return self.op(
            "Conv", x, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"), pads=[padding] * 4
        )

    def _linear(self, name: str, x: str) -> str:
        return self.op("Gemm", x, self._weight(f"{name}.weight"), self._weight(f"{name}.bias"), transB=1)

    def _halved(self, x: str) -> str:
        return self.op("Mul", x, self.number(0.5))

    def _add_bias(self, x: str, bias: str) -> str:
        return self.op("Add", x, self.op("Unsqueeze", bias, self.whole([2, 3])))

    def _pool(self, x: str, width: str) -> str:
        mean = self.op("ReduceMean", x, axes=[2, 3], keepdims=0)
        most = self.op("ReduceMax", x, axes=[2, 3], keepdims=0)
        return self.op("Concat", mean, self.op("Mul", mean, width), most, axis=1)

    def _block(self, name: str, x: str, width: str) -> str:
        y = self.op("Relu", self._conv(f"{name}.first", x, 1))
        z = self._conv(f"{name}.second", y, 1)
        if f"{name}.spread.weight" in self._weights:
            z = self._add_bias(z, self._linear(f"{name}.spread", self._pool(y, width)))
        return self.op("Relu", self.op("Add", x, z))

    def _globals(self) -> tuple[str, str]:
        """The twin of rookery.nets.zero.global_features, and the board's width alone."""

        def corner(plane: int) -> str:
            ends = [self.whole([plane, 0, 0]), self.whole([plane + 1, 1, 1]), self.whole([1, 2, 3])]
            return self.op("Reshape", self.op("Slice", "planes", *ends), self.whole([-1, 1]))

        ends = [self.whole([12, 0]), self.whole([13, 1]), self.whole([1, 3])]
        column = self.op("Slice", "planes", *ends)
        size = self.op("ReduceSum", column, self.whole([1, 2, 3]), keepdims=0)
        self._size = size = self.op("Unsqueeze", size, self.whole([1]))
        komi = self.op("Sub", self.op("Mul", corner(13), self.number(255)), self.number(128))
        width = self.op("Div", self.op("Sub", size, self.number(9)), self.number(4))
        shares = [self.op("Div", komi, self.number(20)), self.op("Div", komi, self.op("Mul", size, size))]
        return self.op("Concat", *shares, width, corner(11), axis=1), width
