"""Plain Monte-Carlo: random games after each move, and the move with the best mean result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, cycle, repeat
from time import perf_counter
from typing import cast

import numpy as np

from rookery.api import Game, Info, Limit, Move, SearchResult, Side, View
from rookery.errors import BadOption
from rookery.games.state import NativeState

from .open import per_side, require_open

_GAMES = 40
"""A move's games where nothing else bounds the search: the most that was tried in print."""


class Rollouts:
    """Plays random games after each move and takes the move with the best mean result."""

    limits = ("nodes", "time")

    def __init__(self, game: Game, *, games: int | None = None) -> None:
        require_open("rollouts", game)
        if games is not None and games < 1:
            raise BadOption(f"rollouts: games={games} leaves nothing to go by; games=1 or more would do")
        self._games = games
        self._side_of = game.spec.side_of
        self._stopped = False

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        began = perf_counter()
        state = cast(NativeState, view.state())
        side = self._side_of[state.seat]
        # In random order, so that neither a tie nor a bound reached early favours low numbers.
        moves = rng.permutation(limit.only or state.moves()).tolist()
        arms = [_Arm(move, state.play(move), side) for move in moves]
        self._stopped = False
        open_arms = [arm for arm in arms if not arm.settled]
        nodes = len(arms)
        for games, arm in enumerate(self._turns(open_arms, limit), 1):
            nodes += arm.sample(rng)
            rounds, rest = divmod(games, len(open_arms))
            if rest == 0 and rounds.bit_count() == 1:
                best = max(arms, key=_Arm.rank)
                on_info(Info(None, nodes, perf_counter() - began, best.value(), (best.move,)))
            if self._stopped or _reached(limit, nodes, perf_counter() - began):
                break
        best = max(arms, key=_Arm.rank)
        return SearchResult(best.move, best.value(), nodes, _policy(arms), (best.move,))

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        self._stopped = True

    def _turns(self, arms: list[_Arm], limit: Limit) -> Iterable[_Arm]:
        """Whose game is next: round by round, so that any bound finds the moves about equally known."""
        games = self._games
        if games is None and limit.nodes is None and limit.time is None:
            games = _GAMES
        return cycle(arms) if games is None else chain.from_iterable(repeat(arms, games))


def _reached(limit: Limit, nodes: int, seconds: float) -> bool:
    return (limit.nodes is not None and nodes >= limit.nodes) or (
        limit.time is not None and seconds >= limit.time
    )


@dataclass
class _Arm:
    """One move, and how the games after it ended."""

    move: Move
    state: NativeState
    side: Side
    """Of the seat that chooses: results count for it, whoever moves next."""
    games: int = 0
    score: int = 0
    """Wins less losses."""

    def __post_init__(self) -> None:
        # Random games know nothing of repetitions before them; the state does.
        over = self.state.outcome()
        self.settled = over is not None
        if over:
            self.games, self.score = 1, int(over.values[self.side])

    def sample(self, rng: np.random.Generator) -> int:
        """Play one game; gives the positions it went through."""
        result = self.state.native.playouts(1, int(rng.integers(2**63)))
        self.games += 1
        self.score += result.wins[self.side] - result.wins[1 - self.side]
        return int(result.plies)

    def mean(self) -> float:
        return self.score / self.games if self.games else -2.0

    def rank(self) -> tuple[float, bool]:
        """The better mean first, and of equals the one that is certain."""
        return self.mean(), self.settled

    def value(self) -> tuple[float, ...]:
        return per_side(self.mean(), self.side)


def _policy(arms: list[_Arm]) -> dict[Move, float]:
    """Belief in proportion to the points that each move made."""
    points = {arm.move: (1 + arm.mean()) / 2 if arm.games else 0.0 for arm in arms}
    total = sum(points.values())
    if not total:
        return dict.fromkeys(points, 1 / len(points))
    return {move: share / total for move, share in points.items()}


SEARCHES = {"rollouts": Rollouts}
