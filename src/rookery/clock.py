"""How long to think about a move when a clock is running.

A budget has two bounds. Past the soft one no deeper look is begun; at the hard one the look under way is
broken off. Searches that report each depth as they finish it usually stop between the two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.api import Clock, Info, Limit, Seat, Side

OVERHEAD = 0.03
"""Seconds that a move may lose on its way between two programs, unless somebody knows better."""
_HORIZON = 30
"""For how many more moves the time must last where nobody says."""
_LEAST = 0.001


def rest(limit: Limit, spent: float) -> Limit:
    """The limit for the rest of a turn that has taken so long; never nothing, for a try must be made.

    >>> from rookery.api import Limit
    >>> rest(Limit(time=10.0), 3.0).time
    7.0
    """
    if not spent:
        return limit
    time = None if limit.time is None else max(_LEAST, limit.time - spent)
    return replace(limit, time=time, spent=spent)


def press(clock: Clock, seconds: float, stood: bool) -> Clock:
    """The clock after a try that took so long; the increment is paid for the move that stood."""
    return replace(clock, left=clock.left - seconds + (clock.increment if stood else 0.0))


class TurnTime:
    """The time of one turn. Where a referee refuses a try the same seat is asked again, and all the tries of
    the turn share its time: of `Limit.time`, and of what a player takes from its clock."""

    spent = 0.0
    """Seconds that the refused tries of this turn have taken."""

    def left(self, limit: Limit) -> Limit:
        """What the next try may take, of a limit for the whole turn."""
        return rest(limit, self.spent)

    def tried(self, seconds: float, stood: bool) -> None:
        """A try took so long; if it stood, the next turn begins."""
        self.spent = 0.0 if stood else self.spent + seconds


@dataclass(frozen=True)
class Budget:
    """Seconds for one move."""

    soft: float
    hard: float


def budget(clock: Clock, overhead: float = OVERHEAD, spent: float = 0.0) -> Budget:
    """What this move may cost.

    spent: what refused tries of the same turn have cost already; it comes off what the turn was given.

    Moves may run into their hard bound and lose the overhead one after the other: the time still lasts for as
    many as must be made, and forever where the increment is above the overhead.

    >>> from rookery.api import Clock
    >>> budget(Clock(60.0, 1.0), 0.0)
    Budget(soft=2.2, hard=8.25)
    """
    moves = clock.moves or _HORIZON
    # What the way costs for this move and, as far as no increment pays for it, for those to come.
    lost = overhead + (moves - 1) * max(overhead - clock.increment, 0.0)
    usable = max(clock.left + spent - lost, 0.0)
    moves = min(moves, _HORIZON)
    share = usable / moves + 0.75 * clock.increment
    most = usable * max(0.35, 0.9 / moves)
    hard = max(_LEAST, min(3.0 * share, most))
    soft = min(0.8 * share, hard)
    return Budget(max(_LEAST, soft - spent), max(_LEAST, hard - spent)) if spent else Budget(soft, hard)


class Pace:
    """Decides after each report whether the search has thought enough.

    A move that has been best for several depths needs less time; one that has just come up, or whose value
    has just dropped, deserves more. Only the reports are looked at, never a clock.
    """

    def __init__(self, budget: Budget, choices: int, side: Side) -> None:
        """choices: how many moves there are; side: who chooses."""
        self.budget = budget
        self._choices = choices
        self._side = side
        self._last: Info | None = None
        self._agreed = 0

    def enough(self, info: Info) -> bool:
        """Whether to play the best move of this report."""
        last, self._last = self._last, info
        if info.depth is None:
            # Nothing is begun that would be lost if it were broken off.
            return self._choices == 1 or info.seconds >= self.budget.soft
        changed = last is not None and last.pv[:1] != info.pv[:1]
        worse = last is not None and last.value[self._side] - info.value[self._side] > 0.1
        self._agreed = 0 if changed else self._agreed + 1
        patience = (1.4 if changed else 0.7 if self._agreed > 4 else 1.0) * (1.3 if worse else 1.0)
        took = info.seconds - (last.seconds if last else 0.0)
        return (
            self._choices == 1
            or info.seconds >= min(self.budget.soft * patience, self.budget.hard)
            # The next depth takes at least as long as this one did.
            or info.seconds + took > self.budget.hard
        )


class ByoYomi:
    """The clocks of both sides as GTP keeps them: main time, then so many stones in each so many seconds."""

    def __init__(self, main: float, seconds: float, stones: int) -> None:
        self._seconds, self._stones = seconds, stones
        self._left = dict.fromkeys((0, 1), (main, 0) if main > 0 else (seconds, stones))

    def set(self, seat: Seat, seconds: float, stones: int) -> None:
        """What somebody who knows says is left; stones: 0 in main time."""
        self._left[seat] = (seconds, stones)

    def spend(self, seat: Seat, seconds: float) -> None:
        """A move took so long, and nobody else keeps the clock."""
        left, stones = self._left[seat]
        left -= seconds
        if stones:
            stones -= 1
        if self._stones and (stones == 0 if self._left[seat][1] else left <= 0):
            left, stones = self._seconds, self._stones
        self._left[seat] = (left, stones)

    def clock(self, seat: Seat) -> Clock:
        from rookery.api import Clock

        left, stones = self._left[seat]
        if stones:
            return Clock(left, moves=stones)
        # Behind the main time each move has its share of a period: as good as an increment.
        return Clock(left, self._seconds / self._stones if self._stones else 0.0)
