"""Alpha-beta: the search of Real and Blair's Duchess program, grown up; in native/search/alphabeta.hpp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from rookery import native
from rookery.api import Evaluator, Game, Info, Limit, SearchResult, Side, View
from rookery.errors import BadOption
from rookery.games.state import NativeState

from .open import per_side, require_open

_NODES = 100_000
"""What a search looks at where nothing else bounds it: a blink, and the same on every machine."""


class AlphaBeta:
    """Looks ahead at every line and takes the best that the other side cannot prevent."""

    limits = ("depth", "nodes", "time")

    def __init__(
        self,
        game: Game,
        knowledge: Evaluator,
        *,
        hash: int = 16,
        threads: int = 1,
        selective: bool = True,
        quiescence: bool = True,
    ) -> None:
        """hash: megabytes of transposition table, 0 for none; selective: skimp on moves that look bad."""
        require_open("alphabeta", game)
        if not 0 <= hash <= 65536:
            raise BadOption(f"alphabeta: hash={hash} does not do; 0 to 65536 megabytes would")
        if not 1 <= threads <= 256:
            raise BadOption(f"alphabeta: threads={threads} does not do; 1 to 256 would")
        self._side_of = game.spec.side_of
        settings = (True, True, quiescence, selective, selective, hash, threads)
        # Knowledge with a native form is searched by its own; any other is asked at each leaf.
        self._own: Any = getattr(knowledge, "alphabeta", None)
        self._scale: float | None = getattr(knowledge, "scale", None) if self._own else None
        self._crew: Any = (
            self._own(*settings)
            if self._own
            else native.AskedAlphaBeta(leaf_value(game, knowledge), *settings)
        )

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        state = cast(NativeState, view.state())
        side = self._side_of[state.seat]
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
                        score=line.value,
                        wins_in=_wins_in(line.value),
                        rank=rank,
                    )
                )

        report = self._crew.search(
            state.native if self._own else state.native.any(),
            limit.depth or 64,
            _NODES if free else limit.nodes or 0,
            limit.time or 0.0,
            list(limit.only),
            limit.lines,
            listen,
        )
        best = report.lines[0]
        return SearchResult(best.moves[0], self._values(best.value, side), report.nodes, pv=tuple(best.moves))

    def forget(self) -> None:
        self._crew.forget()

    def stop(self) -> None:
        self._crew.stop()

    def _values(self, score: float, side: Side) -> tuple[float, ...]:
        if _wins_in(score) is not None:
            return per_side(float(np.sign(score)), side)
        return per_side(score if self._scale is None else float(np.tanh(score / self._scale)), side)


def _wins_in(score: float) -> int | None:
    plies = native.won - abs(score)
    return None if plies > 1000 else int(plies if score > 0 else -plies)


def leaf_value(game: Game, knowledge: Evaluator) -> Callable[[Any], float]:
    """What a native search asks for the worth of a leaf to the side to move there."""
    kind, spec = type(game.start()), game.spec

    def ask(leaf: Any) -> float:
        state = cast(Any, kind)(spec, leaf)
        return float(knowledge.evaluate([state]).value[0, spec.side_of[state.seat]])

    return ask


SEARCHES = {"alphabeta": AlphaBeta}
