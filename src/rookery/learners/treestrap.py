"""TreeStrap by self-play: Real and Blair, "Learning a Multi-Player Chess Game with TreeStrap".

The games are played and learnt from in native/learn/treestrap.hpp; what is learnt is knowledge of the kind
`rookery.evaluators.linear`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, Literal, cast

import numpy as np

from rookery import games, native, weights
from rookery.api import Limit, Measure, Metrics, Player, Promise
from rookery.errors import Diverged
from rookery.evaluators import linear
from rookery.evaluators.features import linear_game, linear_games
from rookery.games.state import NativeState
from rookery.learners import ranges
from rookery.learners.state import fitting, read_state
from rookery.searches.alphabeta import AlphaBeta
from rookery.seeds import generator
from rookery.thinker import SearchPlayer
from rookery.weights import FILE

if TYPE_CHECKING:
    GameName = str
else:
    GameName = Literal[tuple(linear_games())]
_OF_THE_PAPER = next(name for name, game in linear_games().items() if game.of_the_paper)

MOST_TABLES = 1.0
"""Gigabytes of transposition tables, of all games side by side."""


@dataclass(frozen=True)
class TreeStrapOptions:
    """What a recipe may say. The defaults are stage 1 of the paper."""

    game: GameName = _OF_THE_PAPER
    """What is learnt."""
    start: str = "initial"
    """The weights to begin with: `initial` for the paper's (in chess next to nothing), or a file, a run, one
    of the zoo."""
    features: tuple[str, ...] = ("material", "pawns")
    """The blocks of weights that learn: material, pawns, attacks, squares, modes, kings; in chess material,
    attacks, squares."""
    phases: Literal[1, 3] = 1
    """3: opening, middle game and ending have weights of their own."""
    method: Literal["treestrap", "rootstrap", "tdleaf"] = "treestrap"
    """Learn from every node of the tree, from its root, or from the ends of the best lines."""
    depth: int = 5
    """Plies that each search looks ahead; two more with few pieces on the board, four more with very few."""
    learning_rate: float = 1e-4
    """At the root."""
    final_rate_factor: float = 1
    """The share of the learning rate that is left in the last game; it falls linearly."""
    discount: float = 1 / 3
    """What a node a ply further from the root counts."""
    max_update: float = 0.001
    """No weight changes by more in a move."""
    td_lambda: float = 0.7
    """tdleaf: the lambda of TD(lambda), how far later changes reach back."""
    loss: Literal["squares", "entropy"] = "squares"
    """What is descended: the squared error, through the sigmoid, or the cross-entropy."""
    quiescence: bool = False
    """Whether searches look on until nothing can be taken."""
    windows: Literal["null", "plain", "open"] = "null"
    """What searches ask of a late move: null, only whether it beats those before it; plain, at once what it
    is worth, as the paper's program; open, of every move all that minimax says of it: TreeStrap(minimax)."""
    killers: int = 2
    """Killer moves a ply; the paper has one."""
    history: bool = True
    """Whether moves are ordered by the history heuristic; the paper's are not."""
    late_move_pruning: bool = False
    """Whether they reduce and prune late moves: what they find is less sure, and comes from further ahead."""
    quiet_only: bool = False
    """Whether only positions teach whose best move takes nothing: what quiescence ends in. tdleaf: only
    leaves that are quiet."""
    exact_only: bool = False
    """Whether only nodes teach whose value the search has found, and not those of which it knows a bound."""
    random_moves: int = 4
    """Random moves at the start of every game."""
    max_plies: int = 2000
    """Plies after which a game counts as drawn."""
    hash: int = 4
    """Megabytes of transposition table, forgotten after each move. The paper has none: 0."""
    parallel_games: int = 8
    """Games in progress at a time; they share what they learn, so their number changes it."""
    sync_nodes: int = 500_000
    """Nodes that each of them looks at before they share."""
    sync_update: Literal["sum", "mean"] = "sum"
    """What they share: the sum of what each has learnt, or the mean."""
    threads: int = 0
    """How many of them think at once; it changes nothing but the time. 0: all processors."""
    games: int = 140
    """Self-play games in all."""
    step: int = 10
    """Games after which progress is told and may be saved."""

    RANGES: ClassVar[tuple[ranges.Range, ...]] = (
        ("depth", 1, 32),
        ("learning_rate", 0, 10),
        ("final_rate_factor", 0, 1),
        ("discount", 0, 1),
        ("max_update", 0, 1),
        ("td_lambda", 0, 1),
        ("killers", 0, 2),
        ("random_moves", 0, 100),
        ("max_plies", 1, 100_000),
        ("hash", 0, 1024),
        ("parallel_games", 1, 256),
        ("sync_nodes", 1, 10**12),
        ("threads", 0, 256),
        ("games", 1, 10**9),
        ("step", 1, 10**9),
    )

    def __post_init__(self) -> None:
        ranges.check(self, *self.RANGES)
        tables = self.hash * self.parallel_games / 1024
        ranges.check_memory("the transposition tables", tables, MOST_TABLES, "hash or parallel_games")
        linear_game(games.get(self.game)).features().learns(self.features)


