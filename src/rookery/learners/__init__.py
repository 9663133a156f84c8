"""Raising: everything that makes knowledge out of games.

Every module here that has a dict `LEARNERS` adds to the names that a recipe may give; `rookery.api.Learner`
says what a learner is, and `rookery.runs` keeps what it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any


@cache
def learners() -> Mapping[str, Any]:
    """Every learner by name."""
    modules = sorted(module.name for module in iter_modules(__path__))
    found: dict[str, Any] = {}
    for name in modules:
        found |= getattr(import_module(f"{__name__}.{name}"), "LEARNERS", {})
    return found
