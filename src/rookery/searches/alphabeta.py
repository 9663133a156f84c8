"""Alpha-beta: the search of Real and Blair's Duchess program, grown up; in native/search/alphabeta.hpp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from rookery import native
from rookery.api import Evaluator, Game, Info, Limit, SearchResult, Side, View
from rookery.errors import BadOption, UnsupportedGame
from rookery.games.state import NativeState

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
        spec = game.spec
        if spec.hidden:
            raise UnsupportedGame(f"alphabeta needs to see the whole board; {spec.name} hides some of it")
        if spec.sides != 2:
            raise UnsupportedGame(f"alphabeta needs two sides; {spec.name} has {spec.sides}")
        if not 0 <= hash <= 65536:
            raise BadOption(f"alphabeta: hash={hash} does not do; 0 to 65536 megabytes would")
        if not 1 <= threads <= 256:
            raise BadOption(f"alphabeta: threads={threads} does not do; 1 to 256 would")
        self._side_of = spec.side_of
        self._scale: float = getattr(knowledge, "scale", 1.0)
        self._has_unit = hasattr(knowledge, "scale")
        settings = (True, True, quiescence, selective, selective, hash, threads)
        self._crew = _crew(game, knowledge, settings)

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
                        score=line.value if self._has_unit else None,
                        wins_in=_wins_in(line.value),
                        rank=rank,
                        deepest=report.deepest,
                    )
                )

        report = self._crew.search(
            state.native,
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
        value = float(np.tanh(score / self._scale)) if _wins_in(score) is None else float(np.sign(score))
        return (value, -value) if side == 0 else (-value, value)


def _wins_in(score: float) -> int | None:
    plies = native.won - abs(score)
    return None if plies > 1000 else int(plies if score > 0 else -plies)


def _crew(game: Game, knowledge: Evaluator, settings: tuple[Any, ...]) -> Any:
    """The native search with this knowledge inside, or one that asks Python at each leaf."""
    if hasattr(knowledge, "alphabeta"):
        return knowledge.alphabeta(*settings)
    start = cast(NativeState, game.start())
    asked = getattr(native, type(start.native).__name__.removesuffix("State") + "AskedAlphaBeta", None)
    if asked is None:
        raise UnsupportedGame(f"alphabeta has not been built for {game.spec.name}")

    def ask(leaf: Any) -> float:
        state = type(start)(game.spec, leaf)
        return float(knowledge.evaluate([state]).value[0, game.spec.side_of[state.seat]])

    return asked(ask, *settings)


SEARCHES = {"alphabeta": AlphaBeta}
