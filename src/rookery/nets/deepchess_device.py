"""DeepChess on the machine that trains it: positions in its memory, what each stage learns, batches of it.

A batch is rows of four numbers: two places in the table of positions, which class is right, and whether both
positions are to be mirrored. All rows of an epoch are drawn at once on the device, and the loop over its
batches never waits for it. On a GPU a batch is recorded once as a CUDA graph and then replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from rookery.nets.deepchess import BITS, DeepChess, Pos2Vec, dense, mirrored
from rookery.nets.optimisers import Optimiser
from rookery.nets.zero_device import record

_CHUNK = 16_384
"""Positions that are evaluated at a time where nothing is learnt."""


class Positions:
    """Active bits of positions, and which of them are from games that White won or lost."""

    def __init__(
        self,
        bits: NDArray[np.int16],
        won: NDArray[np.bool_],
        device: torch.device,
        near: NDArray[np.int16] | None = None,
    ) -> None:
        """near: for each position another one of the same game, some plies before or after it."""
        self.count = len(bits)
        table = torch.from_numpy(np.ascontiguousarray(bits)).to(device)
        self.bits = table if near is None else torch.cat([table, torch.from_numpy(near).to(device)])
        places = np.arange(self.count)
        self.won = torch.from_numpy(places[won]).to(device)
        self.lost = torch.from_numpy(places[~won]).to(device)

    def any(self, count: int, generator: torch.Generator) -> Tensor:
        """Rows of single positions."""
        rows = self._zeros(count)
        rows[:, 0] = self._draw(self.count, count, generator)
        return rows

    def pairs(self, count: int, generator: torch.Generator, flip: bool = False) -> Tensor:
        """Rows of a won and a lost position, uniform over each, in random order.

        flip: half of them with colours exchanged, which makes the won one a lost one.
        """
        won = self.won[self._draw(len(self.won), count, generator)]
        lost = self.lost[self._draw(len(self.lost), count, generator)]
        swap = self._draw(2, count, generator)
        turn = self._draw(2, count, generator) if flip else torch.zeros_like(swap)
        swapped = swap.bool()
        first, second = torch.where(swapped, lost, won), torch.where(swapped, won, lost)
        return torch.stack([first, second, swap ^ turn, turn], 1)

    def mixed(self, count: int, generator: torch.Generator) -> Tensor:
        """Rows of pairs such as a search asks about: half of any two, half of one and its neighbour.

        Nothing is known of their classes.
        """
        rows = self._zeros(count)
        rows[:, 0] = self._draw(self.count, count, generator)
        rows[:, 1] = self._draw(self.count, count, generator)
        rows[::2, 1] = rows[::2, 0] + self.count
        swapped = self._draw(2, count, generator).bool()
        rows[swapped, :2] = rows[swapped, :2].flip(1)
        return rows

    def _zeros(self, count: int) -> Tensor:
        return torch.zeros((count, 4), dtype=torch.int64, device=self.bits.device)

    def _draw(self, below: int, count: int, generator: torch.Generator) -> Tensor:
        return torch.randint(below, (count,), generator=generator, device=self.bits.device)

    def pair(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        """The bits of both positions of each row."""
        both = self.bits[rows[:, :2].T.flatten()]
        turn = rows[:, 3].bool().repeat(2)[:, None]
        return torch.where(turn, mirrored(both), both).chunk(2)


# --- what is learnt ----------------------------------------------------------------------------------


class Task(Protocol):
    """What a stage of training learns, from which rows."""

    modules: Sequence[nn.Module]
    """What it changes."""
    clip: float
    """The longest gradient."""

    def draw(self, positions: Positions, count: int, generator: torch.Generator) -> Tensor: ...
    def loss(self, positions: Positions, rows: Tensor) -> Tensor: ...


@dataclass
class Autoencode(Task):
    """One layer of Pos2Vec to encode what those before it make of a position, and a decoder for it.

    The bits are decoded as logits with cross-entropy, the codes of other layers linearly with squared error:
    ReLU units in the decoder, as in the paper, die.
    """

    embed: Pos2Vec
    decoder: nn.Linear
    layer: int
    """Counted from 1."""
    clip: float = 30.0

    def __post_init__(self) -> None:
        own = self.embed.first if self.layer == 1 else self.embed.rest[self.layer - 2]
        self.modules = (own, self.decoder)

    def draw(self, positions: Positions, count: int, generator: torch.Generator) -> Tensor:
        return positions.any(count, generator)

    def loss(self, positions: Positions, rows: Tensor) -> Tensor:
        bits = positions.bits[rows[:, 0]]
        if self.layer == 1:
            code = F.relu(self.embed.first(bits))
            found = F.binary_cross_entropy_with_logits(
                self.decoder(code).float(), dense(bits, torch.float32)[:, :BITS].float(), reduction="sum"
            )
        else:
            with torch.no_grad():
                given = self.embed.hidden(bits, self.layer - 1)[-1]
            code = F.relu(self.embed.rest[self.layer - 2](given))
            found = F.mse_loss(self.decoder(code).float(), given.float(), reduction="sum") / 2
        return found / len(rows)


@dataclass
class Compare(Task):
    """Which of two positions comes from a game that White won."""

    net: DeepChess
    flip: bool
    clip: float = 1.0

    def __post_init__(self) -> None:
        self.modules = (self.net.embed, self.net.compare)

    def draw(self, positions: Positions, count: int, generator: torch.Generator) -> Tensor:
        return positions.pairs(count, generator, self.flip)

    def loss(self, positions: Positions, rows: Tensor) -> Tensor:
        return F.cross_entropy(self.net(*positions.pair(rows)), rows[:, 2])


@dataclass
class Score(Task):
    """The same by one number a position (Bradley and Terry 1952), on an embedding that stays as it is."""

    net: DeepChess
    flip: bool
    clip: float = 1.0

    def __post_init__(self) -> None:
        self.modules = (self.net.scalar,)

    def draw(self, positions: Positions, count: int, generator: torch.Generator) -> Tensor:
        return positions.pairs(count, generator, self.flip)

    def loss(self, positions: Positions, rows: Tensor) -> Tensor:
        with torch.no_grad():
            both = self.net.embed(torch.cat(positions.pair(rows)))
        first, second = self.net.value(both).chunk(2)
        return F.binary_cross_entropy_with_logits(first - second, 1.0 - rows[:, 2])


@dataclass
class MimicEmbedding(Task):
    """The embedding of a larger network."""

    net: DeepChess
    teacher: DeepChess
    clip: float = 30.0

    def __post_init__(self) -> None:
        self.modules = (self.net.embed,)

    def draw(self, positions: Positions, count: int, generator: torch.Generator) -> Tensor:
        return positions.any(count, generator)

    def loss(self, positions: Positions, rows: Tensor) -> Tensor:
        bits = positions.bits[rows[:, 0]]
        with torch.no_grad():
            wanted = self.teacher.embed(bits).float()
        return F.mse_loss(self.net.embed(bits).float(), wanted, reduction="sum") / (2 * len(rows))


@dataclass
class Mimic(Task):
    """The probabilities of a larger network, at a temperature (Hinton, Vinyals and Dean 2015)."""

    net: DeepChess
    teacher: DeepChess
    temperature: float
    clip: float = 1.0

    def __post_init__(self) -> None:
        self.modules = (self.net.embed, self.net.compare)

    def draw(self, positions: Positions, count: int, generator: torch.Generator) -> Tensor:
        return positions.mixed(count, generator)

    def loss(self, positions: Positions, rows: Tensor) -> Tensor:
        a, b = positions.pair(rows)
        with torch.no_grad():
            wanted = F.softmax(self.teacher(a, b) / self.temperature, 1)
        told = F.log_softmax(self.net(a, b) / self.temperature, 1)
        return F.kl_div(told, wanted, reduction="batchmean") * self.temperature**2


# --- learning ----------------------------------------------------------------------------------------


class Trainer:
    """A task, its optimiser, and room for one batch."""

    def __init__(self, task: Task, optimiser: Callable[[list[Tensor]], Optimiser], batch: int, graphs: bool):
        self.task, self._batch, self._graphs = task, batch, graphs
        self._parameters = [p for module in task.modules for p in module.parameters()]
        self.optimiser = optimiser(self._parameters)
        device = self._device = self._parameters[0].device
        self._rows = torch.zeros((batch, 4), dtype=torch.int64, device=device)
        self._rate = torch.zeros((), device=device)
        self._sum = torch.zeros((), device=device)
        self._work: tuple[Positions, Callable[[], Any]] | None = None

    def epoch(
        self, positions: Positions, rows: Tensor, rates: NDArray[np.float64], stop: Callable[[], bool]
    ) -> float | None:
        """The mean loss over an epoch, in which each batch has its own learning rate; None: it was stopped.

        Whoever stops it takes it back by what `state` gave before.
        """
        told = torch.from_numpy(rates).float().to(self._device)
        self._rows.copy_(rows[: self._batch])
        if self._work is None or self._work[0] is not positions:
            before = self.state()
            self._work = positions, record(lambda: self._learn(positions), self._graphs)
            self.restore(before)  # recording learns a little
        work = self._work[1]
        self._sum.zero_()
        for number, batch in enumerate(rows.split(self._batch)):
            if number % 8 == 0 and stop():
                return None
            self._rows.copy_(batch)
            self._rate.copy_(told[number])
            work()
        return float(self._sum) / len(rates)

    def _learn(self, positions: Positions) -> None:
        for parameter in self._parameters:
            parameter.grad = None
        cuda = self._device.type == "cuda"
        with torch.autocast(self._device.type, torch.bfloat16, enabled=cuda, cache_enabled=False):
            loss = self.task.loss(positions, self._rows)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._parameters, self.task.clip)
        self.optimiser.step(self._rate)
        self._sum += loss.detach()

    def state(self) -> list[Tensor]:
        """A copy of all that learning changes."""
        return [tensor.detach().clone() for tensor in self._changing()]

    @torch.no_grad()
    def restore(self, state: list[Tensor]) -> None:
        for tensor, kept in zip(self._changing(), state, strict=True):
            tensor.copy_(kept)

    def _changing(self) -> list[Tensor]:
        return [*self._parameters, *(t for each in self.optimiser.state.values() for t in each)]


# --- measuring ---------------------------------------------------------------------------------------


class Pairs:
    """Pairs that never change, to measure by."""

    def __init__(self, positions: Positions, count: int, seed: int) -> None:
        generator = torch.Generator(positions.bits.device).manual_seed(seed)
        self.positions, self.rows = positions, positions.pairs(count, generator)

    @torch.no_grad()
    def judge(self, prefers: Callable[[Tensor, Tensor], Tensor]) -> tuple[float, float]:
        """How many are judged right, of 1, and the cross-entropy; `prefers` gives logits for the first."""
        right, surprise = 0.0, 0.0
        for rows in self.rows.split(_CHUNK):
            logit = prefers(*self.positions.pair(rows))
            logit = torch.where(rows[:, 2] == 0, logit, -logit).double()
            right += float((logit > 0).double().sum() + (logit == 0).double().sum() / 2)
            surprise += float(F.softplus(-logit).sum())
        return right / len(self.rows), surprise / len(self.rows)


@torch.no_grad()
def dead_units(embed: Pos2Vec, bits: Tensor) -> float:
    """The share of hidden units that are 0 on all of these positions."""
    layers = embed.hidden(bits)
    dead = sum(int((layer <= 0).all(0).sum()) for layer in layers)
    return dead / sum(layer.shape[1] for layer in layers)


@torch.no_grad()
def wrong_bits(embed: Pos2Vec, decoders: Sequence[nn.Linear], bits: Tensor) -> float:
    """How many bits of a position are wrong once so many layers have encoded and decoded it, on average."""
    code = embed.hidden(bits, len(decoders))[-1]
    for decoder in reversed(decoders[1:]):
        code = F.relu(decoder(code))
    found = decoders[0](code) > 0
    return float((found != (dense(bits, torch.float32)[:, :BITS] > 0)).float().sum(1).mean())


def tensors(module: nn.Module) -> Mapping[str, Tensor]:
    return {name: value.detach().contiguous() for name, value in module.state_dict().items()}
