"""Choice without looking ahead, with some chance in it: as players choose while they learn."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rookery.api import Evaluator, Game, Info, Limit, Move, PolicyEvaluator, SearchResult, State, View
from rookery.errors import BadOption
from rookery.evaluators.sound import evaluate

from .perfect_information import PerfectInformation, require_policy, values_after


class _Choice(PerfectInformation):
    """Gives every move a share and draws one by it."""

    takes = (Evaluator,)
    draws = True

    def __init__(self, game: Game, knowledge: Evaluator) -> None:
        self.check_game(game)
        self._knowledge = knowledge

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        moves = list(limit.only or view.moves())
        values, shares = self._weigh(view, moves)
        pick = int(rng.choice(len(moves), p=shares))
        return SearchResult(
            move=moves[pick],
            value=tuple(map(float, values[pick])),
            nodes=len(moves),
            policy=dict(zip(moves, shares.tolist(), strict=True)),
            pv=(moves[pick],),
        )

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        pass

    def _weigh(self, view: View, moves: list[Move]) -> tuple[NDArray[np.floating], NDArray[np.float64]]:
        """[moves, sides] values, and [moves] shares that sum to 1."""
        raise NotImplementedError

    def _values(self, view: View, moves: list[Move]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What each move leads to, for both sides and for the one that chooses."""
        values = values_after(view.state(), moves, self._knowledge)
        return values, values[:, view.spec.side_of[view.seat]]


class Epsilon(_Choice):
    """Mostly takes the move that leads to the best position, now and then a random one."""

    title = "Epsilon-greedy"

    def __init__(self, game: Game, knowledge: Evaluator, *, epsilon: float = 0.05) -> None:
        """epsilon: how often it is any of all moves, the best among them."""
        super().__init__(game, knowledge)
        if not 0 <= epsilon <= 1:
            raise BadOption(f"epsilon: epsilon must be between 0 and 1 (got {epsilon:g})")
        self._epsilon = epsilon

    def _weigh(self, view: View, moves: list[Move]) -> tuple[NDArray[np.floating], NDArray[np.float64]]:
        values, ours = self._values(view, moves)
        best = ours == ours.max()
        return values, self._epsilon / len(moves) + (1 - self._epsilon) * best / best.sum()


class Creative(_Choice):
    """Takes any of the moves that lead to nearly the best position (Mayer, neural Go by TD learning).

    A value v is read as a chance of winning, w = (1 + v) / 2, the range of Mayer's networks. All moves with w
    in [(1 - c) * best, best] are equally likely; if the best is 0, only those that reach it.
    """

    title = "Creative"

    def __init__(self, game: Game, knowledge: Evaluator, *, c: float = 0.05) -> None:
        """c: the share of the best chance that a move may lack."""
        super().__init__(game, knowledge)
        if not 0 <= c <= 1:
            raise BadOption(f"creative: c must be between 0 and 1 (got {c:g})")
        self._c = c

    def _weigh(self, view: View, moves: list[Move]) -> tuple[NDArray[np.floating], NDArray[np.float64]]:
        values, ours = self._values(view, moves)
        chances = (1 + ours) / 2
        best = chances.max()
        near = chances >= (1 - self._c) * best if best > 0 else chances == best
        return values, near / near.sum()


class TopK(_Choice):
    """Draws one of the likeliest moves by their probabilities (Pelat's policy network for chess: two)."""

    title = "Top k"
    takes = (PolicyEvaluator,)

    def __init__(self, game: Game, knowledge: Evaluator, *, k: int = 2) -> None:
        """k: how many of them."""
        super().__init__(game, knowledge)
        if k < 1:
            raise BadOption(f"topk: k must be 1 or more (got {k})")
        require_policy("topk", knowledge)
        self._k = k

    def _weigh(self, view: View, moves: list[Move]) -> tuple[NDArray[np.floating], NDArray[np.float64]]:
        state = view.state()
        evaluation = evaluate(self._knowledge, [state])
        assert evaluation.policy is not None
        shares = evaluation.policy.of(0)[np.searchsorted(state.moves(), moves)].astype(np.float64)
        # Of equals the lower numbers stay.
        shares[np.argsort(-shares, kind="stable")[self._k :]] = 0
        total = shares.sum()
        shares = shares / total if total > 0 else np.full(len(moves), 1 / len(moves))
        return np.repeat(evaluation.value, len(moves), axis=0), shares


class Sample(_Choice):
    """Draws a move from the policy without searching, as people of a rating play.

    One thing that people would not do is left out: while it is winning it makes no draw, nor lets the next
    move make one, if another move is at all likely.
    """

    title = "Policy sampling"
    takes = (PolicyEvaluator,)
    weighs_moves = True
    has_levels = False

    def __init__(self, game: Game, knowledge: Evaluator) -> None:
        super().__init__(game, knowledge)
        require_policy("sample", knowledge)

    def _weigh(self, view: View, moves: list[Move]) -> tuple[NDArray[np.floating], NDArray[np.float64]]:
        state = view.state()
        evaluation = evaluate(self._knowledge, [state])
        assert evaluation.policy is not None
        shares = evaluation.policy.of(0)[np.searchsorted(state.moves(), moves)].astype(np.float64)
        if evaluation.value[0, view.spec.side_of[view.seat]] > _WINNING:
            ends = np.array([_may_be_drawn(state.play(move)) for move in moves])
            kept = np.where(ends, 0, shares)
            shares = kept if kept.sum() > _LIKELY else shares
        total = shares.sum()
        shares = shares / total if total > 0 else np.full(len(moves), 1 / len(moves))
        return np.repeat(evaluation.value, len(moves), axis=0), shares


_WINNING = 0.5
"""A value from which on a draw would be a loss to people."""
_LIKELY = 0.001
"""The share that other moves must have together."""


def _may_be_drawn(state: State) -> bool:
    """Whether the game is a draw, or one move more can make it so."""
    return _is_drawn(state) or any(_is_drawn(state.play(move)) for move in state.moves())


def _is_drawn(state: State) -> bool:
    outcome = state.outcome()
    return outcome is not None and not any(outcome.values)


SEARCHES: dict[str, type[_Choice]] = {
    "epsilon": Epsilon,
    "creative": Creative,
    "topk": TopK,
    "sample": Sample,
}
