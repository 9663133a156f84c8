"""All of Mayer's "Board representations for neural Go players learning by temporal difference"."""

from __future__ import annotations

from rookery.papers import Paper
from rookery.papers.report import Report, Source
from rookery.papers.study import Study

SOURCE = Source(
    "Board Representations for Neural Go Players Learning by Temporal Difference",
    "Helmut A. Mayer",
    "University of Salzburg",
    ("docs/td.md", "docs/go.md"),
)


def reproduce(study: Study, full: bool, seed: int) -> Report:
    from rookery.papers.go_td import plan, story, work

    size = plan.FULL if full else plan.QUICK
    return story.tell(work.do(study, size, seed), size)


PAPERS = {
    "go-td": Paper(
        SOURCE,
        "5x5 Go by TD(0): learning curves, tournament, search depths, and what the paper leaves open.",
        reproduce,
    )
}
