"""A policy network that learns from games against itself (Pelat, section 4.3), on the machine that trains it.

Native code plays the games in lock-step (native/learn/chess_selfplay.hpp); here their positions are
answered, all at once, and rows of finished games are learnt from. A label differs from what the network said
for the move that was made alone, and the gradient of binary cross-entropy is 0 where both are equal: so the
loss is that of one probability."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from rookery import native
from rookery.nets.optimisers import FusedAdamW
from rookery.nets.policy import ACTIONS, HISTORY, PLANES, PolicyNet
from rookery.nets.policy_device import Plies, Task, Trainer, shaped
from rookery.nets.zero_device import record

WHITE, DRAW, BLACK, ABORTED = 1, 0, -1, 2
"""How a game ended."""
_MOST = 1 - 1e-4
"""Probabilities are held below it: a move that was sure and lost has no bound else."""
_LEAST = 1e-6
_KEYS = ("boards", "states", "played", "legal_begins", "legal")


class Games(Plies):
    """Finished games in the device's memory, with what each move was worth."""

    def __init__(self, found: Mapping[str, NDArray[Any]], device: torch.device) -> None:
        def tensor(name: str) -> Tensor:
            array = found[name]
            return torch.from_numpy(array.view(np.int16) if array.dtype == np.uint16 else array).to(device)

        super().__init__({"begins": tensor("games"), **{name: tensor(name) for name in _KEYS}})
        self.rewards = tensor("rewards")
        self.start = tensor("start")
        """Plies of each game before it was played here."""

    def learnt(self) -> Tensor:
        """The rows to learn from."""
        return torch.nonzero(self.rewards >= 0)[:, 0]

    def own(self) -> Tensor:
        """The rows where the network moved."""
        rows = torch.arange(self.count, device=self.device)
        return rows[self.ply(rows) >= self.start[self.game.long()]]


class Thinker:
    """Answers as many positions as there are games, at once; on a GPU as a CUDA graph."""

    def __init__(self, net: PolicyNet, games: int, graphs: bool, half: bool = False) -> None:
        """What the network learns is used from then on: its weights must stay in place. half: in half
        precision on a GPU."""
        self._net, self._half = net, half
        self._device = net.scale.device
        self._room = torch.zeros((games, PLANES[HISTORY] * 64), dtype=torch.uint8, device=self._device)
        self._graphs = graphs
        self._work: Callable[[], Tensor] | None = None

    def __call__(self, planes: Tensor) -> Tensor:
        self._room.copy_(planes, non_blocking=True)
        if self._work is None:
            self._work = record(self._think, self._graphs)
        return self._work()

    @torch.no_grad()
    def _think(self) -> Tensor:
        x = shaped(self._room.view(-1, PLANES[HISTORY], 8, 8))
        half = self._half and self._device.type == "cuda"
        with torch.autocast(self._device.type, torch.bfloat16, enabled=half, cache_enabled=False):
            return self._net(x if half else x.float())[0].float()


class Table:
    """Games in lock-step, and the room where native code and networks exchange what they know."""

    def __init__(self, starts: Any, seed: int, games: int, pinned: bool, **rules: Any) -> None:
        """rules: limit, max_plies, top and human, as native code has them."""
        self.native = native.ChessSelfPlay(starts, seed, games, **rules)
        self.logits = torch.zeros((games, ACTIONS), pin_memory=pinned)
        self.planes = torch.zeros((games, PLANES[HISTORY] * 64), dtype=torch.uint8, pin_memory=pinned)
        self.sides = torch.full((games,), -1, dtype=torch.int8)
        self._arrays = self.logits.numpy(), self.planes.numpy(), self.sides.numpy()

    def step(self, workers: Any) -> int:
        """Make the moves that `logits` say; how many games are under way then."""
        under_way: int = self.native.step(*self._arrays, workers)
        return under_way


@dataclass(frozen=True)
class Score:
    """What a network made of a match, half of it with each colour."""

    games: int
    white: float
    black: float
    """Share of the points with each colour, a draw half a point."""
    drawn: float
    aborted: float
    """Shares of the games; an aborted one is a draw."""

    @property
    def share(self) -> float:
        return (self.white + self.black) / 2


