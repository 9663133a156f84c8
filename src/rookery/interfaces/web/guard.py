"""Who may talk to the studio, how much and how often.

Pages of other sites in the same browser are turned away by what every browser tells about itself: the Host
that it asked for and the Origin that it comes from. Everybody else needs the token, or a link (`Access`).
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

from rookery.errors import RookeryError
from rookery.interfaces.web.access import Access

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

BODY = 512 * 1024
"""Bytes that a request may bring."""
_RATE, _BURST = 100.0, 400.0
"""Requests a second from one address, and how many at once."""
_ADDRESSES = 1000
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,5}))?")
_SINGLE = ("host", "origin", "authorization", "content-length")
"""Headers that come once or not at all: of two, somebody else might read the other."""

FAILED = "something went wrong here; the server's log says what"

log = logging.getLogger("rookery.web")

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self' ws://{host} wss://{host}; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}


class Bucket:
    """So many at once, and so many a second after that."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = monotonic) -> None:
        self._rate, self._burst, self._now = rate, burst, now
        self._left, self._last = burst, now()

    def take(self) -> bool:
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._last) * self._rate)
        self._last = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """One for each address."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._buckets: dict[str, Bucket] = {}

    def take(self, address: str) -> bool:
        if len(self._buckets) > _ADDRESSES:
            self._buckets.clear()
        return self._buckets.setdefault(address, Bucket(self._rate, self._burst)).take()


class TooMuch(Exception):
    """A request brings more than it may."""


class TooMany(RookeryError):
    """Somebody asks for the same too often."""


class Guard:
    """Stands before the whole application."""

    def __init__(
        self,
        app: App,
        access: Access,
        hosts: Iterable[str] = (),
        rate: float = _RATE,
        burst: float = _BURST,
    ) -> None:
        self._app = app
        self._access = access
        self._hosts = {"localhost", "127.0.0.1", "[::1]", *(host.lower() for host in hosts)}
        self._buckets = Buckets(rate, burst)

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        refusal = self._refuse(scope, headers)
        if refusal:
            await _answer(scope, send, *refusal)
        elif token := _token(scope):
            await self._let_in(scope, send, token)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._serve(scope, receive, send, headers.get("host", ""))

    def _refuse(self, scope: MutableMapping[str, Any], headers: dict[str, str]) -> tuple[int, str] | None:
        counts = Counter(key.decode("latin-1").lower() for key, _ in scope["headers"])
        if any(counts[key] > 1 for key in _SINGLE):
            return 400, "a header came twice"
        host = headers.get("host", "")
        if not self._serves(host, scope):
            return 421, "this address is not served here; rookery serve --allow-host NAME would add it"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "pages of other sites may not use this one"
        address = str((scope.get("client") or ("", 0))[0])
        if not self._buckets.take(address):
            return 429, "too many requests; wait a moment"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY:
            return 413, f"that is too much at once; the limit is {BODY} bytes"
        if not self._access.allows(scope, headers):
            return 401, "this needs the token; `rookery serve` prints it with its address"
        return None

    def _serves(self, host: str, scope: MutableMapping[str, Any]) -> bool:
        """Whether it is asked for by a name that it was told, or by the address that was called."""
        found = _HOST.fullmatch(host)
        if found is None:
            return False
        called = str((scope.get("server") or ("", 0))[0])
        return found[1].lower() in {*self._hosts, called, f"[{called}]"}

    async def _let_in(self, scope: MutableMapping[str, Any], send: Send, token: str) -> None:
        """Keep the token in the browser, and out of its address."""
        kept = [(b"set-cookie", self._access.keep(scope).encode())] if self._access.opens(token) else []
        headers = [(b"location", b"/"), (b"content-length", b"0"), *kept, *_protect("")]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    async def _serve(self, scope: MutableMapping[str, Any], receive: Receive, send: Send, host: str) -> None:
        begun = False
        size = 0

        async def listen() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > BODY:
                raise TooMuch
            return message

        async def say(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message.get("headers", []), *_protect(host)]
            await send(message)

        try:
            await self._app(scope, listen, say)
        except TooMuch:
            if not begun:
                await _answer(scope, send, 413, f"that is too much at once; the limit is {BODY} bytes")
        except Exception:
            log.exception("a request failed: %s %s", scope.get("method"), scope.get("path"))
            if not begun:
                await _answer(scope, send, 500, FAILED)


def _token(scope: MutableMapping[str, Any]) -> str:
    """What the address of the page brings: /?token=..."""
    if scope["type"] != "http" or scope["path"] != "/":
        return ""
    return parse_qs(scope.get("query_string", b"").decode("latin-1"), max_num_fields=8).get("token", [""])[0]


def _protect(host: str) -> list[tuple[bytes, bytes]]:
    headers = _HEADERS | {"content-security-policy": _POLICY.format(host=host)}
    return [(key.encode(), value.encode("latin-1")) for key, value in headers.items()]


async def _answer(scope: MutableMapping[str, Any], send: Send, status: int, text: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": text})
        return
    body = json.dumps({"error": text}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*headers, *_protect("")]})
    await send({"type": "http.response.body", "body": body})
