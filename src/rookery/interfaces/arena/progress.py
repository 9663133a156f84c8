"""How a contest is going, on stderr: a bar where there is a terminal, and elsewhere a line now and then."""

from __future__ import annotations

import sys
from contextlib import suppress
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.arena.record import Played

_EVERY = 10.0
"""Seconds between two lines."""


class Progress:
    """Told of every game that ends, and what it makes of the result."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        self._total = total
        self._ended = 0
        self._known = 0
        self._summary = ""
        self._began = self._last = monotonic()
        self._terminal = sys.stderr.isatty()
        self._bar = Bar(
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            console=Console(stderr=True),
            transient=True,
            disable=not self._terminal,
        )
        self._task = self._bar.add_task("", total=total, left="")

    def __enter__(self) -> Progress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(
            OSError
        ):  # a terminal that was closed takes no more words, and no game is lost for that
            self._bar.stop()

    def known(self, games: int) -> None:
        """So many games were recorded before."""
        self._known = games
        self._bar.update(self._task, completed=games)

    def ended(self, game: Played) -> None:
        self._ended += 1
        self._show()

    def result(self, summary: str) -> None:
        """What the games that count say."""
        self._summary = summary
        self._show()

    @property
    def done(self) -> int:
        return min(self._known + self._ended, self._total)

    def _left(self) -> str:
        """What is still to be expected, at the pace so far."""
        if not self._ended:
            return ""
        seconds = (monotonic() - self._began) / self._ended * (self._total - self.done)
        return f"{clock(seconds)} left"

    def _show(self) -> None:
        if self._terminal:
            self._bar.update(self._task, completed=self.done, description=self._summary, left=self._left())
        elif monotonic() - self._last >= _EVERY and self._ended:
            self._last = monotonic()
            line = f"{self.done}/{self._total} games; {self._summary}; {self._left()}"
            with suppress(OSError):
                sys.stderr.write(f"{line}\n")  # in one piece, whatever signal comes meanwhile
                sys.stderr.flush()


def clock(seconds: float) -> str:
    """
    >>> clock(75), clock(7384)
    ('1:15', '2:03:04')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
