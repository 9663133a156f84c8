"""Policy networks for chess: which move a player makes here, from recorded games alone.

With 41 planes the supervised phase of Pelat (section 4.2): binary cross-entropy over the legal moves, Adam,
batches of 100; its Table 1 by options. With both ratings told, as Maia-2 does (Tang et al. 2024), one network
for players of every strength; another head tells win, draw or loss. What is kept to play is the mean of the
weights over time.

Games are replayed once into rows in the device's memory (rookery.nets.policy_device), which all runs of a
process share. A GPU adds in any order and time may bound a run, so two runs are alike but not the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from rookery import weights
from rookery.api import Measure, Metrics, Player, Promise
from rookery.errors import BadOption, Diverged, Interrupted, describe, warn
from rookery.learners import torch_device
from rookery.learners.policy_options import PolicyOptions
from rookery.learners.state import fitting, read_state, whole
from rookery.records.store import Store
from rookery.seeds import generator

REPORT = "report.json"
ONNX = "policy.onnx"
_NET = "net.safetensors"
_OPTIMISER = "optimiser.safetensors"
_STATE = "state.json"
SETTINGS = (1200, 1500, 1800, 2100, 2400, 2700)
"""Ratings that a network is told of all players, to see which of them fits whom."""
_FLOOR = 0.001
"""What remains of a learning rate at the end of a cosine."""
_LOOKED_AT = 8192
"""Positions by which dead units are told."""
_USUAL = 1024
"""Positions that tell what a network that is begun with has as means and variances."""
_SMALL = 512
"""Batches up to this are recorded as graphs."""
_PLIES = 200
"""By each ply before it what was learnt is measured."""


class PolicyLearner:
    """Learns which moves are played."""

    Options = PolicyOptions
    promise: ClassVar[Promise] = "statistical"

    def __init__(self, options: PolicyOptions, seed: int) -> None:
        self._options, self._seed = options, seed
        self._device = torch_device.require("policy", options.device)
        import torch

        from rookery.nets import policy, policy_device

        if self._device.type == "cuda":
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
        threads = torch_device.threads(options.threads)
        paths = tuple(str(store.path) for store in _open(options))
        self._rows = _replayed(paths, _hashes(options), options.split_seed, self._device, threads)
        self._draws = self._drawing()
        self._held_out = self._rows.of(policy_device.GAME, 0)
        if not len(self._held_out):
            raise BadOption(f"stores = {list(options.stores)} have too few games to hold some out")
        self._quick = policy_device.sampled(
            self._held_out, max(1, options.evaluation_positions // 10), options.split_seed
        )
        self._shape = policy.Shape(
            options.encoder, options.trunk, options.blocks, options.channels, options.squeeze, options.head,
            options.norm,
        )  # fmt: skip
        net = self._first()
        self._operations = 3 * policy.operations(net)
        self._matrix_rate = policy_device.matrix_rate(self._device)
        self._round = 0
        self._report: dict[str, Any] = {}
        self._trainer = self._begin(net)

    def _drawing(self) -> Any:
        from rookery.nets import policy_device

        o = self._options
        chosen = self._rows.of(policy_device.TRAIN, o.first_ply)
        if not len(chosen):
            raise BadOption(f"stores = {list(o.stores)} have too few games to learn from")
        return policy_device.Draws(self._rows, chosen, o.sampling)

    def _first(self) -> Any:
        """The network to begin with."""
        import torch

        from rookery.nets import policy, policy_start

        if self._options.start == "initial":
            torch.manual_seed(_number(self._seed, "weights"))
            return policy.PolicyNet(self._shape)
        net = policy_start.read(weights.find(self._options.start, ONNX), self._shape).to(self._device)
        if not self._shape.norm:
            return net
        some = self._draws.draw(_USUAL, torch.Generator(self._device).manual_seed(1))
        planes = self._rows.squares(some) if self._shape.rated else self._rows.history(some)
        ratings = self._rows.ratings(some) if self._shape.rated else None
        return policy_start.normalised(net, planes.float(), ratings)

    def _begin(self, net: Any) -> Any:
        """A trainer, on a GPU the quickest."""
        import torch

        from rookery.nets import optimisers, policy_device

        o, cuda = self._options, self._device.type == "cuda"
        task = policy_device.Task(o.loss, o.outcome_weight, o.unrated)
        optimiser = optimisers.Muon if o.optimiser == "muon" else optimisers.FusedAdamW

        def make() -> Any:
            own = deepcopy(net).to(self._device)
            if cuda:
                own = own.to(memory_format=torch.channels_last)
            return policy_device.Trainer(
                own.train(), self._rows, task,
                lambda parameters: optimiser(parameters, o.weight_decay),
                o.batch, o.clip, o.average, cuda and o.graphs and o.batch <= _SMALL,
            )  # fmt: skip

        if not (cuda and o.compiled):
            return make()
        tried = torch.Generator(self._device).manual_seed(1)
        batches = 13 if o.batch > _SMALL else 103
        return policy_device.quickest(make, self._draw(batches, tried), tried)

    # --- learning ------------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """A step is a round."""
        return self._options.rounds

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """Learn until the end of a round, and measure."""
        import torch

        trainer, drawn = self._trainer, torch.Generator(self._device)
        drawn.manual_seed(_number(self._seed, "round", self._round))
        before, batches = trainer.state(), trainer.batches
        trainer.sums.zero_()
        began, seconds = monotonic(), 0.0
        left = self._left(batches, 0.0)
        while left > 0:
            if stop is not None and stop():
                trainer.restore(before)
                trainer.batches = batches
                raise Interrupted("stopped before the round was done")
            count = self._at_once(trainer.batches - batches, seconds, left)
            trainer.learn(self._draw(count, drawn), self._rates(count, batches, seconds), drawn)
            if self._device.type == "cuda":
                torch.cuda.synchronize()
            seconds = monotonic() - began
            left = self._left(batches, seconds)
        learnt = trainer.batches - batches
        losses = (trainer.sums / learnt).tolist()
        if not np.isfinite(losses).all():
            raise Diverged(
                f"the loss is not finite; lower learning_rate (it is {self._options.learning_rate:g})"
            )
        self._round += 1
        pace = learnt * self._options.batch / seconds
        metrics = {
            "training_steps": float(trainer.batches),
            "positions": float(trainer.batches * self._options.batch),
            "loss": losses[0],
            **({"outcome_loss": losses[1]} if self._shape.rated else {}),
            "positions_per_second": pace,
            "tera_operations_per_second": pace * self._operations / 1e12,
        }
        if self._matrix_rate:
            metrics["matrix_share"] = pace * self._operations / self._matrix_rate
        net = self._kept()
        metrics |= self._measure(net)
        if self._round == self._options.rounds:
            self._report = self._judge(net, metrics)
        return {name: float(f"{value:.6g}") for name, value in metrics.items()}

    def _draw(self, batches: int, drawn: Any) -> Any:
        return self._draws.draw(batches * self._options.batch, drawn).view(batches, self._options.batch)

    def _left(self, before: int, seconds: float) -> float:
        """Batches of this round that are to come, or seconds where these bound it."""
        o = self._options
        if o.seconds:
            return o.seconds / o.rounds - seconds
        return round(o.batches * (self._round + 1) / o.rounds) - self._trainer.batches

    def _at_once(self, learnt: int, seconds: float, left: float) -> int:
        """Batches until the clock is looked at: about half a second of them, or what is left."""
        most = max(1, (65_536 if self._device.type == "cuda" else 512) // self._options.batch)
        if self._options.seconds:
            return max(1, min(most, round(left * learnt / seconds))) if learnt else min(most, 4)
        return max(1, min(most, int(left)))

    def _rates(self, count: int, before: int, seconds: float) -> list[float]:
        """The learning rates of the next batches."""
        o, done = self._options, self._trainer.batches
        if o.seconds:
            pace = seconds / max(1, done - before)
            at = [(self._round * o.seconds / o.rounds + seconds + i * pace) / o.seconds for i in range(count)]
        else:
            at = [(done + i) / o.batches for i in range(count)]
        return [self.rate(min(1.0, each)) for each in at]

    def rate(self, progress: float) -> float:
        """The learning rate once so much of the run, of 1, is done."""
        o = self._options
        warm = min(1.0, progress / o.warmup + 1e-3) if o.warmup else 1.0
        if o.schedule == "constant":
            return o.learning_rate * warm
        return o.learning_rate * warm * (_FLOOR + (1 - _FLOOR) * (1 + float(np.cos(np.pi * progress))) / 2)

    # --- measuring -----------------------------------------------------------------------------------

    def _kept(self) -> Any:
        """The network that plays."""
        import torch

        from rookery.nets import policy

        net = policy.PolicyNet(self._shape)
        net.load_state_dict(self._trainer.averaged())
        net = policy.folded(net).to(self._device)
        return net.to(memory_format=torch.channels_last) if self._device.type == "cuda" else net

    def _measure(self, net: Any) -> dict[str, float]:
        from rookery.nets import policy_device

        found = policy_device.ask(net, self._rows, self._quick).figures()
        del found["positions"]
        dead = policy_device.dead_units(net, self._rows, self._quick[:_LOOKED_AT])
        return {f"held_out_{name}": value for name, value in found.items()} | {"dead_units": dead}

    def _judge(self, net: Any, metrics: Mapping[str, float]) -> dict[str, Any]:
        """All that is measured on held-out games at the end."""
        from rookery.nets import policy_device

        o, rows = self._options, self._rows
        held = {
            "game": policy_device.sampled(self._held_out, o.evaluation_positions, o.split_seed),
            "time": policy_device.sampled(
                rows.of(policy_device.TIME, 0), o.evaluation_positions // 4, o.split_seed
            ),
        }
        found: dict[str, Any] = {
            "weights": sum(p.numel() for p in net.parameters()),
            "training_positions": dict(
                zip((*policy_device.BANDS, "unknown"), self._draws.counts, strict=True)
            ),
            "learning": dict(metrics),
        }
        for name, chosen in held.items():
            if not len(chosen):
                continue
            answers = policy_device.ask(net, rows, chosen)
            ply, game = rows.ply(chosen), rows.game[chosen].long()
            bands, store = rows.bands(chosen), rows.store[game]
            strong = rows.elos[game].amin(1) >= policy_device.STRONG
            found[name] = {
                "all": answers.figures(),
                "from ply 10": answers.figures(ply >= 10),
                "both 2300 or more": answers.figures(strong),
                "both 2300 or more, from ply 10": answers.figures(strong & (ply >= 10)),
                "stores": {each: answers.figures(store == number) for number, each in enumerate(rows.names)},
                "bands": {
                    each: answers.figures(bands == number) for number, each in enumerate(policy_device.BANDS)
                },
                "plies": [answers.figures(ply == each) for each in range(_PLIES)],
            }
        if self._shape.rated:
            found["settings"] = self._settings(net)
        return found

    def _settings(self, net: Any) -> dict[str, Any]:
        """What each band's moves are to a network that is told one rating of all players, and the true
        ones."""
        from rookery.nets import policy_device

        o, found = self._options, {}
        count = max(1, o.evaluation_positions // len(policy_device.BANDS))
        for name, chosen in policy_device.by_band(self._rows, self._held_out, count, o.split_seed):
            told: dict[str, Any] = {
                str(setting): policy_device.ask(net, self._rows, chosen, float(setting)).figures()
                for setting in SETTINGS
            }
            answers = policy_device.ask(net, self._rows, chosen)
            told["true"] = answers.figures()
            told["true, from ply 10"] = answers.figures(self._rows.ply(chosen) >= 10)
            found[name] = told
        return found

    @staticmethod
    def measures(options: PolicyOptions) -> dict[str, Measure]:
        found = {
            "training_steps": Measure("Training steps", "Batches learnt from so far."),
            "positions": Measure("Positions", "Learnt from so far."),
            "loss": Measure("Loss", "Of the policy, mean over the round."),
            "held_out_cross_entropy": Measure("Cross-entropy", "Of the moves played in held-out games."),
            "held_out_accuracy": Measure(
                "Move matching",
                "How often the likeliest move is the one played in held-out games.",
                share=True,
            ),
            "held_out_top3": Measure(
                "Move matching in three", "How often that is among the three likeliest.", share=True
            ),
            "dead_units": Measure("Dead units", "Share of units that are never active.", share=True),
            "positions_per_second": Measure("Positions per second", "Learnt from."),
            "tera_operations_per_second": Measure("Tera-operations per second", "Forward and backward."),
            "matrix_share": Measure(
                "Share of the matrix rate", "Of what large bf16 products reach on the same GPU.", share=True
            ),
        }
        if options.encoder == "chess-squares-1":
            found |= {
                "outcome_loss": Measure("Loss of the outcome", "Win, draw and loss, mean over the round."),
                "held_out_outcome_cross_entropy": Measure(
                    "Cross-entropy of the outcome", "Win, draw and loss of held-out games."
                ),
            }
        return found

    # --- keeping -------------------------------------------------------------------------------------

    @staticmethod
    def data(options: PolicyOptions) -> dict[str, str]:
        """The games, and what is held out of them."""
        hashes = {f"store {i}": each for i, each in enumerate(_hashes(options), 1)}
        found = {**hashes, "split": f"seed {options.split_seed}"}
        if options.start != "initial":
            found["start"] = weights.hash_of(weights.find(options.start, ONNX))
        return found

    def player(self) -> Player:
        from tempfile import TemporaryDirectory

        from rookery import games, players

        with TemporaryDirectory(prefix="rookery-policy-") as folder:
            self._export(Path(folder), self._kept())
            return players.make(f"topk:k=2+policy@{Path(folder) / ONNX}", games.get("chess"))

    def save(self, folder: Path) -> None:
        from safetensors.torch import save

        from rookery.nets import policy
        from rookery.nets.policy_device import tensors

        trainer = self._trainer
        kept = self._kept()
        policy.write(folder / weights.FILE, kept, self._facts())
        self._export(folder, kept)
        learning = {f"net.{k}": v for k, v in tensors(trainer.net).items()}
        learning |= {f"mean.{i}": v for i, v in enumerate(trainer.mean)}
        (folder / _NET).write_bytes(save({k: v.cpu().contiguous().clone() for k, v in learning.items()}))
        moments = {
            f"{kind}.{i}": tensor.cpu().contiguous().clone()
            for kind, several in trainer.optimiser.state.items()
            for i, tensor in enumerate(several)
        }
        (folder / _OPTIMISER).write_bytes(save(moments))
        (folder / _STATE).write_text(json.dumps({"round": self._round, "batches": trainer.batches}))
        if self._report:
            (folder / REPORT).write_text(json.dumps(self._report, indent=1))

    def load(self, folder: Path) -> None:
        from safetensors.torch import load_file

        state = read_state(folder / _STATE)
        with fitting(folder / _STATE):
            round_ = whole(state, "round", 0, self._options.rounds)
            batches = whole(state, "batches", 0, 2**62)
        trainer = self._trainer
        with fitting(folder / _NET):
            found = load_file(folder / _NET, str(self._device))
            if not all(bool(tensor.isfinite().all()) for tensor in found.values()):
                raise ValueError("it holds what is no number, or not finite")
            own = {k.removeprefix("net."): v for k, v in found.items() if k.startswith("net.")}
            trainer.net.load_state_dict(own)
            _take({f"mean.{i}": tensor for i, tensor in enumerate(trainer.mean)}, found)
        with fitting(folder / _OPTIMISER):
            found = load_file(folder / _OPTIMISER, str(self._device))
            if not all(bool(tensor.isfinite().all()) for tensor in found.values()):
                raise ValueError("it holds what is no number, or not finite")
            moments = trainer.optimiser.state
            _take({f"{k}.{i}": t for k, several in moments.items() for i, t in enumerate(several)}, found)
        self._round, trainer.batches = round_, batches
        self._report = read_state(folder / REPORT) if (folder / REPORT).exists() else {}

    def _facts(self) -> dict[str, Any]:
        return {"learner": "policy", "seed": self._seed, "training_steps": self._trainer.batches}

    def _export(self, folder: Path, net: Any) -> None:
        """Without the file a run still goes on: it can be made of the weights at any time."""
        from rookery.nets import policy

        try:
            policy.export(folder / ONNX, net, self._facts())
        except (ImportError, RuntimeError, ValueError, TypeError) as error:
            warn(f"{ONNX} cannot be made: {describe(error)}; {weights.FILE} has all that it needs")


def _take(into: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    """Fill tensors by name; ValueError where one does not fit."""
    for name, tensor in into.items():
        if found[name].shape != tensor.shape:
            raise ValueError(f"{name} does not fit the weights")
        tensor.copy_(found[name])


def _open(options: PolicyOptions) -> list[Store]:
    if not options.stores:
        raise BadOption(
            "stores names no games; write --set stores=DIR, a folder made by `rookery data import`"
        )
    return [Store.open(Path(each)) for each in options.stores]


def _hashes(options: PolicyOptions) -> tuple[str, ...]:
    return tuple(store.hash for store in _open(options))


@lru_cache(maxsize=1)
def _replayed(
    paths: tuple[str, ...], hashes: tuple[str, ...], split_seed: int, device: Any, threads: int
) -> Any:
    """All games in a device's memory, for all runs of a process that learn from the same."""
    from rookery.nets.policy_device import Rows

    return Rows([Store.open(Path(path)) for path in paths], split_seed, device, threads)


def _number(seed: int, *path: str | int) -> int:
    return int(generator(seed, "policy", *path).integers(2**63))


LEARNERS = {"policy": PolicyLearner}
