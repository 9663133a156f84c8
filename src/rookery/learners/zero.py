"""Go from nothing but its rules, as in AlphaZero (Silver et al. 2018), for several sizes of board at once.

Self-play searches as Gumbel AlphaZero does (Danihelka et al. 2022): with some thirty simulations every move
is an improvement on the policy and every position a sample, where PUCT needs hundreds. From KataGo (Wu 2019)
come the heads for score and ownership, a share of the score in what a game is worth, komi that varies around
what makes games even, openings by chance, and a window of samples that grows more slowly than their number.

The learning rate follows the clock and a GPU adds in any order, so two runs are alike but not the same; after
a break new games begin.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import numpy as np

from rookery import native
from rookery.api import Limit, Measure, Metrics, Player, Promise
from rookery.errors import CheckpointMismatch, Diverged, Interrupted
from rookery.learners import torch_device
from rookery.learners.state import fitting, number, read_state, whole
from rookery.learners.torch_state import load_optimiser, load_weights, save_optimiser, save_weights
from rookery.learners.zero_options import EVEN_KOMI, ZeroOptions
from rookery.learners.zero_yardstick import against_uct
from rookery.seeds import generator

_SPREAD = 3.0
_YARDSTICK = 200
"""Nodes of UCT, which the policy alone is measured by,"""
_MEASURED = 16
"""in so many games of each size."""
_LOSSES = ("policy", "won", "score", "owner")


class _Group:
    """Games of one size, with the room where native code and the network exchange what they know."""

    def __init__(self, size: int, games: int, options: ZeroOptions, seed: int, pinned: bool) -> None:
        import torch

        search, settings, go = native.GumbelSettings(), native.SelfPlaySettings(), native.GoSelfPlaySettings()
        search.simulations, search.max_considered = options.simulations, options.max_considered
        search.scale = options.c_scale
        settings.search, settings.games, settings.opening = search, games, options.opening
        go.score_weight, go.pass_from, go.cap = options.score_weight, size * size // 2, 5 * size * size // 2
        self.size = size
        self.pool = getattr(native, f"GoSelfPlay{size}")(settings, go, seed)
        room = self.pool.capacity
        planes = native.go_zero_plane_count * size * size
        self.planes = torch.zeros((room, planes), dtype=torch.uint8, pin_memory=pinned)
        self.logits = torch.zeros((room, size * size + 1), pin_memory=pinned)
        self.values = torch.zeros(room, pin_memory=pinned)
        self._arrays = self.logits.numpy(), self.values.numpy(), self.planes.numpy()
        self.event = torch.cuda.Event() if pinned else None
        self.told = False

    def step(self, evaluator: Any, workers: Any) -> int:
        """Take the evaluations, walk on, and have the next positions evaluated."""
        if self.event is not None and self.told:
            self.event.synchronize()
        count: int = self.pool.step(*self._arrays, workers)
        evaluator.launch(self.planes, count, self.logits, self.values)
        if self.event is not None:
            self.event.record()
            self.told = True
        return count


class ZeroLearner:
    """Learns Go by playing against itself."""

    Options = ZeroOptions
    promise: ClassVar[Promise] = "statistical"

    def __init__(self, options: ZeroOptions, seed: int) -> None:
        device = torch_device.require("zero", options.device)
        import torch

        from rookery.nets import zero, zero_device

        torch.manual_seed(seed)
        self.options, self._seed = options, seed
        self.steps = options.max_steps
        self._cuda = device.type == "cuda"
        if self._cuda:
            torch.backends.cudnn.benchmark = True
        graphs = options.graphs and self._cuda
        share = [games * size for games, size in zip(options.games, options.sizes, strict=True)]
        batches = [max(8, round(options.batch * s / sum(share) / 8) * 8) for s in share]
        shape = zero.Shape(options.blocks, options.channels)
        self.windows = [zero_device.ReplayBuffer(size, options.capacity, device) for size in options.sizes]
        self.trainer = zero_device.Trainer(shape, self.windows, batches, options.weight_decay, graphs)
        self._batch = sum(batches)
        self._playing = zero.ZeroNet(shape).to(device, memory_format=torch.channels_last).eval()
        if self._cuda:
            self._playing.bfloat16()
        self._publish()
        self.evaluators = {
            size: zero_device.BatchEvaluator(self._playing, size, options.score_weight, graphs)
            for size in options.sizes
        }
        self._rng = generator(seed, "zero", "batches")
        self._workers = native.Workers(torch_device.threads(options.threads))
        self._sitting = 0
        self._done, self._elapsed, self._trained, self._measured = 0, 0.0, 0.0, 0.0
        self._komi = dict.fromkeys(options.sizes, 2.0)
        self._counted: dict[int, tuple[float, float]] = {}
        self._seat()

    def _seat(self) -> None:
        """New games, at the beginning and after a break: those under way are not kept."""
        self.groups = [
            _Group(size, games, self.options, _number(self._seed, self._sitting, size, half), self._cuda)
            for half in (0, 1)
            for size, games in zip(self.options.sizes, self.options.games, strict=True)
        ]
        for group in self.groups:
            group.pool.set_komi(self._komi[group.size], _SPREAD)
        self._counted = dict.fromkeys(self.options.sizes, (0.0, 0.0))
        self._sitting += 1

    # --- one step ------------------------------------------------------------------------------------

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """Play until there are as many new samples as a step wants, and learn from them on the way.

        There is no way back to where it began, so `stop` ends it early.
        """
        try:
            return self._step(stop)
        except Diverged as error:
            raise Diverged(f"{error}; lower learning_rate (it is {self.options.learning_rate:g})") from None

    def _step(self, stop: Callable[[], bool] | None) -> Metrics:
        options = self.options
        began, evaluations, fresh, sweeps = monotonic(), 0, 0, 0
        before = self._tally()
        trained = self.trainer.steps
        stopped = stop or (lambda: False)
        while fresh < options.step_samples and not stopped():
            for group in self.groups:
                if stopped():  # a round of all groups takes seconds on a CPU
                    break
                evaluations += group.step(self.evaluators[group.size], self._workers)
                if self._trained >= self._batch and all(w.total >= self._batch for w in self.windows):
                    self._train(monotonic() - began)
            sweeps += 1
            if sweeps % 4 == 0:
                new = self._collect()
                fresh += new
                self._trained += options.sample_reuse * new
        seconds = monotonic() - began
        self._elapsed += seconds
        self._done += 1
        self._set_komi()
        metrics = self._metrics(before, seconds, evaluations, fresh, self.trainer.steps - trained)
        return {**metrics, **self._measure(stop)}

    def _train(self, seconds: float) -> None:
        from rookery.nets.window import span

        progress = (self._elapsed + seconds) / (60 * self.options.minutes)
        fall = min(1.0, max(0.0, (progress - 0.6) / 0.4))
        warm = min(1.0, (self.trainer.steps + 1) / 200)
        total = sum(window.total for window in self.windows)
        self.trainer.step(
            self._rng,
            span=span(total, self.options.window) / max(1, total),
            rate=self.options.learning_rate * warm * (1 - 0.9 * fall),
            averaging=self.options.ema_decay,
        )
        self._trained -= self._batch
        if self.trainer.steps % 16 == 0:
            self._publish()

    def _publish(self) -> None:
        """The moving average becomes what plays."""
        import torch

        with torch.no_grad():
            ours, theirs = self._playing.parameters(), self.trainer.average.parameters()
            for mine, average in zip(ours, theirs, strict=True):
                mine.copy_(average)

    def _collect(self) -> int:
        windows = {window.size: window for window in self.windows}
        return sum(windows[group.size].add(group.pool.take()) for group in self.groups)

    def _tally(self) -> dict[int, dict[str, float]]:
        kinds = ("games", "plies", "black", "white", "capped", "margin")
        return {
            size: {k: sum(getattr(g.pool.tally(), k) for g in self.groups if g.size == size) for k in kinds}
            for size in self.options.sizes
        }

    def _set_komi(self) -> None:
        """Centre komi on what Black has lately won by."""
        for size, tally in self._tally().items():
            games, margin = self._counted[size]
            if tally["games"] - games >= 50:
                mean = (tally["margin"] - margin) / (tally["games"] - games)
                self._komi[size] += 0.2 * (min(max(mean, 0.0), EVEN_KOMI[size]) - self._komi[size])
                self._counted[size] = tally["games"], tally["margin"]
        for group in self.groups:
            group.pool.set_komi(self._komi[group.size], _SPREAD)

    def _metrics(
        self, before: dict[int, dict[str, float]], seconds: float, evaluations: int, fresh: int, steps: int
    ) -> Metrics:
        metrics: dict[str, float] = {
            "evaluations_per_second": evaluations / seconds,
            "samples_per_second": fresh / seconds,
            "training_steps": float(self.trainer.steps),
            "training_steps_per_second": steps / seconds,
            "elapsed": self._elapsed,
        }
        losses = self.trainer.losses()
        if steps and not np.isfinite(np.asarray(losses, dtype=np.float64)).all():
            raise Diverged("the losses are not finite")
        after = self._tally()
        for i, size in enumerate(self.options.sizes):
            played = {k: after[size][k] - before[size][k] for k in after[size]}
            games = max(1.0, played["games"])
            metrics[f"go{size}/games"] = after[size]["games"]
            metrics[f"go{size}/games_per_second"] = played["games"] / seconds
            metrics[f"go{size}/plies"] = played["plies"] / games
            metrics[f"go{size}/black_wins"] = played["black"] / games
            metrics[f"go{size}/capped"] = played["capped"] / games
            metrics[f"go{size}/margin"] = played["margin"] / games
            metrics[f"go{size}/komi"] = self._komi[size]
            metrics[f"go{size}/samples"] = float(self.windows[i].total)
            if steps:
                for name, value in zip(_LOSSES, losses[i], strict=True):
                    metrics[f"go{size}/loss_{name}"] = float(value)
        return {name: float(f"{value:.6g}") for name, value in metrics.items()}

    # --- measuring and keeping -----------------------------------------------------------------------

    def _measure(self, stop: Callable[[], bool] | None) -> dict[str, float]:
        """Now and then, what the policy alone is worth."""
        if self._elapsed < self._measured + self.options.measure_every:
            return {}
        self._measured = self._elapsed
        try:
            return {
                f"go{size}/policy_against_uct": against_uct(
                    evaluator.policy, size, EVEN_KOMI[size] - 0.5, _MEASURED, _YARDSTICK, self._done, stop
                )
                for size, evaluator in self.evaluators.items()
            }
        except Interrupted:
            return {}

    @staticmethod
    def measures(options: ZeroOptions) -> dict[str, Measure]:
        found = {
            "training_steps": Measure("Training steps", "Batches learnt from so far."),
            "evaluations_per_second": Measure("Network evaluations per second", "In self-play."),
            "samples_per_second": Measure("Samples per second", "New positions to learn from."),
            "training_steps_per_second": Measure("Training steps per second", "Batches learnt from."),
            "elapsed": Measure("Seconds of training", "Measuring and saving not counted."),
        }
        for size in options.sizes:
            board = f"{size}x{size}"
            found |= {
                f"go{size}/policy_against_uct": Measure(
                    f"Win rate of the policy alone vs. UCT, {board}",
                    f"{_MEASURED} games without search against UCT with {_YARDSTICK} positions a move;"
                    " a draw is half a win.",
                    share=True,
                    games=_MEASURED,
                ),
                f"go{size}/games": Measure(
                    f"Self-play games, {board}", "Since the run was started or resumed."
                ),
                f"go{size}/games_per_second": Measure(f"Games per second, {board}", "Of self-play."),
                f"go{size}/plies": Measure(f"Game length, {board}", "Plies of a self-play game, on average."),
                f"go{size}/black_wins": Measure(f"Black's win rate in self-play, {board}", "", share=True),
                f"go{size}/capped": Measure(
                    f"Games cut at the move limit, {board}", "Share of self-play games.", share=True
                ),
                f"go{size}/margin": Measure(f"Black's margin, {board}", "Points before komi, on average."),
                f"go{size}/komi": Measure(f"Komi, {board}", "Centred on what Black lately won by."),
                f"go{size}/samples": Measure(f"Samples, {board}", "Positions learnt from so far."),
                **{
                    f"go{size}/loss_{name}": Measure(f"Loss: {name}, {board}", "Mean over the step.")
                    for name in _LOSSES
                },
            }
        return found

    @staticmethod
    def data(options: ZeroOptions) -> dict[str, str]:
        return {}

    def player(self) -> Player:
        from tempfile import TemporaryDirectory

        from rookery import games
        from rookery.evaluators.zero import Zero
        from rookery.searches.puct import Puct
        from rookery.thinker import SearchPlayer

        game = games.get(f"go{self.options.sizes[-1]}")
        with TemporaryDirectory(prefix="rookery-zero-") as folder:
            self.export(Path(folder))
            knowledge = Zero(game, str(Path(folder) / "zero.onnx"))
        return SearchPlayer("puct+zero", game, Puct(game, knowledge), Limit(nodes=64))

    def export(self, folder: Path) -> None:
        """What plays: weights as safetensors and as ONNX, with a card."""
        from safetensors.numpy import save

        from rookery.nets.zero import onnx_file

        weights = {k: v.detach().float().cpu().numpy() for k, v in self.trainer.average.state_dict().items()}
        card = {
            "encoder": "go-zero-1",
            "learner": "zero",
            "seed": str(self._seed),
            "options": json.dumps(asdict(self.options)),
            "training_steps": str(self.trainer.steps),
            "samples": json.dumps({w.size: w.total for w in self.windows}),
            "seconds": f"{self._elapsed:.0f}",
        }
        arrays = {k: np.ascontiguousarray(v) for k, v in weights.items()}
        # Written here and below by us: what libraries say of a full disk is hard to read.
        (folder / "weights.safetensors").write_bytes(save(arrays, card))
        content = onnx_file(self.trainer.average, self.options.score_weight, card)
        (folder / "zero.onnx").write_bytes(content)

    def save(self, folder: Path) -> None:
        """All but the games under way: after a break new ones begin. Of the samples only the newest stay."""
        self.export(folder)
        trainer = self.trainer
        save_weights(trainer.net, folder / "net.safetensors")
        save_optimiser(trainer.optimiser, folder / "optimiser.safetensors")
        total = sum(min(w.total, w.capacity) for w in self.windows)
        samples: dict[str, Any] = {}
        for window in self.windows:
            count = min(window.total, window.capacity) * self.options.checkpoint_samples // max(1, total)
            for name, rows in window.newest(min(count, window.total)).items():
                samples[f"{window.size}.{name}"] = rows
        packed = BytesIO()
        np.savez_compressed(packed, **samples)
        (folder / "samples.npz").write_bytes(packed.getbuffer())
        state = {
            "steps": trainer.steps,
            "done": self._done,
            "elapsed": self._elapsed,
            "trained": self._trained,
            "sitting": self._sitting,
            "komi": {str(k): v for k, v in self._komi.items()},
            "totals": {str(w.size): w.total for w in self.windows},
            "shape": [self.options.blocks, self.options.channels],
            "rng": self._rng.bit_generator.state,
        }
        (folder / "state.json").write_text(json.dumps(state))

    def load(self, folder: Path) -> None:
        state = read_state(folder / "state.json")
        trainer, o = self.trainer, self.options
        with fitting(folder / "state.json"):
            if state["shape"] != [o.blocks, o.channels]:
                raise CheckpointMismatch(f"{folder} holds a network of {state['shape']} blocks and channels")
            steps, done = whole(state, "steps", 0, 2**62), whole(state, "done", 0, o.max_steps)
            elapsed, trained = number(state, "elapsed", 0, 1e12), number(state, "trained", -1e12, 1e12)
            sitting = whole(state, "sitting", 0, 2**62)
            komi = {int(size): number(state["komi"], size, -1000, 1000) for size in state["komi"]}
            self._rng.bit_generator.state = state["rng"]
        load_weights(trainer.net, folder / "net.safetensors")
        load_weights(trainer.average, folder / "weights.safetensors")
        load_optimiser(trainer.optimiser, folder / "optimiser.safetensors")
        trainer.relink()
        trainer.steps = steps
        with fitting(folder / "samples.npz"), np.load(folder / "samples.npz") as samples:
            for window in self.windows:
                kept = {k.partition(".")[2]: samples[k] for k in samples if k.startswith(f"{window.size}.")}
                if kept:
                    window.restart(kept)
        self._done, self._elapsed, self._trained = done, elapsed, trained
        self._measured = self._elapsed
        self._komi |= {size: points for size, points in komi.items() if size in self._komi}
        self._sitting = sitting
        self._publish()
        self._seat()


def _number(seed: int, *path: int) -> int:
    return int(generator(seed, "zero", "games", *path).integers(2**63))


LEARNERS = {"zero": ZeroLearner}
