"""The network of `zero` on the machine that trains it: evaluation in large batches, replay and optimisation.

On a GPU both the evaluation and the training step are recorded once as CUDA graphs and then only replayed, so
that a small network is not held up by the launching of its many small kernels.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from rookery.nets.window import Field, Window
from rookery.nets.zero import PLANES, Shape, ZeroNet, loss, worth

_CHUNKS = (4096, 1024, 256)
"""Batches that graphs are recorded for; others are made up of these."""
FIELDS = ("planes", "policy", "won", "score", "owner")


def pick_device(name: str) -> torch.device:
    return torch.device(("cuda" if torch.cuda.is_available() else "cpu") if name == "auto" else name)


def record(work: Callable[[], Any], graphs: bool) -> Callable[[], Any]:
    """What does the same as `work`, as a CUDA graph where that can be; its tensors must stay in place."""
    if not graphs:
        return work
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            result = work()
    except RuntimeError as error:
        torch.cuda.synchronize()
        warnings.warn(f"no CUDA graph, so all will be slower: {error}", stacklevel=2)
        return work

    def replay() -> Any:
        graph.replay()
        return result

    return replay


class BatchEvaluator:
    """Evaluates the positions of one size of board that self-play hands out."""

    def __init__(self, net: ZeroNet, size: int, score_weight: float, graphs: bool) -> None:
        self._net, self._size, self._score_weight = net, size, score_weight
        self._device = next(net.parameters()).device
        self._graphs = graphs
        self._recorded: dict[int, tuple[Tensor, Callable[[], tuple[Tensor, Tensor]]]] = {}
        if graphs:
            for chunk in _CHUNKS:
                self._recorded[chunk] = self._record(chunk)

    def _record(self, chunk: int) -> tuple[Tensor, Callable[[], tuple[Tensor, Tensor]]]:
        planes = torch.zeros((chunk, PLANES * self._size**2), dtype=torch.uint8, device=self._device)
        return planes, record(lambda: self._think(planes), self._graphs)

    @torch.no_grad()
    def _think(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        x = planes.view(-1, PLANES, self._size, self._size).float() / 255
        policy, won, score, _ = self._net(x)
        return policy, worth(won, score, self._score_weight)

    def policy(self, planes: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Logits of some positions, at once."""
        logits = self._think(torch.from_numpy(planes).to(self._device))[0]
        return np.asarray(logits.cpu().numpy(), np.float32)

    def launch(self, planes: Tensor, count: int, logits: Tensor, values: Tensor) -> None:
        """Evaluate the first `count` rows into the others; on a GPU only begun when this returns."""
        start = 0
        while start < count:
            rest = count - start
            chunk = next((c for c in _CHUNKS if c <= rest), _CHUNKS[-1]) if self._graphs else rest
            n = min(chunk, rest)
            if self._graphs:
                room, think = self._recorded[chunk]
                room[:n].copy_(planes[start : start + n], non_blocking=True)
                policy, value = think()
            else:
                policy, value = self._think(planes[start : start + n].to(self._device))
            logits[start : start + n].copy_(policy[:n], non_blocking=True)
            values[start : start + n].copy_(value[:n], non_blocking=True)
            start += n


class ReplayBuffer(Window):
    """The newest samples of one size of board."""

    def __init__(self, size: int, capacity: int, device: torch.device) -> None:
        self.size = size
        area = size * size
        fields = {
            "planes": Field(torch.uint8, (PLANES * area,)),
            "policy": Field(torch.float16, (area + 1,), unit=65535),
            "won": Field(torch.float32),
            "score": Field(torch.float32),
            "owner": Field(torch.int8, (area,)),
        }
        super().__init__(fields, capacity, device)


def turned(x: Tensor, symmetry: int) -> Tensor:
    """One of the eight symmetries of a board, applied to the last two dimensions."""
    x = torch.rot90(x, symmetry % 4, (-2, -1))
    return x.flip(-1) if symmetry >= 4 else x


