"""Anything that can be asked which of two positions is better, by its name.

Knowledge that compares is asked for its comparisons. Of knowledge that gives values, and of players, also
external programs, a value v is read as the logit 2 artanh v of winning, and the difference of two of them as
the logit that the first is better (Bradley and Terry 1952). `material` counts the men and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rookery import players
from rookery.api import Comparator, Evaluator, Game, Limit, Thinker
from rookery.errors import UnsupportedGame
from rookery.evaluators.sound import evaluate
from rookery.examine.drawing import Drawn, is_knowledge, weighs_moves
from rookery.examine.positions import Positions

MATERIAL = "material"
_CHUNK = 512
"""States that knowledge is asked about at a time."""
_MOST = 1 - 1e-7

Advance = Callable[[int], None]
"""Is told of so many positions, or pairs, that are done."""


class Judge(Protocol):
    """Compares positions."""

    def prepare(self, positions: Positions, advance: Advance) -> None:
        """Look at all positions that pairs will be of."""
        ...

    def prefers(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        """[N]: logits that the first positions, by their numbers, are better for White than the second."""
        ...


class ByValue(Judge):
    """What gives each position a value."""

    def __init__(self, values: Callable[[Positions, Advance], NDArray[np.float64]]) -> None:
        self._ask = values

    def prepare(self, positions: Positions, advance: Advance) -> None:
        self._values = self._ask(positions, advance)

    def prefers(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(self._values[first] - self._values[second])


class ByComparison(Judge):
    """Knowledge that compares."""

    def __init__(self, knowledge: Comparator) -> None:
        self._knowledge = knowledge

    def prepare(self, positions: Positions, advance: Advance) -> None:
        self._positions = positions
        advance(len(positions))

    def prefers(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        states, found = self._positions.states, []
        for some in _chunks(len(first)):
            a, b = ([states[i] for i in side[some].tolist()] for side in (first, second))
            found.append(np.asarray(self._knowledge.prefer(a, b, 0), np.float64))
        share = np.clip(np.concatenate(found) if found else np.zeros(0), 1 - _MOST, _MOST)
        return np.asarray(np.log(share / (1 - share)))


@contextmanager
def find(name: str, game: Game) -> Iterator[tuple[Judge | None, Any]]:
    """Who is meant: who compares positions, and the knowledge itself, for its policy; of players those that
    weigh moves are such knowledge.

    Raises:
        UnknownName: nobody is called so.
        UnsupportedGame: it does not know the game, or can be asked for nothing that is measured here.
    """
    if name == MATERIAL:
        yield ByValue(count_men), None
    elif is_knowledge(name):
        knowledge = players.know(name, game)
        yield judge_of(knowledge), knowledge
    else:
        player = players.make(name, game)
        player.start(game.spec, 0, 0)
        try:
            yield ByValue(_thinking(player)), Drawn(player) if weighs_moves(name) else None
        finally:
            player.close()


def judge_of(knowledge: Any) -> Judge | None:
    """Who compares positions by that knowledge; None: it only knows moves."""
    if isinstance(knowledge, Comparator):
        return ByComparison(knowledge)
    return ByValue(_evaluating(knowledge)) if isinstance(knowledge, Evaluator) else None


def count_men(positions: Positions, advance: Advance) -> NDArray[np.float64]:
    """The plain count of material, as logits."""
    advance(len(positions))
    return positions.material / 2  # a pawn is worth as much as 100 of our centipawns


def _evaluating(knowledge: Evaluator) -> Callable[[Positions, Advance], NDArray[np.float64]]:
    def values(positions: Positions, advance: Advance) -> NDArray[np.float64]:
        found = np.zeros(len(positions))
        for some in _chunks(len(positions)):
            states = positions.states[some]
            found[some] = _logit(evaluate(knowledge, states).value[:, 0])
            advance(len(states))
        return found

    return values


def _thinking(player: Thinker) -> Callable[[Positions, Advance], NDArray[np.float64]]:
    def values(positions: Positions, advance: Advance) -> NDArray[np.float64]:
        found = np.zeros(len(positions))
        for number, state in enumerate(positions.states):
            if state.outcome() is not None:
                raise UnsupportedGame("players are asked about games that are not over")
            player.start(state.spec, state.seat, number)
            found[number] = _logit(np.array(player.think(state.view(state.seat), Limit()).value[0]))
            advance(1)
        return found

    return values


def _logit(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(2 * np.arctanh(np.clip(values.astype(np.float64), -_MOST, _MOST)))


def _chunks(count: int) -> Sequence[slice]:
    return [slice(start, start + _CHUNK) for start in range(0, count, _CHUNK)]
