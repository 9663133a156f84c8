"""Weights stored in fewer bytes than they are used in. The network reckons in float32 all the same.

int8: each output channel has a scale of its own, its largest weight by 127, and the weights are whole numbers
of it; half a scale is the most that one is off. float16: three decimals, half the size of float32.
ONNX Runtime makes floats of them once, when it loads the file (`rookery.nets.backend`).
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from rookery.nets.backend import check

_LEAST = 1024
"""Weights of a layer below which nothing would be saved."""


def to_int8(weights: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Whole numbers from -127 to 127, and the scale of each output channel, which are counted along `axis`.

    >>> numbers, scales = to_int8(np.array([[1.27, -0.5], [0.0, 0.0]], np.float32), 0)
    >>> numbers.tolist(), scales.tolist()[1]
    ([[127, -50], [0, 0]], 1.0)
    """
    others = tuple(i for i in range(weights.ndim) if i != axis)
    largest = np.abs(weights).max(axis=others)
    scales = np.where(largest > 0, largest / 127, 1).astype(np.float32)
    shape = [-1 if i == axis else 1 for i in range(weights.ndim)]
    return np.rint(weights / scales.reshape(shape)).clip(-127, 127).astype(np.int8), scales


def store(model: Any, stored: Literal["float16", "int8"]) -> None:
    """Change an ONNX model so that the weights of its layers are stored so."""
    constants = {each.name: each for each in model.graph.initializer}
    axes = _weights(model)
    made = []
    for name, axis in axes.items():
        array = numpy_helper.to_array(constants[name])
        if array.dtype != np.float32 or array.size < _LEAST:
            continue
        small = f"{name}.{stored}"
        model.graph.initializer.remove(constants[name])
        if stored == "float16":
            model.graph.initializer.append(numpy_helper.from_array(array.astype(np.float16), small))
            made.append(helper.make_node("Cast", [small], [name], to=TensorProto.FLOAT))
        else:
            numbers, scales = to_int8(array, axis)
            model.graph.initializer.append(numpy_helper.from_array(numbers, small))
            model.graph.initializer.append(numpy_helper.from_array(scales, f"{name}.scale"))
            inputs = [small, f"{name}.scale"]
            made.append(helper.make_node("DequantizeLinear", inputs, [name], axis=axis))
    nodes = list(model.graph.node)
    del model.graph.node[:]
    model.graph.node.extend([*made, *nodes])


def restored(content: bytes, stored: Literal["float16", "int8"]) -> bytes:
    """The file of a network, with its weights stored so; what they were stored in is float32 or float16."""
    model = onnx.load_from_string(content)
    _widen(model)
    store(model, stored)
    card = {each.key: each.value for each in model.metadata_props}
    helper.set_model_props(model, {**card, "hash": hash_of(model)})
    onnx.checker.check_model(model)
    made = bytes(model.SerializeToString())
    check(made)
    return made


def hash_of(model: Any) -> str:
    """Of the weights of an ONNX model as they are stored, in sixteen letters."""
    weights = sha256()
    for constant in sorted(model.graph.initializer, key=lambda each: each.name):
        weights.update(constant.name.encode() + constant.raw_data)
    return weights.hexdigest()[:16]


def _widen(model: Any) -> None:
    """Make float32 of the weights that are stored in float16."""
    constants = {each.name: each for each in model.graph.initializer}
    kept = []
    for node in model.graph.node:
        narrow = constants.get(node.input[0]) if node.op_type == "Cast" else None
        if narrow is None or narrow.data_type != TensorProto.FLOAT16:
            kept.append(node)
            continue
        array = numpy_helper.to_array(narrow).astype(np.float32)
        model.graph.initializer.remove(narrow)
        model.graph.initializer.append(numpy_helper.from_array(array, node.output[0]))
    del model.graph.node[:]
    model.graph.node.extend(kept)


def _weights(model: Any) -> dict[str, int]:
    """The weights of layers, and along which axis their output channels are counted."""
    names = {each.name for each in model.graph.initializer}
    found = {}
    for node in model.graph.node:
        if node.op_type not in ("Conv", "Gemm", "MatMul") or node.input[1] not in names:
            continue
        turned = any(each.name == "transB" and each.i for each in node.attribute)
        found[node.input[1]] = 0 if node.op_type == "Conv" or turned else 1
    return found
