"""The clocks of a table."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from rookery.api import Seat


class Clocks:
    """Seconds left for each seat; at most one of them runs."""

    def __init__(
        self, seats: int, seconds: float, increment: float, now: Callable[[], float] = monotonic
    ) -> None:
        self.increment = increment
        self._left = [seconds] * seats
        self._now = now
        self._running: Seat | None = None
        self._since = 0.0

    def run(self, seat: Seat | None) -> None:
        """Stop whatever runs, and let this seat's clock run; None: nobody's."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
        self._running, self._since = seat, self._now()

    def left(self, seat: Seat) -> float:
        spent = self._now() - self._since if seat == self._running else 0.0
        return max(0.0, self._left[seat] - spent)

    def moved(self, seat: Seat) -> None:
        """A move stood: its increment is added."""
        self._left[seat] += self.increment

    def spend(self, seat: Seat, seconds: float) -> None:
        """So much was spent while no clock ran; below 0, so much was given back."""
        self._left[seat] = max(0.0, self._left[seat] - seconds)

    @property
    def running(self) -> Seat | None:
        return self._running
