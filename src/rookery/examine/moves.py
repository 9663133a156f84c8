"""How well does knowledge predict the moves that people, or programs, played?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.api import PolicyEvaluator
from rookery.errors import RookeryError
from rookery.evaluators import sound
from rookery.examine.clusters import Mean, means
from rookery.examine.judges import Advance
from rookery.examine.positions import MATERIAL, RATINGS, Band, Positions, replay, spell, within
from rookery.records.sampling import HeldOut, Rule, Sampler
from rookery.records.store import Store
from rookery.seeds import generator

_CHUNK = 256
_LEAST = 1e-9
"""No move is taken to be less likely."""
PLIES: tuple[Band, ...] = ((0, 9), (10, 29), (30, 49), (50, 79), (80, None))


@dataclass(frozen=True)
class Task:
    """Positions with the move that was played there, and the rating of who played it."""

    positions: Positions
    played: NDArray[np.uint16]
    ratings: NDArray[np.int16]
    """0: unknown."""


@dataclass(frozen=True)
class Score:
    """How well some moves are predicted."""

    positions: int
    top1: Mean
    top3: Mean
    cross_entropy: Mean


@dataclass(frozen=True)
class Result:
    """All positions, and parts of them."""

    all: Score
    by_ply: Mapping[str, Score]
    by_material: Mapping[str, Score]
    by_rating: Mapping[str, Score]


def draw(
    store: Store,
    split: HeldOut | None,
    count: int,
    seed: int,
    threads: int,
    bands: Sequence[Band] = (),
) -> Task:
    """So many positions of any games, drawn or won, from the first move on.

    bands: of the mover's rating, from which equally many are drawn, as far as there are any.

    Raises:
        RookeryError: there are none.
    """
    sampler = Sampler(store, Rule(first_ply=0, quiet=False, seed=seed), threads)
    sample = sampler.every(decided=False) if split is None else sampler.held_out(split, decided=False)
    if not len(sample):
        raise RookeryError("these games hold no positions to examine; name others")
    chosen = generator(seed, "examine", "moves").permutation(len(sample))
    if bands:
        games = sample.games[chosen]
        ratings = store.elos[games, (sample.plies[chosen] + _black_first(store, games)) % 2]
        each = max(1, count // len(bands))
        chosen = np.concatenate([chosen[np.flatnonzero(within(ratings, band))[:each]] for band in bands])
        if not len(chosen):
            raise RookeryError("these games give no ratings of the players; name others that do")
    else:
        chosen = chosen[:count]
    games, plies = sample.games[chosen], sample.plies[chosen]
    order = np.lexsort((plies, games))
    games, plies = games[order], plies[order]
    positions = replay(store, games, plies)
    if not len(positions):
        raise RookeryError("nobody could be mated any more in the positions that were drawn; draw more")
    games, plies = positions.games, positions.plies
    mover = np.array([state.seat for state in positions.states])
    return Task(positions, np.asarray(store.native.moves(games, plies, threads)), store.elos[games, mover])


def _black_first(store: Store, games: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Whether Black makes the first move of each game: it may begin from a position of its own."""
    own = np.unique(games[store.set_up[games]])
    black = [number for number in own.tolist() if (store.native.start(number) or "").split()[1:2] == ["b"]]
    return np.isin(games, black)


def measure(
    task: Task, knowledge: Callable[[int], PolicyEvaluator], advance: Advance = lambda count: None
) -> Result:
    """How well knowledge predicts the moves. knowledge: what is asked for those of somebody of a rating."""
    columns = np.zeros((len(task.positions), 3))
    asked: dict[int, tuple[PolicyEvaluator, list[int]]] = {}
    for row, rating in enumerate(task.ratings.tolist()):
        known = knowledge(rating)
        asked.setdefault(id(known), (known, []))[1].append(row)
    for known, all_rows in asked.values():
        for start in range(0, len(all_rows), _CHUNK):
            rows = all_rows[start : start + _CHUNK]
            states = [task.positions.states[row] for row in rows]
            policy = sound.policy(known, states)
            for place, (row, state) in enumerate(zip(rows, states, strict=True)):
                columns[row] = _predicted(policy.of(place), state.moves().index(int(task.played[row])))
            advance(len(rows))
    games = task.positions.games

    def part(values: NDArray[Any], bands: tuple[Band, ...]) -> dict[str, Score]:
        found = {}
        for band in bands:
            if (fits := within(values, band)).any():
                found[spell(band)] = _score(columns[fits], games[fits])
        return found

    return Result(
        _score(columns, games),
        part(task.positions.plies, PLIES),
        part(np.abs(task.positions.material), MATERIAL),
        part(task.ratings, RATINGS),
    )


def _predicted(shares: NDArray[np.float32], played: int) -> tuple[float, float, float]:
    """Whether the move is the likeliest, is among the three likeliest, and the surprise at it.

    `played` says which of the moves it is. Moves that are as likely share the places that they would have in
    any order.
    """
    share = shares.astype(np.float64)
    own = float(share[played])
    above, equal = int((share > own).sum()), int((share == own).sum())
    top1, top3 = (min(1.0, max(0.0, (top - above) / equal)) for top in (1, 3))
    total = share.sum()
    return top1, top3, -np.log(max(own / total if total > 0 else 1 / len(share), _LEAST))


def _score(columns: NDArray[np.float64], games: NDArray[np.uint32]) -> Score:
    return Score(len(columns), *means(columns, games))
