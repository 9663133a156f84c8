"""What the searches share that look one ply deeper at a time, alpha-beta and comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from rookery import native
from rookery.api import EndgameDepth, Game, Info, Limit, NativeKnowledge, SearchResult, Side, View
from rookery.games.state import NativeState

from .perfect_information import NativeRules, per_side, seconds, wins_in

Options = TypeVar("Options")

_NODES = 100_000
"""What a search looks at where nothing else bounds it: a blink, and the same on every machine."""


def compiled(
    look_up: Callable[[object, Options], native.Search | None],
    knowledge: object,
    options: Options,
    asking: Callable[[], object],
) -> tuple[native.Search, NativeKnowledge | None]:
    """The native search with this knowledge, and what its numbers mean.

    Where the two are not compiled together, the search asks Python at each leaf, through what `asking` makes,
    and its numbers are values.
    """
    if isinstance(knowledge, NativeKnowledge) and (found := look_up(knowledge.native, options)):
        return found, knowledge
    made = look_up(asking(), options)
    assert made is not None, "every search is compiled with knowledge that asks Python"
    return made, None


class Deepening(NativeRules):
    """Asks a native search, and tells what it says."""

    limits = ("depth", "nodes", "time")

    def __init__(
        self,
        game: Game,
        engine: native.Search,
        knowledge: NativeKnowledge | None,
        *,
        deeper: EndgameDepth | None = None,
    ) -> None:
        """knowledge: whose numbers the engine reports; None: they are values already.

        deeper: who says by how much a depth that is asked for must be exceeded.
        """
        self._side_of = game.spec.side_of
        self._engine = engine
        self._knowledge = knowledge
        self._deeper = deeper

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        state = cast(NativeState, view.state())
        side = self._side_of[state.seat]
        depth = limit.depth or 64
        if self._deeper:
            depth += self._deeper.extra_depth(state)
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
                        score=self._centipawns(line.value),
                        wins_in=wins_in(line.value),
                        rank=rank,
                        deepest=report.deepest,
                    )
                )

        report = self._engine.search(
            state.native,
            depth=depth,
            nodes=_NODES if free else limit.nodes or 0,
            seconds=seconds(limit),
            only=list(limit.only),
            lines=limit.lines,
            listener=listen,
            analyse=limit.analyse,
        )
        best = report.lines[0]
        return SearchResult(best.moves[0], self._values(best.value, side), report.nodes, pv=tuple(best.moves))

    def forget(self) -> None:
        self._engine.forget()

    def stop(self) -> None:
        self._engine.stop()

    def _values(self, number: float, side: Side) -> tuple[float, ...]:
        if wins_in(number) is not None:
            return per_side(float(np.sign(number)), side)
        return per_side(self._knowledge.value(number) if self._knowledge else number, side)

    def _centipawns(self, number: float) -> float | None:
        if wins_in(number) is not None or self._knowledge is None:
            return None
        return self._knowledge.centipawns(number)
