"""Self-play of native/learn in plain Python: one game after the other, one leaf after the other."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from rookery.encoders import get
from rookery.games.go import Go, GoState

Evaluate = Callable[[np.ndarray], tuple[np.ndarray, float]]
"""Logits of all moves, and the worth to the side that moves, of planes as bytes."""
_MASK = 2**64 - 1


def mix(x: int) -> int:
    x = (x + 0x9E3779B97F4A7C15) & _MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


class Rng:
    """The twin of native/core/rng.hpp."""

    def __init__(self, seed: int) -> None:
        self.a = mix(seed)
        self.b = mix(self.a)

    def next(self) -> int:
        result, c = (self.a + self.b) & _MASK, self.a ^ self.b
        self.a = (_rotated(self.a, 24) ^ c ^ (c << 16)) & _MASK
        self.b = _rotated(c, 37)
        return result

    def below(self, n: int) -> int:
        return ((self.next() >> 32) * n) >> 32

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53


def _rotated(x: int, k: int) -> int:
    return ((x << k) | (x >> (64 - k))) & _MASK


@dataclass
class Settings:
    size: int
    simulations: int
    considered: int
    opening: int
    centre: float
    spread: float
    pass_from: int
    cap: int
    scale: float = 0.5
    score_weight: float = 0.2


@dataclass
class Sample:
    planes: np.ndarray
    policy: dict[int, float]
    won: float
    score: float
    owner: list[int]


@dataclass
class Edge:
    move: int
    logit: float
    prior: float
    visits: int = 0
    total: float = 0.0
    node: Node | None = None


@dataclass
class Node:
    state: GoState
    value: float = 0.0
    over: bool = False
    edges: list[Edge] = field(default_factory=list)

    @property
    def visits(self) -> int:
        return sum(edge.visits for edge in self.edges)


def bytes_of(state: GoState) -> np.ndarray:
    return np.rint(get("go-zero-1").encode(state.view(state.seat)) * 255).astype(np.uint8)


class Player:
    """Plays games of self-play one by one."""

    def __init__(self, settings: Settings, evaluate: Evaluate, seed: int, game: int) -> None:
        self.set, self.evaluate = settings, evaluate
        self.rng = Rng(mix(seed ^ mix(game)))

    def game(self) -> list[Sample]:
        s, rng = self.set, self.rng
        state = Go(s.size, scoring="area", komi=self._komi()).start()
        opening, alike = rng.below(s.opening + 1), rng.uniform() < 0.5
        told: list[tuple[GoState, dict[int, float]]] = []
        while not self._over(state):
            root = self._make(state)
            if opening > 0:
                opening -= 1
                state = state.play(self._drawn(root, alike))
                continue
            move, policy = self._search(root)
            told.append((state, policy))
            state = state.play(move)
        owner = _owners(state)
        samples = []
        for before, policy in told:
            sign = 1 if before.seat == 0 else -1
            score = sign * state.score()
            samples.append(
                Sample(bytes_of(before), policy, float(np.sign(score)), score, [sign * o for o in owner])
            )
        return samples

    def _komi(self) -> float:
        rng, s = self.rng, self.set
        if rng.uniform() < 0.25:
            points = 2 * s.centre * rng.uniform()
        else:
            points = s.centre + s.spread * (sum(rng.uniform() for _ in range(12)) - 6)
        doubled = 2 * points
        return math.copysign(math.floor(abs(doubled) + 0.5), doubled) / 2

    def _over(self, state: GoState) -> bool:
        return state.outcome() is not None or len(state.history()) >= self.set.cap

    def _make(self, state: GoState) -> Node:
        if self._over(state):
            score = state.score() * (1 if state.seat == 0 else -1)
            w = self.set.score_weight
            return Node(state, (1 - w) * np.sign(score) + w * math.tanh(score / self.set.size), True)
        logits, value = self.evaluate(bytes_of(state))
        moves = list(state.moves())
        if len(state.history()) < self.set.pass_from and len(moves) > 1:
            moves.pop()
        likely = np.exp(logits[moves] - logits[moves].max())
        priors = likely / likely.sum()
        edges = [Edge(m, float(logits[m]), float(p)) for m, p in zip(moves, priors, strict=True)]
        return Node(state, value, False, edges)

    def _drawn(self, root: Node, alike: bool) -> int:
        left = self.rng.uniform()
        for edge in root.edges:
            left -= 1 / len(root.edges) if alike else edge.prior
            if left < 0:
                return edge.move
        return root.edges[-1].move

    def _search(self, root: Node) -> tuple[int, dict[int, float]]:
        s = self.set
        noise = {id(e): -math.log(-math.log(max(self.rng.uniform(), 1e-300))) for e in root.edges}

        def rank(edge: Edge) -> float:
            tried = self._sigma(edge.total / edge.visits, root) if edge.visits else 0.0
            return noise[id(edge)] + edge.logit + tried

        kept = sorted(root.edges, key=rank, reverse=True)[: min(s.considered, s.simulations)]
        phases = max(1, math.ceil(math.log2(len(kept))))
        used = 0
        while used < s.simulations:
            for _ in range(max(1, s.simulations // (phases * len(kept)))):
                for edge in kept[: s.simulations - used]:
                    self._simulate(root, edge)
                used += min(len(kept), s.simulations - used)
                if used == s.simulations:
                    break
            else:
                kept.sort(key=rank, reverse=True)
                kept = kept[: max(min(2, len(kept)), (len(kept) + 1) // 2)]
        best = max(kept, key=lambda e: (e.visits, rank(e)))
        return best.move, {e.move: p for e, p in zip(root.edges, self._improved(root), strict=True)}

    def _simulate(self, node: Node, edge: Edge) -> float:
        """The worth of the leaf to the side that moves at `node`, which its edges are told."""
        if edge.node is None:
            edge.node = self._make(node.state.play(edge.move))
            value = -edge.node.value
        elif edge.node.over:
            value = -edge.node.value
        else:
            value = -self._simulate(edge.node, self._select(edge.node))
        edge.visits += 1
        edge.total += value
        return value

    def _select(self, node: Node) -> Edge:
        shares = self._improved(node) if node.visits else [e.prior for e in node.edges]
        n = node.visits
        ahead = [p - e.visits / (1 + n) for p, e in zip(shares, node.edges, strict=True)]
        return node.edges[int(np.argmax(ahead))]

    def _sigma(self, q: float, node: Node) -> float:
        return (50 + max(e.visits for e in node.edges)) * self.set.scale * (q + 1) / 2

    def _improved(self, node: Node) -> np.ndarray:
        tried = [e for e in node.edges if e.visits]
        rest = node.value
        if tried:
            mean = sum(e.prior * e.total / e.visits for e in tried) / sum(e.prior for e in tried)
            rest = (node.value + node.visits * mean) / (1 + node.visits)
        q = [e.total / e.visits if e.visits else rest for e in node.edges]
        x = np.array([e.logit + self._sigma(v, node) for e, v in zip(node.edges, q, strict=True)])
        likely = np.exp(x - x.max())
        return likely / likely.sum()


def _owners(state: GoState) -> list[int]:
    """1 for each of Black's points at the end, -1 for White's, 0 for nobody's."""
    size = state.size
    stones = [set(state.stones(0)), set(state.stones(1))]
    owner = [0] * (size * size)
    for point in range(size * size):
        region, touched, todo = {point}, set(), [point]
        if point in stones[0] or point in stones[1]:
            owner[point] = 1 if point in stones[0] else -1
            continue
        while todo:
            p = todo.pop()
            row, column = divmod(p, size)
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
                q = r * size + c
                if not (0 <= r < size and 0 <= c < size) or q in region:
                    continue
                if q in stones[0] or q in stones[1]:
                    touched.add(1 if q in stones[0] else -1)
                else:
                    region.add(q)
                    todo.append(q)
        owner[point] = touched.pop() if len(touched) == 1 else 0
    return owner
