"""Moves drawn from a policy that a search has corrected: people's habits, fewer of their blunders (piKL).

Of all ways to choose, the one with the highest value less `kl` times the Kullback-Leibler divergence from a
policy that imitates people takes a move a with a probability in proportion to

    policy(a) * exp(value(a) / kl)

(Jacob, Wu, Farina, Lerer, Hu, Bakhtin, Andreas and Brown, "Modeling Strong and Human-Like Gameplay with
KL-Regularized Search", ICML 2022; their lambda is `kl`). Their values come from a tree search guided by the
same network. Ours come from alpha-beta with an evaluation that takes microseconds: what networks that imitate
people lack is tactics, and they give some probability to moves that lose a piece a few plies later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from rookery.api import Evaluator, Game, Info, Limit, Move, PolicyWithQuickValues, SearchResult, View
from rookery.errors import BadOption, UnsupportedGame
from rookery.evaluators.sound import evaluate

from .alphabeta import AlphaBeta
from .perfect_information import NativeRules, per_side, to_choose_from

_NODES = 5_000
"""That are searched where nothing else bounds it."""
_LEAST = 0.001
"""The least probability of a move that is searched."""
_MOST = 16
"""Moves that are searched, at most; the others are taken to be as bad as the worst of them."""


class PiKL(NativeRules):
    """Draws moves as people choose them, less often those that a search refutes."""

    title = "People's moves, checked by search"
    limits = ("depth", "nodes", "time")
    takes = (PolicyWithQuickValues,)
    weighs_moves = True
    draws = True
    has_levels = False

    def __init__(self, game: Game, knowledge: Evaluator, *, kl: float = 0.1, hash: int = 4) -> None:
        """kl: what it costs in value to leave the policy, lambda in the paper: 0.02 plays nearly the best
        move that was found, 10 nearly the policy; hash: megabytes of the search's transposition table.
        """
        self.check_game(game)
        if not 0.001 <= kl <= 1000:
            raise BadOption(f"pikl: kl must be between 0.001 and 1000 (got {kl:g})")
        if not isinstance(knowledge, PolicyWithQuickValues):
            raise UnsupportedGame("pikl needs a policy with a fast value function beside it")
        self._side_of = game.spec.side_of
        self._knowledge = knowledge
        self._search = AlphaBeta(game, knowledge.quick_values(), hash=hash)
        self._kl = kl

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        began = perf_counter()
        state, side = view.state(), self._side_of[view.seat]
        moves = to_choose_from(state, limit.only)
        evaluation = evaluate(self._knowledge, [state])
        assert evaluation.policy is not None
        likely = evaluation.policy.of(0)[np.searchsorted(state.moves(), moves)].astype(np.float64)
        # Of equals the lower numbers come first; the likeliest is searched even if all are unlikely.
        order = np.argsort(-likely, kind="stable")[:_MOST]
        order = order[likely[order] >= min(_LEAST, likely[order[0]])]
        if limit.time is not None:  # the policy has had some of it
            limit = replace(limit, time=max(limit.time - (perf_counter() - began), 0.001))
        found, nodes = self._judge(view, [moves[i] for i in order], limit, rng, on_info)
        values = np.full(len(moves), found.min())
        values[order] = found
        weights = np.log(np.maximum(likely, 1e-30)) + _flattened(values) / self._kl
        shares = np.exp(weights - weights.max())
        shares /= shares.sum()
        pick = int(rng.choice(len(moves), p=shares))
        return SearchResult(
            move=moves[pick],
            value=per_side(float(values[pick]), side),
            nodes=nodes,
            policy=dict(zip(moves, shares.tolist(), strict=True)),
            pv=(moves[pick],),
        )

    def forget(self) -> None:
        self._search.forget()

    def stop(self) -> None:
        self._search.stop()

    def _judge(
        self,
        view: View,
        moves: Sequence[Move],
        limit: Limit,
        rng: np.random.Generator,
        on_info: Callable[[Info], None],
    ) -> tuple[NDArray[np.float64], int]:
        """The value of each move to the side that moves, by the deepest search that has looked at all of
        them; and the nodes that it took."""
        side = self._side_of[view.seat]
        found: dict[int | None, dict[Move, float]] = {}

        def listen(info: Info) -> None:
            found.setdefault(info.depth, {})[info.pv[0]] = info.value[side]
            if info.rank <= limit.lines:
                on_info(info)

        free = limit.depth is None and limit.nodes is None and limit.time is None
        bounds = replace(limit, only=tuple(moves), lines=len(moves), analyse=True)
        if len(moves) == 1 and limit.time is not None and not limit.analyse:
            bounds = replace(bounds, depth=1)  # there is nothing to choose
        result = self._search.search(view, replace(bounds, nodes=_NODES) if free else bounds, rng, listen)
        complete = [values for values in found.values() if len(values) == len(moves)]
        deepest = complete[-1] if complete else dict.fromkeys(moves, 0.0)
        return np.array([deepest[move] for move in moves]), result.nodes


def _flattened(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values that tell leads apart which are nearly the same to a player who only wants to win.

    People mind losing a piece though they stay ahead: tanh(centipawns / 700) predicted their moves better
    than the evaluation's own tanh(centipawns / 400), at the same share of blunders.
    """
    return np.tanh(np.arctanh(np.clip(values, -_SURE, _SURE)) * _FLATTER)


_FLATTER = 400 / 700
_SURE = 1 - 1e-9
"""Of the values that are not cut off."""

SEARCHES = {"pikl": PiKL}
