"""Kriegspiel by statistical sampling, in native/belief.

Parker, Nau and Subrahmanian, "Game-tree search with combinatorially large belief states" (IJCAI 2005).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import cast

import numpy as np

from rookery import native
from rookery.api import Belief, Believer, Game, Info, Limit, NamedSearch, SearchResult, View
from rookery.errors import BadOption, UnsupportedGame
from rookery.games.kriegspiel import KriegspielView

from ..perfect_information import per_side
from .masks import KINDS, SQUARES, believed, possible


class KriegspielSampling(NamedSearch, Believer):
    """Samples boards that may be the true one, and plays what a chess search prefers on average over them."""

    title = "Kriegspiel by sampled boards"
    limits = ("nodes", "time")
    paced = False
    bench = (
        "method=los,boards=4,depth=1,pool=50",
        "method=aosp,boards=4,depth=1,pool=50",
        "method=hs,boards=4,depth=1,pool=50",
    )

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "kriegspiel":
            raise UnsupportedGame(f"kriegspiel-sampling plays kriegspiel only, not {game.spec.name}")

    def __init__(
        self, game: Game, *, method: str = "hs", boards: int = 200, depth: int = 2, pool: int = 20_000
    ) -> None:
        """method: `los`, boards that fit the last observation; `aosp`, those that fit all observations; `hs`,
        ever more of the first and fewer of the second. boards: how many are looked at in a turn, unless nodes
        or time bound them; depth: plies of the chess search before quiescence, the own move among them; pool:
        how many boards that fit all observations are kept."""
        self.check_game(game)
        try:
            self._engine = native.KriegspielSampling(method=method, boards=boards, depth=depth, pool=pool)
            # Belief is asked for at any time: with boards of its own it does not change what is played.
            self._believes = native.KriegspielSampling(method=method, boards=boards, depth=depth, pool=pool)
        except BadOption as error:
            raise BadOption(f"kriegspiel-sampling: {error}") from None

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        known = cast(KriegspielView, view)
        began = perf_counter()
        seconds = 0.0 if limit.time is None else max(limit.time, 1e-6)
        # With time alone, as many boards as it allows.
        boards = limit.nodes or (0 if limit.time is None else _MANY)
        found = self._engine.choose(known.native, boards, seconds, list(limit.only), int(rng.integers(2**63)))
        best = found.ranked[0]
        value = per_side(best.score, view.seat)
        on_info(Info(None, found.boards, perf_counter() - began, value, (best.move,)))
        return SearchResult(best.move, value, found.boards, pv=(best.move,))

    def belief(self, view: View) -> Belief:
        known = cast(KriegspielView, view)
        shares = self._believes.frequencies(known.native)
        if not shares:
            return believed(known)
        probability = np.array(shares, np.float32).reshape(len(SQUARES), len(KINDS))
        return Belief(SQUARES, KINDS, probability, possible(known))

    def forget(self) -> None:
        self._engine.forget()

    def stop(self) -> None:
        self._engine.stop()


_MANY = 100_000
"""Boards of a turn that is bounded by time alone: more than any time allows."""


SEARCHES = {"kriegspiel-sampling": KriegspielSampling}
