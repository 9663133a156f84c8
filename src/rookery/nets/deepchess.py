"""The networks of DeepChess (David, Netanyahu and Wolf 2016). Training alone imports this; it needs torch.

Pos2Vec turns the 773 bits of a position (native/encoders/chess_bits.hpp) into a vector. A head compares the
vectors of two positions: class 0 says that the first is better for White. Beside it, and not in the paper, a
head that gives one number a position: the difference of two is the logit that the first is better (Bradley
and Terry 1952).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from rookery import weights
from rookery.errors import CheckpointMismatch

KIND, VERSION = "deepchess", 1
BITS = 773
PAD = 773
"""In lists of active bits: none."""
SLOTS = 37
"""The most bits that are active at a time, and the width of such a list."""
ACTIVE = 33
"""Bits that are active in most positions: what the first layer takes its fan-in to be."""
_ROWS = 776
"""Of the first layer: the bits, the padding, and what makes it a multiple of 8; the rest stay 0."""
WHITE_MOVES = 768
QUANTILE = 0.9999
"""Of a layer's activations, which its range covers."""


@dataclass(frozen=True)
class Shape:
    """Widths of the layers, inputs first."""

    embed: tuple[int, ...]
    compare: tuple[int, ...]
    scalar: tuple[int, ...]


FULL = Shape((BITS, 600, 400, 200, 100), (200, 400, 200, 100, 2), (100, 32, 1))
SMALL = Shape((BITS, 100, 100, 100), (200, 100, 100, 2), (100, 32, 1))
SHAPES = {"full": FULL, "small": SMALL}


class Bits(nn.Module):
    """The first layer: a sum of the rows of the bits that are active."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.zeros(_ROWS, width))
        self.bias = nn.Parameter(torch.zeros(width))
        # He et al. 2015, but of 773 inputs only some 33 are ever 1.
        nn.init.normal_(self.table[:BITS].data, std=(2 / ACTIVE) ** 0.5)

    def forward(self, bits: Tensor) -> Tensor:
        """[B, width] of [B, SLOTS]: on a GPU as a product of dense matrices, which is quicker there."""
        if bits.is_cuda:
            return torch.addmm(self.bias, dense(bits, self.bias.dtype), self.table)
        return F.embedding_bag(bits.long(), self.table, mode="sum", padding_idx=PAD) + self.bias


def dense(bits: Tensor, kind: torch.dtype) -> Tensor:
    """[B, rows of the first layer] with a 1 for each active bit."""
    if torch.is_autocast_enabled("cuda"):
        kind = torch.get_autocast_dtype("cuda")
    found = torch.zeros((len(bits), _ROWS), dtype=kind, device=bits.device)
    found.scatter_(1, bits.long(), 1)
    found[:, PAD] = 0
    return found


class Layers(nn.Sequential):
    """Linear layers with ReLU between them."""

    def __init__(self, widths: tuple[int, ...]) -> None:
        super().__init__(*(nn.Linear(a, b) for a, b in pairwise(widths)))
        for layer in self:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)
        self[-1].weight.data.mul_(0.5)

    def forward(self, x: Tensor) -> Tensor:
        return self[-1](self.hidden(x)[-1])

    def hidden(self, x: Tensor) -> list[Tensor]:
        """The input and the activations of the hidden layers."""
        found = [x]
        for layer in list(self)[:-1]:
            found.append(F.relu(layer(found[-1])))
        return found


class Pos2Vec(nn.Module):
    """Bits of positions in, vectors of numbers of 0 or more out."""

    def __init__(self, widths: tuple[int, ...], dropout: float = 0.0) -> None:
        super().__init__()
        self.first = Bits(widths[1])
        self.rest = nn.ModuleList(nn.Linear(a, b) for a, b in pairwise(widths[1:]))
        self.dropout = nn.Dropout(dropout)
        for layer in self.rest:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(layer.bias)

    def forward(self, bits: Tensor) -> Tensor:
        return self.hidden(bits)[-1]

    def hidden(self, bits: Tensor, layers: int | None = None) -> list[Tensor]:
        """The activations of all layers, or of the first so many."""
        found = [self.dropout(F.relu(self.first(bits)))]
        for layer in self.rest[: None if layers is None else layers - 1]:
            found.append(F.relu(layer(found[-1])))
        return found


class DeepChess(nn.Module):
    """Two tied copies of Pos2Vec with the head that compares, and the head that gives one number."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.embed = Pos2Vec(shape.embed, dropout)
        self.compare = Layers(shape.compare)
        self.scalar = Layers(shape.scalar)

    def forward(self, a: Tensor, b: Tensor) -> Tensor:
        """[B, 2]: logits that a, or b, is the better for White."""
        both = self.embed(torch.cat([a, b]))
        return self.head(*both.chunk(2))

    def head(self, a: Tensor, b: Tensor) -> Tensor:
        """The same of two embeddings."""
        return self.compare(torch.cat([a, b], 1)).float()

    def preference(self, a: Tensor, b: Tensor) -> Tensor:
        """[B]: the logit that the first of two embeddings is better, the same turned round but for its sign.

        With d the difference of the logits, (d(a, b) - d(b, a)) / 2.
        """
        there, back = self.head(a, b), self.head(b, a)
        return (there[:, 0] - there[:, 1] - back[:, 0] + back[:, 1]) / 2

    def value(self, a: Tensor) -> Tensor:
        """[B]: of embeddings, the number whose differences are logits."""
        return self.scalar(a)[:, 0].float()


