"""What the searches of games with perfect information and two sides share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import (
    DefersValues,
    Evaluator,
    Game,
    Limit,
    Move,
    MoveEvaluator,
    NamedSearch,
    PolicyEvaluator,
    Side,
    State,
)
from rookery.errors import IllegalMove, UnsupportedGame, quote
from rookery.evaluators.sound import evaluate, sound
from rookery.games.state import NativeState


def require_open(word: str, game: Game) -> None:
    """Refuse a game that hides something, or has more sides than two."""
    spec = game.spec
    if spec.hidden:
        raise UnsupportedGame(f"{word} needs to see the whole board; {spec.name} hides some of it")
    if spec.sides != 2:
        raise UnsupportedGame(f"{word} needs two sides; {spec.name} has {spec.sides}")


def require_native(word: str, game: Game) -> None:
    """Refuse, besides those, a game whose rules are not native."""
    require_open(word, game)
    if not isinstance(game.start(), NativeState):
        raise UnsupportedGame(f"{word} needs native rules; those of {game.spec.name} are Python")


class PerfectInformation(NamedSearch):
    """A search that must see the whole board, for two sides."""

    @classmethod
    def check_game(cls, game: Game) -> None:
        require_open(cls.__name__.lower(), game)


class NativeRules(PerfectInformation):
    """Such a search for games whose rules are native."""

    @classmethod
    def check_game(cls, game: Game) -> None:
        require_native(cls.__name__.lower(), game)


def require_policy(word: str, knowledge: Evaluator) -> PolicyEvaluator:
    """The same knowledge, if it has an opinion on moves; else it is refused."""
    if not isinstance(knowledge, PolicyEvaluator):
        name = type(knowledge).__name__.lower()
        raise UnsupportedGame(f"{word} needs a policy (move probabilities); {name} has none")
    return knowledge


def of_leaves(knowledge: Evaluator) -> Evaluator:
    """Who evaluates the leaves of a search with this knowledge."""
    return knowledge.static if isinstance(knowledge, DefersValues) else knowledge


def to_choose_from(state: State, only: Sequence[Move]) -> list[Move]:
    """The legal moves, or those of them that are asked for, each once and in their order.

    Raises:
        IllegalMove: there is none, as native searches say it.
    """
    legal = state.moves()
    moves = [move for move in legal if not only or move in only]
    if not moves:
        why = "none of the moves to choose from is legal" if legal else "there is no move"
        raise IllegalMove(f"{why} in {quote(state)}")
    return moves


def per_side(value: float, side: Side) -> tuple[float, float]:
    """A value to one side, as values to both."""
    return (value, 0.0 - value) if side == 0 else (0.0 - value, value)


def wins_in(score: float) -> int | None:
    """The plies to a forced end that a native score tells of, below 0 to a loss; None if it tells of none."""
    plies = native.won - abs(score)
    return None if plies > native.longest_win else int(plies if score > 0 else -plies)


def wrap(game: Game) -> Any:
    """What makes a state of a game from a native one."""
    kind: Any = type(game.start())
    return lambda native: kind(game.spec, native)


def seconds(limit: Limit) -> float:
    """A limit's time as native searches take it, where 0 means none."""
    return 0.0 if limit.time is None else max(limit.time, 1e-6)


def arrays(
    knowledge: Evaluator, states: Sequence[State]
) -> tuple[NDArray[np.float32], tuple[NDArray[np.int64], NDArray[np.float32]] | None]:
    """Values of states, and offsets and shares of their policy, laid out as native code reads them."""
    found = evaluate(knowledge, states)
    policy = None if found.policy is None else (found.policy.offsets, found.policy.shares)
    return np.ascontiguousarray(found.value, np.float32), policy


def values_after(state: State, moves: Sequence[Move], knowledge: Evaluator) -> NDArray[np.float64]:
    """[moves, sides]: what each move leads to, by the rules where they end the game, else by knowledge.

    A `MoveEvaluator` has the last word, on the end of a game too.
    """
    if isinstance(knowledge, MoveEvaluator):
        return sound(knowledge.values_after(state, moves), type(knowledge).__name__)
    after = [state.play(move) for move in moves]
    outcomes = [s.outcome() for s in after]
    values = np.array([o.values if o else (0.0,) * state.spec.sides for o in outcomes], np.float64)
    going_on = [i for i, outcome in enumerate(outcomes) if outcome is None]
    if going_on:
        values[going_on] = evaluate(knowledge, [after[i] for i in going_on]).value
    return values
