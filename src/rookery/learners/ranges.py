"""What the numbers of a recipe may be, said in one way for all learners."""

from __future__ import annotations

from typing import Any

from rookery.errors import BadOption

Range = tuple[str, float, float]
"""The name of an option, the least and the most that it may be."""


def check(options: Any, *ranges: Range) -> None:
    """Options that are left out (None) are right; of several numbers each must be.

    Raises:
        BadOption: one of them is out of its range.
    """
    for name, low, high in ranges:
        given = getattr(options, name)
        for value in given if isinstance(given, tuple) else (given,):
            if value is not None and not low <= value <= high:
                raise BadOption(f"{name} must be between {low:g} and {_spell(high)} (got {_spell(value)})")


def check_memory(what: str, gigabytes: float, most: float, lower: str) -> None:
    """Options that are each within their range may still take too much memory together.

    Raises:
        BadOption: they do.
    """
    if gigabytes > most:
        raise BadOption(f"{what} would take {gigabytes:.1f} GB of memory, more than {most:g}; lower {lower}")


def _spell(value: float) -> str:
    """
    >>> _spell(10**9), _spell(32), _spell(0.0001)
    ('1e+09', '32', '0.0001')
    """
    return f"{value:g}" if isinstance(value, float) or abs(value) >= 10**6 else str(value)
