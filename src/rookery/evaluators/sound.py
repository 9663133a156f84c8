"""What evaluators in Python say, made fit for searches. Native ones: native/search/knowledge.hpp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import Evaluation, Evaluator, Policy, PolicyEvaluator, State
from rookery.errors import EvaluationError

_MOST = native.most_worth
"""What any evaluation is worth at most, the same as in native searches."""


def evaluate(knowledge: Evaluator, states: Sequence[State]) -> Evaluation:
    """What knowledge thinks of states. What is too large is cut off, what is no number refused.

    Raises:
        EvaluationError: it gives what is no number, or not in the shape that was asked for.
    """
    found, spec, who = knowledge.evaluate(states), states[0].spec, type(knowledge).__name__
    value = np.asarray(found.value)
    if value.shape != (len(states), spec.sides):
        raise EvaluationError(
            f"{who} gave {len(states)} states of {spec.name} values of the shape {value.shape}"
        )
    policy = None if found.policy is None else _sound_policy(found.policy, states, who)
    return Evaluation(sound(value, who), policy)


def policy(knowledge: PolicyEvaluator, states: Sequence[State]) -> Policy:
    """How likely knowledge finds the moves of states.

    Raises:
        EvaluationError: it gives what is no number, or not in the shape that was asked for.
    """
    return _sound_policy(knowledge.policy(states), states, type(knowledge).__name__)


def _sound_policy(policy: Policy, states: Sequence[State], who: str) -> Policy:
    """The same, laid out as native code reads it."""
    offsets, shares = np.asarray(policy.offsets), np.asarray(policy.shares)
    wanted = np.cumsum([0, *(len(state.moves()) for state in states)])
    if shares.shape != (wanted[-1],) or not np.array_equal(offsets, wanted):
        raise EvaluationError(
            f"{who} gave {len(states)} states of {states[0].spec.name} a policy that does not fit their "
            f"{wanted[-1]} moves"
        )
    if not np.isfinite(shares).all():
        raise EvaluationError(f"{who} gave a policy that is not all finite numbers")
    return Policy(np.ascontiguousarray(offsets, np.int64), np.ascontiguousarray(shares, np.float32))


def sound(value: NDArray[Any], who: str) -> NDArray[Any]:
    """Values that can be compared with each other, whoever gave them.

    Raises:
        EvaluationError: one is no number.
    """
    if np.isnan(value).any():
        raise EvaluationError(f"{who} gave a value that is not a number (NaN)")
    return value if (np.abs(value) <= _MOST).all() else np.clip(value, -_MOST, _MOST)
