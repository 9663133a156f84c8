"""Chess by self-play from a policy that was learnt of people's games: the second phase of Pelat (sections
3.3 and 4.3).

The network plays itself from positions of recorded games that were won, many games in lock-step. What a move
was worth depends on how the game ended and on who had won the recorded one; people's moves up to the start
are right. It learns from each game once, and a frozen reference is replaced whenever it has been beaten.

Games under way are not kept, and a GPU adds in any order: two runs are alike but not the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from rookery import native, weights
from rookery.api import Measure, Metrics, Player, Promise
from rookery.arena.rating import elo
from rookery.errors import Diverged, Interrupted, describe, warn
from rookery.learners import policy_starts, torch_device
from rookery.learners.policy_rival import score
from rookery.learners.policy_selfplay_options import PolicySelfplayOptions
from rookery.learners.state import fitting, number, read_state, whole
from rookery.records.store import Store
from rookery.seeds import generator

ONNX = "policy.onnx"
_NET, _OPTIMISER, _STATE = "net.safetensors", "optimiser.safetensors", "state.json"
_LOOKED_AT = 4096
"""Positions of self-play by which entropy and dead units are told."""
_ENDS = ("white_wins", "black_wins", "draws", "aborted")
_KEPT = ("wins", "draws", "losses")
"""What became of the side that won the recorded game."""
_KINDS = (
    "games",
    "plies",
    *_ENDS,
    "from_won",
    *(f"human_winner_{kind}" for kind in _KEPT),
    "loss",
    "batches",
)
"""What is counted of the games of a round."""


class PolicySelfplayLearner:
    """Learns to win games against itself."""

    Options = PolicySelfplayOptions
    promise: ClassVar[Promise] = "statistical"

    def __init__(self, options: PolicySelfplayOptions, seed: int) -> None:
        self._options, self._seed = options, seed
        self._device = torch_device.require("policy-selfplay", options.device)
        import torch

        from rookery.nets import policy, policy_start

        self._cuda = self._device.type == "cuda"
        if self._cuda:
            torch.backends.cudnn.benchmark = True
            torch.set_float32_matmul_precision("high")
        self._threads = torch_device.threads(options.threads)
        self._workers = native.Workers(self._threads)
        self._starts = policy_starts.made(self._lines(), self._workers)
        self._first = policy_starts.made(policy_starts.first_position(), self._workers)
        supervised = policy_start.network(options.start)
        net = supervised
        if options.head == "flat":
            torch.manual_seed(_number(seed, "weights"))
            net = policy.PolicyNet(replace(supervised.shape, head="flat"))
            net.tower.load_state_dict(supervised.tower.state_dict())
        self._supervised, self._net = self._placed(supervised), self._placed(net)
        self._reference = self._placed(net)
        self._round = self._broken = self._games = self._batches = self._replaced = 0
        self._spent = 0.0
        """Seconds of the round that is under way, in steps that were broken off."""
        self._measured = 0
        """Batches that had been learnt from when it was last measured."""
        self._last: Any = None
        self._begin()
        self._seat()

    def _placed(self, net: Any) -> Any:
        import torch

        own = deepcopy(net).to(self._device).eval()
        return own.to(memory_format=torch.channels_last) if self._cuda else own

    def _lines(self) -> policy_starts.Lines:
        o, rng = self._options, generator(self._seed, "policy-selfplay", "starts")
        if o.stores:
            return policy_starts.of_stores(_open(o), o.positions, rng, self._threads, o.split_seed)
        return policy_starts.of_random_play(o.positions, o.random_plies, rng)

    def _begin(self) -> None:
        """A trainer of the fresh head alone, or of all."""
        from rookery.nets.policy_selfplay import RewardTrainer

        o = self._options
        self._net.requires_grad_(True)
        self._net.tower.requires_grad_(not self._burning)
        self._trainer = RewardTrainer(
            self._net, self._supervised if o.kl else None, o.kl, o.batch, o.clip, o.graphs and self._cuda
        )

    @property
    def _burning(self) -> bool:
        return self._options.head == "flat" and self._games < self._options.burn_in

    def _seat(self) -> None:
        """New games, at the beginning and after a break: those under way are not kept."""
        from rookery.nets.policy_selfplay import Table, Thinker

        o = self._options
        seed = _number(self._seed, "games", self._round + self._broken)
        self._table = Table(
            self._starts, seed, o.parallel_games, self._cuda, max_plies=o.max_plies, human=o.labels == "human"
        )
        graphs, nets = o.graphs and self._cuda, {"own": self._net, "supervised": self._supervised}
        self._playing = {
            name: Thinker(net, o.parallel_games, graphs, half=True) for name, net in nets.items()
        }
        nets["reference"] = self._reference
        self._meeting = {name: Thinker(net, o.evaluation_games, graphs) for name, net in nets.items()}
        self._meeting["rival"] = Thinker(self._net, max(1, o.rival_games), graphs)

    # --- one round -----------------------------------------------------------------------------------

    @property
    def steps(self) -> int:
        """A step is a round, or a part of one that was broken off."""
        return self._options.rounds + self._broken

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """Play and learn until the end of a round, and measure.

        There is no way back to where it began, so `stop` ends it early, and the next step goes on with the
        same round.
        """
        try:
            return self._step(stop)
        except Diverged as error:
            rate = self._options.learning_rate
            raise Diverged(f"{error}; lower learning_rate (it is {rate:g})") from None

    def _step(self, stop: Callable[[], bool] | None) -> Metrics:
        stopped = stop or (lambda: False)
        counts = dict.fromkeys((*_KINDS, "loss", "batches", "learning"), 0.0)
        first, began, seconds = self._games, monotonic(), 0.0
        while self._left(self._spent + seconds) > 0 and not stopped():
            self._table.step(self._workers)
            if self._table.native.finished >= self._options.update_games:
                at = monotonic()
                self._learn(counts, stopped)
                counts["learning"] += monotonic() - at
            # While its head is fresh it learns from games of the network that it began with.
            think = self._playing["supervised" if self._burning else "own"]
            self._table.logits.copy_(think(self._table.planes))
            seconds = monotonic() - began
        metrics = {"games": float(self._games), "training_steps": float(self._batches)}
        # What there was nothing of has no mean.
        if seconds:
            metrics["games_per_second"] = (self._games - first) / seconds
            metrics["learning_share"] = counts["learning"] / seconds
        if played := counts["games"]:
            metrics |= {kind: counts[kind] / played for kind in ("plies", *_ENDS)}
        if won := counts["from_won"]:
            metrics |= {name: counts[name] / won for name in (f"human_winner_{kind}" for kind in _KEPT)}
        if counts["batches"]:
            metrics["loss"] = counts["loss"] / counts["batches"]
        self._spent += seconds
        found = None if self._left(self._spent) > 0 or stopped() else self._measure(stopped)
        if found is None:
            self._broken += 1
        else:
            self._round, self._spent = self._round + 1, 0.0
        return {name: float(f"{value:.6g}") for name, value in (metrics | (found or {})).items()}

    def _left(self, seconds: float) -> float:
        """Games of this round that are to come, or seconds where these bound it. seconds: of it so far."""
        o = self._options
        if o.seconds:
            return o.seconds / o.rounds - seconds
        return round(o.games * (self._round + 1) / o.rounds) - self._games

    def _learn(self, counts: dict[str, float], stopped: Callable[[], bool]) -> None:
        """From the games that have ended; once stopped, from no more of them."""
        import torch

        from rookery.nets.policy_selfplay import Games

        o, found = self._options, self._table.native.take()
        games = Games(found, self._device)
        _count(found, counts)
        chance = torch.Generator(self._device)
        chance.manual_seed(_number(self._seed, "pass", self._games))
        burning, trainer = self._burning, self._trainer
        batches = trainer.learn_from(games, o.burn_in_rate if burning else o.learning_rate, chance, stopped)
        loss = float(trainer.sums[0])
        trainer.sums.zero_()
        if not np.isfinite(loss):
            raise Diverged("the loss is not finite")
        counts["loss"] += loss
        counts["batches"] += batches
        self._batches += batches
        self._games += len(found["end"])
        self._last = games
        if burning and not self._burning:
            self._begin()

    # --- measuring -----------------------------------------------------------------------------------

    def _measure(self, stopped: Callable[[], bool]) -> dict[str, float] | None:
        """What the round has made of the network, nothing where it has learnt nothing; None: stopped before
        all was measured."""
        from rookery.nets import policy_device, policy_selfplay

        def look() -> None:
            if stopped():
                raise Interrupted("stopped before it was measured")

        if self._batches == self._measured:
            return {}
        o, found = self._options, dict[str, float]()
        if self._last is not None:
            own = self._last.own()
            rows = policy_device.sampled(own, _LOOKED_AT, _number(self._seed, "looked at", self._round))
            if len(rows):
                found["entropy"] = policy_selfplay.entropy(self._net, self._last, rows)
                found["dead_units"] = policy_device.dead_units(self._net, self._last, rows)
        try:
            met = self._meet("reference", look)
            found |= {
                "against_reference": met.share,
                "against_reference_as_white": met.white,
                "against_reference_as_black": met.black,
                "evaluation_draws": met.drawn,
                "evaluation_aborted": met.aborted,
            }
            supervised = self._meet("supervised", look)
            found |= {
                "against_supervised": supervised.share,
                "against_supervised_as_white": supervised.white,
                "against_supervised_as_black": supervised.black,
                "elo_over_supervised": elo(_held(supervised.share, supervised.games)),
            }
            if o.rival_games:
                seed = _number(self._seed, "rival", self._round)
                share = score(self._logits, o.rival_games, seed, self._threads, look)
                found |= {"against_rival": share, "elo_over_rival": elo(_held(share, o.rival_games))}
        except Interrupted:
            return None
        # Last of all, since what is broken off is measured again.
        if met.share > 0.5:
            self._reference.load_state_dict(self._net.state_dict())
            self._replaced += 1
        self._measured = self._batches
        return found | {"references": float(self._replaced)}

    def _meet(self, other: str, look: Callable[[], None]) -> Any:
        from rookery.nets.policy_selfplay import Table, match

        o = self._options
        table = Table(
            self._first, _number(self._seed, other, self._round + 1), o.evaluation_games, self._cuda,
            limit=o.evaluation_games, max_plies=o.max_plies, top=2,
        )  # fmt: skip
        return match(self._meeting["own"], self._meeting[other], table, self._workers, look)

    def _logits(self, planes: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Of at most as many positions as there are games against the rival."""
        import torch

        # Always of one size: a GPU would look for the quickest way anew for each.
        room = np.zeros((self._options.rival_games, planes[0].size), np.uint8)
        room[: len(planes)] = planes.reshape(len(planes), -1)
        found = self._meeting["rival"](torch.from_numpy(room))[: len(planes)]
        return np.asarray(found.cpu().numpy(), np.float32)

    @staticmethod
    def measures(options: PolicySelfplayOptions) -> dict[str, Measure]:
        games = options.evaluation_games

        def rule(games: int) -> str:
            return f"{games} games by one of the two likeliest moves, a draw half a win."

        def share(title: str, meaning: str, count: int = 0) -> Measure:
            return Measure(title, meaning, share=True, games=count)

        match, half = rule(games), rule(games // 2)
        found = {
            "games": Measure("Games", "Of self-play so far."),
            "games_per_second": Measure("Games per second", "Played and learnt from."),
            "learning_share": share("Time spent on learning", "The rest is spent on playing."),
            "plies": Measure("Game length", "Plies of a game after its start, on average."),
            "white_wins": share("White's win rate in self-play", ""),
            "black_wins": share("Black's win rate in self-play", ""),
            "draws": share("Draws in self-play", ""),
            "aborted": share("Aborted games in self-play", f"After {options.max_plies} plies."),
            "human_winner_wins": share(
                "Wins of the human winner's side", "Of the colour that won the recorded game."
            ),
            "human_winner_draws": share("Draws of the human winner's side", "Aborted games aside."),
            "human_winner_losses": share("Losses of the human winner's side", ""),
            "training_steps": Measure("Training steps", "Batches learnt from so far."),
            "loss": Measure("Loss", "Binary cross-entropy of what moves were worth, mean over the round."),
            "entropy": Measure("Entropy", "Of the policy over legal moves in self-play, in nats."),
            "dead_units": share("Dead units", "Share of units that are never active."),
            "against_reference": share("Win rate against the reference", match, games),
            "against_reference_as_white": share("The same as White", half, games // 2),
            "against_reference_as_black": share("The same as Black", half, games // 2),
            "evaluation_draws": share("Draws against the reference", "", games),
            "evaluation_aborted": share("Aborted games against the reference", "", games),
            "references": Measure("References", "How often the reference was replaced."),
            "against_supervised": share("Win rate against the network it began with", match, games),
            "against_supervised_as_white": share("The same as White", half, games // 2),
            "against_supervised_as_black": share("The same as Black", half, games // 2),
            "elo_over_supervised": Measure("Elo over the network it began with", "By that win rate."),
        }
        if options.rival_games:
            rival = "alpha-beta of depth 4"
            found |= {
                "against_rival": share(
                    f"Win rate against {rival}", rule(options.rival_games), options.rival_games
                ),
                "elo_over_rival": Measure(f"Elo over {rival}", "By that win rate."),
            }
        return found

    # --- keeping -------------------------------------------------------------------------------------

    @staticmethod
    def data(options: PolicySelfplayOptions) -> dict[str, str]:
        """The network it begins with, the games, and what is held out of them."""
        from rookery.nets.policy_start import find

        hashes = {f"store {i}": store.hash for i, store in enumerate(_open(options), 1)}
        found = {"start": weights.hash_of(find(options.start)), **hashes}
        return found | ({"split": f"seed {options.split_seed}"} if hashes else {})

    def player(self) -> Player:
        from tempfile import TemporaryDirectory

        from rookery import games, players

        with TemporaryDirectory(prefix="rookery-policy-") as folder:
            self._export(Path(folder))
            return players.make(f"topk:k=2+policy@{Path(folder) / ONNX}", games.get("chess"))

    def save(self, folder: Path) -> None:
        """All but the games under way."""
        from safetensors.torch import save

        from rookery.nets import policy
        from rookery.nets.policy_device import tensors

        policy.write(folder / weights.FILE, self._net, self._facts())
        self._export(folder)
        kept = {f"net.{name}": tensor for name, tensor in tensors(self._net).items()}
        kept |= {f"reference.{name}": tensor for name, tensor in tensors(self._reference).items()}
        (folder / _NET).write_bytes(save(_alone(kept)))
        (folder / _OPTIMISER).write_bytes(save(_alone(self._moments())))
        state = {
            "round": self._round,
            "broken": self._broken,
            "spent": self._spent,
            "measured": self._measured,
            "games": self._games,
            "batches": self._batches,
            "replaced": self._replaced,
        }
        (folder / _STATE).write_text(json.dumps(state))

    def load(self, folder: Path) -> None:
        from rookery.learners.torch_state import copy_into

        o, state = self._options, read_state(folder / _STATE)
        with fitting(folder / _STATE):
            round_ = whole(state, "round", 0, o.rounds)
            games, batches = whole(state, "games", 0, 2**62), whole(state, "batches", 0, 2**62)
            replaced = whole(state, "replaced", 0, 2**62)
            # Those that do not say these were written when a round was done, whatever had become of it.
            state = {"broken": 0, "spent": 0.0, "measured": batches} | state
            broken, measured = whole(state, "broken", 0, 2**62), whole(state, "measured", 0, 2**62)
            spent = number(state, "spent", 0, 1e9)
        nets = {f"net.{name}": tensor for name, tensor in self._net.state_dict().items()}
        nets |= {f"reference.{name}": tensor for name, tensor in self._reference.state_dict().items()}
        copy_into(nets, folder / _NET)
        self._round, self._games, self._batches, self._replaced = round_, games, batches, replaced
        self._broken, self._measured, self._spent = broken, measured, spent
        self._begin()
        copy_into(self._moments(), folder / _OPTIMISER)
        self._last = None
        self._seat()

    def _moments(self) -> dict[str, Any]:
        kept = self._trainer.optimiser.state
        return {f"{kind}.{i}": tensor for kind, several in kept.items() for i, tensor in enumerate(several)}

    def _facts(self) -> dict[str, Any]:
        return {"learner": "policy-selfplay", "seed": self._seed, "self_play_games": self._games}

    def _export(self, folder: Path) -> None:
        """Without the file a run still goes on: it can be made of the weights at any time."""
        from rookery.nets import policy

        try:
            policy.export(folder / ONNX, self._net, self._facts())
        except (ImportError, RuntimeError, ValueError, TypeError) as error:
            warn(f"{ONNX} cannot be made: {describe(error)}; {weights.FILE} has all that it needs")


def _count(found: Any, counts: dict[str, float]) -> None:
    """Add up how games ended."""
    end, human = found["end"], found["human"]
    own = np.diff(found["games"]) - found["start"]
    won, settled = human != 0, end != 2
    told = {
        "games": len(end),
        "plies": own.sum(),
        "white_wins": (end == 1).sum(),
        "black_wins": (end == -1).sum(),
        "draws": (end == 0).sum(),
        "aborted": (end == 2).sum(),
        "from_won": won.sum(),
        "human_winner_wins": (won & (end == human)).sum(),
        "human_winner_draws": (won & (end == 0)).sum(),
        "human_winner_losses": (won & settled & (end == -human)).sum(),
    }
    for name, count in told.items():
        counts[name] += float(count)


def _held(share: float, games: int) -> float:
    """Off 0 and 1, where Elo has no bound: half a game short of them."""
    return min(max(share, 0.5 / games), 1 - 0.5 / games)


def _alone(tensors: dict[str, Any]) -> dict[str, Any]:
    return {name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}


def _open(options: PolicySelfplayOptions) -> list[Store]:
    return [Store.open(Path(each)) for each in options.stores]


def _number(seed: int, *path: str | int) -> int:
    return int(generator(seed, "policy-selfplay", *path).integers(2**63))


LEARNERS = {"policy-selfplay": PolicySelfplayLearner}
