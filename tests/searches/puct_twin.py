"""PUCT in plain Python, the twin of native/search/puct.hpp, batches and virtual losses included."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from rookery.api import Evaluator, State


@dataclass
class Edge:
    move: int
    prior: float
    visits: int = 0
    pending: int = 0
    total: float = 0.0
    node: Node | None = None


@dataclass
class Node:
    state: State
    edges: list[Edge] = field(default_factory=list)
    visits: int = 0
    waiting: bool = False
    value: float = 0.0

    @property
    def side(self) -> int:
        return self.state.spec.side_of[self.state.seat]


def grow(
    state: State,
    knowledge: Evaluator,
    c: float,
    batch: int,
    simulations: int,
    reduction: float | None = None,
    root: Node | None = None,
) -> Node:
    """root: a node that was grown before and goes on."""
    root, done = root or Node(state), 0
    size = 1  # the root comes alone
    while done < simulations:
        waiting: list[tuple[list[tuple[Node, Edge]], Node]] = []
        while len(waiting) < size and done < simulations:
            way, leaf = _descend(root, c, reduction)
            if leaf.waiting:
                for node, edge in way:
                    node.visits -= 1
                    edge.pending -= 1
                break
            leaf.visits += 1
            done += 1
            outcome = leaf.state.outcome()
            if outcome:
                _settle(way, outcome.values)
            else:
                leaf.waiting = True
                waiting.append((way, leaf))
        if waiting:
            evaluation = knowledge.evaluate([leaf.state for _, leaf in waiting])
            for i, ((way, leaf), value) in enumerate(zip(waiting, evaluation.value, strict=True)):
                shares = evaluation.policy.of(i).tolist()
                total = sum(shares)
                leaf.edges = [
                    Edge(m, share / total) for m, share in zip(leaf.state.moves(), shares, strict=True)
                ]
                leaf.waiting = False
                leaf.value = float(value[leaf.side])
                _settle(way, [float(v) for v in value])
        size = batch
    return root


def _descend(root: Node, c: float, reduction: float | None) -> tuple[list[tuple[Node, Edge]], Node]:
    node, way = root, []
    while node.edges:
        untried = 0.0 if reduction is None else _urgency(node, reduction)
        edge = max(node.edges, key=lambda e, n=node, u=untried: _worth(e, n.visits, c, u))
        way.append((node, edge))
        node.visits += 1
        edge.pending += 1
        edge.node = edge.node or Node(node.state.play(edge.move))
        node = edge.node
    return way, node


def _urgency(node: Node, reduction: float) -> float:
    tried = [edge for edge in node.edges if edge.visits + edge.pending]
    tries = sum(edge.visits + edge.pending for edge in tried)
    mean = (node.value + sum(edge.total - edge.pending for edge in tried)) / (1 + tries)
    return mean - reduction * math.sqrt(sum(edge.prior for edge in tried))


def _worth(edge: Edge, n: int, c: float, untried: float) -> float:
    tries = edge.visits + edge.pending
    q = (edge.total - edge.pending) / tries if tries else untried
    return q + (c + math.log((1 + n + 19652) / 19652)) * math.sqrt(n) * edge.prior / (1 + tries)


def _settle(way: list[tuple[Node, Edge]], values: object) -> None:
    for node, edge in way:
        edge.pending -= 1
        edge.visits += 1
        edge.total += values[node.side]
