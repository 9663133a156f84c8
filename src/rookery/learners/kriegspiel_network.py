"""The network of beliefs of Kriegspiel (`rookery.evaluators.kriegspiel_network`), learnt from recorded games.

At each turn of both seats of a game it learns where the opponent's pieces stood, beyond what the matrices of
Ciancarini and Favini (AIJ 174, 2010) say, and how the game went on, beyond what the balance of pieces
predicts. How it went on is a TD(lambda) return (Sutton 1988) of the balance of later turns and the result: by
the result alone the network learnt games by heart. The games are records of `rookery match` or `tournament`,
best of players of the same strength: else it learns to tell the players. One game in so many is held out, and
measured by alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rookery import games, native, weights
from rookery.api import GameRecord, Limit, Measure, Metrics, Player, Promise
from rookery.errors import BadOption, Diverged, Interrupted
from rookery.evaluators import kriegspiel_network
from rookery.evaluators.kriegspiel_network import GAIN, HIDDEN, INPUTS, NARROW, WHERE, KriegspielNetwork
from rookery.learners import ranges, torch_device
from rookery.learners.kriegspiel_model import recorded
from rookery.learners.state import fitting, read_state, whole
from rookery.learners.torch_state import load_optimiser, load_weights, save_optimiser, save_weights
from rookery.searches.kriegspiel.mcts import KriegspielMcts
from rookery.seeds import generator
from rookery.thinker import SearchPlayer
from rookery.weights import FILE

_NET = "net.safetensors"
_OPTIMISER = "optimiser.safetensors"
_STATE = "state.json"
_ENEMY_PAWN, _ENEMY_PIECE = 0.08, 0.08 * 15 / 7
"""What approach C takes off the balance for each of the enemy's (`Worth` in native/belief/exchange.hpp)."""
_FLOOR = 0.01
"""What remains of the learning rate at the end of the cosine."""


