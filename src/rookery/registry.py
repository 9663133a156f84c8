"""What there is by name: a module adds to a registry by being there, and an unknown name gets a hint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from importlib import import_module
from itertools import accumulate, islice
from pkgutil import iter_modules
from typing import Any, TypeVar

from rookery.errors import UnknownName, quote

T = TypeVar("T")
_LONGEST = 250
"""Characters of names that one line tells."""


def found(package: str, table: str) -> dict[str, Any]:
    """All that the modules of a package have in their dicts of that name.

    Raises:
        ValueError: two of them add the same name.
    """
    together: dict[str, Any] = {}
    for module, added in _declared(package, table):
        twice = sorted(together.keys() & added.keys())
        if twice:
            raise ValueError(f"{module}.{table} adds {', '.join(twice)}, which another module adds already")
        together |= added
    return together


def listed(package: str, table: str) -> list[Any]:
    """All that the modules of a package have in their lists of that name."""
    return [each for _, added in _declared(package, table) for each in added]


def _declared(package: str, table: str) -> Iterator[tuple[str, Any]]:
    """The modules of a package that declare something by that name, in the order of their names."""
    for name in sorted(module.name for module in iter_modules(import_module(package).__path__)):
        module = import_module(f"{package}.{name}")
        if table in vars(module):
            yield module.__name__, vars(module)[table]


def get(table: Mapping[str, T], name: str, what: str) -> T:
    """What a table has by that name.

    >>> get({"chess": 1}, "ches", "game")
    Traceback (most recent call last):
    rookery.errors.UnknownName: no game is called 'ches'; did you mean chess?

    Raises:
        UnknownName: nothing.
    """
    if name not in table:
        raise UnknownName(f"no {what} is called {quote(name)}; {hint(name, table)}")
    return table[name]


def hint(name: str, known: Iterable[str], otherwise: str = "there are") -> str:
    """What to say to somebody who gave a name that is not known: the nearest one, or as many as people read.

    >>> hint("Depht", ["depth", "nodes"]), hint("x", ["depth", "nodes"], "it has"), hint("x", [])
    ('did you mean depth?', 'it has depth, nodes', 'there are none')
    >>> hint("?", map(str, range(10**6, 10**6 + 99)))[-28:]
    '1000025, 1000026 and 72 more'
    """
    by_lower = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), by_lower, 1)
    if near:
        return f"did you mean {by_lower[near[0]]}?"
    ends = accumulate(len(each) + 2 for each in by_lower.values())
    shown = max(1, sum(end <= _LONGEST for end in ends))
    left = len(by_lower) - shown
    told = ", ".join(islice(by_lower.values(), shown)) or "none"
    return f"{otherwise} {told}" + (f" and {left} more" if left > 0 else "")
