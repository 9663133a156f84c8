"""All of Real and Blair's "Learning a Multi-Player Chess Game with TreeStrap"."""

from __future__ import annotations

from rookery.papers import Paper
from rookery.papers.report import Report, Source
from rookery.papers.study import Study

SOURCE = Source(
    "Learning a Multi-Player Chess Game with TreeStrap",
    "Diogo Real and Alan Blair",
    "University of New South Wales",
    ("docs/duchess.md", "docs/games/duchess.md"),
)


def reproduce(study: Study, full: bool, seed: int) -> Report:
    from rookery.papers.duchess import plan, story, work

    size = plan.FULL if full else plan.QUICK
    return story.tell(work.do(study, size, seed), size)


PAPERS = {
    "duchess": Paper(
        SOURCE,
        "Duchess for four by TreeStrap: weights in three stages, their matches, and what goes beyond.",
        reproduce,
    )
}
