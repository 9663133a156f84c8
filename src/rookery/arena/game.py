"""The one game loop: every game, any number of seats, views only.

Whatever a player does, the game ends with a record: who crashes, answers with an illegal move or thinks for
too long has lost, and the reason says so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import index
from time import perf_counter

from rookery.api import Game, GameRecord, Limit, Move, Outcome, Player, Seat, State, View
from rookery.clock import TurnTime, press
from rookery.errors import EngineTimeout, IllegalAnswer, IllegalMove, Resignation, RookeryError

GRACE = 1.0
"""Seconds beyond its limit that a player may take: machines are busy, and starting to think takes time."""
MARGIN = 0.05
"""Seconds that a clock may overrun: what lies between a player's last look at it and ours."""

Watch = Callable[[Seat, Sequence[str]], None]
"""Told who is about to be asked, and all moves so far."""

_log = logging.getLogger(__name__)


def play_game(
    game: Game,
    players: Sequence[Player],
    limit: Limit | None = None,
    seed: int = 0,
    start: str | None = None,
    opening: Sequence[str] = (),
    *,
    max_plies: int | None = None,
    watch: Watch | None = None,
) -> GameRecord:
    """One game, players by seat, from `start` and after the moves of `opening`.

    A game of `max_plies` that is not over is drawn, for the reason "length".

    >>> from rookery import games, players
    >>> chess = games.get("chess")
    >>> record = play_game(chess, [players.make("random", chess) for _ in range(2)], seed=3)
    >>> record.moves[:3], record.outcome.reason
    (('c2c4', 'b7b5', 'b1a3'), 'stalemate')
    """
    table = _Table(game, players, limit or Limit(), start)
    for text in opening:
        table.play(table.state.parse(text))
    outcome = table.seat_players(seed)
    while outcome is None:
        outcome = table.state.outcome()
        if outcome is None and max_plies is not None and table.plies >= max_plies:
            outcome = Outcome((0.0,) * game.spec.sides, "length")
        if outcome is None:
            outcome = table.turn(watch)
    table.tell(outcome)
    return GameRecord(
        game=game.spec.name,
        version=game.spec.version,
        seed=seed,
        players=tuple(player.name for player in players),
        start=table.start,
        moves=tuple(table.moves),
        outcome=outcome,
        opening=len(opening),
        plies=table.plies,
        seconds=tuple(round(seconds, 6) for seconds in table.seconds),
    )


def crash(error: BaseException | str) -> str:
    """The reason of a game lost by a crash, on one line."""
    said = error if isinstance(error, RookeryError | str) else f"{type(error).__name__}: {error}"
    return " ".join(f"crashed: {said}".split())[:300]


def forfeited(reason: str) -> bool:
    """Whether this reason is a player's failure and not a way to end a game."""
    return reason == "time" or reason.startswith(("crashed: ", "illegal move "))


class _Table:
    """A game that is being played."""

    def __init__(self, game: Game, players: Sequence[Player], limit: Limit, start: str | None) -> None:
        self.spec = game.spec
        if len(players) != self.spec.seats:
            raise ValueError(f"{self.spec.name} has {self.spec.seats} seats, not {len(players)}")
        self.players = players
        self.limit = limit
        self.state: State = game.start(start)
        self.start = str(self.state)
        self.moves: list[str] = []
        self.plies = 0
        self.seconds = [0.0] * self.spec.seats
        self.clocks = list(limit.clocks)
        self.time = TurnTime()

    def seat_players(self, seed: int) -> Outcome | None:
        for seat, player in enumerate(self.players):
            try:
                player.start(self.spec, seat, seed)
            except Exception as error:
                return self.spec.lost_by(seat, crash(error))
        return None

    def turn(self, watch: Watch | None) -> Outcome | None:
        """Ask the seat that is to move; gives an outcome if that ends the game outside its rules."""
        seat = self.state.seat
        forced = self.state.forced()
        if forced is not None:
            self.play(forced)
            return None
        view = self.state.view(seat)
        if watch:
            watch(seat, self.moves)
        limit = self.time.left(replace(self.limit, clocks=tuple(self.clocks)))
        began = perf_counter()
        try:
            choice = self.players[seat].choose(view, limit)
        except Exception as error:
            return self.spec.lost_by(seat, _reason(error))
        finally:
            took = perf_counter() - began
            self.seconds[seat] += took
        if self._overran(seat, took):
            return self.spec.lost_by(seat, "time")
        try:
            self.play(index(choice))
        except (IllegalMove, TypeError):
            return self.spec.lost_by(seat, f"illegal move {_spell(view, choice)}")
        self.time.tried(took, self.state.stood)
        if self.clocks:
            self.clocks[seat] = press(self.clocks[seat], took, self.state.stood)
        return None

    def _overran(self, seat: Seat, took: float) -> bool:
        """Whether the turn has taken too long, with a try that took so long."""
        if self.clocks and took > self.clocks[seat].left + MARGIN:
            return True
        return self.limit.time is not None and self.time.spent + took > self.limit.time + GRACE

    def play(self, move: Move) -> None:
        text = self.state.text(move)
        self.state = self.state.play(move)
        self.plies += self.state.stood
        self.moves.append(text)

    def tell(self, outcome: Outcome) -> None:
        for player in self.players:
            try:
                player.end(outcome)
            except Exception:
                # The game is over and its result stands.
                _log.warning("%s failed after its game had ended", player.name, exc_info=True)


def _reason(error: Exception) -> str:
    if isinstance(error, Resignation):
        return "resignation"
    if isinstance(error, EngineTimeout):
        return "time"
    if isinstance(error, IllegalAnswer):
        return f"illegal move {error.move}"
    return crash(error)


def _spell(view: View, move: object) -> str:
    """What was meant, as well as it can be said of something that is no move."""
    if isinstance(move, int) and 0 <= move < view.spec.policy_size:
        return view.text(move)
    return repr(move)[:80]
