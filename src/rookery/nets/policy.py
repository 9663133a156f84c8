"""Policy networks for chess. Training alone imports this; it needs torch.

One definition serves the network of Pelat (41 planes, three residual blocks of 256) with the variants of its
Table 1, and the stronger ones: a tower with squeeze-excitation (Hu, Shen and Sun 2018) that sees the board
from the mover's side and is told both players' ratings. Its policy head gives a score to each pair of
squares, the one left and the one reached; another head tells win, draw or loss.

Planes come in as the encoders make them; what scaling they need is part of the network. Batches are
normalised while it learns (Ioffe and Szegedy 2015); `folded` makes that a part of the convolutions.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from rookery import native, weights
from rookery.errors import CheckpointMismatch

KIND, VERSION = "policy", 1
ACTIONS = 1968
HISTORY, SQUARES = "chess-planes-41", "chess-squares-1"
PLANES = {HISTORY: 41, SQUARES: 20}
"""Encoders that there are networks for, and their planes; the last one is a number and not 0 or 1."""
KNOTS = tuple(range(1000, 2900, 100))
"""Between two of them what a rating means is linear."""


@dataclass(frozen=True)
class Shape:
    """What one network is."""

    encoder: str = HISTORY
    trunk: Literal["residual", "plain", "dense"] = "residual"
    """plain: without residual connections; dense: three linear layers."""
    blocks: int = 3
    channels: int = 256
    """Of the dense trunk: four times as many units a layer."""
    squeeze: int = 0
    """Units of squeeze-excitation in each block; 0: none."""
    head: Literal["pooling", "average", "flat", "pairs"] = "pooling"
    """pooling: 2 x 2 maximum, dense. average: over the board, dense. flat: 32 channels, dense. pairs: of
    squares."""
    norm: bool = True
    """Whether batches are normalised."""

    @property
    def rated(self) -> bool:
        """Whether it is told ratings, and tells win, draw or loss."""
        return self.encoder == SQUARES


class Conv(nn.Module):
    """A convolution that keeps the size of the board, and its normalisation."""

    def __init__(self, inputs: int, outputs: int, size: int, norm: bool) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=not norm)
        nn.init.kaiming_normal_(self.conv.weight, nonlinearity="relu")
        if not norm:
            nn.init.zeros_(self.conv.bias)
        self.norm = nn.BatchNorm2d(outputs) if norm else None

    def forward(self, x: Tensor) -> Tensor:
        x = self.conv(x)
        return x if self.norm is None else self.norm(x)

    @torch.no_grad()
    def fold(self) -> None:
        """The same for a net that learns no more, without a normalisation."""
        if self.norm is None:
            return
        assert self.norm.running_mean is not None and self.norm.running_var is not None
        scale = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        self.conv.weight.mul_(scale[:, None, None, None])
        self.conv.bias = nn.Parameter(self.norm.bias - self.norm.running_mean * scale)
        self.norm = None


class Squeeze(nn.Module):
    """Scales and shifts each channel by what the whole board has."""

    def __init__(self, channels: int, units: int) -> None:
        super().__init__()
        self.into = nn.Linear(channels, units)
        self.out = nn.Linear(units, 2 * channels)

    def forward(self, x: Tensor) -> Tensor:
        told = self.out(F.relu(self.into(x.mean((2, 3)))))
        scale, shift = told[:, :, None, None].chunk(2, 1)
        return x * torch.sigmoid(scale) + shift


class Block(nn.Module):
    """Two convolutions, and the way past them."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        c = shape.channels
        self.first, self.second = Conv(c, c, 3, shape.norm), Conv(c, c, 3, shape.norm)
        self.squeeze = Squeeze(c, shape.squeeze) if shape.squeeze else None
        self.residual = shape.trunk == "residual"
        self.relu, self.last_relu = nn.ReLU(), nn.ReLU()
        if self.residual and self.second.norm is not None:
            nn.init.zeros_(self.second.norm.weight)  # at first each block changes nothing (Goyal et al. 2017)

    def forward(self, x: Tensor) -> Tensor:
        y = self.second(self.relu(self.first(x)))
        if self.squeeze is not None:
            y = self.squeeze(y)
        return self.last_relu(x + y if self.residual else y)


