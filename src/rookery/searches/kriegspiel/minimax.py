"""Kriegspiel by weighed maximax over metapositions: Ciancarini and Favini, "Representing Kriegspiel states
with metapositions" (IJCAI 2007) and AIJ 174 (2010). The search is native/belief/minimax.hpp."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np

from rookery import native
from rookery.api import Belief, Believer, Game, Info, Limit, Move, NamedSearch, SearchResult, View
from rookery.errors import UnsupportedGame
from rookery.games.kriegspiel import Heard, KriegspielView

from ..perfect_information import per_side
from .masks import believed

_NODES = 10_000
"""Metapositions of a turn where nothing else bounds it, as in the paper."""
_DEEPEST = 64
_SCALE = 30.0
"""An advantage of so many points is worth tanh(1) of a win."""
_SETUPS = tuple(
    line.split()
    for line in (
        "e2e4 d2d3 g1f3 f1e2 e1g1 b1d2 c2c3",
        "d2d4 e2e3 g1f3 f1d3 e1g1 b1d2 b2b3 c1b2",
        "g1f3 g2g3 f1g2 e1g1 d2d3 b1d2 e2e4",
        "b2b3 c1b2 e2e3 f1e2 g1f3 e1g1 d2d3 b1d2",
        "e2e3 d2d4 c2c3 f1d3 b1d2 g1f3 e1g1",
        "c2c4 b1c3 g2g3 f1g2 e2e3 g1e2 e1g1 d2d3",
        "g2g3 f1g2 e2e3 g1e2 e1g1 d2d3 b1d2",
        "d2d3 g1f3 g2g3 f1g2 e1g1 c2c3 b1d2",
    )
)
"""What is built up while nothing happens, for White; Black's is its mirror image."""
_USUAL = ("8/8/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/8/8/8/8")


class KriegspielMinimax(NamedSearch, Believer):
    """Metaposition search: weighs what can stand on each square, a few own moves ahead; hunts a lone King."""

    title = "Kriegspiel by metapositions"
    limits = ("depth", "nodes", "time")
    paced = False
    bench = ("nodes=200", "depth=2,setups=no")

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "kriegspiel":
            raise UnsupportedGame(f"kriegspiel-minimax plays kriegspiel only, not {game.spec.name}")

    def __init__(self, game: Game, *, setups: bool = True) -> None:
        """setups: whether games from the usual start begin with one of a few fixed plans, drawn at random."""
        self.check_game(game)
        self._setups = setups
        self._stop = native.Stop()
        self._plan: list[str] | None = None
        self._turn = -1
        self._ranking: Sequence[tuple[Move, float]] = []

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        known = cast(KriegspielView, view)
        self._stop.clear()
        if planned := self._planned(known, limit, rng):
            return SearchResult(planned, (0.0, 0.0), 0, pv=(planned,))
        # After a refusal the ranking of the turn is known, and a quarter of the thought is enough.
        again = bool(known.native.refused) and self._turn == _moves_made(known)
        share = 4 if again else 1
        free = limit.depth is None and limit.nodes is None and limit.time is None
        nodes = _NODES if free else limit.nodes or 0
        ranking = native.kriegspiel_minimax(
            known.native,
            depth=limit.depth or _DEEPEST,
            nodes=nodes and max(1, nodes // share),
            seconds=0.0
            if limit.time is None
            else max(min(limit.time, (limit.time + limit.spent) / share), 1e-6),
            only=list(limit.only),
            stop=self._stop,
            earlier=self._ranking if again else [],
        )
        self._turn, self._ranking = _moves_made(known), ranking.choices
        for rank, (move, worth) in enumerate(ranking.choices[: limit.lines], 1):
            value = _values(worth, view)
            on_info(Info(ranking.depth, ranking.nodes, ranking.seconds, value, (move,), rank=rank))
        best, worth = ranking.choices[0]
        return SearchResult(best, _values(worth, view), ranking.nodes, pv=(best,))

    def belief(self, view: View) -> Belief:
        return believed(cast(KriegspielView, view))

    def forget(self) -> None:
        self._plan, self._turn, self._ranking = None, -1, []

    def stop(self) -> None:
        self._stop.set()

    def _planned(self, view: KriegspielView, limit: Limit, rng: np.random.Generator) -> Move | None:
        """The next move of the plan, as long as nothing but silence was heard."""
        if not self._setups or limit.only or limit.analyse:
            return None
        heard = [Heard.read(event) for event in view.events]
        if any(line.refused or line.captured or line.checks or line.tries for line in heard):
            return None
        played = [line.move for line in heard if line.move]
        if not played and view.men in _USUAL:
            line = _SETUPS[int(rng.integers(len(_SETUPS)))]
            self._plan = [_mirrored(move) for move in line] if view.seat else list(line)
        plan = self._plan or []
        if played != plan[: len(played)] or len(played) == len(plan):
            return None
        move = view.parse(plan[len(played)])
        return move if move in view.moves() else None


def _moves_made(view: KriegspielView) -> int:
    return len(view.native) - len(view.native.refused)


def _mirrored(move: str) -> str:
    return "".join(str(9 - int(mark)) if mark.isdigit() else mark for mark in move)


def _values(worth: float, view: View) -> tuple[float, float]:
    return per_side(math.tanh(worth / _SCALE), view.seat)


SEARCHES = {"kriegspiel-minimax": KriegspielMinimax}
