"""Kriegspiel by whole boards and a tree of messages together, in native/belief/hybrid.hpp.

The boards are those of Parker, Nau and Subrahmanian (IJCAI 2005), the tree is approach C of Ciancarini and
Favini (AIJ 174, 2010); that an enemy who does not see takes by what he hears is ours."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import cast

import numpy as np

from rookery import native
from rookery.api import BeliefValue, Game, Info, Limit, NamedSearch, OpponentModel, SearchResult, View
from rookery.errors import BadOption, UnsupportedGame
from rookery.evaluators.kriegspiel_network import KriegspielNetwork
from rookery.evaluators.opponent_model import Placements
from rookery.games.kriegspiel import KriegspielView

from ..perfect_information import per_side
from .belief import Believing
from .mcts import constants


class KriegspielHybrid(NamedSearch, Believing):
    """Judges each try on boards that fit all announcements, and by a tree of what the referee may say."""

    title = "Kriegspiel by imagined boards"
    limits = ("time",)
    takes = (OpponentModel, BeliefValue)
    paced = False
    bench = ("boards=8,pool=50,tree=500",)

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "kriegspiel":
            raise UnsupportedGame(f"kriegspiel-hybrid plays kriegspiel only, not {game.spec.name}")

    def __init__(
        self,
        game: Game,
        knowledge: Placements | KriegspielNetwork | None = None,
        *,
        boards: int = 300,
        pool: int = 4000,
        tree: int = 20_000,
        lookahead: float = 0.5,
        tuned: str = "",
    ) -> None:
        """boards: how many are judged in a turn, fewer where time runs out; pool: how many boards that fit
        all observations are followed; tree: moves that the tree evaluates in a turn; lookahead: how much it
        counts beside the boards, 0 to 1. tuned: constants, as `patience:2;accident:1`. Knowledge, a model of
        the opponent or a network of beliefs, serves the tree and where boards are drawn."""
        self.check_game(game)
        self.learn(knowledge)
        try:
            self._engine = native.KriegspielHybrid(
                boards=boards,
                pool=pool,
                tree=tree,
                lookahead=lookahead,
                tuned=constants(tuned),
                network=self.network.native if self.network else None,
                model=self.model.native if self.model else None,
            )
        except BadOption as error:
            raise BadOption(f"kriegspiel-hybrid: {error}") from None

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        known = cast(KriegspielView, view)
        began = perf_counter()
        seconds = 0.0 if limit.time is None else max(limit.time, 1e-6)
        found = self._engine.choose(known.native, seconds, list(limit.only), int(rng.integers(2**63)))
        for rank, each in enumerate(found.ranked[: limit.lines], 1):
            value = _values(each.score, view.seat)
            on_info(Info(None, found.boards, perf_counter() - began, value, (each.move,), rank=rank))
        best = found.ranked[0]
        return SearchResult(best.move, _values(best.score, view.seat), found.boards, pv=(best.move,))

    def forget(self) -> None:
        self._engine.forget()

    def stop(self) -> None:
        self._engine.stop()


def _values(score: float, seat: int) -> tuple[float, float]:
    return per_side(max(-1.0, min(1.0, score)), seat)


SEARCHES = {"kriegspiel-hybrid": KriegspielHybrid}
