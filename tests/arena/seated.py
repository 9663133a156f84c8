"""Players that do as they are told, for the referee to deal with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rookery.api import GameSpec, Limit, Move, Outcome, Seat, View
from rookery.seeds import generator


class Told:
    """Plays what a function of the view says; otherwise at random."""

    def __init__(self, choose: Callable[[View], Any] | None = None, name: str = "told") -> None:
        self.name = name
        self.views: list[View] = []
        self.outcomes: list[Outcome] = []
        self._choose = choose

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        self.seat = seat
        self._rng = generator(seed, "told", seat)

    def choose(self, view: View, limit: Limit) -> Move:
        self.views.append(view)
        if self._choose:
            return self._choose(view)
        moves = view.moves()
        return moves[int(self._rng.integers(len(moves)))]

    def end(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)

    def close(self) -> None:
        pass


def script(moves: Sequence[str]) -> Told:
    """Plays these moves, one after the other."""
    texts = iter(moves)
    return Told(lambda view: view.parse(next(texts)))