def mirrored(bits: Tensor) -> Tensor:
    """[B, SLOTS]: the same positions with colours exchanged and ranks flipped, in no order."""
    found = mirror_table(bits.device)[bits.long()].to(bits.dtype)
    # Of a list with no WHITE_MOVES the last slot is free: 32 men and four castling rights come first.
    black_moves = (bits != WHITE_MOVES).all(1)
    found[:, -1] = torch.where(black_moves, torch.full_like(found[:, -1], WHITE_MOVES), found[:, -1])
    return found


_mirrors: dict[torch.device, Tensor] = {}


def mirror_table(device: torch.device) -> Tensor:
    """What becomes of each bit; the side to move is not among them, for its bit may have been 0."""
    if device not in _mirrors:
        men = torch.arange(768)
        table = torch.cat([(men + 384) % 768 ^ 56, torch.tensor([PAD, 771, 772, 769, 770, PAD])])
        _mirrors[device] = table.to(device)
    return _mirrors[device]


# --- files -------------------------------------------------------------------------------------------


def arrays(net: DeepChess) -> dict[str, NDArray[np.float32]]:
    """The weights, each [out, in], as files hold them."""
    found = {
        "embed.0.weight": net.embed.first.table[:BITS].T,
        "embed.0.bias": net.embed.first.bias,
        **_layers("embed", net.embed.rest, 1),
        **_layers("compare", net.compare, 0),
        **_layers("scalar", net.scalar, 0),
    }
    return {name: tensor.detach().float().cpu().contiguous().numpy() for name, tensor in found.items()}


def _layers(name: str, layers: Iterable[Any], first: int) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for number, layer in enumerate(layers, first):
        found |= {f"{name}.{number}.weight": layer.weight, f"{name}.{number}.bias": layer.bias}
    return found


@torch.no_grad()
def ranges(net: DeepChess, bits: Tensor) -> dict[str, NDArray[np.float32]]:
    """How large the activations of each hidden layer are on some positions, for quantising."""
    embedded = net.embed.hidden(bits)
    half = len(bits) // 2
    paired = torch.cat([embedded[-1][:half], embedded[-1][half : 2 * half]], 1)
    found = {
        "embed.ranges": embedded,
        "compare.ranges": net.compare.hidden(paired)[1:],
        "scalar.ranges": net.scalar.hidden(embedded[-1])[1:],
    }
    return {name: np.array([_most(x) for x in layers], np.float32) for name, layers in found.items()}


def _most(activations: Tensor) -> float:
    flat = activations.flatten().float().cpu().numpy()
    place = min(len(flat) - 1, round(QUANTILE * len(flat)))
    return float(np.partition(flat, place)[place])


def write(path: Path, net: DeepChess, bits: Tensor, scalar: bool, facts: Mapping[str, Any]) -> None:
    """A file of weights; `bits` of some training positions say how large activations are.

    scalar: whether that head has been trained, and is kept.
    """
    was_training = net.training
    net.eval()
    kept = {
        name: array
        for name, array in {**arrays(net), **ranges(net, bits)}.items()
        if scalar or not name.startswith("scalar")
    }
    net.train(was_training)
    shape = {"game": "chess", "embed": net.shape.embed, "compare": net.shape.compare}
    if scalar:
        shape["scalar"] = net.shape.scalar
    weights.write(path, KIND, VERSION, {**shape, **facts}, kept)


def read(path: Path) -> tuple[DeepChess, bool]:
    """The network in a file, and whether its scalar head was trained.

    Raises:
        CheckpointMismatch: the file holds none, or not of a shape that there is.
    """
    facts, found = weights.read(path, KIND, VERSION)
    widths = [facts.get("embed"), facts.get("compare")]
    shape = next((s for s in SHAPES.values() if widths == [[*s.embed], [*s.compare]]), None)
    if shape is None:
        raise CheckpointMismatch(f"{path} holds layers of {widths}, which no network here has")
    scalar = "scalar" in facts
    net = DeepChess(shape)
    fill(net, found, scalar, path)
    return net, scalar


def fill(net: DeepChess, found: Mapping[str, NDArray[np.float32]], scalar: bool, path: Path) -> None:
    """Give a network the weights of a file.

    Raises:
        CheckpointMismatch: they do not fit it.
    """
    with torch.no_grad():
        for name, array in arrays(net).items():
            if name.startswith("scalar") and not scalar:
                continue
            if name not in found or found[name].shape != array.shape:
                shape = list(found[name].shape) if name in found else "missing"
                raise CheckpointMismatch(f"{path}: {name} must be {list(array.shape)} (it is {shape})")
            part, number, what = name.split(".")
            value = torch.from_numpy(np.array(found[name]))
            if part == "embed" and number == "0":
                target = net.embed.first.table[:BITS] if what == "weight" else net.embed.first.bias
                target.copy_(value.T if what == "weight" else value)
            else:
                at = int(number) - (part == "embed")
                layer = {"embed": net.embed.rest, "compare": net.compare, "scalar": net.scalar}[part][at]
                getattr(layer, what).copy_(value)
