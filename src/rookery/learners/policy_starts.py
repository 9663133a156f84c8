"""Where games of self-play begin: positions of recorded games that were won, half of them by White (Pelat,
section 4.3), or of random play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import games, native
from rookery.errors import BadOption
from rookery.records import splits
from rookery.records.store import Store

Lines = tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.int8]]
"""Moves of lines from the first position, one line after the other; where each begins, and where the last
ends; who won the game: 1 White, -1 Black, 0 for nobody that is known."""


def first_position() -> Lines:
    """The position that games of chess begin in."""
    return np.zeros(0, np.uint16), np.zeros(2, np.int64), np.zeros(1, np.int8)


def of_stores(
    stores: Sequence[Store], count: int, rng: np.random.Generator, threads: int, split_seed: int
) -> Lines:
    """Random positions of random games to learn from, every game and every ply of it as likely as any other.

    split_seed: of what is held out: people's moves up to a start are learnt.

    Raises:
        BadOption: no game was won by one of the colours.
    """
    chosen: list[tuple[int, int, int, int]] = []  # store, game, ply, who won
    for won in (1, -1):
        where = [_won(store, won, split_seed) for store in stores]
        total = sum(len(each) for each in where)
        if not total:
            colour = "White" if won > 0 else "Black"
            raise BadOption(
                f"the stores have no game to learn from that {colour} won from the usual first position"
            )
        ends = np.cumsum([len(each) for each in where])
        for number in rng.integers(total, size=(count + (won > 0)) // 2).tolist():
            at = int(np.searchsorted(ends, number, side="right"))
            game = int(where[at][number - int(ends[at])])
            chosen.append((at, game, int(rng.integers(stores[at].plies[game])), won))
    chosen.sort()
    plies = np.array([ply for _, _, ply, _ in chosen], np.int64)
    moves = []
    for number, store in enumerate(stores):
        mine = [(game, ply) for at, game, ply, _ in chosen if at == number]
        lengths = np.array([ply for _, ply in mine], np.int64)
        every = np.repeat(np.array([game for game, _ in mine], np.uint32), lengths)
        steps = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        moves.append(store.native.moves(every, steps.astype(np.uint16), threads))
    winners = np.array([each for *_, each in chosen], np.int8)
    return np.concatenate(moves), np.concatenate([[0], np.cumsum(plies)]), winners


def of_random_play(count: int, most: int, rng: np.random.Generator) -> Lines:
    """After so many random moves at most."""
    first: Any = games.get("chess").start()
    moves: list[int] = []
    begins = [0]
    for plies in rng.integers(most + 1, size=count).tolist():
        state, line = first, list[int]()
        while len(line) < plies and not state.outcome():
            legal = state.moves()
            line.append(legal[int(rng.integers(len(legal)))])
            state = state.play(line[-1])
        moves += line
        begins.append(len(moves))
    return np.array(moves, np.uint16), np.array(begins, np.int64), np.zeros(count, np.int8)


def made(lines: Lines, workers: Any) -> Any:
    """For native code; positions in which a game is over are left out."""
    return native.ChessStarts(*lines, workers)


def _won(store: Store, won: int, split_seed: int) -> NDArray[np.uint32]:
    games = splits.split(store, split_seed).train
    return games[(store.results[games] == won) & ~store.set_up[games] & (store.plies[games] > 0)]
