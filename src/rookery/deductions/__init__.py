"""What a seat may work out in a game that hides something, from its view alone: no player is asked.

Every module here with a dict `DEDUCTIONS` adds a game by its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rookery import registry
from rookery.api import Deduction, GameSpec


@cache
def _deductions() -> Mapping[str, Deduction]:
    return registry.found(__name__, "DEDUCTIONS")


def of(spec: GameSpec) -> Deduction | None:
    """None: the game hides nothing, or nobody has written what follows from what is heard in it."""
    return _deductions().get(spec.name)
