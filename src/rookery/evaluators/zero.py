"""Go knowledge learnt from self-play alone (`rookery.learners.zero`), on one core through onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from rookery import native
from rookery.api import Evaluation, Game, State
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame
from rookery.games.go import GoState
from rookery.weights import find

FILE = "zero.onnx"
ENCODER = "go-zero-1"


class Zero:
    """Go of every size by one network that learnt from self-play alone: zero@RUN or zero@FILE."""

    title = "self-play network"

    has_policy = True

    def __init__(self, game: Game, source: str | None = None) -> None:
        if not isinstance(game.start(), GoState):
            raise UnsupportedGame(f"zero knows Go only, not {game.spec.name}")
        if source is None:
            raise BadOption("zero lacks its weights; zero@RUN or zero@FILE.onnx would do")
        self._session = _open(source)

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        boards = [cast(GoState, state) for state in states]
        size = boards[0].size
        bytes_ = np.stack([native.go_zero_planes(board.native) for board in boards])
        planes = bytes_.reshape(len(boards), -1, size, size).astype(np.float32) / 255
        logits, value = self._session.run(["policy", "value"], {"planes": planes})
        policy = np.zeros_like(logits)
        for row, board in enumerate(boards):
            moves = board.moves()
            likely = np.exp(logits[row, moves] - logits[row, moves].max(initial=-np.inf))
            policy[row, moves] = likely / likely.sum()
        black = np.where([board.seat == 0 for board in boards], value, -value)
        return Evaluation(np.stack([black, -black], axis=1).astype(np.float32), policy)


def _open(source: str) -> Any:
    """A session for the network that a source names; one core, as every player has."""
    try:
        import onnxruntime
    except ImportError:
        raise BadOption("zero needs onnxruntime; pip install 'rookery[nets]' would do") from None
    path = find(source, FILE)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime has a class of its own for each way to fail
        raise CheckpointMismatch(f"{path} is no network that can be read: {error}") from None
    encoder = session.get_modelmeta().custom_metadata_map.get("encoder")
    if encoder != ENCODER:
        raise CheckpointMismatch(f"{path} was trained on {encoder or 'something'}, not on {ENCODER}")
    return session


KNOWLEDGE = {"zero": Zero}
