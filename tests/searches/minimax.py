"""Plain minimax, the twin of alpha-beta: every line to the full depth, and nothing clever."""

from __future__ import annotations

import math

from rookery.api import State


def values(state: State, depth: int, evaluate) -> dict[int, float]:
    """The value of every move to the side that makes it. `evaluate(state)` is for the side to move."""
    return {
        move: _sign(state, state.play(move)) * _value(state.play(move), depth - 1, evaluate, 1)
        for move in state.moves()
    }


def _sign(before: State, after: State) -> int:
    # The sign flips with the side, not with the ply.
    side_of = before.spec.side_of
    return 1 if side_of[before.seat] == side_of[after.seat] else -1


def _value(state: State, depth: int, evaluate, ply: int) -> float:
    if state.native.occurrences() >= 2:
        return 0.0
    outcome = state.outcome()
    if outcome:
        result = outcome.values[state.spec.side_of[state.seat]]
        return math.copysign(1_000_000 - ply, result) if result else 0.0
    if depth == 0:
        return evaluate(state)
    return max(
        _sign(state, after) * _value(after, depth - 1, evaluate, ply + 1)
        for after in map(state.play, state.moves())
    )
