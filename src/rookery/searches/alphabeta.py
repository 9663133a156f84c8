"""Alpha-beta: the search of Real and Blair's Duchess program, grown up; in native/search/alphabeta.hpp."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rookery import native
from rookery.api import EndgameDepth, Evaluator, Game
from rookery.errors import BadOption, quote

from .deepening import Deepening, compiled
from .perfect_information import wrap

_WINDOWS = {each.name: each for each in native.Windows}


class AlphaBeta(Deepening):
    """Alpha-beta search with iterative deepening: the best move against the best replies."""

    title = "Alpha-beta search"
    takes = (Evaluator,)
    bench = (
        "nodes=4000,hash=1",
        "nodes=4000,hash=0",
        "nodes=4000,hash=1,pruning=no",
        "nodes=4000,hash=0,pruning=no,quiescence=no",
        "nodes=4000,hash=1,quiescence=no",
        "nodes=4000,hash=1,qdepth=2",
        "nodes=4000,hash=1,history=no",
        "nodes=4000,hash=1,endgame_depth=yes",
    )
    renamed: ClassVar[Mapping[str, str]] = {
        "selective": "pruning",
        "beyond": "qdepth",
        "late": "endgame_depth",
    }

    def __init__(
        self,
        game: Game,
        knowledge: Evaluator,
        *,
        hash: int = 16,
        threads: int = 1,
        pruning: bool = True,
        quiescence: bool = True,
        qdepth: int = 60,
        history: bool = True,
        killers: int = 2,
        windows: str = "null",
        endgame_depth: bool = False,
    ) -> None:
        """hash: megabytes of transposition table, 0 for none; pruning: null-move pruning, late-move
        reductions and pruning; quiescence: follow noisy moves, where the game says which are, for at most
        `qdepth` plies; history: order moves by the history heuristic; killers: killer moves a ply;
        windows: ask of a late move whether it is better (null), at once what it is worth (plain), or of
        every move all that minimax says (open); endgame_depth: where little is left on the board, look as
        much deeper than `depth` as the knowledge asks for.
        """
        self.check_game(game)
        if not 0 <= hash <= 65536:
            raise BadOption(f"alphabeta: hash must be between 0 and 65536 megabytes (got {hash})")
        if not 1 <= threads <= 256:
            raise BadOption(f"alphabeta: threads must be between 1 and 256 (got {threads})")
        if not 1 <= qdepth <= 60:
            raise BadOption(f"alphabeta: qdepth must be between 1 and 60 plies (got {qdepth})")
        if not 0 <= killers <= 2:
            raise BadOption(f"alphabeta: killers must be between 0 and 2 (got {killers})")
        if windows not in _WINDOWS:
            raise BadOption(f"alphabeta: windows must be one of {', '.join(_WINDOWS)} (got {quote(windows)})")
        deeper = knowledge if endgame_depth and isinstance(knowledge, EndgameDepth) else None
        if endgame_depth and deeper is None:
            raise BadOption("alphabeta: endgame_depth=yes needs an evaluation that asks for depth")
        options = native.AlphaBetaOptions(
            history=history,
            killers=killers,
            windows=_WINDOWS[windows],
            qdepth=qdepth if quiescence else 0,
            null_move=pruning,
            late_moves=pruning,
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
