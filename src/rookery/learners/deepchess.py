"""DeepChess (David, Netanyahu and Wolf 2016): which of two chess positions is better, from games alone.

A run goes through stages, each of some epochs. Without a teacher: an autoencoder for each layer of Pos2Vec,
one after the other (section 3.1); then two tied copies of it with the head that compares, on pairs of a
position from a game that White won and one from a game that White lost (3.2). With a teacher: mimic its
embedding, then what it says of pairs, at temperature 2 and at last at 1 (3.3; Hinton, Vinyals and Dean 2015).
Then in either case, beyond the paper, a head that gives one number a position.

What is kept to play is what told held-out games best; the paper holds out positions only, whose games it has
learnt from, and both are measured. What was learnt last lies beside it.

A GPU adds in any order, so two runs are alike but not the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rookery import weights
from rookery.api import Measure, Metrics, Player, Promise
from rookery.errors import BadOption, Diverged, Interrupted
from rookery.learners import torch_device
from rookery.learners.deepchess_options import DeepChessOptions
from rookery.learners.state import fitting, number, read_state, whole
from rookery.records import sampling
from rookery.records.store import Store
from rookery.seeds import generator

_LAST = "last.safetensors"
_NET = "net.safetensors"
_OPTIMISER = "optimiser.safetensors"
_STATE = "state.json"
_LOOKED_AT = 8192
"""Positions by which dead units, wrong bits and the ranges of activations are told."""
_SETS = ("train", *sampling.HELD_OUT)
_FLOOR = 0.01
"""What remains of a learning rate at the end of a cosine."""


@dataclass(frozen=True)
class _Stage:
    """A part of a run."""

    name: str
    epochs: int
    share: float
    """Of the time of a run, if its time is bounded, by the sum of all."""
    rate: float
    decay: float
    task: Callable[[], Any]


class DeepChessLearner:
    """Learns to compare chess positions."""

    Options = DeepChessOptions
    promise: ClassVar[Promise] = "statistical"

    def __init__(self, options: DeepChessOptions, seed: int) -> None:
        self._options, self._seed = options, seed
        self._device = torch_device.require("deepchess", options.device)
        import torch

        from rookery.nets import deepchess, deepchess_device

        rule = sampling.Rule(options.positions_per_game, options.first_ply, options.quiet, options.split_seed)
        self._sampler = sampling.Sampler(_open(options), rule, torch_device.threads(options.threads))
        self._round = -1
        self._positions: Any = None
        self._draw_positions(0)
        self._sets = self._make_sets()

        torch.manual_seed(_number(seed, "weights"))
        shape = deepchess.SHAPES[options.net]
        self._net = deepchess.DeepChess(shape, options.dropout).to(self._device)
        widths = shape.embed
        self._decoders = torch.nn.ModuleList(torch.nn.Linear(b, a) for a, b in pairwise(widths)).to(
            self._device
        )
        self._teacher: Any = None
        if options.teacher:
            self._teacher = deepchess.read(weights.find(options.teacher))[0].to(self._device).eval()
            self._teacher.requires_grad_(False)
        self._stages = self._plan(deepchess_device)
        self._at, self._epoch, self._seconds = 0, 0, 0.0
        """The stage, the epochs of it that are done, and the time that they took."""
        self._counts: list[int] = []
        """Epochs of the stages that are done."""
        self._batches = 0
        self._best, self._best_state = -1.0, self._copy()
        """By accuracy on held-out games."""
        self._last_state: dict[str, Any] | None = None
        self._epoch_seconds = 0.0
        self._trainer = self._begin()

    def _plan(self, device: Any) -> list[_Stage]:
        o, net, flip = self._options, self._net, self._options.colour_flip
        first = (o.pretrain_learning_rate, o.pretrain_learning_rate_decay)
        then = (o.learning_rate, o.learning_rate_decay)
        found = []
        if self._teacher is None:
            for layer in range(1, len(self._decoders) + 1):
                share = 2 / len(self._decoders)
                task = _autoencoder(device, net.embed, self._decoders[layer - 1], layer)
                found.append(_Stage(f"autoencoder {layer}", o.pretrain_epochs, share, *first, task))
            found.append(_Stage("pairs", o.epochs, 7, *then, lambda: device.Compare(net, flip)))
        else:
            teacher = self._teacher
            found += [
                _Stage(
                    "embedding", o.pretrain_epochs, 2, *first, lambda: device.MimicEmbedding(net, teacher)
                ),
                _Stage("soft", o.epochs, 6, *then, lambda: device.Mimic(net, teacher, 2.0)),
                _Stage(
                    "sharp", -(-o.epochs // 10), 1, then[0] / 10, then[1],
                    lambda: device.Mimic(net, teacher, 1.0),
                ),
            ]  # fmt: skip
        found.append(_Stage("scalar", o.scalar_epochs, 1, 1e-3, 0.9, lambda: device.Score(net, flip)))
        return [stage for stage in found if stage.epochs]

    def _begin(self) -> Any:
        """A trainer for the stage that is next."""
        from rookery.nets import deepchess_device, optimisers

        o, stage = self._options, self._stages[self._at]

        def optimiser(parameters: list[Any]) -> Any:
            if o.schedule == "paper" and stage.name != "scalar":
                return optimisers.Momentum(parameters)
            return optimisers.AdamW(parameters, o.weight_decay)

        graphs = o.graphs and self._device.type == "cuda"
        return deepchess_device.Trainer(stage.task(), optimiser, o.batch, graphs)

    # --- data ----------------------------------------------------------------------------------------

    def _draw_positions(self, round_: int) -> None:
        """The positions of a round, in the device's memory."""
        from rookery.nets.deepchess_device import Positions

        if round_ == self._round:
            return
        sample = self._sampler.train(self._seed, round_)
        if not sample.has_both:
            raise BadOption(f"store = {self._options.store} has too few decided games to learn from")
        near = None
        if self._options.teacher:
            near = self._sampler.bits(self._sampler.near(sample, _number(self._seed, "near", round_)))
        self._positions = Positions(self._sampler.bits(sample), sample.won, self._device, near)
        self._round = round_

    def _make_sets(self) -> dict[str, Any]:
        """Pairs to measure by."""
        from rookery.nets.deepchess_device import Pairs, Positions

        o = self._options
        found = {"train": Pairs(self._positions, o.evaluation_pairs, o.split_seed)}
        for kind in sampling.HELD_OUT:
            sample = self._sampler.held_out(kind)
            if sample.has_both:
                positions = Positions(self._sampler.bits(sample), sample.won, self._device)
                found[kind] = Pairs(positions, o.evaluation_pairs, o.split_seed)
        if "game" not in found:
            raise BadOption(f"store = {o.store} has too few decided games to hold some out")
        return found

    # --- one epoch -----------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """Epochs of all stages; where time is bounded it falls as stages end early."""
        return sum(self._counts) + sum(stage.epochs for stage in self._stages[len(self._counts) :])

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """One epoch of a stage."""
        import torch

        o, stage, began = self._options, self._stages[self._at], monotonic()
        if o.resample:
            self._draw_positions(self._main_epochs() // o.resample)
        draws = _number(self._seed, stage.name, self._epoch)
        torch.manual_seed(draws)  # which units drop out
        batches = max(1, o.pairs // o.batch)
        rows = self._trainer.task.draw(
            self._positions, batches * o.batch, torch.Generator(self._device).manual_seed(draws)
        )
        self._net.train(stage.name == "pairs")
        before = self._trainer.state()
        loss = self._trainer.epoch(self._positions, rows, self._rates(stage, batches), stop or _never)
        self._net.eval()
        if loss is None:
            self._trainer.restore(before)
            raise Interrupted("stopped before the epoch was done")
        if not np.isfinite(loss):
            raise Diverged(f"the loss is not finite; lower {self._rate_name()}")
        seconds = monotonic() - began
        self._batches += batches
        self._epoch += 1
        self._epoch_seconds = seconds
        over = self._progress(self._seconds + seconds) >= 1
        metrics = {"training_steps": float(self._batches), "stage": float(self._at + 1), "loss": loss}
        metrics |= {"pairs_per_second": batches * o.batch / seconds}
        if self._epoch % o.evaluate_every == 0 or over:
            metrics |= self._measure(stage)
        self._seconds += monotonic() - began
        if over:
            self._end(stage)
        return {name: float(f"{value:.6g}") for name, value in metrics.items()}

    def _progress(self, seconds: float) -> float:
        """How much of a stage is done, of 1."""
        stage = self._stages[self._at]
        done = self._epoch / stage.epochs
        if self._options.minutes:
            bound = 60 * self._options.minutes * stage.share / sum(each.share for each in self._stages)
            done = max(done, seconds / bound)
        return done

    def _rates(self, stage: _Stage, batches: int) -> NDArray[np.float64]:
        """The learning rate of each batch of the next epoch."""
        o = self._options
        within = np.arange(batches) / batches
        epochs = self._epoch + within
        warm = np.minimum(1.0, (epochs + 1 / batches) / o.warmup) if o.warmup else 1.0
        if o.schedule == "paper" and stage.name != "scalar":
            scale = 1.0 if stage.name.startswith(("auto", "emb")) else (o.batch / 256) ** 0.5
            return np.asarray(stage.rate * scale * stage.decay ** np.floor(epochs) * warm)
        start = self._progress(self._seconds)
        pace = max(1 / stage.epochs, self._progress(self._seconds + self._epoch_seconds) - start)
        progress = np.minimum(1.0, start + pace * within)
        return np.asarray(stage.rate * (_FLOOR + (1 - _FLOOR) * (1 + np.cos(np.pi * progress)) / 2) * warm)

    def _main_epochs(self) -> int:
        """Epochs of the whole run so far."""
        return sum(self._counts) + self._epoch

    def _rate_name(self) -> str:
        first = self._stages[self._at].name.startswith(("auto", "emb"))
        name = "pretrain_learning_rate" if first else "learning_rate"
        return f"{name} (it is {getattr(self._options, name):g})"

    def _end(self, stage: _Stage) -> None:
        """Go over to the next stage, if there is one."""
        if stage.name in ("pairs", "sharp"):
            self._last_state = self._copy()
            self._net.load_state_dict(self._best_state)
        self._counts.append(self._epoch)
        if self._at + 1 < len(self._stages):
            self._at, self._epoch, self._seconds, self._epoch_seconds = self._at + 1, 0, 0.0, 0.0
            self._trainer = self._begin()

    # --- measuring -----------------------------------------------------------------------------------

    def _measure(self, stage: _Stage) -> dict[str, float]:
        from rookery.nets import deepchess_device

        bits = self._positions.bits[:_LOOKED_AT]
        net = self._net
        if stage.name.startswith("autoencoder"):
            wrong = deepchess_device.wrong_bits(net.embed, self._decoders[: self._at + 1], bits)
            return {"wrong_bits": wrong, "dead_units": deepchess_device.dead_units(net.embed, bits)}
        if stage.name == "embedding":
            return {"dead_units": deepchess_device.dead_units(net.embed, bits)}
        if stage.name == "scalar":
            found = self._judge("scalar_", lambda a, b: net.value(net.embed(a)) - net.value(net.embed(b)))
            return found
        found = self._judge("", lambda a, b: net.preference(net.embed(a), net.embed(b)))
        if found["accuracy_game"] > self._best:
            self._best, self._best_state = found["accuracy_game"], self._copy()
        dead = deepchess_device.dead_units(net.embed, bits)
        return {**found, "best_accuracy_game": self._best, "dead_units": dead}

    def _judge(self, prefix: str, prefers: Callable[[Any, Any], Any]) -> dict[str, float]:
        found: dict[str, float] = {}
        for name, pairs in self._sets.items():
            accuracy, entropy = pairs.judge(prefers)
            found |= {f"{prefix}accuracy_{name}": accuracy, f"{prefix}cross_entropy_{name}": entropy}
        return found

    @staticmethod
    def measures(options: DeepChessOptions) -> dict[str, Measure]:
        kinds = {
            "train": "Of positions that it learns from.",
            "position": "Of positions held out one by one, from games that it learns from (as in the paper).",
            "game": "Of games held out whole.",
            "time": "Of the latest games, held out whole.",
        }
        found = {
            "training_steps": Measure("Training steps", "Batches learnt from so far."),
            "stage": Measure("Stage", "Autoencoders, pairs or distillation, then the scalar head."),
            "loss": Measure("Loss", "Of the stage, mean over the epoch."),
            "pairs_per_second": Measure(
                "Pairs per second", "Or positions, where these are learnt one by one."
            ),
        }
        for prefix, head in (("", ""), ("scalar_", " of the scalar head")):
            for kind, meaning in kinds.items():
                found |= {
                    f"{prefix}accuracy_{kind}": Measure(f"Pair accuracy{head}, {kind}", meaning, share=True),
                    f"{prefix}cross_entropy_{kind}": Measure(f"Cross-entropy{head}, {kind}", meaning),
                }
        return found | {
            "best_accuracy_game": Measure("Best pair accuracy on held-out games", "It is kept.", share=True),
            "dead_units": Measure(
                "Dead units", "Share of the embedding's units that are never active.", True
            ),
            "wrong_bits": Measure("Wrong bits", "Of 773, after encoding and decoding, mean over positions."),
        }

    # --- keeping -------------------------------------------------------------------------------------

    @staticmethod
    def data(options: DeepChessOptions) -> dict[str, str]:
        """The games, what is held out of them, and the teacher."""
        found = {"store": _open(options).hash, "split": f"seed {options.split_seed}"}
        if options.teacher:
            found["teacher"] = weights.hash_of(weights.find(options.teacher))
        return found

    def player(self) -> Player:
        from tempfile import TemporaryDirectory

        from rookery import games, players

        with TemporaryDirectory(prefix="rookery-deepchess-") as folder:
            path = Path(folder) / weights.FILE
            self._write(path, *self._kept())
            return players.make(f"comparison:depth=3+deepchess@{path}", games.get("chess"))

    def save(self, folder: Path) -> None:
        from safetensors.torch import save

        from rookery.nets.deepchess_device import tensors

        self._write(folder / weights.FILE, *self._kept())
        self._write(folder / _LAST, self._last_state or self._copy(), False)
        learning = {f"net.{k}": v for k, v in tensors(self._net).items()}
        learning |= {f"decoders.{k}": v for k, v in tensors(self._decoders).items()}
        learning |= {f"best.{k}": v for k, v in self._best_state.items()}
        learning |= {f"last.{k}": v for k, v in (self._last_state or {}).items()}
        (folder / _NET).write_bytes(save({k: v.cpu().clone() for k, v in learning.items()}))
        moments = {
            f"{kind}.{i}": tensor.cpu().clone()
            for kind, several in self._trainer.optimiser.state.items()
            for i, tensor in enumerate(several)
        }
        (folder / _OPTIMISER).write_bytes(save(moments))
        state = {
            "stages": [[stage.name, stage.epochs] for stage in self._stages],
            "at": self._at,
            "epoch": self._epoch,
            "seconds": self._seconds,
            "epoch_seconds": self._epoch_seconds,
            "counts": self._counts,
            "batches": self._batches,
            "best": self._best,
        }
        (folder / _STATE).write_text(json.dumps(state))

    def load(self, folder: Path) -> None:
        from safetensors.torch import load_file

        state = read_state(folder / _STATE)
        with fitting(folder / _STATE):
            if state["stages"] != [[stage.name, stage.epochs] for stage in self._stages]:
                raise ValueError("its stages are not those of this recipe")
            at = whole(state, "at", 0, len(self._stages) - 1)
            epoch = whole(state, "epoch", 0, self._stages[at].epochs)
            counts = [whole({"counts": n}, "counts", 0, 10**6) for n in state["counts"]]
            if len(counts) not in (at, at + 1):
                raise ValueError("counts is not of the stages that are done")
            batches = whole(state, "batches", 0, 2**62)
            seconds = number(state, "seconds", 0, 1e12)
            epoch_seconds = number(state, "epoch_seconds", 0, 1e12)
            best = number(state, "best", -1, 1)
        with fitting(folder / _NET):
            found = load_file(folder / _NET, str(self._device))
            if not all(bool(tensor.isfinite().all()) for tensor in found.values()):
                raise ValueError("it holds what is no number, or not finite")
            self._net.load_state_dict(_part(found, "best."))  # which shows whether it fits
            best_state, last_state = self._copy(), _part(found, "last.")
            if last_state:
                self._net.load_state_dict(last_state)
                last_state = self._copy()
            self._net.load_state_dict(_part(found, "net."))
            self._decoders.load_state_dict(_part(found, "decoders."))
        self._at, self._epoch, self._seconds, self._epoch_seconds = at, epoch, seconds, epoch_seconds
        self._counts, self._batches = counts, batches
        self._best, self._best_state, self._last_state = best, best_state, last_state or None
        self._trainer = self._begin()
        with fitting(folder / _OPTIMISER):
            found = load_file(folder / _OPTIMISER, str(self._device))
            for kind, several in self._trainer.optimiser.state.items():
                for i, tensor in enumerate(several):
                    kept = found[f"{kind}.{i}"]
                    if kept.shape != tensor.shape or not bool(kept.isfinite().all()):
                        raise ValueError(f"{kind}.{i} does not fit the weights")
                    tensor.copy_(kept)

    def _kept(self) -> tuple[dict[str, Any], bool]:
        """What plays, and whether the scalar head of it has learnt anything.

        That head learns on the best embedding, with the best of all else in its place.
        """
        scalar = self._stages[self._at].name == "scalar"
        whole_net = scalar or self._best < 0
        return self._copy() if whole_net else self._best_state, scalar and self._epoch > 0

    def _copy(self) -> dict[str, Any]:
        return {name: value.detach().clone() for name, value in self._net.state_dict().items()}

    def _write(self, path: Path, state: Mapping[str, Any], scalar: bool) -> None:
        from rookery.nets import deepchess

        net = deepchess.DeepChess(deepchess.SHAPES[self._options.net]).to(self._device).eval()
        net.load_state_dict(state)
        facts = {"learner": "deepchess", "seed": self._seed, "training_steps": self._batches}
        deepchess.write(path, net, self._positions.bits[:_LOOKED_AT], scalar, facts)


def _autoencoder(device: Any, embed: Any, decoder: Any, layer: int) -> Callable[[], Any]:
    return lambda: device.Autoencode(embed, decoder, layer)


def _part(tensors: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """What lies under a prefix, without it."""
    return {name.removeprefix(prefix): each for name, each in tensors.items() if name.startswith(prefix)}


def _open(options: DeepChessOptions) -> Any:
    if not options.store:
        raise BadOption("store names no games; write --set store=DIR, a folder made by `rookery data import`")
    return Store.open(Path(options.store))


def _never() -> bool:
    return False


def _number(seed: int, *path: str | int) -> int:
    return int(generator(seed, "deepchess", *path).integers(2**63))


LEARNERS = {"deepchess": DeepChessLearner}
