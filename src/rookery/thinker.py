"""A player that thinks: it asks a search for each of its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Lock

from rookery.api import (
    Believer,
    Game,
    GameSpec,
    Info,
    Limit,
    Move,
    Outcome,
    Searcher,
    SearchResult,
    Seat,
    View,
)
from rookery.clock import Pace, budget, rest
from rookery.errors import EvaluationError, PlayerBusy, UnsupportedGame
from rookery.seeds import generator


class SearchPlayer:
    """A `Thinker` that asks a `Searcher` for each of its moves, one at a time.

    Raises:
        PlayerBusy: `start`, `choose` or `think` was called from another thread while it thinks.
        EvaluationError: its evaluator says what is no number.
    """

    def __init__(
        self,
        name: str,
        game: Game,
        searcher: Searcher,
        limit: Limit,
        believer: Believer | None = None,
        *,
        paced: bool = True,
    ) -> None:
        """believer: who is asked for its belief; a level holds back what is played, not what is known.
        paced: whether the search reports while it searches (`NamedSearch.paced`)."""
        self.name = name
        self.believer = believer
        self._spec = game.spec
        self._searcher = searcher
        self._limit = limit
        self._paced = paced
        self._thinking = Lock()
        self.start(game.spec, 0, 0)

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        if spec.name != self._spec.name:
            raise UnsupportedGame(f"this {self.name} was made for {self._spec.name}, not for {spec.name}")
        with self._turn():
            self._rng = generator(seed, "player", seat)
            self._searcher.forget()

    def choose(self, view: View, limit: Limit) -> Move:
        return self.think(view, limit).move

    def think(
        self, view: View, limit: Limit, on_info: Callable[[Info], None] = lambda info: None
    ) -> SearchResult:
        bound = rest(self._limit, limit.spent).tighter(limit)
        if bound.clocks:
            bound, on_info = self._by_the_clock(view, bound, on_info)
        with self._turn():
            try:
                return self._searcher.search(view, bound, self._rng, on_info)
            except EvaluationError as error:
                raise EvaluationError(f"{self.name}: {error}") from None

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """A search keeps what it does in itself: two threads in one would spoil it."""
        if not self._thinking.acquire(blocking=False):
            raise PlayerBusy(f"{self.name} is thinking already; wait until it is done, or make another")
        try:
            yield
        finally:
            self._thinking.release()

    def _by_the_clock(
        self, view: View, limit: Limit, on_info: Callable[[Info], None]
    ) -> tuple[Limit, Callable[[Info], None]]:
        """The seconds for this move, and a listener that ends the search once it has thought enough."""
        share = budget(limit.clocks[view.seat], spent=limit.spent)
        if not self._paced:
            return replace(limit, time=min(limit.time or share.soft, share.soft)), on_info
        pace = Pace(share, len(view.moves()), self._spec.side_of[view.seat])

        def listen(info: Info) -> None:
            on_info(info)
            if info.rank == 1 and pace.enough(info):
                self.stop()

        return replace(limit, time=min(limit.time or share.hard, share.hard)), listen

    def stop(self) -> None:
        self._searcher.stop()

    def end(self, outcome: Outcome) -> None:
        pass

    def close(self) -> None:
        pass
