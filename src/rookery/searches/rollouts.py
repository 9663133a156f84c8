"""Plain Monte-Carlo: games after each move, and the move with the best mean result.

The games are random, or played by knowledge against itself, each move drawn by its probability (Pelat's
policy network for chess). There is no tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from time import perf_counter
from typing import cast

import numpy as np

from rookery import native
from rookery.api import (
    Evaluator,
    Game,
    Info,
    Limit,
    Move,
    PolicyEvaluator,
    SearchResult,
    Side,
    State,
    View,
)
from rookery.errors import BadOption
from rookery.evaluators.sound import evaluate, policy
from rookery.games.state import NativeState

from .perfect_information import (
    NativeRules,
    of_leaves,
    per_side,
    require_policy,
    wrap,
)

_GAMES = 40
"""A move's games where nothing else bounds the search: the most that was tried in print."""
_AT_ONCE = 1024
"""Games that knowledge plays side by side."""


class Rollouts(NativeRules):
    """Plays out games after each move, at random or by an evaluation, and takes the best on average."""

    title = "Random playouts"
    fallback = 2
    limits = ("nodes", "time")
    takes = (PolicyEvaluator,)
    bench = ("nodes=400,plies=4",)

    def __init__(
        self,
        game: Game,
        knowledge: Evaluator | None = None,
        *,
        games: int | None = None,
        plies: int = 200,
        adjudicate: float = 0.0,
    ) -> None:
        """games: after each move; plies: of a game by knowledge, which then says how it would have ended.

        adjudicate: the value from which on such a game is won, below it drawn; 0: the value counts as it is.
        """
        self.check_game(game)
        if games is not None and games < 1:
            raise BadOption(f"rollouts: games must be 1 or more (got {games})")
        if plies < 1:
            raise BadOption(f"rollouts: plies must be 1 or more (got {plies})")
        if not 0 <= adjudicate <= 1:
            raise BadOption(f"rollouts: adjudicate must be between 0 and 1 (got {adjudicate:g})")
        self._guide = None
        if knowledge is not None:
            self._guide = _Guide(game, require_policy("rollouts", knowledge), plies, adjudicate)
        self._games = games
        self._side_of = game.spec.side_of
        self._stopped = False

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        began = perf_counter()
        state = view.state()
        side = self._side_of[state.seat]
        # In random order, so that neither a tie nor a bound reached early favours low numbers.
        moves = rng.permutation(limit.only or state.moves()).tolist()
        arms = [_Arm(move, state.play(move), side) for move in moves]
        self._stopped = False
        open_arms = [arm for arm in arms if not arm.settled]
        nodes, games = len(arms), 0

        def late() -> bool:
            return self._stopped or (limit.time is not None and perf_counter() - began >= limit.time)

        for turn in self._turns(open_arms, limit):
            if self._guide:
                left = None if limit.nodes is None else limit.nodes - nodes
                nodes += self._guide.sample(turn, rng, late, left)
            else:
                nodes += turn[0].sample(rng)
            games += len(turn)
            rounds, rest = divmod(games, len(open_arms))
            if rest == 0 and (rounds.bit_count() == 1 or len(turn) > len(open_arms)):
                best = max(arms, key=_Arm.rank)
                on_info(Info(None, nodes, perf_counter() - began, best.value(), (best.move,)))
            if late() or (limit.nodes is not None and nodes >= limit.nodes):
                break
        best = max(arms, key=_Arm.rank)
        return SearchResult(best.move, best.value(), nodes, _policy(arms), (best.move,))

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        self._stopped = True

    def _turns(self, arms: list[_Arm], limit: Limit) -> Iterator[list[_Arm]]:
        """Whose games are next: round by round, so that any bound finds the moves about equally known."""
        free = limit.nodes is None and limit.time is None
        games = self._games or (_GAMES if free else None)
        one_by_one = (arm for _ in (range(games) if games else count()) for arm in arms)
        size = 1
        if self._guide and arms:
            size = len(arms) * (max(1, _AT_ONCE // len(arms)) if free else 1)
        while arms and (turn := list(islice(one_by_one, size))):
            yield turn


@dataclass
class _Arm:
    """One move, and how the games after it ended."""

    move: Move
    state: State
    side: Side
    """Of the seat that chooses: results count for it, whoever moves next."""
    games: int = 0
    score: float = 0
    """Wins less losses."""

    def __post_init__(self) -> None:
        # Random games know nothing of repetitions before them; the state does.
        over = self.state.outcome()
        self.settled = over is not None
        if over:
            self.count(over.values[self.side])

    def count(self, value: float) -> None:
        self.games += 1
        self.score += value

    def sample(self, rng: np.random.Generator) -> int:
        """Play one random game; gives the positions it went through."""
        result = cast(NativeState, self.state).native.playouts(1, int(rng.integers(2**63)))
        self.count(result.wins[self.side] - result.wins[1 - self.side])
        return int(result.plies)

    def mean(self) -> float:
        return self.score / self.games if self.games else -2.0

    def rank(self) -> tuple[float, bool]:
        """The better mean first, and of equals the one that is certain."""
        return self.mean(), self.settled

    def value(self) -> tuple[float, ...]:
        return per_side(self.mean(), self.side)


class _Guide:
    """Knowledge that plays games against itself, many side by side (native/search/guided_games.hpp)."""

    def __init__(self, game: Game, knowledge: PolicyEvaluator, plies: int, adjudicate: float) -> None:
        self._state = wrap(game)
        self._knowledge = knowledge
        self._static = of_leaves(knowledge)
        self._plies, self._adjudicate = plies, adjudicate

    def sample(
        self,
        arms: Sequence[_Arm],
        rng: np.random.Generator,
        late: Callable[[], bool],
        most: int | None = None,
    ) -> int:
        """Play one game after each move; gives the positions that they went through.

        Once it is late, or they have gone through `most`, the games under way are cut: they may last for many
        times the limit.
        """
        starts = [cast(NativeState, arm.state).native.any() for arm in arms]
        games = native.GuidedGames(starts, self._plies, int(rng.integers(2**63)))
        while waiting := [self._state(each) for each in games.waiting()]:
            likely = policy(self._knowledge, waiting)
            games.play(likely.offsets, likely.shares)
            if late() or (most is not None and games.plies >= most):
                break
        cut = []
        for number, (arm, end) in enumerate(zip(arms, games.ends, strict=True)):
            if end in (_CUT, _UNDER_WAY):
                cut.append((arm, self._state(games.last(number))))
            else:
                arm.count(0.0 if end < 0 else 1.0 if end == arm.side else -1.0)
        if cut:
            values = evaluate(self._static, [state for _, state in cut]).value
            for (arm, _), value in zip(cut, values, strict=True):
                arm.count(self._result(float(value[arm.side])))
        return int(games.plies)

    def _result(self, value: float) -> float:
        """Of a game that was cut."""
        if not self._adjudicate:
            return value
        return 0.0 if abs(value) < self._adjudicate else 1.0 if value > 0 else -1.0


_CUT, _UNDER_WAY = 2, 3
"""How native games that went on for too long, or still go on, are told from those that somebody won."""


def _policy(arms: list[_Arm]) -> dict[Move, float]:
    """Belief in proportion to the points that each move made."""
    points = {arm.move: (1 + arm.mean()) / 2 if arm.games else 0.0 for arm in arms}
    total = sum(points.values())
    if not total:
        return dict.fromkeys(points, 1 / len(points))
    return {move: share / total for move, share in points.items()}


SEARCHES = {"rollouts": Rollouts}
