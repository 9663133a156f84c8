"""Who runs a network: arrays by name in, arrays by name out.

Knowledge from a network is three parts, each of which may be exchanged: a native encoder makes arrays of
states, a `Backend` runs the network, and what comes out is decoded to values and policies. The same file runs
on one core by ONNX Runtime and on a GPU by torch.

A file may come from anywhere. What is run has been read by `rookery.nets.onnx_file`, which knows neither
loops nor functions nor other files, is of the operators below, and gets no more than `_MOST_MEMORY`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rookery.errors import BadOption
from rookery.nets import onnx_file
from rookery.weights import LARGEST

Arrays = Mapping[str, NDArray[Any]]

_LARGEST_FILE = 1 << 28
_MOST_MEMORY = 1 << 31
"""Bytes that all networks of a process may take for what they compute: hundreds of boards at a time need some
hundred millions, and a graph that doubles its input forty times ends with an error."""
_MOST_NODES = 4096

OPERATORS = frozenset(
    (
        *("Add", "AveragePool", "BatchNormalization", "Cast", "Clip", "Concat", "Conv"),
        *("DequantizeLinear", "Div", "Erf", "Flatten", "Gather", "Gemm", "GlobalAveragePool"),
        *("Greater", "Identity", "LayerNormalization", "LeakyRelu", "MatMul", "MaxPool", "Mul", "Pow"),
        *("ReduceMax", "ReduceMean", "ReduceSum", "Relu", "Reshape", "Shape", "Sigmoid", "Slice"),
        *("Softmax", "Sqrt", "Squeeze", "Sub", "Tanh", "Transpose", "Unsqueeze"),
    )
)
"""What networks of this project are made of: the exporter's operators for them (`rookery.nets.export`)."""
OPSET = 17


class Backend(Protocol):
    """A network that is ready to run. It serves one thread at a time."""

    @property
    def card(self) -> Mapping[str, str]:
        """What its file says of itself: its encoder, what kind of network it is."""
        ...

    @property
    def inputs(self) -> Sequence[str]: ...
    @property
    def outputs(self) -> Sequence[str]: ...
    def run(self, arrays: Arrays, outputs: Sequence[str]) -> dict[str, NDArray[Any]]:
        """Those outputs for some inputs, the first axis of each of which is the batch.

        Raises:
            Exception: the network cannot be run on them; a runtime has classes of its own for that.
        """
        ...


class OnnxBackend:
    """ONNX Runtime on a processor: one core, unless more threads are asked for."""

    def __init__(self, content: bytes, model: onnx_file.Model, threads: int = 1) -> None:
        """The content of a file, and what `check` read in it."""
        require_onnxruntime("this network")
        self.card = model.card
        self.inputs, self.outputs = model.inputs, model.outputs
        self._session = _session(content, threads)

    def run(self, arrays: Arrays, outputs: Sequence[str]) -> dict[str, NDArray[Any]]:
        return dict(zip(outputs, self._session.run(list(outputs), dict(arrays)), strict=True))


def open_network(content: bytes, model: onnx_file.Model, device: str = "cpu") -> Backend:
    """The network of a file that was checked, on a device: cpu, or one that torch knows, such as cuda.

    Raises:
        BadOption: the device cannot be used.
    """
    if device == "cpu":
        return OnnxBackend(content, model)
    if find_spec("torch") is None:
        raise BadOption(f"a network on {device} needs torch; run: pip install 'rookery[train]'")
    from rookery.nets.torch_backend import TorchBackend

    return TorchBackend(model, device)


def read(path: Path) -> bytes:
    """The content of a file of reasonable size.

    Raises:
        ValueError: it is larger.
    """
    if path.stat().st_size > _LARGEST_FILE:
        raise ValueError("it is too large")
    return path.read_bytes()


def check(content: bytes) -> onnx_file.Model:
    """The network in a file from anywhere, if it is fit to be run.

    Raises:
        ValueError: it is not.
    """
    model = onnx_file.read(content)
    if model.opsets != [("", OPSET)]:
        raise ValueError(f"it should have operators of version {OPSET}")
    if len(model.nodes) > _MOST_NODES:
        raise ValueError(f"it has {len(model.nodes)} nodes; at most {_MOST_NODES} are run")
    for node in model.nodes:
        if node.kind not in OPERATORS:
            raise ValueError(f"its graph has the operator {node.kind[:40]!a}, which is not run")
    check_numbers(model)
    return model


def check_numbers(model: onnx_file.Model) -> None:
    """Refuse weights that are no numbers to reckon with."""
    for name, array in model.constants.items():
        if array.dtype.kind == "f" and not (np.abs(array.astype(np.float32)) <= LARGEST).all():
            raise ValueError(f"{name[:60]} holds NaN or numbers beyond {LARGEST:g}")


def require_onnxruntime(who: str) -> None:
    """Refuse, in one line, to go on without ONNX Runtime."""
    if find_spec("onnxruntime") is None:
        raise BadOption(f"{who} needs onnxruntime; run: pip install 'rookery[nets]'")


_arena_is_bounded = False


def _session(content: bytes, threads: int) -> Any:
    import onnxruntime

    global _arena_is_bounded
    if not _arena_is_bounded:
        where = onnxruntime.OrtMemoryInfo(
            "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
        )
        bounds = onnxruntime.OrtArenaCfg({"max_mem": _MOST_MEMORY, "arena_extend_strategy": 1})
        onnxruntime.create_and_register_allocator(where, bounds)
        _arena_is_bounded = True
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    options.add_session_config_entry("session.use_env_allocators", "1")
    # Weights that are stored small become floats once, when the network is loaded.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
