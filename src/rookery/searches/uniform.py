"""No thought at all: the floor that every player must clear."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rookery.api import Game, Info, Limit, NamedSearch, SearchResult, View


class Uniform(NamedSearch):
    """Plays any legal move, each as likely as the next."""

    title = "Random mover"
    fallback = 1
    has_levels = False
    draws = True

    def __init__(self, game: Game) -> None:
        self._value = (0.0,) * game.spec.sides

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        moves = limit.only or view.moves()
        return SearchResult(
            move=moves[int(rng.integers(len(moves)))],
            value=self._value,
            nodes=0,
            policy=dict.fromkeys(moves, 1 / len(moves)),
        )

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        pass


SEARCHES = {"random": Uniform}
