"""What the searches share that look one ply deeper at a time, alpha-beta and comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from rookery.api import Game, Info, Limit, SearchResult, Side, State, View
from rookery.games.state import NativeState

from .perfect_information import NativeRules, per_side, seconds, wins_in

_NODES = 100_000
"""What a search looks at where nothing else bounds it: a blink, and the same on every machine."""


class Deepening(NativeRules):
    """Asks a native search, and tells what it says."""

    limits = ("depth", "nodes", "time")

    def __init__(
        self,
        game: Game,
        engine: Any,
        *,
        asked: bool,
        scale: float | None = None,
        deeper: Callable[[State], int] | None = None,
    ) -> None:
        """asked: whether it is an engine for any game, which asks Python at each leaf.

        scale: what makes values of its numbers, tanh(number / scale); None if they are values already.
        deeper: by how many plies a depth that is asked for must be exceeded at a state.
        """
        self._side_of = game.spec.side_of
        self._engine = engine
        self._asked = asked
        self._scale = scale
        self._deeper = deeper

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        state = cast(NativeState, view.state())
        side = self._side_of[state.seat]
        depth = limit.depth or 64
        if self._deeper:
            depth += self._deeper(state)
        free = limit.depth is None and limit.nodes is None and limit.time is None

        def listen(report: Any) -> None:
            for rank, line in enumerate(report.lines, 1):
                on_info(
                    Info(
                        depth=report.depth,
                        nodes=report.nodes,
                        seconds=report.seconds,
                        value=self._values(line.value, side),
                        pv=tuple(line.moves),
                        score=line.value if self._scale else None,
                        wins_in=wins_in(line.value),
                        rank=rank,
                        deepest=report.deepest,
                    )
                )

        report = self._engine.search(
            state.native.any() if self._asked else state.native,
            depth,
            _NODES if free else limit.nodes or 0,
            seconds(limit),
            list(limit.only),
            limit.lines,
            listen,
            limit.analyse,
        )
        best = report.lines[0]
        return SearchResult(best.moves[0], self._values(best.value, side), report.nodes, pv=tuple(best.moves))

    def forget(self) -> None:
        self._engine.forget()

    def stop(self) -> None:
        self._engine.stop()

    def _values(self, score: float, side: Side) -> tuple[float, ...]:
        if wins_in(score) is not None:
            return per_side(float(np.sign(score)), side)
        return per_side(float(np.tanh(score / self._scale)) if self._scale else score, side)
