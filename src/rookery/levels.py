"""Levels for people: any player but chance, held back.

A low level sees little and does not always take the best of what it sees, as people do. A player that counts
no nodes sees all that it ever sees, and is distracted now and then instead. A level is an option of the
player's name: `alphabeta:level=3+classical`, `sergeant:level=2`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rookery.errors import BadOption

if TYPE_CHECKING:
    import numpy as np

    from rookery.api import GameSpec, Info, Limit, Searcher, SearchResult, View


@dataclass(frozen=True)
class Level:
    """How much a player may see, and how often it errs."""

    nodes: int
    slack: float
    """How much worse a move may be, in value, and still be played about a third as often as the best."""
    distraction: float
    """How often one that counts no nodes plays any move at all."""


LEVELS = (
    Level(100, 0.30, 0.80),
    Level(500, 0.12, 0.65),
    Level(1_000, 0.085, 0.52),
    Level(1_700, 0.066, 0.40),
    Level(3_000, 0.05, 0.30),
    Level(5_500, 0.038, 0.22),
    Level(10_000, 0.029, 0.15),
    Level(20_000, 0.02, 0.09),
    Level(60_000, 0.01, 0.05),
    Level(300_000, 0.0, 0.02),
)
"""From 1 on, each stronger than the last. Without a level a player is as strong as it can be."""

MEASURED: dict[tuple[str, str], tuple[int, ...]] = {
    ("chess", "alphabeta+classical"): (461, 626, 785, 999, 1159, 1289, 1441, 1649, 1970, 2351),
}
"""The Elo of each level, rising, by the game and the player without options: what bench/levels.py found.

In chess the scale is that of Stockfish's UCI_Elo; elsewhere chance is 0."""

_LINES = 5
"""From how many moves one that errs chooses."""


def measured(game: str, player: str) -> tuple[int, ...]:
    """The Elo of a player's levels; nothing if nobody has measured it.

    >>> measured("chess", "alphabeta:hash=2+nobody")
    ()
    """
    thought, plus, known = player.partition("+")
    return MEASURED.get((game, thought.partition(":")[0] + plus + known), ())


def nearest(game: str, player: str, elo: int) -> int:
    """The level, counted from 1, whose Elo comes nearest."""
    table = measured(game, player)
    return 1 + min(range(len(table)), key=lambda place: abs(table[place] - elo))


def hold_back(searcher: Searcher, spec: GameSpec, number: int, counts_nodes: bool) -> Searcher:
    """The search at a level.

    Raises:
        BadOption: there is no such level.
    """
    if not 1 <= number <= len(LEVELS):
        raise BadOption(f"level={number} does not do; the levels are 1 to {len(LEVELS)}")
    level = LEVELS[number - 1]
    return Weakened(searcher, spec, level) if counts_nodes else Distracted(searcher, level)


class Distracted:
    """A search that now and then does not look; `rookery.api.Searcher` says what its methods do."""

    def __init__(self, searcher: Searcher, level: Level) -> None:
        self._searcher = searcher
        self._level = level

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        result = self._searcher.search(view, limit, rng, on_info)
        if rng.random() >= self._level.distraction:
            return result
        moves = limit.only or view.moves()
        return replace(result, move=moves[int(rng.integers(len(moves)))], pv=())

    def forget(self) -> None:
        self._searcher.forget()

    def stop(self) -> None:
        self._searcher.stop()


class Weakened:
    """A search at one of the levels; `rookery.api.Searcher` says what its methods do.

    It errs among the lines that the search reports; a search that reports only its best move sees less, but
    never errs.
    """

    def __init__(self, searcher: Searcher, spec: GameSpec, level: Level) -> None:
        self._searcher = searcher
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
        infos = [info for info in seen.values() if info.pv]
        if not level.slack or len(infos) < 2:
            return result
        side = self._side_of[view.seat]
        return _err(result, infos, [info.value[side] for info in infos], level.slack, rng)

    def forget(self) -> None:
        self._searcher.forget()

    def stop(self) -> None:
        self._searcher.stop()


def _err(
    result: SearchResult, infos: list[Info], values: list[float], slack: float, rng: np.random.Generator
) -> SearchResult:
    """Choose among the lines, the worse the less often."""
    best = max(values)
    weights = [math.exp((value - best) / slack) for value in values]
    shares = [weight / sum(weights) for weight in weights]
    chosen = infos[int(rng.choice(len(infos), p=shares))]
    policy = {info.pv[0]: share for info, share in zip(infos, shares, strict=True)}
    return replace(result, move=chosen.pv[0], value=chosen.value, pv=chosen.pv, policy=policy)