@dataclass(frozen=True)
class NetworkOptions:
    """What a recipe may say."""

    records: tuple[str, ...] = ()
    """Files of games from `rookery match` or `rookery tournament`."""
    positions: int = 60
    """Rows drawn of each seat of a game; from the second on, a turn has two: as believed, and as a tree would
    imagine it."""
    held_out: int = 10
    """One game in so many is held out."""
    epochs: int = 12
    """How often each turn is learnt from."""
    batch: int = 256
    """Turns that a step learns from."""
    learning_rate: float = 1e-3
    """At first; it falls along a cosine."""
    weight_decay: float = 0.1
    """Of AdamW."""
    trace_decay: float = 0.9
    """Lambda of the returns: 1 for the result alone, 0 for the balance a turn later."""
    value_weight: float = 1.0
    """How much the loss of values counts beside that of squares."""
    device: str = "auto"
    """cpu, cuda, or auto: a GPU if there is one."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("positions", 1, 1000),
        ("held_out", 2, 1000),
        ("epochs", 1, 10_000),
        ("batch", 1, 1_000_000),
        ("learning_rate", 1e-8, 1),
        ("weight_decay", 0, 100),
        ("trace_decay", 0, 1),
        ("value_weight", 0, 1000),
    )

    def __post_init__(self) -> None:
        ranges.check(self, *self.RANGES)


@dataclass(frozen=True)
class _Turns:
    """Of many games."""

    inputs: NDArray[np.float16]
    balance: NDArray[np.float32]
    """Of pieces; 0 for equal armies."""
    imagined: NDArray[np.float32]
    """1 as a tree would imagine the turn, which teaches results alone; 0 as it was believed."""
    truth: NDArray[np.uint64]
    """[turns, 3]: the squares of the King, pawns and pieces."""
    points: NDArray[np.float32]
    """Returns, from 0 for a game lost to 1 for a game won."""


class NetworkLearner:
    """Learns what beliefs are worth, and where pieces stand."""

    Options = NetworkOptions
    promise: ClassVar[Promise] = "statistical"

    def __init__(self, options: NetworkOptions, seed: int) -> None:
        self._options, self._seed = options, seed
        if not options.records:
            raise BadOption("records must name files of games; rookery match --record writes one")
        self._device = torch_device.require("kriegspiel-network", options.device)
        import torch

        from rookery.nets.kriegspiel import BeliefNet

        played = recorded(options.records)
        if len(played) < options.held_out:
            raise BadOption(f"records: {len(played)} games are too few to hold one in {options.held_out} out")
        kept = [game for i, game in enumerate(played) if i % options.held_out]
        self._turns = _turns(kept, options, seed)
        self._held_out = _turns(played[:: options.held_out], options, seed)
        for turns, which in ((self._turns, "to learn from"), (self._held_out, "held out")):
            if not len(turns.points):
                raise BadOption(f"records: the games {which} have no moves")
        torch.manual_seed(int(generator(seed, "weights").integers(2**31)))
        self._net = BeliefNet(INPUTS, HIDDEN, NARROW, WHERE, GAIN).to(self._device)
        self._optimiser = torch.optim.AdamW(
            self._net.parameters(), lr=options.learning_rate, weight_decay=options.weight_decay
        )
        self._epoch = 0

    @property
    def steps(self) -> int:
        return self._options.epochs

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """One epoch."""
        import torch

        o, began = self._options, perf_counter()
        order = generator(self._seed, "order", self._epoch).permutation(len(self._turns.balance))
        batches = np.array_split(order, max(1, len(order) // o.batch))
        before = deepcopy((self._net.state_dict(), self._optimiser.state_dict()))
        total = 0.0
        for i, batch in enumerate(batches):
            if stop is not None and stop():
                self._net.load_state_dict(before[0])
                self._optimiser.load_state_dict(before[1])
                raise Interrupted("stopped before the epoch was done")
            progress = (self._epoch + i / len(batches)) / o.epochs
            rate = o.learning_rate * (_FLOOR + (1 - _FLOOR) * (1 + np.cos(np.pi * progress)) / 2)
            for group in self._optimiser.param_groups:
                group["lr"] = rate
            value, squares = self._net.losses(*self._tensors(self._turns, batch))
            loss = o.value_weight * value + squares
            self._optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
            self._optimiser.step()
            total += float(loss.detach())
        if not np.isfinite(total):
            raise Diverged(f"the loss is not finite; lower learning_rate (it is {o.learning_rate:g})")
        self._epoch += 1
        seconds = max(perf_counter() - began, 1e-9)
        return {
            "training_steps": float(self._epoch * len(batches)),
            "loss": total / len(batches),
            "positions_per_second": len(order) / seconds,
            **self._measure(),
        }

    def _tensors(self, turns: _Turns, rows: NDArray[np.int64]) -> tuple[Any, ...]:
        import torch

        squares = (turns.truth[rows][:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
        arrays = (turns.inputs[rows], turns.balance[rows], turns.imagined[rows], squares, turns.points[rows])
        return tuple(torch.from_numpy(each.astype(np.float32)).to(self._device) for each in arrays)

    def _measure(self) -> Metrics:
        """On the games held out: what the network says, beside what balance and matrices say alone."""
        import torch

        rows = np.array_split(np.arange(len(self._held_out.balance)), -(-len(self._held_out.balance) // 4096))
        sums = np.zeros(4)
        with torch.no_grad():
            for part in rows:
                tensors = self._tensors(self._held_out, part)
                losses = (*self._net.losses(*tensors), *self._net.losses(*tensors, learnt=False))
                sums += len(part) * np.array([float(loss) for loss in losses])
        names = ("value_loss", "square_loss", "value_loss_balance", "square_loss_matrices")
        return dict(zip(names, (sums / len(self._held_out.balance)).tolist(), strict=True))

    @staticmethod
    def measures(options: NetworkOptions) -> dict[str, Measure]:
        return {
            "training_steps": Measure("Training steps", "Batches learnt from so far."),
            "loss": Measure("Loss", "Of values and squares together, mean over the epoch."),
            "value_loss": Measure("Value loss", "Cross-entropy of the returns of held-out games, in nats."),
            "square_loss": Measure(
                "Square loss", "Mean of -log of what was believed of the square of a hidden piece, in nats."
            ),
            "value_loss_balance": Measure("Value loss of the balance", "What a count of pieces says alone."),
            "square_loss_matrices": Measure("Square loss of the matrices", "What the matrices say alone."),
            "positions_per_second": Measure("Positions per second", "Turns learnt from."),
        }

    @staticmethod
    def data(options: NetworkOptions) -> dict[str, str]:
        return {f"record {n}": weights.hash_of(Path(path)) for n, path in enumerate(options.records, 1)}

    def player(self) -> Player:
        game = games.get("kriegspiel")
        search = KriegspielMcts(game, KriegspielNetwork.of(game, self._net.layers()))
        return SearchPlayer("kriegspiel-mcts+kriegspiel-network", game, search, Limit(nodes=4000), search)

    def save(self, folder: Path) -> None:
        facts = {"games": [Path(path).name for path in self._options.records], "epochs": self._epoch}
        kriegspiel_network.write(folder / FILE, self._net.layers(), facts)
        save_weights(self._net, folder / _NET)
        save_optimiser(self._optimiser, folder / _OPTIMISER)
        (folder / _STATE).write_text(json.dumps({"epoch": self._epoch}))

    def load(self, folder: Path) -> None:
        state = read_state(folder / _STATE)
        with fitting(folder / _STATE):
            epoch = whole(state, "epoch", 0, self._options.epochs)
        load_weights(self._net, folder / _NET)
        load_optimiser(self._optimiser, folder / _OPTIMISER)
        self._epoch = epoch


def _turns(played: Sequence[GameRecord], options: NetworkOptions, seed: int) -> _Turns:
    """So many turns of each seat of each game, or all that it had."""
    found: list[tuple[Any, ...]] = []
    kriegspiel = games.get("kriegspiel")
    for number, record in enumerate(played):
        state: Any = kriegspiel.start(record.start)
        for text in record.moves:
            state = state.play(state.parse(text))
        for seat in (0, 1):
            inputs, counted, imagined, truth = native.belief_lessons(state.native, seat)
            balance = _balance(inputs, counted)
            drawn = generator(seed, "turns", number, seat).permutation(len(balance))[: options.positions]
            points = _returns(balance, imagined, record.outcome.values[seat], options.trace_decay)
            guessed = imagined[drawn, 0].astype(np.float32)
            seen = inputs[drawn].astype(np.float16)
            found.append((seen, balance[drawn], guessed, truth[drawn], points[drawn]))
    inputs, balance, guessed, truth, points = (np.concatenate(each) for each in zip(*found, strict=True))
    return _Turns(inputs, balance, guessed, truth, points)


def _balance(inputs: NDArray[np.float32], counted: NDArray[np.float32]) -> NDArray[np.float32]:
    """The balance of each row, 0 for equal armies: approach C counts the enemy's pieces four fifths."""
    enemy = inputs[:, -8] * 8 * _ENEMY_PAWN + inputs[:, -7] * 7 * _ENEMY_PIECE
    return (counted[:, 0] - enemy / 4).astype(np.float32)


def _returns(
    balance: NDArray[np.float32], imagined: NDArray[np.uint8], result: float, decay: float
) -> NDArray[np.float32]:
    """For each row of a seat in a game, real turns and imagined ones: (1 + lambda-return) / 2."""
    even = np.tanh(GAIN * balance)
    real = imagined[:, 0] == 0
    later = np.append(even[real][1:], result)
    returns, found = np.empty(len(later)), result
    for turn in reversed(range(len(later))):
        found = (1 - decay) * later[turn] + decay * found
        returns[turn] = found
    return ((1 + returns[np.cumsum(real) - 1]) / 2).astype(np.float32)


LEARNERS = {"kriegspiel-network": NetworkLearner}
