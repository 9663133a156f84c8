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
    """The game to learn."""
    start: str = "initial"
    """The initial weights: `initial` for the paper's (in chess next to nothing), or those of a file, a run or
    the zoo."""
    features: tuple[str, ...] = ("material", "pawns")
    """The groups of weights to train: material, pawns, attacks, squares, modes, kings; in chess material,
    attacks, squares."""
    phases: Literal[1, 3] = 1
    """3: separate weights for opening, middle game and ending."""
    method: Literal["treestrap", "rootstrap", "tdleaf"] = "treestrap"
    """Learn from every node of the search tree, from its root, or from the leaf of the best line."""
    depth: int = 5
    """Plies that each search looks ahead; two more with few pieces on the board, four more with very few."""
    learning_rate: float = 1e-4
    """Learning rate at the root of the search tree."""
    final_rate_factor: float = 1
    """Learning rate in the last game, as a share of that in the first; it falls linearly."""
    discount: float = 1 / 3
    """Factor on the learning rate for each ply away from the root."""
    max_update: float = 0.001
    """The most that a weight changes in one move."""
    td_lambda: float = 0.7
    """tdleaf only: the lambda of TD(lambda)."""
    loss: Literal["squares", "entropy"] = "squares"
    """The loss to minimise: the squared error, through the sigmoid, or the cross-entropy."""
    quiescence: bool = False
    """Whether searches end in a quiescence search."""
    windows: Literal["null", "plain", "open"] = "null"
    """The search window of later moves: null, at first a zero window (principal variation search); plain, the
    whole alpha-beta window, as in the paper's program; open, no bounds: TreeStrap(minimax)."""
    killers: int = 2
    """Killer moves per ply; the paper has one."""
    history: bool = True
    """Whether moves are ordered by the history heuristic; the paper's are not."""
    late_move_pruning: bool = False
    """Whether searches reduce and prune late moves: they look further ahead, and values are less exact."""
    quiet_only: bool = False
    """Whether to learn only from positions whose best move is not a capture, as at the end of a quiescence
    search. tdleaf: only from quiet leaves."""
    exact_only: bool = False
    """Whether to learn only from nodes with an exact value, not from those with an upper or lower bound."""
    random_moves: int = 4
    """Random moves at the start of every game."""
    max_plies: int = 2000
    """Games of more plies count as drawn."""
    hash: int = 4
    """Megabytes of the transposition table, which is cleared after each move. 0: none, as in the paper."""
    parallel_games: int = 8
    """Games played at a time; they share their updates, so their number changes the result."""
    sync_nodes: int = 500_000
    """Nodes that each of them searches before updates are shared."""
    sync_update: Literal["sum", "mean"] = "sum"
    """How their updates are combined: summed or averaged."""
    threads: int = 0
    """Threads. They change only the time, not the result. 0: one per core."""
    games: int = 140
    """Self-play games in total."""
    step: int = 10
    """Games per step; progress is reported after each step and can be saved then."""

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
