"""Go knowledge learnt from self-play alone (`rookery.learners.zero`), on one core through onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import Evaluation, Game, NamedKnowledge, Policy, PolicyEvaluator, State
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame, describe, quote
from rookery.games.go import Go, GoState
from rookery.nets import zero_onnx
from rookery.weights import find

FILE = "zero.onnx"
_LARGEST_FILE = 1 << 28
ENCODER = "go-zero-1"


class Zero(NamedKnowledge, PolicyEvaluator):
    """Go of every size by one network that learnt from self-play alone: zero@RUN or zero@FILE."""

    title = "self-play network"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if not isinstance(game, Go):
            raise UnsupportedGame(f"zero knows Go only, not {game.spec.name}")

    @classmethod
    def check_installed(cls) -> None:
        if find_spec("onnxruntime") is None:
            raise BadOption("zero needs onnxruntime; run: pip install 'rookery[nets]'")

    def __init__(self, game: Game, source: str, *, temperature: float = 1.0) -> None:
        """temperature: of its opinion on moves: above 1 flatter than it learnt, below 1 sharper."""
        self.check_game(game)
        self.check_installed()
        if not 0.05 <= temperature <= 20:
            raise BadOption(f"zero: temperature must be between 0.05 and 20 (got {temperature:g})")
        self._session = _open(source)
        self._temperature = np.float32(temperature)

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        boards = [cast(GoState, state) for state in states]
        logits, value = _run(self._session, boards)
        logits = logits / self._temperature
        shares = []
        for row, board in enumerate(boards):
            own = logits[row, board.moves()]
            likely = np.exp(own - own.max(initial=-np.inf))
            shares.append(likely / likely.sum())
        black = np.where([board.seat == 0 for board in boards], value, -value)
        return Evaluation(np.stack([black, -black], axis=1).astype(np.float32), Policy.joined(shares))

    def ownership(self, state: GoState) -> tuple[float, ...]:
        """Whose each point will be, from 1, Black's, to -1, White's: the mean over either side to move."""
        rows, _, prisoners, _, _, _, *options = str(state).split()
        words = (" ".join([rows, seat, prisoners, "-", "0", "0", *options]) for seat in "bw")
        planes = np.stack([native.go_zero_planes(type(state.native)(text)) for text in words])
        asked = {"planes": planes.reshape(2, -1, state.size, state.size).astype(np.float32) / 255}
        (owner,) = self._session.run(["owner"], asked)
        return tuple(float(x) for x in (owner[0] - owner[1]) / 2)


def _open(source: str) -> Any:
    """A session for the network that a source names; one core, as every player has."""
    import onnxruntime

    path = find(source, FILE)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise ValueError("it is too large")
        content = path.read_bytes()
        card = zero_onnx.check(content)
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        # Whether its weights fit each other shows when they are first used.
        _run(session, [Go(5).start()])
    except Exception as error:
        raise CheckpointMismatch(f"{path} is no network that can be used: {describe(error)[:200]}") from None
    if card.get("encoder") != ENCODER:
        said = quote(card.get("encoder", "something unsaid"))
        raise CheckpointMismatch(f"{path} was trained on {said}, not on {ENCODER}")
    return session


def _run(session: Any, boards: Sequence[GoState]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Logits of moves and values of some boards of one size.

    Raises:
        CheckpointMismatch: what comes out are no such numbers.
    """
    size = boards[0].size
    bytes_ = np.stack([native.go_zero_planes(board.native) for board in boards])
    planes = bytes_.reshape(len(boards), -1, size, size).astype(np.float32) / np.float32(255)
    try:
        logits, value = session.run(["policy", "value"], {"planes": planes})
    except Exception as error:  # onnxruntime has a class of its own for each way to fail
        raise CheckpointMismatch(f"the network cannot be used: {describe(error)[:200]}") from None
    if logits.shape != (len(boards), size * size + 1) or value.shape != (len(boards),):
        raise CheckpointMismatch("the network gives other numbers than policy and value")
    if not (np.isfinite(logits).all() and np.isfinite(value).all()):
        raise CheckpointMismatch("the network gives NaN or infinity; its weights are beyond use")
    return logits, value


KNOWLEDGE = {"zero": Zero}