class TreeStrapLearner:
    """One set of weights that plays all seats."""

    Options = TreeStrapOptions
    promise: ClassVar[Promise] = "exact"

    def __init__(self, options: TreeStrapOptions, seed: int) -> None:
        o = self._options = options
        self._game = games.get(o.game)
        declared = linear_game(self._game)
        self._features = declared.features()
        if o.start == "initial":
            rows = self._features.initial(seed)
        else:
            rows = linear.read(weights.find(o.start), o.game)
        if o.phases == 3 and len(rows) == 2:
            rows = np.tile(rows, (3, 1))  # each phase goes on from what was learnt of all
        config = native.TreeStrapConfig(
            native.Method[o.method],
            depth=o.depth,
            learning_rate=o.learning_rate,
            final_factor=o.final_rate_factor,
            discount=o.discount,
            max_update=o.max_update,
            lambda_=o.td_lambda,
            squared_error=o.loss == "squares",
            windows=native.Windows[o.windows],
            killers=o.killers,
            history=o.history,
            quiescence=o.quiescence,
            selective=o.late_move_pruning,
            quiet_only=o.quiet_only,
            exact_only=o.exact_only,
            random_moves=o.random_moves,
            max_plies=o.max_plies,
            megabytes=o.hash,
            round_nodes=o.sync_nodes,
            mean=o.sync_update == "mean",
        )
        self._learner = declared.treestrap(
            start=cast(NativeState, self._game.start()).native,
            weights=rows,
            config=config,
            learns=self._features.learns(o.features).tolist(),
            seed=int(generator(seed, "treestrap", "openings").integers(2**63)),
            games=o.games,
            side_by_side=o.parallel_games,
            threads=o.threads or min(len(os.sched_getaffinity(0)), 256),
        )

    @property
    def steps(self) -> int:
        return -(-self._options.games // self._options.step)

    def step(self, stop: Callable[[], bool] | None = None) -> Metrics:
        """Play until `step` more games have ended; the others stay on the boards."""
        learner = self._learner
        rows, counts, plays = learner.weights(), (learner.begun, learner.ended), learner.unfinished()
        try:
            return self._step(stop)
        except Diverged:
            raise Diverged(self._say_what_diverged()) from None
        except BaseException:
            learner.set_weights(rows)
            learner.resume(*counts, plays)
            raise

    def _say_what_diverged(self) -> str:
        most, rows, o = self._learner.max_weight, self._learner.weights(), self._options
        far = np.argwhere(~(np.abs(rows) <= most))
        names = [self._features.name(int(at)) for _, at in far[:3]]
        what = f"weights ({', '.join(names)}{', ...' if len(far) > 3 else ''})" if names else "a search"
        return (
            f"{what} went beyond {most:g}; "
            f"lower learning_rate (it is {o.learning_rate:g}) or max_update (it is {o.max_update:g})"
        )

    def _step(self, stop: Callable[[], bool] | None) -> Metrics:
        o = self._options
        began = perf_counter()
        wanted = min((self._learner.ended // o.step + 1) * o.step, o.games) - self._learner.ended
        told = self._learner.play(wanted, stop)
        seconds = perf_counter() - began
        return {
            "games": self._learner.ended,
            "games_per_second": round(told.games / seconds, 3),
            "nodes_per_second": round(told.nodes / seconds),
            "nodes": told.nodes / max(told.searches, 1),
            "taught": told.samples / max(told.searches, 1),
            "error": (told.error / max(told.searches, 1)) ** 0.5,
            "plies": told.plies / max(told.games, 1),
            "odd_wins": told.first_wins / max(told.games, 1),
            "even_wins": told.second_wins / max(told.games, 1),
            "cut": told.cut / max(told.games, 1),
        }

    @staticmethod
    def measures(options: TreeStrapOptions) -> dict[str, Measure]:
        spec = games.get(options.game).spec
        first, second = spec.seat_names if spec.seats == 2 else ("the odd team", "the even team")
        return {
            "games": Measure("Self-play games", "How many games have ended."),
            "games_per_second": Measure("Games per second", "Of self-play."),
            "nodes_per_second": Measure("Positions per second", "Searched in self-play."),
            "nodes": Measure("Positions per search", "How many positions a search looks at, on average."),
            "taught": Measure("Positions learnt from", "For each search, on average."),
            "error": Measure(
                "Error of the evaluation",
                "Root mean square difference between the evaluation and what the search found.",
            ),
            "plies": Measure("Game length", "Plies of a self-play game, on average."),
            "odd_wins": Measure(f"Wins of {first} in self-play", "Draws are no wins.", share=True),
            "even_wins": Measure(f"Wins of {second} in self-play", "Draws are no wins.", share=True),
            "cut": Measure("Games broken off", "At max_plies; they count as drawn.", share=True),
        }

    @staticmethod
    def data(options: TreeStrapOptions) -> dict[str, str]:
        """The weights that it begins with, unless they are made up from the seed."""
        start = options.start
        return {} if start == "initial" else {"start": weights.hash_of(weights.find(start))}

    def player(self) -> Player:
        knowledge = linear.Linear.of(self._game, self._learner.weights())
        search = AlphaBeta(self._game, knowledge, endgame_depth=True, quiescence=self._options.quiescence)
        return SearchPlayer("alphabeta+linear", self._game, search, Limit(depth=self._options.depth))

    def save(self, folder: Path) -> None:
        linear.write(folder / FILE, self._options.game, self._learner.weights())
        plays = [
            {"number": play.number, "moves": play.moves, "lines": play.lines, "values": play.values}
            for play in self._learner.unfinished()
        ]
        state = {"begun": self._learner.begun, "ended": self._learner.ended, "plays": plays}
        (folder / "state.json").write_text(json.dumps(state))

    def load(self, folder: Path) -> None:
        state, rows = read_state(folder / "state.json"), linear.read(folder / FILE, self._options.game)
        before = self._learner.weights()
        with fitting(folder / FILE):
            self._learner.set_weights(rows)
        try:
            with fitting(folder / "state.json"):
                plays = [native.UnfinishedGame(**play) for play in state["plays"]]
                self._learner.resume(state["begun"], state["ended"], plays)
        except BaseException:
            self._learner.set_weights(before)
            raise


RENAMED = {
    "treestrap": {
        "rate": "learning_rate",
        "final": "final_rate_factor",
        "limit": "max_update",
        "trace": "td_lambda",
        "selective": "late_move_pruning",
        "quiet": "quiet_only",
        "exact": "exact_only",
        "longest": "max_plies",
        "side_by_side": "parallel_games",
        "round": "sync_nodes",
    }
}
"""What these options were called before; see `rookery.renamed`."""
LEARNERS = {"treestrap": TreeStrapLearner}
