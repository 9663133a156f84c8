"""Go knowledge learnt from self-play alone (`rookery.learners.zero`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import Evaluation, Game, NamedKnowledge, PolicyEvaluator, State
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame, describe, quote
from rookery.games.go import Go, GoState
from rookery.nets import backend, decoding
from rookery.nets.backend import Backend, OnnxBackend
from rookery.weights import find

FILE = "zero.onnx"
ENCODER = "go-zero-1"
OUTPUTS = ("policy", "value", "score", "owner")


class Zero(NamedKnowledge, PolicyEvaluator):
    """Go of every size by one network that learnt from self-play alone: zero@RUN or zero@FILE."""

    title = "self-play network"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if not isinstance(game, Go):
            raise UnsupportedGame(f"zero knows Go only, not {game.spec.name}")

    @classmethod
    def check_installed(cls) -> None:
        backend.require_onnxruntime("zero")

    def __init__(self, game: Game, source: str, *, temperature: float = 1.0) -> None:
        """temperature: of its opinion on moves: above 1 flatter than it learnt, below 1 sharper."""
        self.check_game(game)
        self.check_installed()
        if not 0.05 <= temperature <= 20:
            raise BadOption(f"zero: temperature must be between 0.05 and 20 (got {temperature:g})")
        self._network = _open(source)
        self._temperature = temperature

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        boards = [cast(GoState, state) for state in states]
        logits, value = _run(self._network, boards)
        policy = decoding.policy(logits, [board.moves() for board in boards], self._temperature)
        black = np.where([board.seat == 0 for board in boards], value, -value)
        return Evaluation(np.stack([black, -black], axis=1).astype(np.float32), policy)

    def ownership(self, state: GoState) -> tuple[float, ...]:
        """Whose each point will be, from 1, Black's, to -1, White's: the mean over either side to move."""
        rows, _, prisoners, _, _, _, *options = str(state).split()
        words = (" ".join([rows, seat, prisoners, "-", "0", "0", *options]) for seat in "bw")
        planes = _planes([type(state.native)(text) for text in words], state.size)
        owner = self._network.run({"planes": planes}, ["owner"])["owner"]
        return tuple(float(x) for x in (owner[0] - owner[1]) / 2)


def _open(source: str) -> Backend:
    """The network that a source names; one core, as every player has."""
    path = find(source, FILE)
    try:
        content = backend.read(path)
        model = backend.check(content)
        if model.inputs != ["planes"] or not set(OUTPUTS) <= set(model.outputs):
            raise ValueError(f"it should have planes in and {', '.join(OUTPUTS)} out")
        network = OnnxBackend(content, model)
        # Whether its weights fit each other shows when they are first used.
        _run(network, [Go(5).start()])
    except Exception as error:
        raise CheckpointMismatch(f"{path} is no network that can be used: {describe(error)[:200]}") from None
    if model.card.get("encoder") != ENCODER:
        said = quote(model.card.get("encoder", "something unsaid"))
        raise CheckpointMismatch(f"{path} was trained on {said}, not on {ENCODER}")
    return network


def _planes(boards: Sequence[Any], size: int) -> NDArray[np.float32]:
    """[boards, 14, size, size] of native boards of one size."""
    bytes_ = np.stack([native.go_zero_planes(board) for board in boards])
    return bytes_.reshape(len(boards), -1, size, size).astype(np.float32) / np.float32(255)


def _run(network: Backend, boards: Sequence[GoState]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits of moves and values of some boards of one size.

    Raises:
        CheckpointMismatch: what comes out are no such numbers.
    """
    size = boards[0].size
    planes = _planes([board.native for board in boards], size)
    try:
        found = network.run({"planes": planes}, ["policy", "value"])
    except Exception as error:  # a runtime has classes of its own for each way to fail
        raise CheckpointMismatch(f"the network cannot be used: {describe(error)[:200]}") from None
    logits = decoding.require(found["policy"], "policy", (len(boards), size * size + 1))
    return logits, decoding.require(found["value"], "value", (len(boards),))


KNOWLEDGE = {"zero": Zero}
