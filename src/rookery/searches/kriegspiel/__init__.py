"""Players of Kriegspiel that think. Every module here that has a dict `SEARCHES` adds to them."""

from __future__ import annotations

from rookery import registry

SEARCHES = registry.found(__name__, "SEARCHES")
