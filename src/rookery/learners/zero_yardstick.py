"""A quick measure of a network of `zero` while it learns: its bare policy against UCT by random games.

The network moves without a search, so that a whole set of games costs a second; whoever wants to know how
strong the player is holds a match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.errors import Interrupted

Policy = Callable[[NDArray[np.uint8]], NDArray[np.float32]]
"""Logits of [B, 14 * size * size] planes."""
_C = 0.3


def against_uct(
    policy: Policy,
    size: int,
    komi: float,
    games: int,
    nodes: int,
    seed: int,
    stop: Callable[[], bool] | None = None,
) -> float:
    """The share of points that the policy makes in so many games, half of them with each colour.

    Raises:
        Interrupted: `stop` said so.
    """
    rng = np.random.default_rng(seed)
    rows = "/".join(["." * size] * size)
    start = getattr(native, f"Go{size}")(f"{rows} b 0:0 - 0 0 area komi={komi:g}", "")
    tables = [(_opened(start, rng), game % 2) for game in range(games)]
    done = []
    while tables:
        ours = [i for i, (state, seat) in enumerate(tables) if state.seat == seat]
        moves = dict(zip(ours, _best(policy, [tables[i][0] for i in ours]), strict=True))
        for i, (state, seat) in enumerate(tables):
            if stop and stop():
                raise Interrupted("stopped before it was done")
            move = moves[i] if i in moves else _uct(state, nodes, rng)
            tables[i] = state.play(move), seat
        done += [_points(state, seat) for state, seat in tables if state.outcome()]
        tables = [(state, seat) for state, seat in tables if not state.outcome()]
    return float(np.mean(done))


def _opened(state: Any, rng: np.random.Generator) -> Any:
    """After two moves by chance, so that no two games need be alike."""
    for _ in range(2):
        points = state.moves()[:-1]
        state = state.play(points[int(rng.integers(len(points)))])
    return state


def _best(policy: Policy, states: list[Any]) -> list[int]:
    if not states:
        return []
    logits = policy(np.stack([native.go_zero_planes(state).reshape(-1) for state in states]))
    return [
        max(state.moves(), key=row.__getitem__) for state, row in zip(states, logits.tolist(), strict=True)
    ]


def _uct(state: Any, nodes: int, rng: np.random.Generator) -> int:
    report = state.uct(
        c=_C,
        threads=1,
        seed=int(rng.integers(2**63)),
        nodes=nodes,
        seconds=0.0,
        only=[],
        stop=native.Stop(),
        listener=None,
    )
    return int(report.moves[0].move)


def _points(state: Any, seat: int) -> float:
    winner = state.outcome()[0]
    return 0.5 if winner < 0 else float(winner == seat)
