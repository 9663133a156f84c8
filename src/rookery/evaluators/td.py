"""Networks that judge what a move leads to: Mayer, "Board representations for neural Go players learning by
temporal difference". They are trained by `rookery.learners.td`; their values are those of native/nets.

A network says, from 0 to 1, how good a board is to whoever has just moved. Weights lie in safetensors files:

    board          units x points: the first layer, laid over the points of the board
    middle         units x units: a second layer, in roban
    output         1 x units
    *_bias         1 x units: only where the network has biases
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rookery import native, weights
from rookery.api import (
    Evaluation,
    Evaluator,
    Game,
    Move,
    MoveEvaluator,
    NamedKnowledge,
    NativeKnowledge,
    State,
)
from rookery.errors import CheckpointMismatch, UnsupportedGame, describe, quote
from rookery.games.state import NativeState

VERSION = 1
"""Incremented when the same weights come to mean something else."""

Layers = weights.Arrays
REPRESENTATIONS = ("koten", "katatsugi", "roban")


def write(path: Path, representation: str, layers: Layers) -> None:
    """A file of weights."""
    facts = {"game": "go5", "representation": representation, "bias": "output_bias" in layers}
    weights.write(path, "td", VERSION, facts, layers)


def read(path: Path) -> tuple[str, Layers]:
    """The representation and the layers in a file of weights.

    Raises:
        CheckpointMismatch: it holds none of this kind.
    """
    facts, layers = weights.read(path, "td", VERSION)
    if facts.get("game") != "go5":
        raise UnsupportedGame(f"{path} knows {quote(facts.get('game', 'no game'))}, not go5")
    if facts.get("representation") not in REPRESENTATIONS:
        said = quote(facts.get("representation", "nothing"))
        raise CheckpointMismatch(
            f"{path} has the board encoding {said}, which is none of {', '.join(REPRESENTATIONS)}"
        )
    return facts["representation"], layers


class Td(NamedKnowledge, Evaluator, MoveEvaluator, NativeKnowledge):
    """A small network trained by temporal differences, for 5x5 Go: td@WEIGHTS."""

    title = "TD network"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "go5":
            raise UnsupportedGame(f"td knows go5 only, not {game.spec.name}")

    def __init__(self, game: Game, source: str) -> None:
        self.check_game(game)
        path = weights.find(source)
        representation, layers = read(path)
        try:
            self.native = native.TdNet(representation, dict(layers))
        except (TypeError, ValueError) as error:
            raise CheckpointMismatch(f"{path} holds no network of td: {describe(error)}") from None

    @classmethod
    def of(cls, game: Game, net: native.TdNet) -> Td:
        """Knowledge that is not in any file."""
        cls.check_game(game)
        made = cls.__new__(cls)
        made.native = net
        return made

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        """By the side that has just moved, as it learnt; what lies beyond a certain win is cut off."""
        worth = 2 * np.array(self.native.evaluate([_native(state) for state in states]), np.float64) - 1
        black = np.where([state.seat == 1 for state in states], worth, -worth)
        return Evaluation(np.clip(np.stack([black, -black], axis=1).astype(np.float32), -1, 1))

    def values_after(self, state: State, moves: Sequence[Move]) -> NDArray[np.float64]:
        """[moves, sides]: what the network says of each, uncut, a pass that ends the game among them."""
        worth = dict(zip(state.moves(), self.native.values(_native(state)), strict=True))
        ours = 2 * np.array([worth[move] for move in moves], np.float64) - 1
        return np.stack([ours, -ours] if state.seat == 0 else [-ours, ours], axis=1)

    def value(self, number: float) -> float:
        return number

    def centipawns(self, number: float) -> None:
        return None


def _native(state: State) -> native.Go5:
    return cast(NativeState, state).native


KNOWLEDGE = {"td": Td}
