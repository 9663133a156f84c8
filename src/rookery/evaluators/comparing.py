"""Comparators made from evaluators."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rookery.api import Comparator, Evaluator, Side, State
from rookery.evaluators.sound import evaluate


class Comparing(Comparator):
    """A `Comparator` that prefers what an evaluator values more."""

    def __init__(self, knowledge: Evaluator) -> None:
        self._knowledge = knowledge

    def prefer(self, a: Sequence[State], b: Sequence[State], side: Side) -> NDArray[np.float32]:
        values = evaluate(self._knowledge, [*a, *b]).value[:, side]
        return _probability(values[: len(a)] - values[len(a) :], np.float32(0.25))

    def prefer_to_draw(self, a: Sequence[State], side: Side) -> NDArray[np.float32]:
        return _probability(evaluate(self._knowledge, a).value[:, side], np.float32(0.5))


def _probability(lead: NDArray[np.float32], steepness: np.float32) -> NDArray[np.float32]:
    """1/2 plus a lead, scaled; but the least lead counts, even where the sum would round it away."""
    half = np.float32(0.5)
    above, below = np.nextafter(half, np.float32(1)), np.nextafter(half, np.float32(0))
    p = half + lead * steepness
    return np.where(lead > 0, np.maximum(p, above), np.where(lead < 0, np.minimum(p, below), half))
