"""Alpha-beta over the lines that are likely to be played (Lai 2015, Giraffe; Pelat's policy network).

See native/search/probability.hpp. The tree is built level by level, one evaluator call for each, and its
leaves are evaluated last, by other knowledge where this one defers to it (`rookery.api.DefersValues`).
Knowledge without a policy finds all moves equally likely.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, cast

import numpy as np

from rookery import native
from rookery.api import Evaluator, Game, Info, Limit, SearchResult, State, View
from rookery.errors import BadOption
from rookery.games.state import NativeState

from .perfect_information import NativeRules, arrays, of_leaves, per_side, wins_in, wrap

_DEPTH = 8
"""The plies of the longest line that is followed, unless another bound is given."""
_CHUNK = 4096
"""Leaves that are evaluated at a time: there may be a hundred thousand."""


class Probability(NativeRules):
    """Alpha-beta search over the lines that the policy finds likely, however long."""

    title = "Probability search"
    limits = ("depth", "time")
    takes = (Evaluator,)
    bench = ("depth=1", "depth=3,threshold=0.03")

    def __init__(
        self, game: Game, knowledge: Evaluator, *, threshold: float = 0.001, prune: bool = False
    ) -> None:
        """threshold: the least probability of a line that is followed on. prune: whether less likely moves
        are left out; else they are evaluated where they lead, before any answer to them."""
        self.check_game(game)
        if not 0 <= threshold <= 1:
            raise BadOption(f"probability: threshold must be between 0 and 1 (got {threshold:g})")
        self._spec = game.spec
        self._state = wrap(game)
        self._knowledge = knowledge
        self._static = of_leaves(knowledge)
        self._threshold, self._prune = threshold, prune
        self._stopped = False

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        began = perf_counter()
        state = cast(NativeState, view.state())
        side = self._spec.side_of[state.seat]
        tree = native.ProbabilityTree(state.native.any(), list(limit.only))
        self._stopped = False
        while (level := self._states(tree.level())) and tree.depth < (limit.depth or _DEPTH):
            tree.expand(arrays(self._knowledge, level)[1], self._threshold, self._prune)
            if self._stopped or (limit.time is not None and perf_counter() - began >= limit.time):
                break
        tree.close()
        while leaves := self._states(tree.leaves(_CHUNK)):
            tree.settle(arrays(self._static, leaves)[0])
        line = tree.solve()
        value = per_side(float(np.clip(line.value, -1, 1)), side)
        seconds = perf_counter() - began
        pv = tuple(line.moves)
        on_info(Info(tree.depth, tree.size, seconds, value, pv, wins_in=wins_in(line.value)))
        return SearchResult(pv[0], value, tree.size, pv=pv)

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        self._stopped = True

    def _states(self, natives: list[Any]) -> list[State]:
        return [self._state(each) for each in natives]


SEARCHES = {"probability": Probability}
