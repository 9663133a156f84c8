"""A policy network that learns on from the file of one: its weights, and normalisations made anew.

A file for play has no normalisations: they are folded into the convolutions (rookery.nets.policy). To learn
on as before, each convolution gets one back that changes nothing: its mean and variance are measured on some
positions, its scale and shift undo them. Folding had multiplied the weights of a channel by a number that
nobody wrote down, and how large weights are decides how far a step of the optimiser turns them; so they are
given the length that they have at first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from rookery import weights
from rookery.errors import CheckpointMismatch, describe
from rookery.nets import backend, onnx_file
from rookery.nets.policy import HISTORY, Conv, PolicyNet, Shape
from rookery.nets.policy import read as read_weights

ONNX = "policy.onnx"
_PREFIX = "net."
"""What the exporter puts before the names of weights (`rookery.nets.policy.export`)."""
_FIRST_LENGTH = 2**0.5
"""Of the weights of one channel as He et al. (2015) draw them, whose variance is 2 / inputs."""


def read(path: Path, shape: Shape) -> PolicyNet:
    """The network of an ONNX file of that shape, as it plays: without normalisations.

    Raises:
        CheckpointMismatch: the file holds another network, or none.
    """
    net = PolicyNet(Shape(**{**vars(shape), "norm": False}))
    try:
        model = backend.check(backend.read(path))
        said = model.card.get("encoder")
        if said != shape.encoder:
            raise ValueError(f"it sees {said}, the recipe says {shape.encoder}")
        own = net.state_dict()
        found = {name: torch.from_numpy(_weights(model, _PREFIX + name, own[name].shape)) for name in own}
        there = sum(name.startswith(_PREFIX) and name.endswith("bias") for name in model.constants)
        if there != sum(name.endswith("bias") for name in own):
            raise ValueError("it has more layers than the recipe says")
        trunk = _trunk(model)
        if shape.encoder == HISTORY and shape.trunk != "dense" and trunk != shape.trunk:
            raise ValueError(f"its trunk is {trunk}, the recipe's {shape.trunk}")
        net.load_state_dict(found)
    except (OSError, ValueError, LookupError) as error:
        raise CheckpointMismatch(f"{path} is no network of this recipe's shape: {describe(error)}") from None
    return net.eval()


def find(source: str) -> Path:
    """The file of a network that a name means: its weights in full, where they are there.

    Raises:
        CheckpointMismatch: there is none.
    """
    try:
        path = weights.find(source, ONNX)
    except CheckpointMismatch:
        return weights.find(source)  # a machine without onnx writes no other
    full = path.with_name(weights.FILE)
    return full if path.name == ONNX and full.is_file() else path


def network(source: str) -> PolicyNet:
    """A network of Pelat's kind with its own shape, as it plays.

    Raises:
        CheckpointMismatch: there is none, or it is of another kind.
    """
    path = find(source)
    if path.suffix == ".safetensors":
        net = read_weights(path)
        if net.shape.rated or net.shape.trunk == "dense":
            raise CheckpointMismatch(f"{path} is no network of convolutions that sees {HISTORY}")
        return net
    try:
        shape = _shape(backend.check(backend.read(path)))
    except (OSError, ValueError, LookupError) as error:
        raise CheckpointMismatch(f"{path} is no network to learn on: {describe(error)}") from None
    return read(path, shape)


def _shape(model: onnx_file.Model) -> Shape:
    """Of a network of convolutions that sees three boards; ValueError where it is none."""
    said = model.card.get("encoder")
    layers = [node for node in model.nodes if node.kind in ("Conv", "Gemm")]
    if said != HISTORY or len(layers) < 4 or layers[0].kind != "Conv":
        raise ValueError(f"it is not made of convolutions that see {HISTORY}")
    pools = {"MaxPool": "pooling", "AveragePool": "average"}
    head = next((pools[node.kind] for node in model.nodes if node.kind in pools), "flat")
    return Shape(
        trunk=_trunk(model),
        blocks=(len(layers) - 2) // 2,
        channels=len(model.constants[layers[0].inputs[2]]),
        head=head,  # type: ignore[arg-type]
        norm=False,
    )


def _trunk(model: onnx_file.Model) -> Literal["plain", "residual"]:
    """Of a network of convolutions that sees three boards: their weights have the same names and sizes, but
    only residual blocks add anything."""
    return "residual" if any(node.kind == "Add" for node in model.nodes) else "plain"


def _weights(model: onnx_file.Model, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Weights as floats, however they are stored (rookery.nets.quantise)."""
    constants = model.constants
    stored = next((each for each in (name, f"{name}.float16", f"{name}.int8") if each in constants), None)
    if stored is None:
        raise ValueError(f"it has no weights {name}")
    numbers = constants[stored].astype(np.float32)
    if numbers.shape != shape:
        raise ValueError(f"{name} has the sizes {list(numbers.shape)}, the recipe's {list(shape)}")
    if stored.endswith(".int8"):  # all layers count their outputs along the first axis
        numbers *= constants[f"{name}.scale"].reshape(-1, *[1] * (numbers.ndim - 1))
    return numbers


@torch.no_grad()
def normalised(net: PolicyNet, planes: Tensor, ratings: Tensor | None) -> PolicyNet:
    """The same network with normalisations, which are measured on these positions."""
    found = PolicyNet(Shape(**{**vars(net.shape), "norm": True})).to(planes.device)
    found.load_state_dict(net.state_dict(), strict=False)  # all but the normalisations
    statistics: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def look(module: nn.Module, given: object, x: Tensor) -> None:
        assert isinstance(module, nn.Conv2d) and module.bias is not None
        statistics[module] = x.mean((0, 2, 3)) - module.bias, x.var((0, 2, 3))

    folded = [module for module in net.modules() if isinstance(module, Conv)]
    hooks = [module.conv.register_forward_hook(look) for module in folded]
    try:
        net(planes, ratings)
    finally:
        for hook in hooks:
            hook.remove()
    for source, made in zip(folded, (m for m in found.modules() if isinstance(m, Conv)), strict=True):
        mean, variance = statistics[source.conv]
        assert made.norm is not None and source.conv.bias is not None
        length = source.conv.weight.flatten(1).norm(dim=1)
        scale = torch.where(length > 0, _FIRST_LENGTH / length, 1.0)
        made.conv.weight.copy_(source.conv.weight * scale[:, None, None, None])
        _set(made.norm, mean * scale, variance * scale**2)
        made.norm.weight.copy_((variance * scale**2 + made.norm.eps).sqrt() / scale)
        made.norm.bias.copy_(source.conv.bias + mean)
    return found


def _set(norm: nn.BatchNorm2d, mean: Tensor, variance: Tensor) -> None:
    assert norm.running_mean is not None and norm.running_var is not None
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
