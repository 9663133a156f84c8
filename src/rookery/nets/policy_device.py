"""Policy networks on the machine that trains them: all games as rows in its memory, batches, learning,
measuring.

A row is a ply (native/records/policy_rows.hpp). Batches are numbers of rows; their planes, legal moves and
labels are made on the device. A small batch is recorded once as a CUDA graph, and then replayed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from rookery.nets.optimisers import Optimiser
from rookery.nets.policy import ACTIONS, PLANES, PolicyNet, squares_of_actions
from rookery.nets.zero_device import record
from rookery.records import splits
from rookery.records.store import Store

TRAIN, GAME, TIME = 0, 1, 2
"""Sides of the split (rookery.records.splits)."""
BANDS = ("below 1400", *(f"{low}s" for low in range(1400, 2700, 100)), "2700 and more")
"""Of the mover's rating."""
UNKNOWN = len(BANDS)
"""The band of a mover without a rating."""
STRONG = 2300
"""From here on a mover counts three times where the strong count more."""
MOST = 224
"""Legal moves of a position, at most."""
Sampling = Literal["bands", "plain", "strong"]
Loss = Literal["legal", "all", "cross-entropy"]
_GAMES_AT_ONCE = 100_000
_MADE_AT_ONCE = 8192
"""Positions that are decoded together."""
_NO_SQUARE = 64
_LEAST_LOG = -100.0
"""The least logarithm of one less a probability."""