class Ratings(nn.Module):
    """[B, 2] ratings, the mover's first, 0 for unknown; a vector of channels out.

    Each rating is told by how far it is from one knot to the next, for all knots: where there were few
    players, what was learnt of their neighbours holds.
    """

    knots: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.register_buffer("knots", torch.tensor(KNOTS, dtype=torch.float32), persistent=False)
        self.into = nn.Linear(2 * (len(KNOTS) + 1), 128)
        self.out = nn.Linear(128, channels)

    def forward(self, ratings: Tensor) -> Tensor:
        known = (ratings > 0).to(ratings.dtype)[:, :, None]
        steps = ((ratings[:, :, None] - self.knots) / 100).clamp(0, 1) * known
        told = torch.cat([steps, known], 2).flatten(1)
        return self.out(F.relu(self.into(told)))


class Pairs(nn.Module):
    """A score for each pair of squares, and for the man that a pawn becomes on a square."""

    plain: Tensor
    promoting: Tensor
    becoming: Tensor

    def __init__(self, channels: int, norm: bool) -> None:
        super().__init__()
        self.embed = Conv(channels, channels, 1, norm)
        self.relu = nn.ReLU()
        self.left = nn.Conv2d(channels, channels, 1)
        self.reached = nn.Conv2d(channels, channels, 1)
        self.becomes = nn.Conv2d(channels, 4, 1)
        self.scale = channels**-0.5
        pairs, kinds = squares_of_actions()
        count = int((kinds < 0).sum())
        reached = pairs[count:] % 64
        tables = {
            "plain": pairs[:count],
            "promoting": pairs[count:],
            "becoming": kinds[count:] * 64 + reached,
        }
        for name, table in tables.items():
            self.register_buffer(name, torch.from_numpy(table), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        x = self.relu(self.embed(x))
        left, reached = self.left(x).flatten(2).float(), self.reached(x).flatten(2).float()
        becomes = self.becomes(x).flatten(1).float()
        # In half precision moves would be equal that are not.
        with torch.autocast(x.device.type, enabled=False):
            scores = (left.transpose(1, 2) @ reached * self.scale).flatten(1)
        promotions = scores.index_select(1, self.promoting) + becomes.index_select(1, self.becoming)
        return torch.cat([scores.index_select(1, self.plain), promotions], 1)


def squares_of_actions() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of each action 64 * the square left + the square reached, and 0 to 3 for queen to knight, or -1."""
    names = native.chess_actions()
    square = {
        f"{file}{rank}": 8 * r + f for f, file in enumerate("abcdefgh") for r, rank in enumerate("12345678")
    }
    pairs = [64 * square[name[:2]] + square[name[2:4]] for name in names]
    kinds = ["qrbn".index(name[4]) if len(name) == 5 else -1 for name in names]
    return np.array(pairs, np.int64), np.array(kinds, np.int64)


class Outcome(nn.Module):
    """Logits of win, draw and loss for the mover."""

    def __init__(self, channels: int, norm: bool) -> None:
        super().__init__()
        self.squares = Conv(channels, 32, 1, norm)
        self.relu = nn.ReLU()
        self.into = nn.Linear(32 * 64, 128)
        self.out = nn.Linear(128, 3)

    def forward(self, x: Tensor) -> Tensor:
        return self.out(F.relu(self.into(self.relu(self.squares(x)).flatten(1))))


class Dense(nn.Module):
    """Three linear layers in the place of a tower; a fourth is the head."""

    def __init__(self, planes: int, units: int) -> None:
        super().__init__()
        layers: list[nn.Module] = [nn.Flatten()]
        for inputs in (64 * planes, units, units):
            layers += [nn.Linear(inputs, units), nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, x: Tensor) -> Tensor:
        found: Tensor = self.layers(x)
        return found


class Tower(nn.Module):
    """A convolution, what ratings say, and the blocks."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        size = 3 if shape.rated else 1
        self.stem = Conv(PLANES[shape.encoder], shape.channels, size, shape.norm)
        self.ratings = Ratings(shape.channels) if shape.rated else None
        self.relu = nn.ReLU()
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.blocks))

    def forward(self, x: Tensor, ratings: Tensor | None) -> Tensor:
        x = self.stem(x)
        if self.ratings is not None:
            assert ratings is not None
            x = x + self.ratings(ratings)[:, :, None, None]
        x = self.relu(x)
        for block in self.blocks:
            x = block(x)
        return x


