"""Weights and optimisers of torch as files of a checkpoint; what does not fit is told in one line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.learners.state import fitting

if TYPE_CHECKING:
    from torch import Tensor, nn, optim


def save_weights(net: nn.Module, path: Path) -> None:
    from safetensors.torch import save

    # Written by us: what libraries say of a full disk is hard to read.
    path.write_bytes(save({name: tensor.contiguous() for name, tensor in net.state_dict().items()}))


def load_weights(net: nn.Module, path: Path) -> None:
    """Raises:
    CheckpointMismatch: it holds other weights, or what is no number.
    """
    from safetensors.torch import load_file

    with fitting(path):
        tensors = load_file(path)
        if not all(bool(tensor.isfinite().all()) for tensor in tensors.values()):
            raise ValueError("it holds what is no number, or not finite")
        net.load_state_dict(tensors)


def save_optimiser(optimiser: optim.Optimizer, path: Path) -> None:
    """What it keeps of each parameter, such as moments; not its settings."""
    from safetensors.torch import save

    moments = {
        f"{place}.{name}": value.contiguous()
        for place, state in optimiser.state_dict()["state"].items()
        for name, value in state.items()
    }
    path.write_bytes(save(moments))


def load_optimiser(optimiser: optim.Optimizer, path: Path) -> None:
    """Raises:
    CheckpointMismatch: it was one of other parameters.
    """
    import torch
    from safetensors.torch import load_file

    with fitting(path):
        moments: dict[int, dict[str, Tensor]] = {}
        shapes = [parameter.shape for group in optimiser.param_groups for parameter in group["params"]]
        for name, value in load_file(path).items():
            place, _, kind = name.partition(".")
            if value.dim() and value.shape != shapes[int(place)]:
                raise ValueError(f"{name} has the shape {list(value.shape)}, not that of the weights")
            if value.dim() == 4:  # laid out as the weights are, or every update would be slow
                value = value.contiguous(memory_format=torch.channels_last)
            moments.setdefault(int(place), {})[kind] = value
        groups = optimiser.state_dict()["param_groups"]
        optimiser.load_state_dict({"state": moments, "param_groups": groups})


def copy_into(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Fill tensors, which stay in place, out of a file that has the same names.

    Raises:
        CheckpointMismatch: it holds others, or what is no number.
    """
    from safetensors.torch import load_file

    with fitting(path):
        found = load_file(path)
        if not all(bool(tensor.isfinite().all()) for tensor in found.values()):
            raise ValueError("it holds what is no number, or not finite")
        for name, tensor in tensors.items():
            if found[name].shape != tensor.shape:
                raise ValueError(f"{name} does not fit the weights")
            tensor.copy_(found[name])
