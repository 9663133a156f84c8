"""What moves lose, by the rating of who moves: those played, and those that knowledge draws.

An engine says what a position is worth before a move and after it, in centipawns to the mover, at most
`_MOST` either way: who is lost already loses no more. A move that the engine would play loses nothing. Told
are the mean loss and the share of blunders, moves that lose `LOSS` or more.

What knowledge draws is told by expectation: each move that it finds likely counts for its share, and one of
the others, drawn by chance, for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rookery.api import Info, Limit, Move, PolicyEvaluator, State, Thinker
from rookery.evaluators import sound
from rookery.examine.clusters import Mean, means
from rookery.examine.judges import Advance
from rookery.examine.moves import Task
from rookery.examine.positions import Band, spell, within
from rookery.seeds import generator

LOSS = 200
"""Centipawns that a blunder loses."""
RATINGS: tuple[Band, ...] = (
    (1, 1399), (1400, 1599), (1600, 1799), (1800, 1999), (2000, 2199), (2200, 2399), (2400, None),
)  # fmt: skip
_MOST = 1000
_LIKELY = 0.02
"""The least share of a move that is looked at for certain."""


@dataclass(frozen=True)
class Rates:
    """Shares of blunders, and mean losses in centipawns."""

    positions: int
    played: Mean
    drawn: Mean
    """By knowledge."""
    difference: Mean
    """Drawn less played: both are of the same positions."""
    played_loss: Mean
    drawn_loss: Mean


def measure(
    task: Task,
    knowledge: Callable[[int], PolicyEvaluator],
    engine: Thinker,
    seed: int,
    advance: Advance = lambda count: None,
) -> Mapping[str, Rates]:
    """By bands of the mover's rating. knowledge: what is asked for the moves of somebody of a rating."""
    chance = generator(seed, "examine", "blunders")
    found = np.zeros((len(task.positions), 5))
    for number, state in enumerate(task.positions.states):
        played, moves = int(task.played[number]), state.moves()
        shares = sound.policy(knowledge(int(task.ratings[number])), [state]).of(0).astype(np.float64)
        total = shares.sum()
        shares = shares / total if total > 0 else np.full(len(moves), 1 / len(moves))
        weights = {moves[at]: share for at, share in _weights(shares, chance).items()}
        worth, best = _worth(engine, state)
        loss = {
            move: 0.0 if move == best else max(0.0, worth - _after(engine, state, move))
            for move in {played, *weights}
        }
        blunders = {move: float(lost >= LOSS) for move, lost in loss.items()}
        drawn, drawn_loss = (
            sum(share * of[move] for move, share in weights.items()) for of in (blunders, loss)
        )
        found[number] = blunders[played], drawn, drawn - blunders[played], loss[played], drawn_loss
        advance(1)
    return {
        spell(band): _rates(found[fits], task.positions.games[fits])
        for band in RATINGS
        if (fits := within(task.ratings, band)).any()
    }


def _weights(shares: NDArray[np.float64], chance: np.random.Generator) -> dict[int, float]:
    """How much each move counts, by its place, so that a weighted sum has the right mean."""
    likely = shares >= _LIKELY
    weights = {int(at): float(shares[at]) for at in np.flatnonzero(likely)}
    rest = np.where(likely, 0.0, shares)
    if (total := float(rest.sum())) > 0:
        weights[int(chance.choice(len(rest), p=rest / total))] = total
    return weights


def _rates(columns: NDArray[np.float64], games: NDArray[np.uint32]) -> Rates:
    return Rates(len(columns), *means(columns, games))


def _worth(engine: Thinker, state: State) -> tuple[float, Move]:
    """To the seat to move, and the best move."""
    last: list[Info] = []
    engine.start(state.spec, state.seat, 0)
    result = engine.think(state.view(state.seat), Limit(), last.append)
    told = last[-1] if last else None
    if told is None or (told.score is None and told.wins_in is None):
        value = result.value[state.spec.side_of[state.seat]]
        return float(np.clip(400 * np.arctanh(np.clip(value, -0.999, 0.999)), -_MOST, _MOST)), result.move
    if told.wins_in is not None:
        return (_MOST if told.wins_in > 0 else -_MOST), result.move
    assert told.score is not None
    return float(np.clip(told.score, -_MOST, _MOST)), result.move


def _after(engine: Thinker, state: State, move: Move) -> float:
    """To the seat that makes the move."""
    after = state.play(move)
    if over := after.outcome():
        return _MOST * over.values[state.spec.side_of[state.seat]]
    return -_worth(engine, after)[0]
