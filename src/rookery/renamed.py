"""Options that once had another name: players' names and recipes that hold the old one go on working.

Searches declare them, `renamed = {"old": "new"}`, and learners in a dict `RENAMED` of their module;
`rookery.options` reads that for players' names and `rookery.runs.recipe` for recipes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rookery.errors import warn


def current(owner: str, key: str, renamed: Mapping[str, str]) -> str:
    """The name that an option has now; that an old one was used is said once a process.

    >>> current("puct", "nodes", {"reduction": "fpu"})
    'nodes'
    """
    if key not in renamed:
        return key
    _tell(owner, key, renamed[key])
    return renamed[key]


@cache
def _tell(owner: str, old: str, new: str) -> None:
    warn(f"{owner}: {old} is now called {new}")
