"""Optimisers whose state is there from the start and stays in place: CUDA graphs and checkpoints want that.

Both take the learning rate as a tensor, so that it may change between two replays of a graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor


class Optimiser(Protocol):
    """Changes parameters by their gradients."""

    state: dict[str, list[Tensor]]
    """All that it keeps between two steps, by name: a tensor for each parameter, or one alone."""

    def step(self, rate: Tensor) -> None: ...


class Momentum(Optimiser):
    """Stochastic gradient descent with momentum."""

    def __init__(self, parameters: Sequence[Tensor], momentum: float = 0.9) -> None:
        self._parameters, self._momentum = list(parameters), momentum
        self._velocity = [torch.zeros_like(p) for p in self._parameters]
        self.state = {"velocity": self._velocity}

    @torch.no_grad()
    def step(self, rate: Tensor) -> None:
        torch._foreach_mul_(self._velocity, self._momentum)
        torch._foreach_add_(self._velocity, _gradients(self._parameters))
        torch._foreach_sub_(self._parameters, torch._foreach_mul(self._velocity, rate))


class AdamW(Optimiser):
    """Adam with decoupled weight decay (Loshchilov and Hutter 2019); biases do not decay."""

    def __init__(
        self, parameters: Sequence[Tensor], decay: float, betas: tuple[float, float] = (0.9, 0.999)
    ) -> None:
        self._parameters, self._decay, self._betas = list(parameters), decay, betas
        self._decaying = [p for p in self._parameters if p.dim() > 1]
        self._first = [torch.zeros_like(p) for p in self._parameters]
        self._second = [torch.zeros_like(p) for p in self._parameters]
        self._steps = torch.zeros((), device=self._parameters[0].device)
        self.state = {"first": self._first, "second": self._second, "steps": [self._steps]}

    @torch.no_grad()
    def step(self, rate: Tensor) -> None:
        first, second = self._betas
        gradients = _gradients(self._parameters)
        self._steps += 1
        torch._foreach_lerp_(self._first, gradients, 1 - first)
        torch._foreach_mul_(self._second, second)
        torch._foreach_addcmul_(self._second, gradients, gradients, 1 - second)
        spread = torch._foreach_sqrt(self._second)
        torch._foreach_div_(spread, (1 - second**self._steps).sqrt())
        torch._foreach_add_(spread, 1e-8)
        change = torch._foreach_div(self._first, spread)
        torch._foreach_mul_(change, rate / (1 - first**self._steps))
        if self._decay:
            torch._foreach_mul_(self._decaying, 1 - rate * self._decay)
        torch._foreach_sub_(self._parameters, change)


class FusedAdamW(Optimiser):
    """The same in one pass over all that it reads and writes; without decay it is Adam (Kingma and Ba
    2015)."""

    def __init__(
        self, parameters: Sequence[Tensor], decay: float, betas: tuple[float, float] = (0.9, 0.999)
    ) -> None:
        self._decay, self._betas = decay, betas
        self._steps = torch.zeros((), device=parameters[0].device)
        self._groups: list[tuple[list[Tensor], list[Tensor], list[Tensor], float]] = []
        for decays in (True, False):
            some = [p for p in parameters if (p.dim() > 1) == decays]
            moments = [torch.zeros_like(p) for p in some], [torch.zeros_like(p) for p in some]
            if some:
                self._groups.append((some, *moments, decay if decays else 0.0))
        self.state = {
            "first": [t for _, first, _, _ in self._groups for t in first],
            "second": [t for _, _, second, _ in self._groups for t in second],
            "steps": [self._steps],
        }

    @torch.no_grad()
    def step(self, rate: Tensor) -> None:
        self._steps += 1
        for parameters, first, second, decay in self._groups:
            gradients = [_laid_out(g, p) for g, p in zip(_gradients(parameters), parameters, strict=True)]
            torch._fused_adamw_(
                parameters, gradients, first, second, [], [self._steps] * len(parameters), lr=rate,
                beta1=self._betas[0], beta2=self._betas[1], weight_decay=decay, eps=1e-8, amsgrad=False,
                maximize=False,
            )  # fmt: skip


class Muon(Optimiser):
    """Momentum whose steps are made orthogonal, for the convolutions between two layers of the same width;
    all else learns by AdamW (Jordan et al. 2024). Steps are scaled to the size of AdamW's, so that one
    learning rate and one decay serve both (Liu et al. 2025)."""

    def __init__(self, parameters: Sequence[Tensor], decay: float, momentum: float = 0.95) -> None:
        self._decay, self._momentum = decay, momentum
        inner = [p for p in parameters if p.dim() == 4 and p.shape[0] == p.shape[1] and p.shape[2] > 1]
        chosen = {id(p) for p in inner}
        self._parameters = inner
        self._velocity = [torch.zeros_like(p) for p in inner]
        self._others = FusedAdamW([p for p in parameters if id(p) not in chosen], decay)
        self.state = {"velocity": self._velocity, **self._others.state}

    @torch.no_grad()
    def step(self, rate: Tensor) -> None:
        self._others.step(rate)
        if not self._parameters:
            return
        gradients = _gradients(self._parameters)
        torch._foreach_lerp_(self._velocity, gradients, 1 - self._momentum)
        ahead = torch._foreach_lerp(gradients, self._velocity, self._momentum)  # as Nesterov looks ahead
        stacked = torch.stack([each.flatten(1) for each in ahead])
        steps = orthogonal(stacked) * (0.2 * max(stacked.shape[1:]) ** 0.5)
        if self._decay:
            torch._foreach_mul_(self._parameters, 1 - rate * self._decay)
        changes = (steps.to(rate.dtype) * rate).view(-1, *self._parameters[0].shape)
        torch._foreach_sub_(self._parameters, list(changes.unbind()))


def orthogonal(matrices: Tensor) -> Tensor:
    """[n, rows, columns], no more rows than columns: nearly the nearest matrices whose rows are orthonormal,
    by five steps of Newton and Schulz; singular values end between 0.7 and 1.2."""
    x = matrices.to(torch.bfloat16 if matrices.is_cuda else matrices.dtype)
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(5):
        product = x @ x.mT
        x = 3.4445 * x + (-4.7750 * product + 2.0315 * product @ product) @ x
    return x


def _laid_out(gradient: Tensor, parameter: Tensor) -> Tensor:
    """A gradient in memory as its parameter is, which one pass over both needs."""
    if gradient.stride() == parameter.stride():
        return gradient
    return torch.empty_like(parameter).copy_(gradient)


def _gradients(parameters: Sequence[Tensor]) -> list[Tensor]:
    return [p.grad if p.grad is not None else torch.zeros_like(p) for p in parameters]
