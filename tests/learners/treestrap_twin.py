"""TreeStrap's tree as the papers write it, slowly: alpha-beta, the notes of its nodes, and what they teach.

After Veness and others, "Bootstrapping from Game Tree Search" (2009), with the discount by depth of Real
and Blair. What is pruned depends on the order of moves, which it knows only for Kings and Pawns that take
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
INFINITE = np.float32(np.inf)
SQUARES = 117


def as_generated(move: int) -> tuple[int, int]:
    """By the square it leaves, then by the one it goes to. A King who stands below his men is first."""
    return move % SQUARES, move // SQUARES


def sigma(u: float) -> float:
    return float(1 / (1 + np.exp(-u)))


@dataclass(frozen=True)
class Node:
    """A node that is no leaf, and what the search found for the side that moves there."""

    state: Any
    ply: int
    found: np.float32
    least: bool
    """Whether its value is at least that."""
    most: bool
    """Whether it is at most that."""


class Tree:
    """The tree of the last depth of an iterative deepening from a root."""

    def __init__(self, knowledge: Any, root: Any, depth: int, windows: str) -> None:
        self._knowledge, self._windows = knowledge, windows
        self.nodes: list[Node] = []
        moves = sorted(root.moves())
        for deep in range(1, depth + 1):
            self.nodes.clear()
            alpha = -INFINITE
            for number, move in enumerate(list(moves)):
                value = self._after(root, move, alpha, INFINITE, deep - 1, 0, late=number > 0)
                if value > alpha:
                    alpha = value
                    moves.remove(move)
                    moves.insert(0, move)
            self.nodes.append(Node(root, 0, alpha, least=True, most=True))

    def static(self, state: Any) -> np.float32:
        return np.float32(self._knowledge.values([state.native])[0])

    def _after(
        self, state: Any, move: int, alpha: np.float32, beta: np.float32, depth: int, ply: int, late: bool
    ) -> np.float32:
        """What a move is worth to the side that makes it; teams take turns."""
        after = state.play(move)
        assert after.seat % 2 != state.seat % 2 and after.outcome() is None

        def value(low: np.float32, high: np.float32) -> np.float32:
            return -self._value(after, -high, -low, depth, ply + 1)

        if self._windows == "open":
            return value(-INFINITE, INFINITE)
        if not late or self._windows == "plain":
            return value(alpha, beta)
        scouted = value(alpha, np.nextafter(alpha, INFINITE))
        return value(alpha, beta) if alpha < scouted < beta else scouted

    def _value(self, state: Any, alpha: np.float32, beta: np.float32, depth: int, ply: int) -> np.float32:
        if depth == 0:
            return self.static(state)
        best, floor = -INFINITE, alpha
        for number, move in enumerate(sorted(state.moves(), key=as_generated)):
            best = max(best, self._after(state, move, alpha, beta, depth - 1, ply, late=number > 0))
            alpha = max(alpha, best)
            if best >= beta:
                break
        self.nodes.append(Node(state, ply, best, least=best > floor, most=best < beta))
        return best

    def lesson(self, weights: Array, rate: float, discount: float) -> Array:
        """How the weights change: a row for each team, which sees each position from its own side."""
        change = np.zeros_like(weights, dtype=float)
        for node in self.nodes:
            value, found = sigma(float(self.static(node.state))), sigma(float(node.found))
            wrong = (node.least and value < found) or (node.most and value > found)
            if not wrong:
                continue
            row, shown = self._knowledge.shows(node.state.native)
            assert row == node.state.seat % 2 % len(weights)
            by = rate * discount**node.ply * (found - value) * value * (1 - value)
            for feature, count in shown:
                change[row, feature] += by * count
        return change
