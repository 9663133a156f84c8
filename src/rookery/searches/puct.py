"""Tree search as in AlphaZero (Silver et al. 2018): a prior for each move and a value for each leaf.

See native/search/puct.hpp for the formula. The leaves are evaluated in batches, which networks like.

The tree is kept between moves: where the next position asked for lies below the root, in the same game, what
was found there stays and counts towards a bound of nodes. All else begins with a new tree: another game, the
same position again, a position asked for with some of its moves alone. So under a bound of nodes a result
depends on the seed and on what was asked for since `forget`, and on nothing else.
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

_SIMULATIONS = 800
"""What a search makes where nothing else bounds it."""
_STRIDE = 1024
"""Simulations after which the clock is looked at, though no leaf may want an evaluation."""


class Puct(NativeRules):
    """Monte Carlo tree search guided by an evaluation (PUCT); takes the move tried most."""

    title = "Guided tree search"
    limits = ("nodes", "time")
    takes = (Evaluator,)
    bench = ("nodes=60", "nodes=60,batch=1,fpu=0.2", "nodes=60,noise=0.25,temperature=1")
    weighs_moves = True
    renamed: ClassVar[Mapping[str, str]] = {"reduction": "fpu"}

    def __init__(
        self,
        game: Game,
        knowledge: Evaluator,
        *,
        c: float = 1.25,
        batch: int = 8,
        noise: float = 0.0,
        temperature: float = 0.0,
        fpu: float | None = None,
        memory: int = 256,
    ) -> None:
        """c: how much the priors count; batch: leaves evaluated at a time, 1 for the plain algorithm.

        noise: the share of chance in the root's priors; temperature: 1 draws a move by its visits, 0 takes
        the one with most; fpu: first-play urgency (FPU) reduction, by how much less than its node a move
        never tried is thought worth (0.2, say); without it such a move counts as a draw.

        memory: of the tree, in megabytes; where it is full the search ends with its best move so far.

        Knowledge that has no opinion on moves gives all of a node the same prior.
        """
        self.check_game(game)
        if c < 0:
            raise BadOption(f"puct: c must be 0 or more (got {c:g})")
        if not 1 <= batch <= 65536:
            raise BadOption(f"puct: batch must be between 1 and 65536 (got {batch})")
        if not 0 <= noise <= 1:
            raise BadOption(f"puct: noise must be between 0 and 1 (got {noise:g})")
        if temperature < 0:
            raise BadOption(f"puct: temperature must be 0 or more (got {temperature:g})")
        if fpu is not None and not 0 <= fpu <= 2:
            raise BadOption(f"puct: fpu must be between 0 and 2 (got {fpu:g})")
        if not 1 <= memory <= 65536:
            raise BadOption(f"puct: memory must be between 1 and 65536 MB (got {memory})")
        self._spec = game.spec
        self._state = wrap(game)
        self._knowledge = knowledge
        self._c, self._batch, self._noise, self._temperature = c, batch, noise, temperature
        self._fpu, self._memory = fpu, memory
        self._tree: native.PuctTree | None = None
        self._stopped = False

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        began = perf_counter()
        state = cast(NativeState, view.state())
        side = self._spec.side_of[state.seat]
        free = limit.nodes is None and limit.time is None
        most = _SIMULATIONS if free else limit.nodes or 2**62
        self._stopped = False
        tree = self._take_tree(state, limit)
        kept = tree.simulations

        def tell() -> None:
            for rank, branch in enumerate(tree.report().moves[: limit.lines], 1):
                seconds, value = perf_counter() - began, per_side(branch.value, side)
                on_info(Info(None, tree.simulations - kept, seconds, value, tuple(branch.line), rank=rank))

        if not kept:
            self._grow(tree, 1, 2)
        self._add_noise(tree, rng)
        told = 1
        while tree.simulations < most and not tree.full:
            self._grow(tree, self._batch, min(most, tree.simulations + _STRIDE))
            if self._stopped or (limit.time is not None and perf_counter() - began >= limit.time):
                break
            if tree.simulations - kept >= 2 * told:
                told = tree.simulations - kept
                tell()
        if tree.simulations > 1:  # else no move has been tried, and there is nothing to tell
            tell()
        self._tree = tree
        return self._result(tree, tree.simulations - kept, rng, side)

    def forget(self) -> None:
        self._tree = None

    def stop(self) -> None:
        self._stopped = True

    def _take_tree(self, state: NativeState, limit: Limit) -> native.PuctTree:
        """The tree of the last search, if it goes on here, or a new one. A search that fails leaves none."""
        root, only = state.native.any(), list(limit.only)
        tree, self._tree = self._tree, None
        if tree is not None and not only and tree.follow(root):
            return tree
        return native.PuctTree(root, only, c=self._c, reduction=self._fpu, memory=self._memory)

    def _grow(self, tree: Any, most: int, until: int) -> None:
        leaves = [self._state(leaf) for leaf in tree.collect(most, until)]
        if leaves:
            tree.absorb(*arrays(self._knowledge, leaves))

    def _add_noise(self, tree: Any, rng: np.random.Generator) -> None:
        """Dirichlet noise, the flatter the fewer moves there are: AlphaZero's 0.3 in chess, 0.03 in Go."""
        if self._noise > 0:
            moves = len(tree.priors())
            tree.mix_priors(rng.dirichlet(np.full(moves, 10 / moves)).tolist(), self._noise)

    def _result(self, tree: Any, nodes: int, rng: np.random.Generator, side: int) -> SearchResult:
        report = tree.report()
        branches = report.moves
        visits = np.array([branch.visits for branch in branches], np.float64)
        if not visits.any():  # a bound of one simulation, which the root itself takes: the priors are left
            priors = dict(tree.priors())
            visits = np.array([priors[branch.move] for branch in branches], np.float64)
        pick = int(visits.argmax())
        if self._temperature > 0:
            shares = (visits / visits.max()) ** (1 / self._temperature)
            pick = int(rng.choice(len(branches), p=shares / shares.sum()))
        best = branches[pick]
        return SearchResult(
            move=best.move,
            value=per_side(best.value, side),
            nodes=nodes,
            policy={b.move: float(n) for b, n in zip(branches, visits / visits.sum(), strict=True)},
            pv=tuple(best.line),
        )


SEARCHES = {"puct": Puct}
