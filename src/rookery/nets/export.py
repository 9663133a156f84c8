"""From a torch module to an ONNX file, so that each network is written once. Training alone imports this.

torch's exporter traces the module; what it makes is then put into the one form that `rookery.nets.onnx_file`
reads: constants apart from the nodes, no names of nodes, no attributes that say the default.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import deepcopy
from io import BytesIO
from typing import Any, Literal

import onnx
import torch
from onnx import helper, numpy_helper
from torch import Tensor, nn

from rookery.nets import quantise
from rookery.nets.backend import OPSET, check

Stored = Literal["float32", "float16", "int8"]
"""How weights lie in a file; a network reckons in float32 whatever they are."""

_DEFAULTS: dict[str, dict[str, Any]] = {
    "Gemm": {"alpha": 1.0, "beta": 1.0, "transA": 0},
    "Reshape": {"allowzero": 0},
    "Conv": {"dilations": [1, 1], "group": 1, "strides": [1, 1]},
    "MaxPool": {"ceil_mode": 0, "dilations": [1, 1], "pads": [0, 0, 0, 0], "storage_order": 0},
    "AveragePool": {"ceil_mode": 0, "count_include_pad": 1, "pads": [0, 0, 0, 0]},
    "BatchNormalization": {"training_mode": 0},
    "LayerNormalization": {"stash_type": 1},
}


def export(
    module: nn.Module,
    inputs: Mapping[str, Tensor],
    outputs: Sequence[str],
    card: Mapping[str, str],
    stored: Stored = "float32",
    axes: Mapping[str, Mapping[int, str]] | None = None,
) -> bytes:
    """The file of a network.

    inputs: one of each input by name, with a batch of two or more, as an example of its shape;
    outputs: the names of what `module.forward` gives, in its order; the first axis of all is the batch;
    card: what the file says of itself. A hash of the weights as they are stored is added;
    axes: by input or output those that may be of any size, with a name each, besides the batch.

    The module is exported as it evaluates (`eval()`), in float32 on the processor, and is left as it was.
    """
    model = _tidied(_traced(module, inputs, outputs, axes or {}))
    if stored != "float32":
        quantise.store(model, stored)
    helper.set_model_props(model, {**card, "hash": quantise.hash_of(model)})
    onnx.checker.check_model(model)
    content = bytes(model.SerializeToString())
    check(content)
    return content


def _traced(
    module: nn.Module,
    inputs: Mapping[str, Tensor],
    outputs: Sequence[str],
    axes: Mapping[str, Mapping[int, str]],
) -> Any:
    content = BytesIO()
    # A copy: moved to the processor and back, weights would lie elsewhere than CUDA graphs know them.
    copy = deepcopy(module).float().cpu().eval()
    with warnings.catch_warnings():
        # Of the two exporters this one needs no package besides onnx; torch would have us use the other.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            copy,
            tuple(example.float().cpu() for example in inputs.values()),
            content,
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={name: {0: "batch", **axes.get(name, {})} for name in (*inputs, *outputs)},
            opset_version=OPSET,
            dynamo=False,
        )
    return onnx.load_from_string(content.getvalue())


def _tidied(traced: Any) -> Any:
    """The same graph with all its constants as initialisers and only what nodes need."""
    constants = {each.name: numpy_helper.to_array(each) for each in traced.graph.initializer}
    nodes = []
    for node in traced.graph.node:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
            continue
        said = {each.name: helper.get_attribute_value(each) for each in node.attribute}
        usual = _DEFAULTS.get(node.op_type, {})
        kept = {name: value for name, value in said.items() if name not in usual or usual[name] != value}
        if node.op_type in ("Conv", "BatchNormalization"):
            kept.pop("kernel_shape", None)  # its weights say it
            kept.pop("momentum", None)  # of training
        outputs = [name for name in node.output if name][:1]
        nodes.append(helper.make_node(node.op_type, list(node.input), outputs, **kept))
    graph = helper.make_graph(
        nodes,
        "network",
        list(traced.graph.input),
        list(traced.graph.output),
        [numpy_helper.from_array(array.copy(order="C"), name) for name, array in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    model.ir_version = 8
    return model
