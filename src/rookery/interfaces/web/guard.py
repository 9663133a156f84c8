"""Who may talk to the studio, how much and how often.

The page has no password: whoever can reach the port may use it. So nothing but this machine can, unless
somebody says otherwise, and pages of other sites in the same browser are turned away by what every browser
tells about itself: the Host that it asked for and the Origin that it comes from.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from time import monotonic
from typing import Any

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

BODY = 512 * 1024
"""Bytes that a request may bring."""
_RATE, _BURST = 100.0, 400.0
"""Requests a second from one address, and how many at once."""
_ADDRESSES = 1000

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


class TooMuch(Exception):
    """A request brings more than it may."""


class Guard:
    """Stands before the whole application."""

    def __init__(
        self, app: App, hosts: Iterable[str] = (), rate: float = _RATE, burst: float = _BURST
    ) -> None:
        self._app = app
        self._hosts = {"localhost", "127.0.0.1", "[::1]", *hosts}
        self._rate, self._burst = rate, burst
        self._buckets: dict[str, Bucket] = {}

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in scope["headers"]}
        refusal = self._refuse(scope, headers)
        if refusal:
            await _answer(scope, send, *refusal)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            await self._serve(scope, receive, send, headers.get("host", ""))

    def _refuse(self, scope: MutableMapping[str, Any], headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if _name(host) not in self._hosts:
            return 421, "this address is not served here"
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            return 403, "pages of other sites may not use this one"
        address = str((scope.get("client") or ("", 0))[0])
        if len(self._buckets) > _ADDRESSES:
            self._buckets.clear()
        if not self._buckets.setdefault(address, Bucket(self._rate, self._burst)).take():
            return 429, "too many requests; wait a moment"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > BODY:
            return 413, f"that is too much at once; {BODY} bytes would do"
        return None

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
                await _answer(scope, send, 413, f"that is too much at once; {BODY} bytes would do")
        except Exception:
            log.exception("a request failed: %s %s", scope.get("method"), scope.get("path"))
            if not begun:
                await _answer(scope, send, 500, FAILED)


def _name(host: str) -> str:
    """The host without its port."""
    return host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host


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
