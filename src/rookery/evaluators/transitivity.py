"""Whether a comparator keeps an order: it may find a better than b, b better than c, and c better than a.

Then alpha-beta over comparisons depends on the order of moves. Numbers cannot do so: an evaluator made a
comparator has no circle.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rookery.api import Comparator, State


@dataclass(frozen=True)
class Triples:
    """Of positions one move from the same one."""

    all: int
    cyclic: int

    @property
    def share(self) -> float:
        return self.cyclic / self.all if self.all else 0.0


def cyclic_triples(comparator: Comparator, states: Iterable[State]) -> Triples:
    """Every three positions that the moves of each state lead to, the ends of games left out."""
    total = cyclic = 0
    for state in states:
        leaves = [after for after in map(state.play, state.moves()) if not after.outcome()]
        if len(leaves) < 3:
            continue
        pairs = list(combinations(range(len(leaves)), 2))
        preferred = comparator.prefer([leaves[a] for a, _ in pairs], [leaves[b] for _, b in pairs], 0)
        better = np.zeros((len(leaves), len(leaves)), np.int64)
        for (a, b), p in zip(pairs, preferred, strict=True):
            better[a, b], better[b, a] = p > 0.5, p < 0.5
        total += len(leaves) * (len(leaves) - 1) * (len(leaves) - 2) // 6
        # Each circle of three is walked from each of its members.
        cyclic += int(np.trace(better @ better @ better)) // 3
    return Triples(total, cyclic)
