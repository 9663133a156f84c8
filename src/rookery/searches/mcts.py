"""Monte-Carlo tree search with random games (Kocsis and Szepesvari 2006). See native/search/uct.hpp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from rookery import native
from rookery.api import Game, Info, Limit, SearchResult, View
from rookery.errors import BadOption
from rookery.games.state import NativeState

from .perfect_information import NativeRules, per_side, seconds

_SIMULATIONS = 2000
"""What a search plays where nothing else bounds it."""


class Uct(NativeRules):
    """Monte Carlo tree search (UCT) with random playouts; takes the move tried most."""

    title = "Monte Carlo tree search"
    fallback = 3
    limits = ("nodes", "time")
    bench = ("nodes=24", "nodes=24,c=1,threads=2")

    def __init__(self, game: Game, *, c: float = 0.3, threads: int = 1) -> None:
        """c: how much doubt counts beside success (UCB1); threads: trees grown side by side."""
        self.check_game(game)
        if c < 0:
            raise BadOption(f"uct: c must be 0 or more (got {c:g})")
        if not 1 <= threads <= 256:
            raise BadOption(f"uct: threads must be between 1 and 256 (got {threads})")
        self._c = c
        self._threads = threads
        self._side_of = game.spec.side_of
        self._stop = native.Stop()

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        state = cast(NativeState, view.state())
        side = self._side_of[state.seat]
        self._stop.clear()

        def listen(report: Any) -> None:
            for rank, branch in enumerate(report.moves[: limit.lines], 1):
                value = per_side(branch.value, side)
                on_info(Info(None, report.nodes, report.seconds, value, tuple(branch.line), rank=rank))

        free = limit.nodes is None and limit.time is None
        report = state.native.uct(
            c=self._c,
            threads=self._threads,
            seed=int(rng.integers(2**63)),
            nodes=_SIMULATIONS if free else limit.nodes or 0,
            seconds=seconds(limit),
            only=list(limit.only),
            stop=self._stop,
            listener=listen,
            analyse=limit.analyse,
        )
        listen(report)
        best = report.moves[0]
        return SearchResult(
            move=best.move,
            value=per_side(best.value, side),
            nodes=report.nodes,
            policy={branch.move: branch.visits / report.nodes for branch in report.moves},
            pv=tuple(best.line),
        )

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        self._stop.set()


SEARCHES = {"uct": Uct}
