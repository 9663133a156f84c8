"""How games end with people: what they agree on once play has ended, and when programs stop.

In most games the rules say who has won, and nothing here is asked. A game in which the players first agree on
what is taken off the board says so by `GameSpec.ending`; every module here with a dict `ENDINGS` adds one.
Matches, papers and training know nothing of this: there a player's move is its move.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rookery import registry
from rookery.api import Ending, GameSpec, Move, State


@cache
def _endings() -> Mapping[str, Ending]:
    return registry.found(__name__, "ENDINGS")


def of(spec: GameSpec) -> Ending | None:
    """How people agree on the result of a game; None: its rules say it."""
    return _endings()[spec.ending] if spec.ending else None


def waits(state: State) -> bool:
    """Whether play has ended and what is taken off the board is still to be agreed on."""
    ending = of(state.spec)
    return ending is not None and ending.waits(state)


def settle(state: State, move: Move) -> Move:
    """The move that a program makes in a game with people, where its search chose `move`."""
    ending = of(state.spec)
    return move if ending is None else ending.settle(state, move)
