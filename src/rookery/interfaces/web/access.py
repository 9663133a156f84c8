"""Who may do what: the owner, who has the token, and guests, who have a link to one table.

The token is in the address that `rookery serve` prints; the page keeps it in a cookie. Whoever has it may do
everything. An invitation or a watch link opens the routes of its one table and nothing else: it is kept in a
cookie that the browser sends to those routes alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, MutableMapping
from hashlib import sha256
from hmac import compare_digest
from hmac import new as hmac
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from rookery.errors import BadOption, RookeryError

FILE = "token"
_LEAST = 8
"""Characters of a token that somebody chooses."""
_KEPT = 400 * 24 * 3600
"""Seconds that a browser keeps a cookie; no browser keeps one longer."""
_TABLE = re.compile(r"/api/tables/([^/]+)/(\w+)")
_OPEN = ("claim", "enter")
"""What is asked of a table with a link in hand; it is looked at there."""
_GRANTED = ("play", "replay", "export", "link", "known", "conclusions", "beliefs")
"""What a link to a table opens."""

Scope = MutableMapping[str, Any]


def keep_token(folder: Path) -> str:
    """The token of a studio that keeps its things there: the one of last time, or a new one.

    Raises:
        RookeryError: it can be neither read nor written.
    """
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():
            kept = path.read_text(encoding="utf-8").strip()
            path.chmod(0o600)
            if len(kept) >= _LEAST and kept.isascii() and kept.isprintable():
                return kept
        made = token_urlsafe(24)
        path.unlink(missing_ok=True)
        # Nobody else may read it, not even for a moment.
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(made + "\n")
        return made
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is no text"
        raise RookeryError(f"{path} cannot be used: {why}; name another folder by --data") from None


def check_token(token: str) -> str:
    """A token that somebody chose.

    Raises:
        BadOption: it would not do.
    """
    if not re.fullmatch(r"[A-Za-z0-9._~-]*", token) or len(token) < _LEAST:
        raise BadOption(f"--token must have at least {_LEAST} letters, digits or any of - . _ ~")
    return token


class Access:
    """What each request may do."""

    def __init__(self, token: str | None, key: str) -> None:
        """token: None lets everybody in, as tests like it; key: what links are made of."""
        self._token = token
        self._key = sha256(f"links of {key}".encode()).digest()

    def allows(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        """Whether this may be asked."""
        path = str(scope["path"])
        if not path.startswith(("/api", "/openapi")) or path == "/api/access":
            return True
        found = _TABLE.fullmatch(path)
        if found and found[2] in _OPEN:
            return True
        if self.owns(scope, headers):
            return True
        return bool(found and found[2] in _GRANTED and self.visits(found[1], scope, headers))

    def owns(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        """Whether it comes from who has the token."""
        if self._token is None:
            return True
        scheme, _, brought = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.opens(brought.strip()):
            return True
        return self.opens(_cookie(headers, owner_cookie(scope)))

    def opens(self, token: str) -> bool:
        """Whether this is the token."""
        return self._token is None or compare_digest(token.encode(), self._token.encode())

    def visits(self, table: str, scope: Scope, headers: Mapping[str, str]) -> bool:
        """Whether it comes from a guest of this table."""
        return self.grants(table, _cookie(headers, guest_cookie(scope)))

    def grants(self, table: str, secret: str) -> bool:
        """Whether a watch link with this secret leads to that table."""
        return compare_digest(secret.encode(), self.link(table).encode())

    def link(self, table: str) -> str:
        """The secret of the link by which others watch a table."""
        return hmac(self._key, table.encode(), "sha256").hexdigest()[:32]

    def keep(self, scope: Scope) -> str:
        """The header that keeps the token in a browser."""
        return _set(scope, owner_cookie(scope), self._token or "", "/")

    def admit(self, scope: Scope, table: str) -> str:
        """The header that keeps a guest's grant, which is sent to the routes of that table only."""
        return _set(scope, guest_cookie(scope), self.link(table), f"/api/tables/{table}")


def owner_cookie(scope: Scope) -> str:
    """Cookies do not know ports; two studios of one machine must not overwrite each other's."""
    return f"rookery-{_port(scope)}"


def guest_cookie(scope: Scope) -> str:
    return f"rookery-guest-{_port(scope)}"


def _port(scope: Scope) -> int:
    return int((scope.get("server") or ("", 0))[1] or 0)


def _cookie(headers: Mapping[str, str], name: str) -> str:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return found.value if found else ""


def _set(scope: Scope, name: str, value: str, path: str) -> str:
    secure = "; Secure" if scope.get("scheme") in ("https", "wss") else ""
    return f"{name}={value}; Path={path}; Max-Age={_KEPT}; HttpOnly; SameSite=Strict{secure}"
