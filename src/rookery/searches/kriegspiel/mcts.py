"""Monte Carlo tree search in Kriegspiel: Ciancarini and Favini (AIJ 174, 2010).

The trees are native/belief/mcts*.hpp."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from rookery import native
from rookery.api import BeliefValue, Game, Info, Limit, NamedSearch, OpponentModel, SearchResult, View
from rookery.errors import BadOption, UnsupportedGame, quote
from rookery.evaluators.kriegspiel_network import KriegspielNetwork
from rookery.evaluators.opponent_model import Placements
from rookery.games.kriegspiel import KriegspielView

from ..perfect_information import per_side
from .belief import Believing

_NODES = 20_000
"""What a search looks at where nothing else bounds it."""
_CONSTANT = re.compile(r"(?P<name>\w+):(?P<value>-?\d+(\.\d+)?)")
_EXPLORATION = {"a": 0.7, "b": 0.7, "c": 0.3}


class KriegspielMcts(NamedSearch, Believing):
    """Monte Carlo tree search over what the referee may say; takes the try visited most."""

    title = "Kriegspiel by Monte Carlo tree search"
    limits = ("nodes", "time")
    takes = (OpponentModel, BeliefValue)
    bench = (
        "approach=c,nodes=2000",
        "approach=c,variant=fast,nodes=2000",
        "approach=b,nodes=100",
        "approach=b,k=3,nodes=50",
        "approach=a,nodes=20",
    )

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "kriegspiel":
            raise UnsupportedGame(f"kriegspiel-mcts plays kriegspiel only, not {game.spec.name}")

    def __init__(
        self,
        game: Game,
        knowledge: Placements | KriegspielNetwork | None = None,
        *,
        approach: str = "c",
        k: int = 1,
        c: float | None = None,
        foresight: float = 0.5,
        variant: str = "paper",
        mode: str = "corrected",
        weights: str = "weighted",
        illegal: str = "best",
        endgame: bool = True,
        threads: int = 1,
        reactions: str = "control",
        tuned: str = "",
    ) -> None:
        """approach: `a` fills the board at random and plays on; `b` simulates k moves of messages; `c`
        computes the outcome of each move once. c: how much doubt counts beside success (UCB1). foresight: how
        much of what approach C finds behind a message counts beside what it computed for it; 1: all, as in
        the paper. variant: approach C as in the `paper`, or `fast`, which looks on after silence alone. mode:
        the belief `corrected` or as in the `paper`. weights: pieces by `count` or `weighted`. illegal: what a
        refused try is worth, the `best` other move or, as in the `paper`, the position as it is. endgame:
        hunt a lone King by a search of its own. threads: trees grown side by side. reactions: how likely
        approach C takes it that the enemy captures, by his `control` of the square or, as in the `paper`,
        the same everywhere. tuned: constants of the belief and of reactions, as
        `patience:2;capture_rate:0.04`. Knowledge is a model of the opponent, or for approach C a network of
        beliefs."""
        self.check_game(game)
        self.learn(knowledge)
        try:
            self._native = native.KriegspielMcts(
                approach=approach,
                k=k,
                c=_EXPLORATION.get(approach, 0.0) if c is None else c,
                foresight=foresight,
                variant=variant,
                mode=mode,
                weights=weights,
                illegal=illegal,
                endgame=endgame,
                threads=threads,
                reactions=reactions,
                tuned=constants(tuned),
                network=self.network.native if self.network else None,
                model=self.model.native if self.model else None,
            )
        except BadOption as error:
            raise BadOption(f"kriegspiel-mcts: {error}") from None
        self.mode = mode
        of_belief = {name for name, *_ in native.belief_constants()}
        self.tuned = [each for each in constants(tuned) if each[0] in of_belief]
        self._stop = native.Stop()

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        known = cast(KriegspielView, view)
        self._stop.clear()

        def listen(report: Any) -> None:
            for rank, branch in enumerate(report.moves[: limit.lines], 1):
                value = per_side(_bounded(branch.value), view.seat)
                on_info(Info(None, report.nodes, report.seconds, value, tuple(branch.line), rank=rank))

        nodes, seconds = self._share(known, limit)
        report = self._native.think(
            known.native,
            nodes=nodes,
            seconds=seconds,
            only=list(limit.only),
            seed=int(rng.integers(2**63)),
            stop=self._stop,
            listener=listen,
            analyse=limit.analyse,
        )
        listen(report)
        best = report.moves[0]
        visits = sum(branch.visits for branch in report.moves)
        return SearchResult(
            move=best.move,
            value=per_side(_bounded(best.value), view.seat),
            nodes=report.nodes,
            policy={branch.move: branch.visits / visits for branch in report.moves} if visits else {},
            pv=tuple(best.line),
        )

    def _share(self, view: KriegspielView, limit: Limit) -> tuple[int, float]:
        """The nodes and seconds for this try, 0 for no bound.

        The first try of a turn has half of its time, and each after a refusal a quarter of that: the trees of
        the turn are kept. Nodes are those of the first try; all tries together have twice as many.
        """
        refused = len(view.native.refused) if self._native.continues(view.native) else 0
        nodes, seconds = limit.nodes or 0, 0.0
        if limit.time is not None:
            whole = (limit.time + limit.spent) / 2
            # The hunt of a lone King keeps no trees, so each of its tries is a first one.
            seconds = max(min(whole / 4 if refused else whole, limit.time / 2), 1e-6)
        elif not nodes:
            nodes = _NODES
        if nodes and refused:
            nodes = max(1, nodes // 4) if refused <= 4 else 1
        return nodes, seconds

    def forget(self) -> None:
        self._native.forget()

    def stop(self) -> None:
        self._stop.set()


def constants(text: str) -> list[tuple[str, float]]:
    """`patience:2;capture_rate:0.04`, read."""
    found = []
    for each in filter(None, text.split(";")):
        part = _CONSTANT.fullmatch(each)
        if not part:
            raise BadOption(f"tuned wants NAME:NUMBER, as patience:2 (got {quote(each)})")
        found.append((part["name"], float(part["value"])))
    return found


def _bounded(value: float) -> float:
    """Tenths of a piece may add up to more than a won game."""
    return max(-1.0, min(1.0, value))


SEARCHES = {"kriegspiel-mcts": KriegspielMcts}
