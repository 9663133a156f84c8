"""Chess knowledge from a policy network: which move would be played here (Pelat; Maia: by whom).

The file says on which planes the network was trained; the encoders are in native/encoders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import (
    DefersValues,
    Evaluation,
    Evaluator,
    Game,
    NamedKnowledge,
    Policy,
    PolicyWithQuickValues,
    State,
)
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame, describe, quote
from rookery.evaluators.handmade import Classical, Pieces
from rookery.games.state import NativeState
from rookery.nets import backend, decoding
from rookery.nets.backend import Backend
from rookery.weights import find

FILE = "policy.onnx"
_ACTIONS = 1968
_LOWEST, _HIGHEST = 1000, 2900
"""Ratings that a network may be told."""


@dataclass(frozen=True)
class Encoder:
    """How a network sees states."""

    planes: Callable[[list[Any]], NDArray[np.uint8]]
    turned: bool
    """Whether the board is turned over for Black, and so the moves."""


ENCODERS = {
    "chess-planes-41": Encoder(native.chess_planes, turned=False),
    "chess-squares-1": Encoder(native.chess_squares, turned=True),
}


class PolicyNetwork(NamedKnowledge, PolicyWithQuickValues, DefersValues):
    """Chess by a network that predicts moves: policy@RUN or policy@FILE."""

    title = "policy network"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "chess":
            raise UnsupportedGame(f"policy knows chess only, not {game.spec.name}")

    @classmethod
    def check_installed(cls) -> None:
        backend.require_onnxruntime("policy")

    def __init__(
        self,
        game: Game,
        source: str,
        *,
        temperature: float = 1.0,
        elo: int | None = None,
        opponent: int | None = None,
        device: str = "cpu",
    ) -> None:
        """temperature: of its opinion on moves: above 1 flatter than it learnt, below 1 sharper.

        elo: the rating of the players whose moves it predicts, and opponent: that of those they meet, unless
        it is the same; for networks that are told ratings. device: cpu, or cuda for a GPU, with torch.
        """
        self.check_game(game)
        self.check_installed()
        if not 0.05 <= temperature <= 20:
            raise BadOption(f"policy: temperature must be between 0.05 and 20 (got {temperature:g})")
        for name, rating in (("elo", elo), ("opponent", opponent)):
            if rating is not None and not _LOWEST <= rating <= _HIGHEST:
                raise BadOption(f"policy: {name} must be between {_LOWEST} and {_HIGHEST} (got {rating})")
        path = find(source, FILE)
        self._network = _open(path, device)
        self._encoder = _encoder(path, self._network)
        self._temperature = temperature
        self._has_values = "wdl" in self._network.outputs
        self._ratings: NDArray[np.float32] | None = None
        if "ratings" in self._network.inputs:
            usual = _usual_elo(path, self._network)
            told = usual if elo is None else elo
            self._ratings = np.array([told, told if opponent is None else opponent], np.float32)
        elif elo is not None or opponent is not None:
            raise BadOption(f"policy: {path} is not told ratings; leave out elo and opponent")
        self._game = game
        self.static: Evaluator = self if self._has_values else Pieces(game)
        """Its own values, where it has learnt some; else those of piece-square tables."""
        try:
            # Whether its weights fit each other shows when they are first used.
            self.evaluate([game.start()])
        except CheckpointMismatch as error:
            raise CheckpointMismatch(f"{path}: {error}") from None

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        names = ["policy", "wdl"] if self._has_values else ["policy"]
        found = self._run(states, names)
        if not self._has_values:
            return Evaluation(self.static.evaluate(states).value, self._policy(states, found))
        wdl = decoding.require(found["wdl"], "wdl", (len(states), 3))
        mover = decoding.value(wdl)
        white = np.where([state.seat == 0 for state in states], mover, -mover)
        return Evaluation(np.stack([white, -white], axis=1).astype(np.float32), self._policy(states, found))

    def policy(self, states: Sequence[State]) -> Policy:
        return self._policy(states, self._run(states, ["policy"]))

    def quick_values(self) -> Evaluator:
        return Classical(self._game)

    def _run(self, states: Sequence[State], outputs: Sequence[str]) -> dict[str, NDArray[Any]]:
        arrays = {"planes": self._encoder.planes(_natives(states)).astype(np.float32)}
        if self._ratings is not None:
            arrays["ratings"] = np.tile(self._ratings, (len(states), 1))
        try:
            return self._network.run(arrays, outputs)
        except Exception as error:  # a runtime has classes of its own for each way to fail
            raise CheckpointMismatch(f"the network cannot be used: {describe(error)[:200]}") from None

    def _policy(self, states: Sequence[State], found: dict[str, NDArray[Any]]) -> Policy:
        logits = decoding.require(found["policy"], "policy", (len(states), _ACTIONS))
        offsets, actions = native.chess_legal_actions(_natives(states), self._encoder.turned)
        return decoding.policy(logits, np.split(actions, offsets[1:-1]), self._temperature)


def _natives(states: Sequence[State]) -> list[Any]:
    return [cast(NativeState, state).native for state in states]


def _open(path: Path, device: str) -> Backend:
    """The network of a file.

    Raises:
        CheckpointMismatch: it holds none that can be used.
    """
    try:
        content = backend.read(path)
        model = backend.check(content)
        inputs = sorted(model.inputs)
        if inputs not in (["planes"], ["planes", "ratings"]) or "policy" not in model.outputs:
            raise ValueError("it should have planes in, perhaps ratings too, and policy out")
        return backend.open_network(content, model, device)
    except BadOption:
        raise
    except Exception as error:  # onnxruntime has a class of its own for each way to fail
        raise CheckpointMismatch(f"{path} is no network that can be used: {describe(error)[:200]}") from None


def _encoder(path: Path, network: Backend) -> Encoder:
    said = network.card.get("encoder", "something unsaid")
    if said not in ENCODERS:
        raise CheckpointMismatch(f"{path} was trained on {quote(said)}, not on {' or '.join(ENCODERS)}")
    return ENCODERS[said]


def _usual_elo(path: Path, network: Backend) -> int:
    """The rating that a network is told unless another is asked for: what its card says, or 0, unknown."""
    said = network.card.get("elo", "0")
    if not (said.isascii() and said.isdecimal() and len(said) < 5):
        raise CheckpointMismatch(f"{path}: elo must be a number (its card says {quote(said)})")
    return int(said)


KNOWLEDGE = {"policy": PolicyNetwork}
