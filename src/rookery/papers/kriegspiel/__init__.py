"""All of Ciancarini and Favini's "Monte Carlo tree search in Kriegspiel"."""

from __future__ import annotations

from rookery.papers import Paper, in_package
from rookery.papers.kriegspiel.plan import STAGES
from rookery.papers.report import Source

SOURCE = Source(
    "Monte Carlo tree search in Kriegspiel",
    "Paolo Ciancarini and Gian Piero Favini",
    "Artificial Intelligence 174 (2010), 670-684",
    ("docs/kriegspiel-players.md", "docs/games/kriegspiel.md"),
)


PAPERS = {
    "kriegspiel": Paper(
        SOURCE,
        "Kriegspiel by three Monte-Carlo tree searches over beliefs, against metaposition minimax.",
        in_package(__name__),
        optional=STAGES,
    )
}
