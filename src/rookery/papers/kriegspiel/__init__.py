"""All of Ciancarini and Favini's "Monte Carlo tree search in Kriegspiel"."""

from __future__ import annotations

from rookery.papers import Paper
from rookery.papers.report import Report, Source
from rookery.papers.study import Study

SOURCE = Source(
    "Monte Carlo tree search in Kriegspiel",
    "Paolo Ciancarini and Gian Piero Favini",
    "Artificial Intelligence 174 (2010), 670-684",
    ("docs/kriegspiel-players.md", "docs/games/kriegspiel.md"),
)


def reproduce(study: Study, full: bool, seed: int) -> Report:
    from rookery.papers.kriegspiel import plan, story, work

    size = plan.FULL if full else plan.QUICK
    return story.tell(work.do(study, size, seed), size)


PAPERS = {
    "kriegspiel": Paper(
        SOURCE,
        "Kriegspiel by three Monte-Carlo tree searches over beliefs, against metaposition minimax.",
        reproduce,
    )
}
