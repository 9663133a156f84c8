"""All of Pelat's "Chess & Reinforcement Learning"."""

from __future__ import annotations

from rookery.papers import Paper, in_package
from rookery.papers.report import Source

SOURCE = Source(
    "IDP Report: Chess & Reinforcement Learning",
    "Guillaume Pelat",
    "Technische Universität München",
    ("docs/policy.md", "docs/searches.md"),
)

PAPERS = {
    "policy": Paper(
        SOURCE,
        "A network that predicts people's moves in chess, alone and inside two searches.",
        in_package(__name__),
        {"people": "a store of games of people, to learn from and to measure by"},
        ("training", "learning-rates", "table-2", "table-3"),
    )
}
"""The paper by its name."""
