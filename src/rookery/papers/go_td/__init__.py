"""All of Mayer's "Board representations for neural Go players learning by temporal difference"."""

from __future__ import annotations

from rookery.papers import Paper, in_package
from rookery.papers.report import Source

SOURCE = Source(
    "Board Representations for Neural Go Players Learning by Temporal Difference",
    "Helmut A. Mayer",
    "IEEE Symposium on Computational Intelligence and Games, 2007",
    ("docs/td.md", "docs/go.md"),
)


PAPERS = {
    "go-td": Paper(
        SOURCE,
        "5x5 Go by TD(0): learning curves, tournament, search depths, and what the paper leaves open.",
        in_package(__name__),
        optional=("learning", "ablations", "gnugo"),
    )
}
