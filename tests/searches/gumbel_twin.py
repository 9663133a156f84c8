"""Gumbel AlphaZero's search in plain Python, without noise: the twin of native/search/gumbel.hpp."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from rookery.api import Evaluator, State


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
    state: State
    values: tuple[float, ...]
    """By side: the knowledge's, or the game's."""
    edges: list[Edge] = field(default_factory=list)

    @property
    def side(self) -> int:
        return self.state.spec.side_of[self.state.seat]

    @property
    def visits(self) -> int:
        return sum(edge.visits for edge in self.edges)


class Twin:
    def __init__(self, knowledge: Evaluator, simulations: int, considered: int, scale: float) -> None:
        self.knowledge, self.simulations, self.considered, self.scale = (
            knowledge,
            simulations,
            considered,
            scale,
        )

    def search(self, state: State) -> tuple[int, Node, np.ndarray]:
        """The move, the root, and the improved policy over its edges."""
        root = self._make(state)

        def rank(edge: Edge) -> float:
            return edge.logit + (self._sigma(edge.total / edge.visits, root) if edge.visits else 0.0)

        def order(edge: Edge) -> tuple[float, int]:
            return -rank(edge), edge.move

        kept = sorted(root.edges, key=order)[: min(self.considered, self.simulations)]
        phases = max(1, math.ceil(math.log2(len(kept))))
        used = 0
        while used < self.simulations:
            for _ in range(max(1, self.simulations // (phases * len(kept)))):
                for edge in kept[: self.simulations - used]:
                    self._simulate(root, edge)
                used += min(len(kept), self.simulations - used)
                if used == self.simulations:
                    break
            else:
                kept.sort(key=order)
                kept = kept[: max(min(2, len(kept)), (len(kept) + 1) // 2)]
        best = max(kept, key=lambda e: (e.visits, rank(e)))
        return best.move, root, self._improved(root)

    def _make(self, state: State) -> Node:
        if outcome := state.outcome():
            return Node(state, outcome.values)
        found = self.knowledge.evaluate([state])
        assert found.policy is not None
        logits = np.log(found.policy.of(0).astype(np.float64))
        likely = np.exp(logits - logits.max())
        pairs = zip(state.moves(), logits.tolist(), (likely / likely.sum()).tolist(), strict=True)
        return Node(state, tuple(map(float, found.value[0])), [Edge(*each) for each in pairs])

    def _simulate(self, node: Node, edge: Edge) -> tuple[float, ...]:
        """What the leaf is worth to each side; each edge is told what it is to the side that moves."""
        if edge.node is None:
            edge.node = self._make(node.state.play(edge.move))
            values = edge.node.values
        elif not edge.node.edges:
            values = edge.node.values
        else:
            values = self._simulate(edge.node, self._select(edge.node))
        edge.visits += 1
        edge.total += values[node.side]
        return values

    def _select(self, node: Node) -> Edge:
        shares = self._improved(node) if node.visits else [e.prior for e in node.edges]
        ahead = [p - e.visits / (1 + node.visits) for p, e in zip(shares, node.edges, strict=True)]
        return node.edges[int(np.argmax(ahead))]

    def _sigma(self, q: float, node: Node) -> float:
        return (50 + max(e.visits for e in node.edges)) * self.scale * (q + 1) / 2

    def _improved(self, node: Node) -> np.ndarray:
        tried = [e for e in node.edges if e.visits]
        rest = node.values[node.side]
        if tried:
            mean = sum(e.prior * e.total / e.visits for e in tried) / sum(e.prior for e in tried)
            rest = (rest + node.visits * mean) / (1 + node.visits)
        q = [e.total / e.visits if e.visits else rest for e in node.edges]
        x = np.array([e.logit + self._sigma(v, node) for e, v in zip(node.edges, q, strict=True)])
        likely = np.exp(x - x.max())
        return likely / likely.sum()
