"""Published results, made again: every module here that has a dict `PAPERS` adds papers by name.

A paper is a `Paper`: its function does the work piece by piece on a `Desk`, which keeps every finished piece,
and gives a `Report` that sets the paper's figures beside ours, with error and verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rookery import registry
from rookery.papers.desk import Desk
from rookery.papers.report import Report

SHIPPED = Path(__file__).parent / "reports"
"""Reports on the full studies, which come along: a folder each, as `rookery paper NAME --full` writes it."""


@dataclass(frozen=True)
class Paper:
    """A publication that can be made again."""

    title: str
    """Its title, author and year."""
    about: str
    """One line: what is made again."""
    reproduce: Callable[[Desk, bool, int], Report]
    """Called with where to work, whether in full, and the seed."""


@cache
def papers() -> Mapping[str, Paper]:
    """Every paper by name."""
    return registry.found(__name__, "PAPERS")


def get(name: str) -> Paper:
    """The paper of that name.

    Raises:
        UnknownName: there is none.
    """
    return registry.get(papers(), name, "paper")
