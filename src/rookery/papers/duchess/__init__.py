"""All of Real and Blair's "Learning a Multi-Player Chess Game with TreeStrap"."""

from __future__ import annotations

from rookery.papers import Paper
from rookery.papers.desk import Desk
from rookery.papers.report import Report


def reproduce(desk: Desk, full: bool, seed: int) -> Report:
    from rookery.papers.duchess import plan, story, work

    size = plan.FULL if full else plan.QUICK
    return story.tell(work.do(desk, size, seed), size)


PAPERS = {
    "duchess": Paper(
        "Real and Blair, Learning a Multi-Player Chess Game with TreeStrap",
        "Duchess for four by TreeStrap: weights in three stages, their matches, and what goes beyond.",
        reproduce,
    )
}
