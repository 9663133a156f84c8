"""One table for programs: a position, and a player who thinks about it in a thread of its own.

UCI, GTP and whatever else speaks to programs sit on top. Nothing here prints, and nothing here imports what
is heavy: a protocol can say who it is before anything is loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from rookery.clock import Budget, Pace
from rookery.errors import UnsupportedGame

if TYPE_CHECKING:
    from rookery.api import Game, GameSpec, Info, Limit, SearchResult, Seat, State, View

FOREVER = 1e9
"""Seconds of a search that ends only when it is stopped."""
_LOOK = 0.01
"""Seconds between two looks at the clock."""


class Thinker(Protocol):
    """A player who tells what it thinks, and can be stopped."""

    @property
    def name(self) -> str: ...
    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None: ...
    def think(self, view: View, limit: Limit, on_info: Callable[[Info], None]) -> SearchResult: ...
    def stop(self) -> None: ...


def make_thinker(name: str, game: Game) -> Thinker:
    """The player of that name, if it can tell what it thinks.

    Raises:
        RookeryError: there is no such player of that game.
    """
    from rookery import players
    from rookery.thinker import SearchPlayer

    player = players.make(name, game)
    if not isinstance(player, SearchPlayer):
        raise UnsupportedGame(f"{name} is a program of its own, and speaks for itself; run it directly")
    return player


@dataclass
class Listener:
    """Whom a session tells what becomes of a `go`. All are called from the thread that thinks.

    Of `on_move` and `on_error` exactly one is called, once, and nothing after it.
    """

    on_info: Callable[[Info], None]
    on_move: Callable[[SearchResult], None]
    on_error: Callable[[Exception], None]


@dataclass
class _Thought:
    """One `go`, from its beginning to its move."""

    player: Thinker
    listener: Listener
    pace: Pace | None
    told: Event = field(default_factory=Event)
    """Set once the move may be told: at once, or when a `hold` is over."""
    stopped: Event = field(default_factory=Event)
    done: Event = field(default_factory=Event)
    deadline: float = float("inf")
    enough: bool = False
    """What the pace said last; it counts only once the clock runs."""

    def hear(self, info: Info) -> None:
        self.listener.on_info(info)
        if self.pace and info.rank == 1:
            self.enough = self.pace.enough(info)
            if self.enough and self.told.is_set():
                self.stopped.set()
                self.player.stop()

    def run_clock(self) -> None:
        if self.pace:
            self.deadline = perf_counter() + self.pace.budget.hard
        self.told.set()


class Session:
    """A table with one player at it.

    >>> from rookery import games
    >>> from rookery.api import Limit
    >>> session = Session(games.get("chess"), make_thinker("random", games.get("chess")))
    >>> session.position(None, ["e2e4", "e7e5"])
    >>> heard = []
    >>> session.go(Limit(), Listener(heard.append, heard.append, heard.append))
    >>> session.wait(), len(heard)
    (True, 1)
    """

    def __init__(
        self, game: Game, player: Thinker, go_on: Callable[[State], State] = lambda state: state
    ) -> None:
        """go_on: from what to play on where a game is over by its rules, and somebody moves nevertheless."""
        self.game = game
        self.player = player
        self.state = game.start()
        self._go_on = go_on
        self._thought: _Thought | None = None
        self._lock = Lock()

    def position(self, start: str | None, moves: Sequence[str]) -> None:
        """Set up a position; if it is refused, nothing changes.

        Raises:
            GameError: the start or one of the moves cannot be read, or the move not be played.
        """
        state = self.game.start(start)
        for text in moves:
            if state.outcome():
                state = self._go_on(state)
            state = state.play(state.parse(text))
        self.state = self._go_on(state) if state.outcome() else state

    def new_game(self, seed: int = 0) -> None:
        """Let the player forget the last one. Whatever it thinks about now is stopped."""
        self.stop()
        self.wait()
        self.player.start(self.game.spec, self.state.seat, seed)

    def go(self, limit: Limit, listener: Listener, budget: Budget | None = None, hold: bool = False) -> None:
        """Begin to think about the position, and return at once; an earlier thought is stopped first.

        budget: think by it, as long as the limit allows. hold: keep the move back, and the budget unspent,
        until `release` or `stop`. The game must not be over.
        """
        self.stop()
        self.wait()
        state = self.state
        choices = len(limit.only or state.moves())
        pace = Pace(budget, choices, state.spec.side_of[state.seat]) if budget else None
        thought = _Thought(self.player, listener, pace)
        if not hold:
            thought.run_clock()
        self._thought = thought
        view = state.view(state.seat)
        Thread(target=self._think, args=(thought, view, limit), daemon=True).start()
        Thread(target=self._watch, args=(thought,), daemon=True).start()

    def release(self) -> None:
        """The hold is over: the clock runs from now, and the move is told as soon as it is found."""
        if thought := self._thought:
            thought.run_clock()
            if thought.enough:
                self.stop()

    def stop(self) -> None:
        """Let the thought under way end soon with the best move so far; return at once."""
        if thought := self._thought:
            thought.stopped.set()
            thought.told.set()
            self._stop_player(thought)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nobody thinks any more; False if somebody still does after that many seconds."""
        return self._thought is None or self._thought.done.wait(seconds)

    @property
    def thinking(self) -> bool:
        return self._thought is not None and not self._thought.done.is_set()

    @property
    def held(self) -> bool:
        """Whether a move is kept back."""
        return self.thinking and self._thought is not None and not self._thought.told.is_set()

    # --- the two threads of a thought ----------------------------------------------------------------

    def _think(self, thought: _Thought, view: View, limit: Limit) -> None:
        try:
            try:
                result = thought.player.think(view, limit, thought.hear)
            except Exception as error:
                thought.told.wait()
                thought.listener.on_error(error)
            else:
                thought.told.wait()
                thought.listener.on_move(result)
        finally:
            with self._lock:
                thought.done.set()

    def _watch(self, thought: _Thought) -> None:
        """A player may not obey the clock, and one that has not quite begun forgets that it was stopped."""
        while not thought.done.wait(_LOOK):
            if thought.stopped.is_set() or perf_counter() >= thought.deadline:
                self._stop_player(thought)

    def _stop_player(self, thought: _Thought) -> None:
        with self._lock:
            if not thought.done.is_set():  # Else it thinks about something else by now.
                thought.player.stop()
