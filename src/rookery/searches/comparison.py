"""Alpha-beta that compares positions and needs no numbers (David, Netanyahu and Wolf 2016, DeepChess).

Its bounds are positions; see native/search/comparison.hpp. Any evaluator serves as a comparator, and then the
moves are those of alpha-beta without pruning and reductions. Its table remembers which move was best in a
position, and no bounds.
"""

from __future__ import annotations

import math
from typing import Any

from rookery import native
from rookery.api import Comparator, Evaluator, Game
from rookery.errors import BadOption, EvaluationError
from rookery.evaluators.comparing import Comparing

from .deepening import Deepening, compiled
from .perfect_information import wrap


class Comparison(Deepening):
    """Alpha-beta search that only ever asks which of two positions is better."""

    title = "Comparison search"
    takes = (Evaluator, Comparator)
    bench = ("nodes=80,hash=1", "nodes=80,hash=0", "nodes=80,hash=1,quiescence=no")

    def __init__(
        self,
        game: Game,
        knowledge: Evaluator | Comparator,
        *,
        hash: int = 16,
        quiescence: bool = True,
    ) -> None:
        """hash: megabytes of transposition table, 0 for none; quiescence: follow noisy moves to their end,
        where the game says which are.
        """
        self.check_game(game)
        if not 0 <= hash <= 65536:
            raise BadOption(f"comparison: hash must be between 0 and 65536 megabytes (got {hash})")
        options = native.ComparisonOptions(quiescence=quiescence, hash=hash)
        super().__init__(
            game, *compiled(native.comparison, knowledge, options, lambda: _asking(game, knowledge))
        )


def _asking(game: Game, knowledge: Evaluator | Comparator) -> native.AskedComparator:
    comparator = knowledge if isinstance(knowledge, Comparator) else Comparing(knowledge)
    state, who = wrap(game), type(knowledge).__name__

    def share(answer: Any) -> float:
        p = float(answer[0])
        if math.isnan(p):
            raise EvaluationError(f"{who} gave a preference that is not a number (NaN)")
        return min(max(p, 0.0), 1.0)

    def better(a: Any, b: Any) -> bool:
        return share(comparator.prefer([state(a)], [state(b)], 0)) > 0.5

    def above_draw(leaf: Any) -> float:
        return 2 * share(comparator.prefer_to_draw([state(leaf)], 0)) - 1

    return native.AskedComparator(better, above_draw)


SEARCHES = {"comparison": Comparison}
