"""Alpha-beta: the search of Real and Blair's Duchess program, grown up; in native/search/alphabeta.hpp."""

from __future__ import annotations

from typing import Any

from rookery import native
from rookery.api import EndgameDepth, Evaluator, Game
from rookery.errors import BadOption

from .deepening import Deepening, compiled
from .perfect_information import wrap


class AlphaBeta(Deepening):
    """Alpha-beta search: looks ahead at every line and takes the best that cannot be prevented."""

    title = "Alpha-beta search"
    takes = (Evaluator,)
    bench = (
        "nodes=4000,hash=1",
        "nodes=4000,hash=0",
        "nodes=4000,hash=1,selective=no",
        "nodes=4000,hash=0,selective=no,quiescence=no",
        "nodes=4000,hash=1,quiescence=no",
        "nodes=4000,hash=1,beyond=2",
        "nodes=4000,hash=1,history=no",
        "nodes=4000,hash=1,late=yes",
    )

    def __init__(
        self,
        game: Game,
        knowledge: Evaluator,
        *,
        hash: int = 16,
        threads: int = 1,
        selective: bool = True,
        quiescence: bool = True,
        beyond: int = 60,
        history: bool = True,
        late: bool = False,
    ) -> None:
        """hash: megabytes of transposition table, 0 for none; selective: skimp on moves that look bad;
        quiescence: follow noisy moves, where the game says which are, for at most `beyond` plies; history:
        look first at moves that were good elsewhere; late: where little is left on the board, look as much
        deeper than `depth` as the knowledge asks for.
        """
        self.check_game(game)
        if not 0 <= hash <= 65536:
            raise BadOption(f"alphabeta: hash must be between 0 and 65536 megabytes (got {hash})")
        if not 1 <= threads <= 256:
            raise BadOption(f"alphabeta: threads must be between 1 and 256 (got {threads})")
        if not 1 <= beyond <= 60:
            raise BadOption(f"alphabeta: beyond must be between 1 and 60 plies (got {beyond})")
        deeper = knowledge if late and isinstance(knowledge, EndgameDepth) else None
        if late and deeper is None:
            raise BadOption("alphabeta: late=yes needs an evaluation that asks for depth")
        options = native.AlphaBetaOptions(
            history=history,
            qdepth=beyond if quiescence else 0,
            null_move=selective,
            late_moves=selective,
            hash=hash,
            threads=threads,
        )
        pair = compiled(native.alphabeta, knowledge, options, lambda: _asking(game, knowledge))
        super().__init__(game, *pair, deeper=deeper)


def _asking(game: Game, knowledge: Evaluator) -> native.Asked:
    state, side_of = wrap(game), game.spec.side_of

    def value(leaf: Any) -> float:
        return float(knowledge.evaluate([state(leaf)]).value[0, side_of[leaf.seat]])

    return native.Asked(value)


SEARCHES = {"alphabeta": AlphaBeta}
