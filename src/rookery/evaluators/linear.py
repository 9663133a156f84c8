"""Linear evaluations: Real and Blair, "Learning a Multi-Player Chess Game with TreeStrap", section III.

A value is the sigmoid of a weighted sum of what the position shows to the seat to move. Which features a game
has is declared in `LINEAR` of its own module (`features.py`); the sums are in native/evaluators, kept up to
date move by move where that is faster. Weights are trained by `rookery.learners.treestrap`.

Weights lie in safetensors files as one array `weights`: a row for each team, and so for each phase of the
game where phases have weights of their own; or a single row for all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rookery import games, weights
from rookery.api import (
    EndgameDepth,
    Evaluation,
    Evaluator,
    Explainer,
    Game,
    NamedKnowledge,
    NativeKnowledge,
    Slack,
    State,
)
from rookery.errors import CheckpointMismatch, UnsupportedGame, quote
from rookery.evaluators.features import linear_game
from rookery.games.state import NativeState

VERSION = 1
"""Incremented when the same weights come to mean something else."""

Weights = NDArray[np.float32]


def write(path: Path, game: str, rows: Weights) -> None:
    """A file of weights."""
    weights.write(path, "linear", VERSION, {"game": game}, {"weights": rows})


def read(path: Path, game: str) -> Weights:
    """The weights in a file, for that game.

    Raises:
        CheckpointMismatch: it holds none of this kind, or for another game.
    """
    facts, arrays = weights.read(path, "linear", VERSION)
    if facts.get("game") != game:
        raise UnsupportedGame(f"{path} knows {quote(facts.get('game', 'no game'))}, not {game}")
    if list(arrays) != ["weights"]:
        raise CheckpointMismatch(f"{path} should have one array `weights`, not {quote(' and '.join(arrays))}")
    rows = arrays["weights"]
    declared = linear_game(games.get(game))
    wanted = [(number, declared.evaluation.features) for number in declared.rows]
    if rows.shape not in wanted:
        shapes = " or ".join(_spell(shape) for shape in wanted)
        raise CheckpointMismatch(f"{path}: its weights are {_spell(rows.shape)}, not {shapes}")
    return rows


def _spell(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "one number"


class Linear(NamedKnowledge, Evaluator, Explainer, NativeKnowledge, EndgameDepth, Slack):
    """A weighted sum of what a position shows, trained by TreeStrap: linear@WEIGHTS."""

    title = "linear evaluation"

    scale = 2.0
    """tanh(u / 2) is the sigmoid of u, seen from -1 to 1."""
    level_slack = 0.1
    """With 60 pieces on the board, one pawn changes the win probability a tenth as much as in chess."""

    @classmethod
    def check_game(cls, game: Game) -> None:
        linear_game(game)

    def __init__(self, game: Game, source: str) -> None:
        self.check_game(game)
        self._set(game, read(weights.find(source), game.spec.name))

    @classmethod
    def of(cls, game: Game, rows: Weights) -> Linear:
        """Knowledge that is not in any file."""
        made = cls.__new__(cls)
        made._set(game, rows)
        return made

    def _set(self, game: Game, rows: Weights) -> None:
        declared = linear_game(game)
        self.rows = rows
        self.native: Any = declared.evaluation(rows)
        self._features = declared.features()
        self._extra_depth = declared.extra_depth

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        natives = [cast(NativeState, state).native for state in states]
        mover = np.tanh(np.array(self.native.values(natives), np.float32) / self.scale)
        odd = np.where([state.seat % 2 == 0 for state in states], mover, -mover)
        return Evaluation(np.stack([odd, -odd], axis=1).astype(np.float32))

    def explain(self, state: State) -> list[tuple[str, float]]:
        """What the position shows, named, with what each adds to the sum; the weightiest first."""
        row, shown = self.native.shows(cast(NativeState, state).native)
        seats = state.spec.seat_names[state.seat :] + state.spec.seat_names[: state.seat]
        # P1, P2 ... are counted from the one to move; people call them by their colours.
        names = {
            at: re.sub(r"\bP(\d)\b", lambda p: seats[int(p[1]) - 1], self._features.name(at))
            for at, _ in shown
        }
        parts = [(names[at], float(self.rows[row, at]) * count) for at, count in shown]
        return sorted((part for part in parts if part[1]), key=lambda part: -abs(part[1]))

    def extra_depth(self, state: State) -> int:
        return self._extra_depth(state)

    def value(self, number: float) -> float:
        return float(np.tanh(number / self.scale))

    def centipawns(self, number: float) -> None:
        """None: its numbers are logits, whose scale is what it has learnt, in chess too."""
        return None


KNOWLEDGE = {"linear": Linear}
