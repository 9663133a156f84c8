"""Training: everything that makes knowledge out of games.

Every module here that has a dict `LEARNERS` adds to the names that a recipe may give; `rookery.api.Learner`
says what a learner is, and `rookery.runs` keeps what it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from rookery import registry


@cache
def learners() -> Mapping[str, Any]:
    """Every learner by name."""
    return registry.found(__name__, "LEARNERS")


@cache
def renamed() -> Mapping[str, Mapping[str, str]]:
    """The options of learners that once had another name, the new one by the old, as modules declare them in
    `RENAMED`."""
    return registry.found(__name__, "RENAMED")
