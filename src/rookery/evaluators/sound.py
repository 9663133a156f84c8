"""What evaluators in Python say, made fit for searches. Native ones: native/search/knowledge.hpp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import Evaluation, Evaluator, PolicyEvaluator, State
from rookery.errors import EvaluationError

_MOST = native.most_worth
"""What any evaluation is worth at most, the same as in native searches."""


def evaluate(knowledge: Evaluator, states: Sequence[State]) -> Evaluation:
    """What knowledge thinks of states. What is too large is cut off, what is no number refused.

    Raises:
        EvaluationError: it gives what is no number, or not in the shape that was asked for.
    """
    found, spec, who = knowledge.evaluate(states), states[0].spec, type(knowledge).__name__
    value, policy = np.asarray(found.value), None if found.policy is None else np.asarray(found.policy)
    if value.shape != (len(states), spec.sides):
        raise EvaluationError(
            f"{who} gave {len(states)} states of {spec.name} values of the shape {value.shape}"
        )
    if policy is not None:
        _check_policy(policy, (len(states), spec.policy_size), who, spec.name)
    return Evaluation(sound(value, who), policy)


def policy(knowledge: PolicyEvaluator, states: Sequence[State]) -> NDArray[np.float32]:
    """How likely knowledge finds the moves of states.

    Raises:
        EvaluationError: it gives what is no number, or not in the shape that was asked for.
    """
    found, spec, who = np.asarray(knowledge.policy(states)), states[0].spec, type(knowledge).__name__
    _check_policy(found, (len(states), spec.policy_size), who, spec.name)
    return found


def _check_policy(policy: NDArray[Any], wanted: tuple[int, int], who: str, game: str) -> None:
    if policy.shape != wanted:
        raise EvaluationError(f"{who} gave {wanted[0]} states of {game} a policy of the shape {policy.shape}")
    if not np.isfinite(policy).all():
        raise EvaluationError(f"{who} gave a policy that is not all finite numbers")


def sound(value: NDArray[Any], who: str) -> NDArray[Any]:
    """Values that can be compared with each other, whoever gave them.

    Raises:
        EvaluationError: one is no number.
    """
    if np.isnan(value).any():
        raise EvaluationError(f"{who} gave a value that is not a number (NaN)")
    return value if (np.abs(value) <= _MOST).all() else np.clip(value, -_MOST, _MOST)
