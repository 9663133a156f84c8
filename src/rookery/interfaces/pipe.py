"""A server between stdin and stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from threading import Lock
from typing import Protocol


class Server(Protocol):
    """Somebody who answers lines until there are no more."""

    def run(self, lines: Iterable[str]) -> None: ...
    @property
    def thinking(self) -> bool:
        """Whether a search goes on that could not be stopped."""
        ...


def serve(make: Callable[[Callable[[str], None]], Server]) -> None:
    """Let a server speak through the pipe; it is made with the function that writes what it says.

    Each text is flushed at once, and any thread may write.
    """
    lock = Lock()

    def write(text: str) -> None:
        with lock:
            try:
                print(text, flush=True)
            except BrokenPipeError:
                os._exit(1)  # Nobody listens any more, and a thread cannot say so to the others.

    server = make(write)
    server.run(sys.stdin)
    if server.thinking:
        os._exit(0)  # Python cannot end in good order while native code runs on.