def band(ratings: Tensor) -> Tensor:
    """The number of the band of each rating; UNKNOWN for 0."""
    return torch.where(ratings > 0, (ratings.int() // 100 - 13).clamp(0, UNKNOWN - 1), UNKNOWN)


class Plies:
    """All plies of some games in a device's memory: a row each, those of a game one after the other."""

    def __init__(self, parts: Mapping[str, Tensor]) -> None:
        """parts: as native code makes them (native/records/policy_rows.hpp)."""
        self.begins, self.boards, self.states = parts["begins"], parts["boards"], parts["states"]
        self.played, self.legal_begins, self.legal = parts["played"], parts["legal_begins"], parts["legal"]
        self.device, self.count = self.boards.device, len(self.boards)
        lengths = self.begins[1:] - self.begins[:-1]
        self.game = torch.repeat_interleave(
            torch.arange(len(lengths), device=self.device, dtype=torch.int32), lengths
        )
        self._pairs, self._flipped = _tables(self.device)

    def ply(self, rows: Tensor) -> Tensor:
        return rows - self.begins[self.game[rows].long()]

    def black(self, rows: Tensor) -> Tensor:
        return (self.states[rows, 0] & 1).long()

    def men(self, rows: Tensor) -> Tensor:
        """[B, 64]: the man on each square, as native/games/chess/position.hpp counts them."""
        board = self.boards[rows]
        return torch.stack([board & 15, board >> 4], 2).flatten(1)

    # --- what networks see ---------------------------------------------------------------------------

    def history(self, rows: Tensor) -> Tensor:
        """The encoder chess-planes-41: uint8 [B, 41, 8, 8]."""
        ply = self.ply(rows)
        kinds = self._kinds([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 0])
        boards = []
        for before in (0, 2, 4):
            men = self.men(torch.where(ply >= before, rows - before, rows))
            boards.append((men[:, None, :] == kinds[:, None]).to(torch.uint8))
        state = self.states[rows]
        whole = torch.stack([1 - (state[:, 0] & 1), state[:, 3]], 1)[:, :, None].expand(-1, -1, 64)
        return torch.cat([*boards, whole], 1).view(-1, 41, 8, 8)

    def squares(self, rows: Tensor) -> Tensor:
        """The encoder chess-squares-1: uint8 [B, 20, 8, 8]."""
        state = self.states[rows]
        black = (state[:, 0] & 1).bool()[:, None]
        over = 56 * black  # to be exclusive-ored with a square
        men = self.men(rows)
        turned = men.view(-1, 8, 8).flip(1).flatten(1)
        men = torch.where(black, torch.where(turned > 0, turned ^ 8, turned), men)
        kinds = self._kinds([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14])
        own = men[:, None, :] == kinds[:, None]
        squares = torch.arange(64, device=self.device)
        pair = self._pairs[self.played[(rows - 1).clamp(0)].long()][:, None] ^ over * 65
        moved = (self.ply(rows) > 0)[:, None]
        last = torch.stack([moved & (squares == pair // 64), moved & (squares == pair % 64)], 1)
        rights = (state[:, :1] >> 1 >> (torch.arange(4, device=self.device) ^ 2 * black)) & 1
        passed = state[:, 1:2].long()
        passant = (squares == (passed ^ over)) & (passed != _NO_SQUARE)
        whole = torch.cat([rights.to(torch.uint8), state[:, 2:3]], 1)[:, :, None].expand(-1, -1, 64)
        planes = [own, last, whole[:, :4], passant[:, None], whole[:, 4:]]
        return torch.cat([each.to(torch.uint8) for each in planes], 1).view(-1, 20, 8, 8)

    def seen(self, rows: Tensor, rated: bool) -> tuple[Tensor, Tensor | None]:
        """Planes, and ratings for a network that is told them."""
        return (self.squares(rows) if rated else self.history(rows)), None

    def _kinds(self, men: list[int]) -> Tensor:
        return _constant(tuple(men), self.device)

    def choices(self, rows: Tensor, turned: bool) -> tuple[Tensor, Tensor, Tensor]:
        """[B, MOST] legal actions, which of these there are, [B] the one played.

        turned: for Black as on the board turned over. Where there are no more, other actions stand, each
        once: what flows back to them is 0, and flows to many places.
        """
        begin = self.legal_begins[rows]
        slots = torch.arange(MOST, device=self.device)
        there = slots < (self.legal_begins[rows + 1] - begin)[:, None]
        actions = self.legal[(begin[:, None] + slots).clamp(max=len(self.legal) - 1)]
        played = self.played[rows]
        if turned:
            black = self.black(rows).bool()
            actions = torch.where(black[:, None], self._flipped[actions.long()], actions)
            played = torch.where(black, self._flipped[played.long()], played)
        return torch.where(there, actions.long(), slots), there, played.long()


class Rows(Plies):
    """Those of some stores."""

    def __init__(self, stores: Sequence[Store], split_seed: int, device: torch.device, threads: int) -> None:
        self.names = [store.path.name for store in stores]
        parts: dict[str, list[Tensor]] = {}
        rows = legal = 0

        def add(name: str, array: NDArray[Any]) -> None:
            parts.setdefault(name, []).append(torch.from_numpy(np.ascontiguousarray(array)).to(device))

        for number, store in enumerate(stores):
            side = np.zeros(len(store), np.uint8)
            split = splits.split(store, split_seed)
            side[split.game], side[split.time] = GAME, TIME
            add("side", side)
            add("store", np.full(len(store), number, np.uint8))
            add("elos", store.elos)
            add("result", store.results)
            for first in range(0, len(store), _GAMES_AT_ONCE):
                games = np.arange(first, min(first + _GAMES_AT_ONCE, len(store)), dtype=np.uint32)
                found = store.native.rows(games, threads)
                add("begins", found["games"][:-1] + rows)
                add("boards", found["boards"])
                add("states", found["states"])
                add("played", found["played"].view(np.int16))
                add("legal_begins", found["legal_begins"][:-1] + legal)
                add("legal", found["legal"].view(np.int16))
                rows, legal = rows + len(found["played"]), legal + len(found["legal"])
        add("begins", np.array([rows]))
        add("legal_begins", np.array([legal]))
        self._parts = {}
        for name in list(parts):
            self._parts[name] = torch.cat(parts.pop(name))
        super().__init__(self._parts)
        self.side, self.store = self._parts["side"], self._parts["store"]
        self.elos, self.result = self._parts["elos"], self._parts["result"]

    @property
    def bytes(self) -> int:
        return sum(part.nbytes for part in self._parts.values()) + self.game.nbytes

    def ratings(self, rows: Tensor) -> Tensor:
        """[B, 2]: of the mover and the opponent, 0 for unknown."""
        elos = self.elos[self.game[rows].long()]
        black = self.black(rows)[:, None].bool()
        return torch.where(black, elos.flip(1), elos).float().clamp(0, 4000)

    def outcome(self, rows: Tensor) -> Tensor:
        """0 the mover won, 1 drawn, 2 lost; -100 for unknown, which no loss counts."""
        result = self.result[self.game[rows].long()].long()
        found = 1 - torch.where(self.black(rows).bool(), -result, result)
        return torch.where(result == 2, -100, found)

    def seen(self, rows: Tensor, rated: bool) -> tuple[Tensor, Tensor | None]:
        return super().seen(rows, rated)[0], self.ratings(rows) if rated else None

    # --- which rows there are ------------------------------------------------------------------------

    def of(self, side: int, first_ply: int) -> Tensor:
        """The rows of one side of the split, from a ply on, ascending."""
        found = []
        for rows in torch.arange(self.count, device=self.device).split(1 << 26):
            keep = (self.side[self.game[rows].long()] == side) & (self.ply(rows) >= first_ply)
            found.append(rows[keep])
        return torch.cat(found)

    def bands(self, rows: Tensor) -> Tensor:
        return torch.cat([band(self.ratings(part)[:, 0]).to(torch.uint8) for part in rows.split(1 << 24)])


@cache
def _tables(device: torch.device) -> tuple[Tensor, Tensor]:
    """The two squares of each action (`squares_of_actions`), and each action on the board turned over."""
    pairs, kinds = squares_of_actions()
    turned = {(pair, kind): number for number, (pair, kind) in enumerate(zip(pairs, kinds, strict=True))}
    flipped = [turned[pair ^ (56 * 65), kind] for pair, kind in zip(pairs, kinds, strict=True)]
    return torch.from_numpy(pairs).to(device), torch.tensor(flipped, dtype=torch.int16, device=device)


_constants: dict[tuple[tuple[int, ...], torch.device], Tensor] = {}


def _constant(numbers: tuple[int, ...], device: torch.device) -> Tensor:
    if (numbers, device) not in _constants:
        _constants[numbers, device] = torch.tensor(numbers, dtype=torch.uint8, device=device)
    return _constants[numbers, device]


class Draws:
    """Random rows: of each band of the mover's rating alike, plainly, or the strong more often."""

    def __init__(self, rows: Rows, chosen: Tensor, sampling: Sampling) -> None:
        bands = rows.bands(chosen)
        order = torch.argsort(bands, stable=True)
        self._rows = chosen[order].to(torch.int32 if rows.count < 2**31 else torch.int64)
        del order
        counts = torch.bincount(bands.int(), minlength=UNKNOWN + 1).double().cpu()
        self.counts = counts.long().tolist()
        share = counts.clone()
        if sampling == "bands":
            share = (counts > 0).double()
            share[UNKNOWN] = 0 if share[:UNKNOWN].any() else 1
        elif sampling == "strong":
            share[STRONG // 100 - 13 : UNKNOWN] *= 3
        share /= share.sum()
        device = chosen.device
        self._counts = counts.to(device)
        self._begins = (counts.cumsum(0) - counts).to(device)
        self._upto = share.cumsum(0)[:-1].to(device)

    def draw(self, count: int, generator: torch.Generator) -> Tensor:
        chance = torch.rand((2, count), generator=generator, device=self._rows.device, dtype=torch.float64)
        bands = torch.searchsorted(self._upto, chance[0], right=True)
        within = (chance[1] * self._counts[bands]).floor().clamp(max=self._counts[bands] - 1)
        return self._rows[(self._begins[bands] + within).long()].long()


# --- learning ----------------------------------------------------------------------------------------


def policy_loss(kind: Loss, logits: Tensor, actions: Tensor, there: Tensor, played: Tensor) -> Tensor:
    """The mean over a batch of what is learnt.

    legal: binary cross-entropy, all but the legal moves masked, with probabilities among these (Pelat); all:
    the same over all actions; cross-entropy: of the probabilities among the legal moves.
    """
    if kind == "all":
        return -_binary(logits, torch.arange(ACTIONS, device=logits.device) == played[:, None]).mean()
    told = logits.gather(1, actions).masked_fill(~there, float("-inf"))
    if kind == "cross-entropy":
        right = logits.gather(1, played[:, None])[:, 0]
        return (torch.logsumexp(told, 1) - right).mean()
    # What is masked adds 0. One number divides all positions: by their numbers of legal moves, the few that
    # have hardly any would outweigh the rest.
    return -_binary(told, there & (actions == played[:, None])).sum(1).mean() / ACTIONS


def _binary(logits: Tensor, chosen: Tensor) -> Tensor:
    """Of each move the logarithm of its probability where it was chosen, else of one less its probability.

    Nothing is clamped but the second at -100, as torch's own binary cross-entropy does: a clamped probability
    has no gradient, and a network that is sure of a wrong move would never learn otherwise.
    """
    every = torch.logsumexp(logits, 1, keepdim=True)
    logs = logits - every
    likeliest = logits.argmax(1, keepdim=True)
    # Near 1 a probability has no digits left for what is missing; the others' sum has. None but the likeliest
    # is more than a half.
    lowered = logits.scatter(1, likeliest, logits.gather(1, likeliest) + _LEAST_LOG)
    others = torch.logsumexp(lowered, 1, keepdim=True) - every
    missing = torch.log1p(-torch.exp(logs).clamp(max=0.5))
    return torch.where(chosen, logs, missing.scatter(1, likeliest, others))


@dataclass(frozen=True)
class Task:
    """What is learnt of a batch."""

    loss: Loss
    outcome_weight: float
    """Of the cross-entropy of win, draw and loss."""
    unrated: float
    """The share of positions whose ratings are not told."""


class Batch:
    """Room for what a network sees and learns of some positions; written anew before each step."""

    def __init__(self, size: int, rated: bool, planes: int, device: torch.device) -> None:
        def room(kind: torch.dtype, *shape: int) -> Tensor:
            return torch.zeros((size, *shape), dtype=kind, device=device)

        self.planes = shaped(room(torch.uint8, planes, 8, 8))
        self.actions, self.there = room(torch.int64, MOST), room(torch.bool, MOST)
        self.played = room(torch.int64)
        self.ratings = room(torch.float32, 2) if rated else None
        self.outcome = room(torch.int64) if rated else None
        self.rewards = room(torch.float32)

    def fill(self, made: Mapping[str, Tensor], part: slice) -> None:
        self.planes.copy_(made["planes"][part])
        self.actions.copy_(made["actions"][part])
        self.there.copy_(made["there"][part])
        self.played.copy_(made["played"][part])
        if "rewards" in made:
            self.rewards.copy_(made["rewards"][part])
        if self.ratings is not None and self.outcome is not None:
            self.ratings.copy_(made["ratings"][part])
            self.outcome.copy_(made["outcome"][part])


class Trainer:
    """A network, its optimiser, the mean of its weights over time, and room for one batch."""

    def __init__(
        self,
        net: PolicyNet,
        rows: Plies | None,
        task: Task,
        optimiser: Callable[[list[Tensor]], Optimiser],
        batch: int,
        clip: float,
        average: float,
        graphs: bool,
    ) -> None:
        """rows: what is learnt from, now or later. clip: the longest gradient, 0 for any. average: how much
        of the mean stays with each batch; 0: no mean."""
        self.net, self.rows, self.task = net, rows, task
        self._size, self._clip, self._average, self._graphs = batch, clip, average, graphs
        self.device = net.scale.device
        self.parameters = [p for p in net.parameters() if p.requires_grad]
        self.optimiser = optimiser(self.parameters)
        self._state = [t for t in net.state_dict().values() if t.is_floating_point()]
        self.mean = [t.detach().clone() for t in self._state] if average else []
        self._batch = Batch(batch, net.shape.rated, PLANES[net.shape.encoder], self.device)
        self._rate = torch.zeros((), device=self.device)
        self._follow = torch.ones((), device=self.device)
        self.sums = torch.zeros(2, device=self.device)
        """Of the losses of policy and outcome, over batches."""
        self.batches = 0
        self._loss = policy_loss
        self._work: Callable[[], Any] | None = None

    def learn(
        self,
        rows: Tensor,
        rates: Sequence[float],
        generator: torch.Generator,
        stop: Callable[[], bool] = lambda: False,
    ) -> int:
        """From [n, batch] rows, each batch at its own learning rate; how many batches that was. On a GPU only
        begun when this returns.

        stop: is asked before each batch whether it shall be left out, with all after it.
        """
        told = torch.tensor(rates, dtype=torch.float32).to(self.device)
        # The mean follows closely at first, when what it began with means nothing.
        follow = [max(1 - self._average, 1 / (1 + (self.batches + i) / 10)) for i in range(len(rates))]
        lag = torch.tensor(follow, dtype=torch.float32).to(self.device)
        # Small batches are made many at a time.
        together = max(1, _MADE_AT_ONCE // self._size)
        for first in range(0, len(rates), together):
            some = rows[first : first + together]
            made = self._make(some.flatten(), generator)
            for i in range(len(some)):
                if stop():
                    self.batches += first + i
                    return first + i
                self._batch.fill(made, slice(i * self._size, (i + 1) * self._size))
                self._rate.copy_(told[first + i])
                self._follow.copy_(lag[first + i])
                if self._work is None:
                    before = self.state()
                    self._work = record(self._learn, self._graphs)
                    self.restore(before)  # recording learns a little
                self._work()
        self.batches += len(rates)
        return len(rates)

    def _make(self, rows: Tensor, generator: torch.Generator) -> dict[str, Tensor]:
        data, rated = self.rows, self.net.shape.rated
        assert data is not None
        actions, there, played = data.choices(rows, rated)
        made = {"actions": actions, "there": there, "played": played}
        if not rated:
            return made | {"planes": data.history(rows)}
        assert isinstance(data, Rows)
        chance = torch.rand(len(rows), generator=generator, device=self.device)
        ratings = data.ratings(rows) * (chance >= self.task.unrated)[:, None]
        outcome = data.outcome(rows)
        return made | {"planes": data.squares(rows), "ratings": ratings, "outcome": outcome}

    def _learn(self) -> None:
        for parameter in self.parameters:
            parameter.grad = None
        batch = self._batch
        with torch.autocast(
            self.device.type, torch.bfloat16, self.device.type == "cuda", cache_enabled=False
        ):
            logits, outcome = self.net(batch.planes, batch.ratings)
        loss = self._policy_loss(logits.float())
        self.sums[0] += loss.detach()
        if outcome is not None:
            other = F.cross_entropy(outcome.float(), batch.outcome)
            other = torch.nan_to_num(other)  # of a batch without any outcome
            self.sums[1] += other.detach()
            loss = loss + self.task.outcome_weight * other
        loss.backward()
        if self._clip:
            nn.utils.clip_grad_norm_(self.parameters, self._clip)
        self.optimiser.step(self._rate)
        if self._average:
            self._follow_mean()

    def _policy_loss(self, logits: Tensor) -> Tensor:
        batch = self._batch
        return self._loss(self.task.loss, logits, batch.actions, batch.there, batch.played)

    def compile(self) -> None:
        """Let blocks and loss be compiled when they are next used: all blocks as one, and what lies between
        two convolutions in one pass over the memory."""
        for block in self.net.blocks():
            block.compile(dynamic=False)
        self._loss = torch.compile(policy_loss, dynamic=False)

    @torch.no_grad()
    def _follow_mean(self) -> None:
        change = torch._foreach_sub(self._state, self.mean)
        torch._foreach_mul_(change, self._follow)
        torch._foreach_add_(self.mean, change)

    @torch.no_grad()
    def averaged(self) -> dict[str, Tensor]:
        """The state of the network that is kept: the mean over time, where there is one."""
        state = {name: tensor.detach().clone() for name, tensor in self.net.state_dict().items()}
        if self._average:
            names = [name for name, tensor in state.items() if tensor.is_floating_point()]
            state |= {name: tensor.clone() for name, tensor in zip(names, self.mean, strict=True)}
        return state

    def state(self) -> list[Tensor]:
        """A copy of all that learning changes."""
        return [tensor.detach().clone() for tensor in self._changing()]

    @torch.no_grad()
    def restore(self, state: list[Tensor]) -> None:
        for tensor, kept in zip(self._changing(), state, strict=True):
            tensor.copy_(kept)

    def _changing(self) -> list[Tensor]:
        moments = [t for each in self.optimiser.state.values() for t in each]
        return [*self.net.state_dict().values(), *moments, *self.mean, self.sums]


def shaped(planes: Tensor) -> Tensor:
    """Planes as numbers; on a GPU in the order that its convolutions like."""
    if planes.is_cuda:
        return planes.to(torch.bfloat16).contiguous(memory_format=torch.channels_last)
    return planes.float()


def quickest(make: Callable[[], Trainer], rows: Tensor, generator: torch.Generator) -> Trainer:
    """A trainer whose network is compiled, where that can be and is quicker. rows: [n, batch], to try it
    with."""

    def seconds(trainer: Trainer) -> float:
        before = trainer.state()
        trainer.learn(rows[:3], [0.0] * 3, generator)
        torch.cuda.synchronize()
        began = perf_counter()
        trainer.learn(rows[3:], [0.0] * (len(rows) - 3), generator)
        torch.cuda.synchronize()
        found = (perf_counter() - began) / (len(rows) - 3)
        trainer.restore(before)
        trainer.batches = 0
        return found

    plain = make()
    time = seconds(plain)
    compiled = make()
    try:
        compiled.compile()
        quicker = seconds(compiled)
    except Exception as error:  # whatever a compiler says, there is a way without it
        torch.cuda.synchronize()
        warnings.warn(f"the network is not compiled, so all may be slower: {str(error)[:300]}", stacklevel=2)
        return plain
    return compiled if quicker < time else plain


# --- measuring ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answers:
    """What a network says of some rows, each a number a row."""

    rows: Tensor
    entropy: Tensor
    """Cross-entropy: minus the logarithm of the probability of the move played."""
    rank: Tensor
    """How many other legal moves it thinks as likely as the one played, or likelier."""
    outcome: Tensor
    """Cross-entropy of win, draw and loss; NaN where there is none."""

    def figures(self, which: Tensor | None = None) -> dict[str, float]:
        """Means over all rows, or over those for which `which` is true."""
        entropy, rank, outcome = self.entropy, self.rank, self.outcome
        if which is not None:
            entropy, rank, outcome = entropy[which], rank[which], outcome[which]
        if not len(entropy):
            return {"positions": 0.0}
        found = {
            "positions": float(len(entropy)),
            "cross_entropy": float(entropy.mean()),
            "accuracy": float((rank < 1).double().mean()),
            "top3": float((rank < 3).double().mean()),
        }
        if bool((~outcome.isnan()).any()):
            found["outcome_cross_entropy"] = float(outcome.nanmean())
        return found


@torch.no_grad()
def ask(net: PolicyNet, data: Rows, rows: Tensor, ratings: float | None = None, chunk: int = 8192) -> Answers:
    """What a network, which is not learning, says of the moves played.

    ratings: what it is told of both players instead of the truth.
    """
    found: list[tuple[Tensor, Tensor, Tensor]] = []
    for part in rows.split(chunk):
        planes, told = data.seen(part, net.shape.rated)
        if told is not None and ratings is not None:
            told = torch.full_like(told, ratings)
        # In single precision: in half of it many moves would be equally likely.
        logits, outcome = net(shaped(planes).float(), told)
        actions, there, played = data.choices(part, net.shape.rated)
        legal = logits.gather(1, actions).masked_fill(~there, float("-inf"))
        right = logits.gather(1, played[:, None])
        entropy = torch.logsumexp(legal, 1) - right[:, 0]
        rank = (legal >= right).sum(1) - 1
        surprise = torch.full_like(entropy, float("nan"))
        if outcome is not None:
            wanted = data.outcome(part)
            surprise = F.cross_entropy(outcome.float(), wanted, reduction="none")
            surprise = torch.where(wanted < 0, float("nan"), surprise)
        found.append((entropy.double(), rank, surprise.double()))
    entropy, rank, surprise = (torch.cat(each) for each in zip(*found, strict=True))
    return Answers(rows, entropy, rank, surprise)


@torch.no_grad()
def dead_units(net: PolicyNet, data: Plies, rows: Tensor) -> float:
    """The share of ReLU units, channels of convolutions, that are 0 on all of these rows."""
    alive: dict[nn.Module, Tensor] = {}

    def look(module: nn.Module, given: Any, x: Tensor) -> None:
        most = x.amax((0, 2, 3)) if x.dim() == 4 else x.amax(0)
        alive[module] = torch.maximum(alive[module], most) if module in alive else most

    hooks = [m.register_forward_hook(look) for m in net.modules() if isinstance(m, nn.ReLU)]
    try:
        for part in rows.split(4096):
            planes, ratings = data.seen(part, net.shape.rated)
            with torch.autocast(data.device.type, torch.bfloat16, data.device.type == "cuda"):
                net(shaped(planes), ratings)
    finally:
        for hook in hooks:
            hook.remove()
    units = torch.cat([each.flatten() for each in alive.values()])
    return float((units <= 0).double().mean())


def matrix_rate(device: torch.device, size: int = 8192, times: int = 10) -> float:
    """Operations a second of large bf16 matrix products; 0 where there is no GPU."""
    if device.type != "cuda":
        return 0.0
    a, b = (torch.randn((size, size), device=device, dtype=torch.bfloat16) for _ in range(2))
    for _ in range(3):
        a @ b
    torch.cuda.synchronize()
    began = perf_counter()
    for _ in range(times):
        a @ b
    torch.cuda.synchronize()
    return times * 2 * size**3 / (perf_counter() - began)


def sampled(rows: Tensor, count: int, seed: int) -> Tensor:
    """Some of the rows, each at most once, the same for the same seed; on any device."""
    chosen = np.random.default_rng(seed).permutation(len(rows))[:count]
    return rows[torch.from_numpy(chosen).to(rows.device)]


def by_band(rows: Rows, chosen: Tensor, count: int, seed: int) -> Iterator[tuple[str, Tensor]]:
    """Some rows of each band that there is."""
    bands = rows.bands(chosen)
    for number, name in enumerate(BANDS):
        within = chosen[bands == number]
        if len(within):
            yield name, sampled(within, count, seed)


def tensors(module: nn.Module) -> Mapping[str, Tensor]:
    return {name: value.detach().contiguous() for name, value in module.state_dict().items()}
