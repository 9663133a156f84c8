"""The network of an ONNX file run by torch, for a GPU: one function an operator of `backend.OPERATORS`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from rookery.errors import BadOption, describe
from rookery.nets.onnx_file import Attributes, Model, Node

_TYPES = {1: torch.float32, 3: torch.int8, 7: torch.int64, 10: torch.float16}


class TorchBackend:
    """Runs the nodes of a graph in their order. Floats live on the device, whole numbers (shapes) do not."""

    def __init__(self, model: Model, device: str, half: bool = False) -> None:
        """half: multiply in half precision where torch does so by itself (autocast)."""
        try:
            self._device = torch.device(device)
            torch.zeros(1, device=self._device)
        except (RuntimeError, AssertionError) as error:
            raise BadOption(f"device {device!a} cannot be used: {describe(error)[:120]}") from None
        self.card, self.inputs, self.outputs = model.card, model.inputs, model.outputs
        self._half = half
        self._nodes = model.nodes
        self._constants = {name: self._place(array) for name, array in model.constants.items()}

    def run(self, arrays: Mapping[str, NDArray[Any]], outputs: Sequence[str]) -> dict[str, NDArray[Any]]:
        known = self._constants | {name: self._place(array) for name, array in arrays.items()}
        with torch.inference_mode(), torch.autocast(self._device.type, torch.float16, enabled=self._half):
            for node in self._nodes:
                known[node.output] = run_node(node, [known[name] if name else None for name in node.inputs])
        return {name: known[name].float().cpu().numpy() for name in outputs}

    def _place(self, array: NDArray[Any]) -> Tensor:
        tensor = torch.tensor(array)
        return tensor if tensor.dtype == torch.int64 else tensor.to(self._device)


def run_node(node: Node, inputs: list[Any]) -> Tensor:
    """What a node gives."""
    return _OPERATORS[node.kind](node.attributes, *inputs)


def _numbers(given: Any) -> list[int]:
    return [int(x) for x in given.tolist()] if isinstance(given, Tensor) else list(given)


def _divide(a: Tensor, b: Tensor) -> Tensor:
    return a / b if a.is_floating_point() else torch.div(a, b, rounding_mode="trunc")


def _conv(at: Attributes, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    pads = _numbers(at.get("pads", [0, 0, 0, 0]))
    strides, dilations = (_numbers(at.get(key, [1, 1])) for key in ("strides", "dilations"))
    return F.conv2d(_padded(x, pads), weight, bias, strides, 0, dilations, int(_number(at, "group", 1)))


def _padded(x: Tensor, pads: list[int], value: float = 0.0) -> Tensor:
    top, left, bottom, right = pads
    return F.pad(x, (left, right, top, bottom), value=value) if any(pads) else x


def _number(at: Attributes, name: str, default: float) -> float:
    given = at.get(name, default)
    assert not isinstance(given, list)
    return given


def _gemm(at: Attributes, a: Tensor, b: Tensor, c: Tensor | None = None) -> Tensor:
    a = a.T if at.get("transA") else a
    b = b.T if at.get("transB") else b
    product = (a @ b) * _number(at, "alpha", 1.0) if "alpha" in at else a @ b
    return product if c is None else product + c * _number(at, "beta", 1.0)


def _reshape(at: Attributes, x: Tensor, shape: Tensor) -> Tensor:
    return x.reshape([x.shape[i] if size == 0 else size for i, size in enumerate(_numbers(shape))])


def _flatten(at: Attributes, x: Tensor) -> Tensor:
    axis = int(_number(at, "axis", 1))
    rows = 1
    for size in x.shape[:axis]:
        rows *= size
    return x.reshape(rows, -1)


def _slice(at: Attributes, x: Tensor, *ends: Tensor) -> Tensor:
    starts, stops, *rest = map(_numbers, ends)
    axes = rest[0] if rest else list(range(len(starts)))
    steps = rest[1] if len(rest) > 1 else [1] * len(starts)
    chosen = [slice(None)] * x.dim()
    for start, stop, axis, step in zip(starts, stops, axes, steps, strict=True):
        chosen[axis] = slice(start, stop, step)
    return x[tuple(chosen)]


def _gather(at: Attributes, x: Tensor, index: Tensor) -> Tensor:
    axis = int(_number(at, "axis", 0)) % x.dim()
    found = x.index_select(axis, (index.reshape(-1) % x.shape[axis]).to(x.device))
    return found.reshape(*x.shape[:axis], *index.shape, *x.shape[axis + 1 :])


def _unsqueeze(at: Attributes, x: Tensor, axes: Tensor) -> Tensor:
    wanted = _numbers(axes)
    rank = x.dim() + len(wanted)
    for axis in sorted(axis % rank for axis in wanted):
        x = x.unsqueeze(axis)
    return x


def _squeeze(at: Attributes, x: Tensor, axes: Tensor) -> Tensor:
    return x.squeeze(tuple(_numbers(axes)))


def _reducing(reduce: Callable[[Tensor, list[int], bool], Tensor]) -> Callable[..., Tensor]:
    def run(at: Attributes, x: Tensor, axes: Tensor | None = None) -> Tensor:
        over = _numbers(axes) if axes is not None else _numbers(at.get("axes", list(range(x.dim()))))
        return reduce(x, over, bool(_number(at, "keepdims", 1)))

    return run


def _pool(at: Attributes) -> tuple[list[int], list[int], list[int]]:
    kernel = _numbers(at["kernel_shape"])
    return kernel, _numbers(at.get("strides", [1, 1])), _numbers(at.get("pads", [0, 0, 0, 0]))


def _max_pool(at: Attributes, x: Tensor) -> Tensor:
    kernel, strides, pads = _pool(at)
    return F.max_pool2d(_padded(x, pads, float("-inf")), kernel, strides)


def _average_pool(at: Attributes, x: Tensor) -> Tensor:
    kernel, strides, pads = _pool(at)
    if any(pads):
        raise ValueError("AveragePool with a padding is not run")
    return F.avg_pool2d(x, kernel, strides)


def _normalise_layer(at: Attributes, x: Tensor, scale: Tensor, bias: Tensor | None = None) -> Tensor:
    axis = int(_number(at, "axis", -1)) % x.dim()
    return F.layer_norm(x, x.shape[axis:], scale, bias, _number(at, "epsilon", 1e-5))


def _normalise_batch(at: Attributes, x: Tensor, *given: Tensor) -> Tensor:
    scale, bias, mean, variance = given
    return F.batch_norm(x, mean, variance, scale, bias, eps=_number(at, "epsilon", 1e-5))


def _dequantise(at: Attributes, x: Tensor, scale: Tensor, zero: Tensor | None = None) -> Tensor:
    if scale.dim():
        shape = [1] * x.dim()
        shape[int(_number(at, "axis", 1))] = -1
        scale = scale.reshape(shape)
        zero = None if zero is None else zero.reshape(shape)
    floats = x.to(scale.dtype)
    return (floats if zero is None else floats - zero.to(scale.dtype)) * scale


_OPERATORS: dict[str, Callable[..., Tensor]] = {
    "Add": lambda at, a, b: a + b,
    "AveragePool": _average_pool,
    "BatchNormalization": _normalise_batch,
    "Cast": lambda at, x: x.to(_TYPES[at["to"]]),
    "Clip": lambda at, x, low=None, high=None: x.clip(low, high),
    "Concat": lambda at, *parts: torch.cat(parts, at["axis"]),
    "Conv": _conv,
    "DequantizeLinear": _dequantise,
    "Div": lambda at, a, b: _divide(a, b),
    "Erf": lambda at, x: torch.erf(x),
    "Flatten": _flatten,
    "Gather": _gather,
    "Gemm": _gemm,
    "GlobalAveragePool": lambda at, x: x.mean((2, 3), keepdim=True),
    "Greater": lambda at, a, b: a > b,
    "Identity": lambda at, x: x,
    "LayerNormalization": _normalise_layer,
    "LeakyRelu": lambda at, x: F.leaky_relu(x, _number(at, "alpha", 0.01)),
    "MatMul": lambda at, a, b: a @ b,
    "MaxPool": _max_pool,
    "Mul": lambda at, a, b: a * b,
    "Pow": lambda at, a, b: a**b,
    "ReduceMax": _reducing(lambda x, axes, keep: x.amax(axes, keep)),
    "ReduceMean": _reducing(lambda x, axes, keep: x.mean(axes, keep)),
    "ReduceSum": _reducing(lambda x, axes, keep: x.sum(axes, keep)),
    "Relu": lambda at, x: x.relu(),
    "Reshape": _reshape,
    "Shape": lambda at, x: torch.tensor(x.shape),
    "Sigmoid": lambda at, x: x.sigmoid(),
    "Slice": _slice,
    "Softmax": lambda at, x: x.softmax(int(_number(at, "axis", -1))),
    "Sqrt": lambda at, x: x.sqrt(),
    "Squeeze": _squeeze,
    "Sub": lambda at, a, b: a - b,
    "Tanh": lambda at, x: x.tanh(),
    "Transpose": lambda at, x: x.permute(*_numbers(at["perm"])),
    "Unsqueeze": _unsqueeze,
}
