"""Small policy networks with random weights, exported as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from rookery.nets.export import Stored, export

ACTIONS = 1968


class Plain(nn.Module):
    """Planes in, logits of moves out: convolutions, a residual block, pooling."""

    def __init__(self, planes: int = 41, channels: int = 8) -> None:
        super().__init__()
        self.stem = nn.Conv2d(planes, channels, 1)
        self.norm = nn.BatchNorm2d(channels)
        self.first = nn.Conv2d(channels, channels, 3, padding=1)
        self.second = nn.Conv2d(channels, channels, 3, padding=1)
        self.policy = nn.Linear(16 * channels, ACTIONS)

    def trunk(self, planes: Tensor) -> Tensor:
        scaled = torch.cat([planes[:, :-1], planes[:, -1:] / 100], 1)
        x = F.relu(self.norm(self.stem(scaled)))
        return F.leaky_relu(x + self.second(F.relu(self.first(x))), 0.01)

    def forward(self, planes: Tensor) -> Tensor:
        return self.policy(F.max_pool2d(self.trunk(planes), 2).flatten(1))


class Rated(Plain):
    """Ratings besides; squeeze-excitation, attention between squares; win, draw and loss too."""

    def __init__(self, channels: int = 8) -> None:
        super().__init__(20, channels)
        self.told = nn.Linear(2, channels)
        self.squeeze = nn.Linear(channels, 2 * channels)
        self.leaving = nn.Linear(channels, 4)
        self.reaching = nn.Linear(channels, 4)
        self.ordered = nn.LayerNorm(channels)
        self.wdl = nn.Linear(channels, 3)
        self.register_buffer("chosen", torch.randint(0, 4096, (ACTIONS,)))

    def forward(self, planes: Tensor, ratings: Tensor) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        x = self.trunk(planes) + self.told(ratings / 1000)[:, :, None, None]
        gate, bias = self.squeeze(x.mean((2, 3))).chunk(2, 1)
        x = x * torch.sigmoid(gate)[:, :, None, None] + bias[:, :, None, None]
        squares = self.ordered(F.gelu(x.flatten(2).transpose(1, 2)))
        scores = self.leaving(squares) @ self.reaching(squares).transpose(1, 2)
        return scores.flatten(1)[:, self.chosen], self.wdl(squares.mean(1))


def module(rated: bool, seed: int = 1) -> nn.Module:
    torch.manual_seed(seed)
    net: nn.Module = Rated() if rated else Plain()
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):  # as if it had been trained
            part.running_mean.normal_(0, 0.2)  # type: ignore[union-attr, operator]
            part.running_var.uniform_(0.5, 2)  # type: ignore[union-attr, operator]
    return net.eval()


def write(net: nn.Module, card: dict[str, str] | None = None, stored: Stored = "float32") -> bytes:
    rated = isinstance(net, Rated)
    inputs = {"planes": torch.zeros(2, 20 if rated else 41, 8, 8)}
    if rated:
        inputs["ratings"] = torch.zeros(2, 2)
    said = {"encoder": "chess-squares-1" if rated else "chess-planes-41", "kind": "tiny"}
    return export(net, inputs, ["policy", "wdl"] if rated else ["policy"], said | (card or {}), stored)


def put(folder: Path, rated: bool, **options: Any) -> Path:
    """A file in a folder."""
    path = folder / "policy.onnx"
    path.write_bytes(write(module(rated), **options))
    return path
