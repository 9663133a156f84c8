"""DeepChess: a network that says which of two chess positions is better (David, Netanyahu and Wolf 2016).

An embedding of 773 bits, the same for both positions, and a head on the two of them side by side. The native
half (native/nets/deepchess.hpp) works in whole numbers. Weights lie in safetensors files, float32, layers as
[outputs, inputs], every hidden layer and the embedding with a ReLU:

    embed.0.weight, embed.0.bias, ...        773 bits -> embedding
    compare.0.weight, compare.0.bias, ...    embeddings of a and b -> two logits; the first: a is better
    scalar.0.weight, scalar.0.bias, ...      embedding -> one number (Bradley-Terry); may be absent
    embed.ranges, compare.ranges, scalar.ranges
                                             what each hidden layer's activations usually stay below

With d the first logit less the second, s(a, b) = d(a, b) - d(b, a), and a is better with the probability
sigmoid(s / 2), all of it to White. A drawn game lies half way between a position and its colour mirror: a is
better than a draw with the probability sigmoid(s(a, mirror of a) / 4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rookery import native, weights
from rookery.api import (
    Comparator,
    Evaluation,
    Evaluator,
    Game,
    NamedKnowledge,
    NativeKnowledge,
    Side,
    State,
)
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame, describe, quote
from rookery.games.state import NativeState

VERSION = 1
"""Incremented when the same weights come to mean something else."""

Layers = list[tuple[NDArray[np.float32], NDArray[np.float32]]]
"""Weights [outputs, inputs] and biases [outputs]."""
PARTS = ("embed", "compare", "scalar")


def write(path: Path, arrays: weights.Arrays) -> None:
    """A file of weights."""
    sizes = {part: _sizes(arrays, part) for part in PARTS if f"{part}.0.weight" in arrays}
    weights.write(path, "deepchess", VERSION, {"game": "chess", **sizes}, arrays)


def read(path: Path) -> weights.Arrays:
    """The arrays in a file of weights, whole and as its facts say.

    Raises:
        CheckpointMismatch: it holds none of this kind.
        UnsupportedGame: they are of another game.
    """
    facts, arrays = weights.read(path, "deepchess", VERSION)
    if facts.get("game") != "chess":
        raise UnsupportedGame(f"{path} knows {quote(facts.get('game', 'no game'))}, not chess")
    wanted = {name: shape for part in PARTS for name, shape in _shapes(path, facts, part).items()}
    for name, shape in wanted.items():
        if name not in arrays:
            raise CheckpointMismatch(f"{path} has no array {quote(name)}")
        if arrays[name].shape != shape:
            raise CheckpointMismatch(
                f"{path}: {quote(name)} must be {_spell(shape)} (got {_spell(arrays[name].shape)})"
            )
    if more := sorted(set(arrays) - set(wanted)):
        raise CheckpointMismatch(f"{path} has an array that no layer has: {quote(more[0])}")
    return arrays


def _sizes(arrays: weights.Arrays, part: str) -> list[int]:
    """Of a part's layers, the inputs first."""
    found = [arrays[f"{part}.0.weight"].shape[1]]
    while (name := f"{part}.{len(found) - 1}.weight") in arrays:
        found.append(arrays[name].shape[0])
    return found


def _shapes(path: Path, facts: Mapping[str, Any], part: str) -> dict[str, tuple[int, ...]]:
    """The arrays that a part must have, by what the facts say of its sizes."""
    sizes = facts.get(part)
    if sizes is None and part == "scalar":
        return {}
    if (
        not isinstance(sizes, list)
        or not 2 <= len(sizes) <= 9
        or not all(type(size) is int and 1 <= size <= 2048 for size in sizes)
    ):
        raise CheckpointMismatch(
            f"{path}: {part} must be the sizes of 1 to 8 layers, such as [100, 32, 1] (got {quote(sizes)})"
        )
    shapes: dict[str, tuple[int, ...]] = {}
    for number, (inputs, outputs) in enumerate(pairwise(sizes)):
        shapes[f"{part}.{number}.weight"] = (outputs, inputs)
        shapes[f"{part}.{number}.bias"] = (outputs,)
    # The embedding ends in a ReLU, the heads do not.
    shapes[f"{part}.ranges"] = (len(sizes) - (1 if part == "embed" else 2),)
    return shapes


def _spell(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "one number"


def _native_net(arrays: weights.Arrays) -> native.DeepChess:
    said: list[Any] = []
    for part in PARTS:
        layers: Layers = []
        while (name := f"{part}.{len(layers)}") + ".weight" in arrays:
            layers.append((arrays[f"{name}.weight"], arrays[f"{name}.bias"]))
        said += [layers, arrays.get(f"{part}.ranges", np.zeros(0, np.float32))]
    return native.DeepChess(*said)


class DeepChess(NamedKnowledge, Comparator, Evaluator, NativeKnowledge):
    """A network that compares positions: deepchess@WEIGHTS.

    As an evaluator it has a head of its own for that, or else compares a position with its colour mirror.
    """

    title = "DeepChess network"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "chess":
            raise UnsupportedGame(f"deepchess knows chess only, not {game.spec.name}")

    def __init__(self, game: Game, source: str) -> None:
        self.check_game(game)
        path = weights.find(source)
        arrays = read(path)
        try:
            self.native = _native_net(arrays)
        except (BadOption, TypeError, ValueError) as error:
            raise CheckpointMismatch(f"{path} holds no network of deepchess: {describe(error)}") from None

    @classmethod
    def of(cls, game: Game, arrays: weights.Arrays) -> DeepChess:
        """Knowledge that is not in any file."""
        cls.check_game(game)
        made = cls.__new__(cls)
        made.native = _native_net(arrays)
        return made

    def prefer(self, a: Sequence[State], b: Sequence[State], side: Side) -> NDArray[np.float32]:
        lead = np.array(self.native.leads(_natives(a), _natives(b)), np.float64)
        return _sigmoid(_to(side, lead) / 2)

    def prefer_to_draw(self, a: Sequence[State], side: Side) -> NDArray[np.float32]:
        return _sigmoid(_to(side, np.array(self.native.above_draw(_natives(a)), np.float64)))

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        mover = np.tanh(np.array(self.native.values(_natives(states)), np.float32) / 2)
        white = np.where([state.seat == 0 for state in states], mover, -mover)
        return Evaluation(np.stack([white, -white], axis=1).astype(np.float32))

    def value(self, number: float) -> float:
        """Of a logit of being better than a drawn game; tanh(x / 2) is its sigmoid, seen from -1 to 1."""
        return float(np.tanh(number / 2))

    def centipawns(self, number: float) -> None:
        """None: its numbers are logits, whose scale is what it has learnt."""
        return None


def _natives(states: Sequence[State]) -> list[Any]:
    return [cast(NativeState, state).native for state in states]


def _to(side: Side, white: NDArray[np.float64]) -> NDArray[np.float64]:
    return white if side == 0 else -white


def _sigmoid(x: NDArray[np.float64]) -> NDArray[np.float32]:
    """In steps too fine to round the least lead away, or to make it certain."""
    p = (0.5 + 0.5 * np.tanh(x / 2)).astype(np.float32)
    half = np.float32(0.5)
    above, below = np.nextafter(half, np.float32(1)), np.nextafter(half, np.float32(0))
    return np.where(x > 0, np.maximum(p, above), np.where(x < 0, np.minimum(p, below), half))


KNOWLEDGE = {"deepchess": DeepChess}
