"""Levels for people: any player but the random one, weakened.

A low level sees little and does not always take the best of what it sees, as people do. How, depends on what
the player does:

- A player with a node limit searches fewer nodes, and chooses among its best lines by their value.
- A player with a policy network plays well without any search. It searches a few nodes, and at its lowest
  levels draws a move from the policy, the flatter the lower the level.
- A player without a node limit (`sergeant`) plays a random move with a fixed probability.

A level is an option of the player's name: `alphabeta:level=3+classical`, `sergeant:level=2`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rookery.api import SearchResult
from rookery.errors import BadOption

if TYPE_CHECKING:
    import numpy as np

    from rookery.api import GameSpec, Info, Limit, Move, Searcher, View


@dataclass(frozen=True)
class Narrow:
    """A level of players with a node limit."""

    nodes: int
    slack: float
    """How much worse a move may be, in value, and still be played about a third as often as the best."""


@dataclass(frozen=True)
class Hasty:
    """A level of players with a policy network."""

    nodes: int
    temperature: float
    """A move's probability p in the policy becomes p ** (1 / temperature); 0: always the best move."""


# From 1 on, each stronger than the last. Without a level a player is as strong as it can be.
NARROW = (
    Narrow(100, 0.30),
    Narrow(500, 0.12),
    Narrow(1_000, 0.085),
    Narrow(1_700, 0.066),
    Narrow(3_000, 0.05),
    Narrow(5_500, 0.038),
    Narrow(10_000, 0.029),
    Narrow(20_000, 0.02),
    Narrow(60_000, 0.01),
    Narrow(300_000, 0.0),
)

HASTY = (
    Hasty(1, 9.0),
    Hasty(1, 4.6),
    Hasty(1, 3.0),
    Hasty(1, 2.0),
    Hasty(1, 1.4),
    Hasty(1, 0.9),
    Hasty(12, 0.0),
    Hasty(128, 0.0),
)
"""Eight levels, not ten: with a policy network more nodes add little strength."""

DISTRACTION = (0.85, 0.60, 0.40, 0.22, 0.10, 0.0)
"""How often a player without a node limit plays a random move. Six levels: it is little above random play."""

_LINES = 5
"""From how many moves one that errs by their value chooses."""


def count(counts_nodes: bool, weighs_moves: bool = False) -> int:
    """How many levels a search has, by what `hold_back` asks of it."""
    return len(DISTRACTION) if not counts_nodes else len(HASTY) if weighs_moves else len(NARROW)


def hold_back(
    searcher: Searcher,
    spec: GameSpec,
    number: int,
    *,
    counts_nodes: bool,
    weighs_moves: bool = False,
    slack: float = 1.0,
) -> Searcher:
    """The search at a level.

    counts_nodes: whether it heeds a bound on them; weighs_moves: whether, besides, its results say how it
    shares its belief among all moves, be it after one node; slack: see
    `rookery.api.Slack`.

    Raises:
        BadOption: there is no such level.
    """
    most = count(counts_nodes, weighs_moves)
    if not 1 <= number <= most:
        raise BadOption(f"level must be between 1 and {most} (got {number})")
    if not counts_nodes:
        return Distracted(searcher, DISTRACTION[number - 1])
    if weighs_moves:
        return Hurried(searcher, HASTY[number - 1])
    level = NARROW[number - 1]
    return Weakened(searcher, spec, replace(level, slack=slack * level.slack))


class _HeldBack:
    """A search around another; `rookery.api.Searcher` says what its methods do."""

    def __init__(self, searcher: Searcher) -> None:
        self._searcher = searcher

    def forget(self) -> None:
        self._searcher.forget()

    def stop(self) -> None:
        self._searcher.stop()


class Distracted(_HeldBack):
    """A search that now and then does not look: then it takes no time, and knows nothing of the value."""

    def __init__(self, searcher: Searcher, share: float) -> None:
        super().__init__(searcher)
        self._share = share

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        if rng.random() >= self._share:
            return self._searcher.search(view, limit, rng, on_info)
        moves = limit.only or view.moves()
        move = moves[int(rng.integers(len(moves)))]
        return SearchResult(move, (0.0,) * view.spec.sides, 0, pv=(move,))


class Hurried(_HeldBack):
    """A search that must do with a glance, and draws a move by the belief it then has."""

    def __init__(self, searcher: Searcher, level: Hasty) -> None:
        super().__init__(searcher)
        self._level = level

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        level = self._level
        nodes = min(limit.nodes or level.nodes, level.nodes)
        result = self._searcher.search(view, replace(limit, nodes=nodes), rng, on_info)
        if not level.temperature or not result.policy:
            return result
        most = max(result.policy.values())
        weights = {move: (share / most) ** (1 / level.temperature) for move, share in result.policy.items()}
        policy = _shares(weights)
        move = list(policy)[int(rng.choice(len(policy), p=list(policy.values())))]
        return replace(result, move=move, pv=result.pv if move == result.move else (move,), policy=policy)


class Weakened(_HeldBack):
    """A search that sees less and errs among the lines that it reports.

    A search that reports only its best move sees less, but never errs.
    """

    def __init__(self, searcher: Searcher, spec: GameSpec, level: Narrow) -> None:
        super().__init__(searcher)
        self._side_of = spec.side_of
        self._level = level

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        level = self._level
        seen: dict[int, Info] = {}

        def listen(info: Info) -> None:
            if info.rank == 1:
                seen.clear()  # A new round of lines: the old ones are seen less far.
            seen[info.rank] = info
            if info.rank <= limit.lines:
                on_info(info)

        result = self._searcher.search(
            view,
            replace(
                limit,
                nodes=min(limit.nodes or level.nodes, level.nodes),
                lines=max(limit.lines, _LINES if level.slack else 1),
            ),
            rng,
            listen,
        )
        infos = {info.pv[0]: info for info in seen.values() if info.pv}
        if not level.slack or len(infos) < 2:
            return result
        side = self._side_of[view.seat]
        return _err(result, infos, {move: info.value[side] for move, info in infos.items()}, level.slack, rng)


def _err(
    result: SearchResult,
    infos: Mapping[Move, Info],
    values: Mapping[Move, float],
    slack: float,
    rng: np.random.Generator,
) -> SearchResult:
    """Choose among the lines, the worse the less often."""
    best = max(values.values())
    policy = _shares({move: math.exp((value - best) / slack) for move, value in values.items()})
    chosen = infos[list(policy)[int(rng.choice(len(policy), p=list(policy.values())))]]
    return replace(result, move=chosen.pv[0], value=chosen.value, pv=chosen.pv, policy=policy)


def _shares(weights: Mapping[Move, float]) -> dict[Move, float]:
    """The same, summing to 1."""
    total = sum(weights.values())
    return {move: weight / total for move, weight in weights.items()}
