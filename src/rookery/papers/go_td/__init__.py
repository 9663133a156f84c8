"""All of Mayer's "Board representations for neural Go players learning by temporal difference"."""

from __future__ import annotations

from rookery.papers import Paper
from rookery.papers.desk import Desk
from rookery.papers.report import Report


def reproduce(desk: Desk, full: bool, seed: int) -> Report:
    from rookery.papers.go_td import plan, story, work

    size = plan.FULL if full else plan.QUICK
    return story.tell(work.do(desk, size, seed), size)


PAPERS = {
    "go-td": Paper(
        "Mayer, Board representations for neural Go players learning by temporal difference",
        "5x5 Go by TD(0): learning curves, tournament, search depths, and what the paper leaves open.",
        reproduce,
    )
}
