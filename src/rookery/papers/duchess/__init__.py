"""All of Real and Blair's "Learning a Multi-Player Chess Game with TreeStrap"."""

from __future__ import annotations

from rookery.papers import Paper, in_package
from rookery.papers.duchess.plan import OPTIONAL
from rookery.papers.report import Source

SOURCE = Source(
    "Learning a Multi-Player Chess Game with TreeStrap",
    "Diogo Real and Alan Blair",
    "University of New South Wales; our copy names neither venue nor year",
    ("docs/duchess.md", "docs/duchess_notes.md", "docs/games/duchess.md"),
)


PAPERS = {
    "duchess": Paper(
        SOURCE,
        "Duchess for four by TreeStrap: weights in three stages, their matches, and what goes beyond.",
        in_package(__name__),
        optional=OPTIONAL,
    )
}
