"""How many may be connected at once, and what happens when the system has no room for more.

Each connection takes a file of the process. There are fewer of them than files, so that those who come too
many are turned away at once and everybody else goes on; who connects and says nothing is let go.
"""

from __future__ import annotations

import asyncio
import logging
import resource
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

MOST = 1000
"""Connections at a time, if there are files enough."""
_OURS = 64
"""Files that the server needs for itself: its store, its processes."""
_SILENCE = 15.0
"""Seconds in which whoever connects must have asked something."""
_SELDOM = 60.0
"""Seconds between two lines about the same trouble."""

log = logging.getLogger("rookery.web")


class Door:
    """Counts who is here."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._each = max(4, most * 3 // 4)
        """From one address."""
        self._here: dict[Any, str] = {}

    def admit(self, transport: Any) -> bool:
        """Whether one more may come in."""
        address = str((transport.get_extra_info("peername") or ("",))[0])
        if len(self._here) >= self._each:
            self._here = {one: where for one, where in self._here.items() if not one.is_closing()}
        if len(self._here) >= self._most or Counter(self._here.values())[address] >= self._each:
            complain(f"{len(self._here)} are connected; more are turned away")
            return False
        self._here[transport] = address
        return True

    def leave(self, transport: Any) -> None:
        self._here.pop(transport, None)


def guarded(door: Door) -> type[asyncio.Protocol]:
    """The protocol of the server, with a door before it."""
    spoken: Any = AutoHTTPProtocol

    class Guarded(spoken):  # type: ignore[misc]
        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            if door.admit(transport):
                self._silence = asyncio.get_running_loop().call_later(_SILENCE, self._hush)
            else:
                transport.abort()

        def connection_lost(self, why: Exception | None) -> None:
            door.leave(self.transport)
            super().connection_lost(why)

        def _hush(self) -> None:
            # Once a socket is upgraded, or a request has begun, others look after it.
            if self.transport.get_protocol() is self and self.cycle is None:
                self.transport.close()

    return Guarded


def make_room() -> int:
    """As many files as the system allows, within reason; how many connections there may be then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST + _OURS if hard == resource.RLIM_INFINITY else min(MOST + _OURS, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return MOST if soft == resource.RLIM_INFINITY else max(8, min(MOST, soft - _OURS))


_told: dict[str, float] = {}


def complain(text: str, kind: str = "", now: Callable[[], float] = monotonic) -> None:
    """Say it, but not again and again."""
    key = kind or text.lstrip("0123456789")
    if now() - _told.get(key, -_SELDOM) >= _SELDOM:
        _told[key] = now()
        log.warning(text)


def calmly(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """What the loop says when no connection can be taken: a line now and then. It tries again by itself."""
    if "accept" in str(context.get("message", "")) and isinstance(context.get("exception"), OSError):
        complain(f"no connection can be taken: {context['exception'].strerror}; trying again", "accept")
    else:
        loop.default_exception_handler(context)
