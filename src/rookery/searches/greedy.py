"""No looking ahead: the move that leads to the best position."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rookery.api import Evaluator, Game, Info, Limit, SearchResult, View

from .perfect_information import PerfectInformation, values_after


class Greedy(PerfectInformation):
    """Takes the move that leads to the best position, without looking further."""

    title = "One move ahead"
    takes = (Evaluator,)

    def __init__(self, game: Game, knowledge: Evaluator) -> None:
        self.check_game(game)
        self._knowledge = knowledge

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        moves = limit.only or view.moves()
        values = values_after(view.state(), moves, self._knowledge)
        ours = values[:, view.spec.side_of[view.seat]]
        pick = int(rng.choice(np.flatnonzero(ours == ours.max())))
        return SearchResult(moves[pick], tuple(map(float, values[pick])), len(moves), pv=(moves[pick],))

    def forget(self) -> None: ...

    def stop(self) -> None: ...


SEARCHES = {"greedy": Greedy}
