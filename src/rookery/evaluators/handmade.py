"""Chess knowledge made by hand, in centipawns. The terms are in native/evaluators/chess.cpp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from rookery import native
from rookery.api import Evaluation, Evaluator, Game, NamedKnowledge, NativeKnowledge, State
from rookery.errors import UnsupportedGame
from rookery.games.state import NativeState


class Handmade(NamedKnowledge, Evaluator, NativeKnowledge):
    """Knowledge that is native throughout."""

    scale = 400.0
    """Centipawns at which a lead is worth about three quarters of a won game."""
    kind: type[native.ChessPieces | native.ChessClassical]

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "chess":
            raise UnsupportedGame(f"{cls.__name__.lower()} knows chess only, not {game.spec.name}")

    def __init__(self, game: Game) -> None:
        self.check_game(game)
        self.native = self.kind()

    def evaluate(self, states: Sequence[State]) -> Evaluation:
        natives = [cast(NativeState, state).native for state in states]
        mover = np.tanh(np.array(self.native.values(natives), np.float32) / self.scale)
        white = np.where([state.seat == 0 for state in states], mover, -mover)
        return Evaluation(np.stack([white, -white], axis=1).astype(np.float32))

    def value(self, number: float) -> float:
        return float(np.tanh(number / self.scale))

    def centipawns(self, number: float) -> float:
        return number


class Pieces(Handmade):
    """Piece-square tables: what pieces are worth on the squares where they stand."""

    title = "piece-square tables"
    kind = native.ChessPieces


class Classical(Handmade):
    """Hand-made evaluation: pieces and squares, pawn structure, mobility, King safety."""

    title = "hand-made evaluation"
    kind = native.ChessClassical


KNOWLEDGE = {"pieces": Pieces, "classical": Classical}
