"""Published results, made again: every module here that has a dict `PAPERS` adds papers by name.

A paper is a `Paper`: its function does the work piece by piece in a `Study`, which keeps what is finished,
and gives a `Report` that sets the paper's figures beside ours, with errors and verdict. What all papers share
is here: trainings.py and matches.py make pieces, by several seeds; measure.py has figures with errors,
verdict.py the rule, report.py the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import Path

from rookery import registry
from rookery.papers.report import Report, Source
from rookery.papers.study import Study

SHIPPED = Path(__file__).parent / "reports"
"""Reports on the full studies, which come along: a folder each, as `rookery paper NAME --full` writes it."""


@dataclass(frozen=True)
class Paper:
    """A publication that can be made again."""

    source: Source
    about: str
    """One line: what is reproduced."""
    reproduce: Callable[[Study, bool, int], Report]
    """Called with where to work, whether in full, and the seed."""
    data: Mapping[str, str] = field(default_factory=dict)
    """What the full study is given from outside, by name: it lies as `data/NAME` in the study's folder."""
    optional: tuple[str, ...] = ()
    """Stages that may be left out; the report says what was not measured."""


def in_package(name: str) -> Callable[[Study, bool, int], Report]:
    """How a paper is reproduced that is a package of three modules.

    plan.py has the sizes `QUICK` and `FULL`, work.py `do(study, size, seed)`, story.py `tell(outcome, size)`.
    """

    def reproduce(study: Study, full: bool, seed: int) -> Report:
        plan, work, story = (import_module(f"{name}.{part}") for part in ("plan", "work", "story"))
        size = plan.FULL if full else plan.QUICK
        report: Report = story.tell(work.do(study, size, seed), size)
        return report

    return reproduce


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