def match(
    ours: Callable[[Tensor], Tensor],
    theirs: Callable[[Tensor], Tensor],
    table: Table,
    workers: Any,
    stop: Callable[[], None] = lambda: None,
) -> Score:
    """Every second game of a table with as many games as its limit, from game 0 on, is ours with White."""
    games = len(table.sides)
    colour = torch.arange(games) % 2
    while table.step(workers):
        stop()
        mine = (table.sides == colour)[:, None]
        table.logits.copy_(torch.where(mine, ours(table.planes).cpu(), theirs(table.planes).cpu()))
    found = table.native.take()
    sign = np.where(found["number"] % 2 == 0, 1, -1)
    points = np.where(found["end"] == ABORTED, 0.5, (found["end"] * sign + 1) / 2)
    return Score(
        games,
        float(points[sign > 0].mean()),
        float(points[sign < 0].mean()),
        float((found["end"] == DRAW).mean()),
        float((found["end"] == ABORTED).mean()),
    )


def reward_loss(logits: Tensor, actions: Tensor, there: Tensor, played: Tensor, rewards: Tensor) -> Tensor:
    """Binary cross-entropy of what the moves played were worth, with probabilities among the legal moves:
    the mean over a batch."""
    told = logits.gather(1, actions).masked_fill(~there, float("-inf"))
    right = logits.gather(1, played[:, None])[:, 0]
    chosen = torch.exp(right - torch.logsumexp(told, 1)).clamp(_LEAST, _MOST)
    return -(rewards * torch.log(chosen) + (1 - rewards) * torch.log1p(-chosen)).mean()


def divergence(logits: Tensor, other: Tensor, actions: Tensor, there: Tensor) -> Tensor:
    """Of Kullback and Leibler, of a policy from another over the legal moves: the mean over a batch."""
    ours, theirs = (
        F.log_softmax(each.gather(1, actions).masked_fill(~there, -1e4), 1) for each in (logits, other)
    )
    return (ours.exp() * (ours - theirs)).sum(1).mean()


@torch.no_grad()
def entropy(net: PolicyNet, games: Games, rows: Tensor) -> float:
    """Of the policy over the legal moves, in nats: the mean over some rows."""
    found = []
    for part in rows.split(4096):
        logits = net(shaped(games.history(part)).float())[0]
        actions, there, _ = games.choices(part, turned=False)
        told = F.log_softmax(logits.gather(1, actions).masked_fill(~there, -1e4), 1)
        found.append(-(told.exp() * told).sum(1))
    return float(torch.cat(found).mean()) if found else 0.0


class RewardTrainer(Trainer):
    """Learns what the moves of games were worth."""

    def __init__(
        self, net: PolicyNet, prior: PolicyNet | None, weight: float, batch: int, clip: float, graphs: bool
    ) -> None:
        """prior: the network that `weight` of the divergence holds it to."""
        self._prior, self._weight, self._size = prior, weight, batch
        task = Task("legal", outcome_weight=0.0, unrated=0.0)
        super().__init__(net, None, task, lambda p: FusedAdamW(p, 0.0), batch, clip, 0.0, graphs)

    def learn_from(
        self,
        games: Games,
        rate: float,
        generator: torch.Generator,
        stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """One pass over all that is to be learnt of some games, or until `stop` ends it; how many batches
        that was."""
        rows = games.learnt()
        if not len(rows):
            return 0
        rows = rows[torch.randperm(len(rows), generator=generator, device=games.device)]
        count = -(-len(rows) // self._size)
        # The last batch is filled up with rows of the first, or of itself where there is no other.
        rows = rows.repeat(-(-count * self._size // len(rows)))[: count * self._size]
        self.rows, self._games = games, games
        return self.learn(rows.view(count, self._size), [rate] * count, generator, stop)

    def _make(self, rows: Tensor, generator: torch.Generator) -> dict[str, Tensor]:
        return super()._make(rows, generator) | {"rewards": self._games.rewards[rows]}

    def _policy_loss(self, logits: Tensor) -> Tensor:
        batch = self._batch
        loss = reward_loss(logits, batch.actions, batch.there, batch.played, batch.rewards)
        if self._prior is None:
            return loss
        with torch.no_grad():
            cuda = self.device.type == "cuda"
            with torch.autocast(self.device.type, torch.bfloat16, enabled=cuda, cache_enabled=False):
                other = self._prior(batch.planes)[0].float()
        return loss + self._weight * divergence(logits, other, batch.actions, batch.there)
