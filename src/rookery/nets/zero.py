"""The network of `zero`: one for boards of every size. Training alone imports this; it needs torch.

A convolutional residual tower as in AlphaZero (Silver et al. 2018) with global pooling and heads for score
and ownership as in KataGo (Wu 2019). It has no normalisation, so that batches of different boards do not see
each other's statistics: the second convolution of each block starts at zero instead (Fixup, Zhang et al.
2019).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

PLANES = 14
GLOBALS = 4
"""Komi in tens and by the board's area, the board's width, whether the last move was a pass."""


@dataclass(frozen=True)
class Shape:
    """What one network is."""

    blocks: int = 6
    channels: int = 96
    head: int = 32
    """Channels of the heads."""
    hidden: int = 64
    """Neurons between pooling and the values."""


def global_features(x: Tensor) -> Tensor:
    """[B, GLOBALS] of [B, PLANES, N, N]; rookery.encoders.zero says what the planes are."""
    size = x[:, 12, :, 0].sum(1)
    komi = x[:, 13, 0, 0] * 255 - 128  # half points
    return torch.stack([komi / 20, komi / (size * size), (size - 9) / 4, x[:, 11, 0, 0]], 1)


def pool(x: Tensor, width: Tensor) -> Tensor:
    """Mean, mean by the board's width, and maximum of each channel."""
    mean = x.mean((2, 3))
    return torch.cat([mean, mean * width, x.amax((2, 3))], 1)


class Block(nn.Module):
    """A residual block; every second one tells all points what pooling found."""

    def __init__(self, channels: int, pooled: bool) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.spread = nn.Linear(3 * channels, channels) if pooled else None
        nn.init.kaiming_normal_(self.first.weight, nonlinearity="relu")
        nn.init.zeros_(self.second.weight)
        if self.spread is not None:
            nn.init.zeros_(self.spread.weight)

    def forward(self, x: Tensor, width: Tensor) -> Tensor:
        y = F.relu(self.first(x))
        z = self.second(y)
        if self.spread is not None:
            z = z + self.spread(pool(y, width))[:, :, None, None]
        return F.relu(x + z)


class ZeroNet(nn.Module):
    """Planes in; logits of moves, logit of winning, score in board widths, logits of ownership out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        c, h = shape.channels, shape.head
        self.shape = shape
        self.stem = nn.Conv2d(PLANES, c, 3, padding=1)
        self.told = nn.Linear(GLOBALS, c)
        self.blocks = nn.ModuleList(Block(c, i % 2 == 1) for i in range(shape.blocks))
        self.policy = nn.Conv2d(c, h, 1)
        self.policy_pool = nn.Conv2d(c, h, 1)
        self.policy_spread = nn.Linear(3 * h, h)
        self.points = nn.Conv2d(h, 1, 1)
        self.passing = nn.Linear(3 * h, 1)
        self.value = nn.Conv2d(c, h, 1)
        self.hidden = nn.Linear(3 * h + GLOBALS, shape.hidden)
        self.values = nn.Linear(shape.hidden, 2)
        self.owner = nn.Conv2d(h, 1, 1)
        nn.init.kaiming_normal_(self.stem.weight, nonlinearity="relu")
        for last in (self.points, self.passing, self.values, self.owner):
            last.weight.data.mul_(0.3)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        told = global_features(x)
        told = told.to(self.stem.weight.dtype)
        width = told[:, 2:3]
        x = x.to(self.stem.weight.dtype)
        x = F.relu(self.stem(x) + self.told(told)[:, :, None, None])
        for block in self.blocks:
            x = block(x, width)
        pooled = pool(F.relu(self.policy_pool(x)), width)
        p = F.relu(self.policy(x) + self.policy_spread(pooled)[:, :, None, None])
        policy = torch.cat([self.points(p).flatten(1), self.passing(pooled)], 1)
        v = F.relu(self.value(x))
        hidden = F.relu(self.hidden(torch.cat([pool(v, width), told], 1)))
        values = self.values(hidden)
        return policy.float(), values[:, 0].float(), values[:, 1].float(), self.owner(v).flatten(1).float()


class Played(nn.Module):
    """The same as players ask it: logits of moves, value, score in points, ownership from -1 to 1."""

    def __init__(self, net: ZeroNet, score_weight: float) -> None:
        super().__init__()
        self.net, self.score_weight = net, score_weight

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        policy, won, score, owner = self.net(planes)
        size = planes[:, 12, :, 0].sum(1)
        return policy, worth(won, score, self.score_weight), score * size, torch.tanh(owner / 2)


def onnx_file(net: ZeroNet, score_weight: float, card: Mapping[str, str]) -> bytes:
    """Its file for players: `planes` [batch, 14, N, N] in; `policy`, `value`, `score` and `owner` out."""
    from rookery.nets.export import export

    return export(
        Played(net, score_weight),
        {"planes": torch.ones(2, PLANES, 5, 5)},
        ["policy", "value", "score", "owner"],
        card,
        axes={"planes": {2: "rows", 3: "columns"}, "policy": {1: "moves"}, "owner": {1: "points"}},
    )


def worth(won: Tensor, score: Tensor, score_weight: float) -> Tensor:
    """What a search maximises, in [-1, 1]; finished games, the like (native/learn/go_domain.hpp)."""
    return (1 - score_weight) * torch.tanh(won / 2) + score_weight * torch.tanh(score)


def loss(net: Any, planes: Tensor, policy: Tensor, won: Tensor, score: Tensor, owner: Tensor) -> Tensor:
    """[4]: of policy, winning, score and ownership. Scores are in points and owners -1, 0 or 1."""
    logits, winning, margin, owning = net(planes)
    size = planes.shape[-1]
    return torch.stack(
        [
            -(policy * F.log_softmax(logits, 1)).sum(1).mean(),
            F.binary_cross_entropy_with_logits(winning, (won + 1) / 2),
            F.smooth_l1_loss(margin, score / size),
            F.binary_cross_entropy_with_logits(owning, (owner + 1) / 2),
        ]
    )
