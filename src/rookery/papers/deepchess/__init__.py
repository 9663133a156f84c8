"""All of David, Netanyahu and Wolf's "DeepChess"."""

from __future__ import annotations

from rookery.papers import Paper, in_package
from rookery.papers.report import Source

SOURCE = Source(
    "DeepChess: End-to-End Deep Neural Network for Automatic Learning in Chess",
    "Eli David, Nathan S. Netanyahu and Lior Wolf",
    "ICANN 2016",
    ("docs/deepchess.md", "docs/searches.md"),
)


PAPERS = {
    "deepchess": Paper(
        SOURCE,
        "Networks that compare chess positions: accuracy on three splits, distillation, strength.",
        in_package(__name__),
        {
            "people": "a store of games of people, to learn from",
            "engines": "a store of games of engines, to learn from",
            "masters": "a store of games of strong players among people's, to measure by",
        },
        ("matches", "stockfish"),
    )
}
