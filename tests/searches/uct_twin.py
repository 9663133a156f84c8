"""UCT in plain Python, for Go: the twin of native/search/uct.hpp, with the same draws and the same visits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rookery.api import State

_WORD = 2**64
f32 = np.float32


def mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) % _WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % _WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB % _WORD
    return x ^ x >> 31


class Rng:
    """The generator of native/core/rng.hpp."""

    def __init__(self, seed: int) -> None:
        self.a = mix(seed)
        self.b = mix(self.a)

    def below(self, n: int) -> int:
        result, c = (self.a + self.b) % _WORD, self.a ^ self.b
        self.a = self._rotated(self.a, 24) ^ c ^ (c << 16) % _WORD
        self.b = self._rotated(c, 37)
        return (result >> 32) * n >> 32

    @staticmethod
    def _rotated(x: int, k: int) -> int:
        return (x << k | x >> 64 - k) % _WORD


@dataclass
class Node:
    move: int
    visits: int = 0
    points: int = 0
    """Two for a win of the side that moved here, one for a draw."""
    children: list[Node] | None = None
    tried: int = 0


def grow(state: State, c: float, seed: int, simulations: int) -> Node:
    """The tree of one thread."""
    rng, root = Rng(mix(seed)), Node(-1)
    root.children = [Node(move) for move in state.moves()]
    for _ in range(simulations):
        _simulate(root, state, c, rng)
    return root


def _simulate(root: Node, state: State, c: float, rng: Rng) -> None:
    node, path = root, []
    while True:
        if node.children is None and node.visits > 0:
            node.children = [Node(move) for move in state.moves()]
        if not node.children:
            winner = _playout(state, rng)
            break
        node = _choose(node, c, rng)
        path.append((node, state.seat))
        state = state.play(node.move)
    root.visits += 1
    for node, side in path:
        node.visits += 1
        node.points += 1 if winner is None else 2 * (winner == side)


def _choose(node: Node, c: float, rng: Rng) -> Node:
    children, tried = node.children, node.tried
    if tried < len(children):
        other = tried + rng.below(len(children) - tried)
        children[tried], children[other] = children[other], children[tried]
        node.tried += 1
        return children[tried]
    spread = f32(c) * np.sqrt(f32(math.log(node.visits)))

    def bound(child: Node) -> np.float32:
        n = f32(child.visits)
        return f32(0.5) * f32(child.points) / n + spread / np.sqrt(n)

    return max(children, key=bound)


def _playout(state: State, rng: Rng) -> int | None:
    """A random game of Go: an illegal draw is drawn again."""
    while (outcome := state.outcome()) is None:
        stones = {*state.stones(0), *state.stones(1)}
        points = [p for p in range(state.size**2) if p not in stones]
        move = [*points, state.size**2][rng.below(len(points) + 1)]
        if move in state.moves():
            state = state.play(move)
    return outcome.winner
