"""The network of beliefs of Kriegspiel while it is trained; it needs torch. Players run it by
native/belief/network.hpp, out of the arrays that `layers` gives."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

_MATRICES = slice(6 * 64, 9 * 64)
"""Of the inputs: how likely the King, a pawn and a piece stand on each square."""
_LITTLE = 1e-6


class BeliefNet(nn.Module):
    """What a belief is worth besides the balance of pieces, and logits that correct its matrices.

    Both begin at 0: a network that has learnt nothing leaves approach C as it is.
    """

    def __init__(self, inputs: int, hidden: int, narrow: int, where: int, gain: float) -> None:
        """gain: of the balance at first; twice as much of it is the logit of a win."""
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.second = nn.Linear(hidden, narrow)
        self.last = nn.Linear(narrow, 1)
        self.where = nn.Linear(hidden, where)
        self.gain = nn.Parameter(torch.tensor(gain))
        """Fitted beside it, since what a balance is worth depends on who plays."""
        for layer in (self.last, self.where):
            nn.init.zeros_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """[B] values, [B, 3, 64] logits, of [B, inputs]."""
        seen = F.relu(self.first(inputs))
        value = self.last(F.relu(self.second(seen))).squeeze(1)
        return value, self.where(seen).unflatten(1, (3, 64))

    def losses(
        self,
        inputs: Tensor,
        balance: Tensor,
        imagined: Tensor,
        truth: Tensor,
        points: Tensor,
        learnt: bool = True,
    ) -> tuple[Tensor, Tensor]:
        """Two means in nats: of the points predicted, and of the squares of the King, pawns and pieces.

        imagined: 1 for beliefs that teach values alone. truth: [B, 3, 64], 1 where such a piece stands;
        points: from 1, won, to 0, lost. learnt: False for what the balance and the matrices say alone.
        """
        value, logits = self(inputs) if learnt else (0, 0)
        value_loss = F.binary_cross_entropy_with_logits(2 * self.gain * (balance + value), points)
        prior = torch.log(inputs[:, _MATRICES].unflatten(1, (3, 64)) + _LITTLE)
        told = -(truth * torch.log_softmax(prior + logits, dim=2)).sum(dim=2)
        real = 1 - imagined
        squares = (real * told.sum(dim=1) / truth.sum(dim=(1, 2))).sum() / real.sum().clamp(min=1)
        return value_loss, squares

    def layers(self) -> dict[str, NDArray[np.float32]]:
        """As native code takes them: a row for each input of a layer, then its biases."""
        found = {}
        for name in ("first", "second", "last", "where"):
            layer = getattr(self, name)
            rows = torch.cat([layer.weight.detach().T, layer.bias.detach()[None]]).cpu().numpy()
            found[name] = np.ascontiguousarray(rows[:, 0] if name == "last" else rows, dtype=np.float32)
        return found