class PolicyNet(nn.Module):
    """Planes [B, C, 8, 8], and ratings [B, 2] where it is told them; logits of all actions out, and of the
    outcome."""

    scale: Tensor

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        planes, c = PLANES[shape.encoder], shape.channels
        scale = torch.ones(planes, 1, 1)
        scale[-1] = 0.01
        self.register_buffer("scale", scale, persistent=False)
        self.tower: nn.Module
        self.head: nn.Module
        if shape.trunk == "dense":
            self.tower, self.head = Dense(planes, 4 * c), nn.Linear(4 * c, ACTIONS)
        else:
            self.tower, self.head = Tower(shape), _head(shape)
        self.outcome = Outcome(c, shape.norm) if shape.rated else None

    def forward(self, planes: Tensor, ratings: Tensor | None = None) -> tuple[Tensor, Tensor | None]:
        x = planes * self.scale
        x = self.tower(x) if self.shape.trunk == "dense" else self.tower(x, ratings)
        return self.head(x), None if self.outcome is None else self.outcome(x)

    def blocks(self) -> Iterator[Block]:
        return (module for module in self.modules() if isinstance(module, Block))


def _head(shape: Shape) -> nn.Module:
    c = shape.channels
    match shape.head:
        case "pooling":
            return nn.Sequential(nn.MaxPool2d(2), nn.Flatten(), nn.Linear(16 * c, ACTIONS))
        case "average":
            return nn.Sequential(nn.AvgPool2d(8), nn.Flatten(), nn.Linear(c, ACTIONS))
        case "flat":
            conv = Conv(c, 32, 1, shape.norm)
            return nn.Sequential(conv, nn.ReLU(), nn.Flatten(), nn.Linear(32 * 64, ACTIONS))
        case "pairs":
            return Pairs(c, shape.norm)


def folded(net: PolicyNet) -> PolicyNet:
    """A copy for play, without normalisations."""
    found = PolicyNet(Shape(**{**asdict(net.shape), "norm": False}))
    source = copy.deepcopy(net).cpu().float().eval()
    for module in source.modules():
        if isinstance(module, Conv):
            module.fold()
    found.load_state_dict(source.state_dict())
    return found.eval()


def operations(net: PolicyNet) -> float:
    """Floating-point operations of one position, forward; learning takes three times as many."""
    from torch.utils.flop_counter import FlopCounterMode

    device, dtype = net.scale.device, net.scale.dtype
    planes = torch.zeros((1, PLANES[net.shape.encoder], 8, 8), device=device, dtype=dtype)
    ratings = torch.zeros((1, 2), device=device, dtype=dtype) if net.shape.rated else None
    was_training = net.training
    net.eval()
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        net(planes, ratings)
    net.train(was_training)
    return float(counter.get_total_flops())


# --- files -------------------------------------------------------------------------------------------


def write(path: Path, net: PolicyNet, facts: Mapping[str, Any]) -> None:
    """A file of weights for play: a network without normalisations."""
    arrays = {
        name: tensor.detach().float().cpu().numpy() for name, tensor in folded(net).state_dict().items()
    }
    shape = {**asdict(net.shape), "norm": False}
    weights.write(path, KIND, VERSION, {"game": "chess", "shape": shape, **facts}, arrays)


def read(path: Path) -> PolicyNet:
    """The network in a file.

    Raises:
        CheckpointMismatch: the file holds none.
    """
    facts, arrays = weights.read(path, KIND, VERSION)
    try:
        net = PolicyNet(Shape(**facts["shape"]))
        net.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise CheckpointMismatch(f"{path} holds no network that can be made here: {words}") from None
    return net.eval()


class _Exported(nn.Module):
    """A network with as many outputs as it has."""

    def __init__(self, net: PolicyNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, planes: Tensor, ratings: Tensor | None = None) -> Any:
        policy, outcome = self.net(planes, ratings)
        return policy if outcome is None else (policy, outcome)


def export(path: Path, net: PolicyNet, facts: Mapping[str, Any], stored: Any = "float16") -> None:
    """The ONNX file of a network: `planes`, and `ratings`, in; `policy`, and `wdl`, out."""
    from rookery.nets.export import export as onnx

    planes = torch.zeros(2, PLANES[net.shape.encoder], 8, 8)
    inputs = {"planes": planes, **({"ratings": torch.full((2, 2), 1500.0)} if net.shape.rated else {})}
    outputs = ["policy", *(["wdl"] if net.shape.rated else [])]
    card = {"kind": KIND, "game": "chess", "encoder": net.shape.encoder}
    card |= {name: str(value) for name, value in facts.items()}
    path.write_bytes(onnx(_Exported(folded(net)), inputs, outputs, card, stored))
