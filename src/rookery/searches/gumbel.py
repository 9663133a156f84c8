"""The search of Gumbel AlphaZero (Danihelka et al. 2022): few simulations, shared out by sequential halving.

See native/search/gumbel.hpp for the formulas. The likeliest moves are tried alike, the worse half is dropped,
and so on; the leaves of a round are evaluated at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any, ClassVar, cast

import numpy as np

from rookery import native
from rookery.api import Evaluator, Game, Info, Limit, SearchResult, View
from rookery.errors import BadOption
from rookery.games.state import NativeState

from .perfect_information import NativeRules, arrays, per_side, wrap

_SIMULATIONS = 64
"""What a search makes where nothing else bounds it."""
_MOST = 32766
"""And where anything does."""


class Gumbel(NativeRules):
    """Tree search guided by an evaluation; simulations are shared out by sequential halving (Gumbel)."""

    title = "Guided search by sequential halving"
    limits = ("nodes", "time")
    takes = (Evaluator,)
    bench = ("nodes=60", "nodes=33,max_considered=4,noise=yes")
    weighs_moves = True
    renamed: ClassVar[Mapping[str, str]] = {
        "considered": "max_considered",
        "visit": "c_visit",
        "scale": "c_scale",
    }

    def __init__(
        self,
        game: Game,
        knowledge: Evaluator,
        *,
        max_considered: int = 16,
        c_visit: float = 50.0,
        c_scale: float = 1.0,
        noise: bool = False,
    ) -> None:
        """max_considered: how many moves are tried at first; noise: whether Gumbel noise has a say in which.

        c_visit and c_scale: how much the values that were found count against the priors, as in the paper.

        Knowledge that has no opinion on moves finds all moves alike.
        """
        self.check_game(game)
        if not 1 <= max_considered <= 1000:
            raise BadOption(f"gumbel: max_considered must be between 1 and 1000 (got {max_considered})")
        if not 0 <= c_visit <= 1e6:
            raise BadOption(f"gumbel: c_visit must be between 0 and 1000000 (got {c_visit:g})")
        if not 0 <= c_scale <= 1000:
            raise BadOption(f"gumbel: c_scale must be between 0 and 1000 (got {c_scale:g})")
        self._spec = game.spec
        self._state = wrap(game)
        self._knowledge = knowledge
        self._noise = noise
        self._settings = native.GumbelSettings()
        self._settings.max_considered = max_considered
        self._settings.visit, self._settings.scale = c_visit, c_scale
        self._stopped = False

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        began = perf_counter()
        self._stopped = False
        state = cast(NativeState, view.state())
        side = self._spec.side_of[state.seat]
        free = limit.nodes is None and limit.time is None
        most = _SIMULATIONS if free else limit.nodes or _MOST
        self._settings.simulations = max(1, min(most - 1, _MOST))  # the root is one of the nodes
        seed = int(rng.integers(2**63)) if self._noise else None
        tree = native.GumbelTree(state.native.any(), list(limit.only), self._settings, seed)

        def tell() -> None:
            report = tree.report()
            for rank, branch in enumerate(report.moves[: limit.lines], 1):
                seconds, value = perf_counter() - began, per_side(branch.value, side)
                on_info(Info(None, report.nodes, seconds, value, tuple(branch.line), rank=rank))

        self._grow(tree)
        told = 1
        while most > 1 and self._grow(tree):
            if self._stopped or (limit.time is not None and perf_counter() - began >= limit.time):
                break
            if (nodes := tree.report().nodes) >= 2 * told:
                told = nodes
                tell()
        if tree.report().nodes > 1:  # else no move has been tried, and there is nothing to tell
            tell()
        return self._result(tree, side)

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        self._stopped = True

    def _grow(self, tree: Any) -> bool:
        """One round; False: the search is done."""
        leaves = [self._state(leaf) for leaf in tree.collect()]
        if leaves:
            tree.absorb(*arrays(self._knowledge, leaves))
        return bool(leaves)

    def _result(self, tree: Any, side: int) -> SearchResult:
        report = tree.report()
        policy = dict(zip(*tree.improved(), strict=True))
        # A bound of one node, which the root itself takes, leaves the priors.
        move = tree.chosen() if report.nodes > 1 else max(policy, key=lambda m: policy[m])
        best = next(branch for branch in report.moves if branch.move == move)
        return SearchResult(
            move=move,
            value=per_side(best.value, side),
            nodes=report.nodes,
            policy=policy,
            pv=tuple(best.line),
        )


SEARCHES = {"gumbel": Gumbel}
