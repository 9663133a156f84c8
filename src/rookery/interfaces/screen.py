"""What a terminal can do for a game: boards, lines, questions. Plain lines where there is no terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TypeVar

from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from rookery.interfaces.waiting import PATIENCE, aside

T = TypeVar("T")


class Screen:
    """One person's terminal, or the two pipes that stand in for it."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, text: str = "", style: str = "") -> None:
        """One line, coloured where there are colours."""
        self._console.print(Text(text, style), soft_wrap=True)

    def board(self, picture: str, before: str | None) -> None:
        """A board; what differs from the picture before stands out."""
        text = Text(picture)
        if before is not None and len(before) == len(picture):
            for place, (old, new) in enumerate(zip(before, picture, strict=True)):
                if old != new:
                    text.stylize("bold black on yellow", place, place + 1)
        self._console.print()
        self._console.print(text, soft_wrap=True)
        self._console.print()

    def columns(self, words: Iterable[str]) -> None:
        self._console.print(Columns([Text(word) for word in words], padding=(0, 2), equal=True))

    def ask(self, prompt: str) -> str:
        """A line from the person.

        Raises:
            EOFError: there are no more.
        """
        if sys.stdin and sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  (gives input() its editing keys and its memory)
            return input(prompt).strip()
        # Nobody sees what comes through a pipe; repeated here, the output reads like the game.
        line = sys.stdin.readline() if sys.stdin else ""
        if not line:
            raise EOFError
        self.say(f"{prompt}{line.strip()}".rstrip())
        return line.strip()

    def clear(self) -> None:
        self._console.clear()

    def wait(self, who: str, work: Callable[[], T], stop: Callable[[], None]) -> T:
        """Do the work; if it lasts, show that somebody thinks. Ctrl-C calls `stop`.

        Raises:
            KeyboardInterrupt: Ctrl-C was pressed.
        """
        status = self._console.status(f"{who} is thinking ...", spinner="line")

        def show(seconds: float) -> None:
            if seconds > PATIENCE and self._console.is_terminal:
                status.start()

        try:
            return aside(work, show, stop)
        finally:
            status.stop()