def augment(batch: Mapping[str, Tensor], size: int) -> dict[str, Tensor]:
    """A batch ready for the loss: an eighth of it in each symmetry, and one in 16 without its last moves.

    Rows are drawn at random, so which of them are treated how need not be.
    """
    parts: dict[str, list[Tensor]] = {"planes": [], "policy": [], "owner": []}
    planes = batch["planes"].view(-1, PLANES, size, size)
    policy = batch["policy"].float()
    points, owner = policy[:, :-1].view(-1, size, size), batch["owner"].view(-1, size, size)
    bounds = [len(policy) * i // 8 for i in range(9)]
    for symmetry in range(8):
        cut = slice(bounds[symmetry], bounds[symmetry + 1])
        parts["planes"].append(turned(planes[cut], symmetry))
        spots = turned(points[cut], symmetry).flatten(1)
        parts["policy"].append(torch.cat([spots, policy[cut, -1:]], 1))
        parts["owner"].append(turned(owner[cut], symmetry).flatten(1))
    x = torch.cat(parts["planes"]).float() / 255
    seen = torch.ones((len(x), 1, 1, 1), device=x.device)
    seen[::16] = 0
    x = torch.cat([x[:, :9], x[:, 9:11] * seen, x[:, 11:]], 1)
    return {
        "planes": x,
        "policy": torch.cat(parts["policy"]),
        "owner": torch.cat(parts["owner"]).float(),
        "won": batch["won"],
        "score": batch["score"],
    }


class Trainer:
    """A network, its optimiser (AdamW, Loshchilov and Hutter 2019) and a moving average of its weights."""

    WEIGHTS = (1.0, 1.0, 0.25, 0.5)
    """Of the losses of policy, winning, score and ownership."""

    def __init__(
        self,
        shape: Shape,
        windows: Sequence[ReplayBuffer],
        batches: Sequence[int],
        decay: float,
        graphs: bool,
    ) -> None:
        self.windows, self._batches, self._graphs = windows, batches, graphs
        self.device = windows[0].rows["won"].device
        cuda = self.device.type == "cuda"
        self.net = ZeroNet(shape).to(self.device, memory_format=torch.channels_last)
        self.average = ZeroNet(shape).to(self.device, memory_format=torch.channels_last)
        self.average.load_state_dict(self.net.state_dict())
        self._rate = torch.tensor(0.0, device=self.device)
        matrices = [p for p in self.net.parameters() if p.dim() > 1]
        biases = [p for p in self.net.parameters() if p.dim() <= 1]
        groups = [{"params": matrices, "weight_decay": decay}, {"params": biases, "weight_decay": 0.0}]
        self.optimiser = torch.optim.AdamW(
            groups, lr=self._rate if cuda else 1e-3, betas=(0.9, 0.99), capturable=cuda
        )
        self.steps = 0
        self._places = [torch.zeros(n, dtype=torch.int64, device=self.device) for n in batches]
        self._weights = torch.tensor(self.WEIGHTS, device=self.device)
        self._sums = torch.zeros((len(windows), 4), device=self.device)
        self._counted = 0
        self._work: Callable[[], Any] | None = None

    def step(self, rng: np.random.Generator, span: float, rate: float, averaging: float) -> None:
        """Learn from one batch of rows among the newest, `span` being the share of each window in use."""
        for places, window, count in zip(self._places, self.windows, self._batches, strict=True):
            reach = max(1, int(span * min(window.total, window.capacity)))
            places.copy_(torch.from_numpy(window.draw(rng, count, reach)), non_blocking=True)
        if self.device.type == "cuda":
            self._rate.fill_(rate)
        else:
            for group in self.optimiser.param_groups:
                group["lr"] = rate
        if self._work is None:
            self._work = record(self._learn, self._graphs)
        self._work()
        self.steps += 1
        self._counted += 1
        pace = max(1 - averaging, 1 / (self.steps + 1))
        with torch.no_grad():
            ours, theirs = list(self.average.parameters()), list(self.net.parameters())
            torch._foreach_lerp_(ours, theirs, pace)

    def _learn(self) -> None:
        self.optimiser.zero_grad(set_to_none=True)
        total = torch.zeros((), device=self.device)
        cuda = self.device.type == "cuda"
        for i, (places, window) in enumerate(zip(self._places, self.windows, strict=True)):
            batch = augment({name: rows[places] for name, rows in window.rows.items()}, window.size)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=cuda, cache_enabled=False):
                losses = loss(self.net, *(batch[name] for name in FIELDS))
            self._sums[i] += losses.detach()
            total = total + (losses * self._weights).sum() * (self._batches[i] / sum(self._batches))
        total.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimiser.step()

    def relink(self) -> None:
        """After the optimiser was loaded, which copies the tensor of the learning rate."""
        if self.device.type == "cuda":
            for group in self.optimiser.param_groups:
                group["lr"] = self._rate

    def losses(self) -> NDArray[np.float32]:
        """[sizes, 4]: mean losses since this was last asked."""
        means = (self._sums / max(1, self._counted)).cpu().numpy()
        self._sums.zero_()
        self._counted = 0
        return np.asarray(means, np.float32)
