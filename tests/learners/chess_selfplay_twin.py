"""The slow readable twin of native/learn/chess_selfplay.hpp: one game at a time, on states of
`rookery.games.chess`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any

import numpy as np
from zero_twin import Rng, mix

from rookery import native
from rookery.games.chess import CHESS

ABORTED = 2
NOT_LEARNT = -1.0
Opinion = Callable[[np.ndarray], np.ndarray]
"""Logits of a position by its planes."""


@dataclass
class Line:
    """Where a game begins."""

    moves: list[int]
    won: int


@dataclass
class Game:
    number: int
    start: int
    human: int
    end: int = 0
    moves: list[int] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)


def play(
    lines: Sequence[Line], seed: int, number: int, opinion: Opinion, max_plies: int, top: int, human: bool
) -> Game:
    rng = Rng(mix(seed ^ mix(number)))
    line = lines[rng.below(len(lines))]
    state = CHESS.start()
    for move in line.moves:
        state = state.play(move)
    states, plies, end = [state], 0, None
    while end is None:
        state = state.play(drawn(state, opinion, top, rng))
        states.append(state)
        plies += 1
        if outcome := state.outcome():
            end = round(outcome.values[0])
        elif plies == max_plies:
            end = ABORTED
    game = Game(number, len(line.moves), line.won, end, list(state.history()))
    state = CHESS.start()
    for ply, move in enumerate(game.moves):
        colour, choices = (1, -1)[state.seat], len(state.moves())
        if ply < game.start:
            worth = 1.0 if line.won else NOT_LEARNT
            game.rewards.append(NOT_LEARNT if choices == 1 else worth)
        else:
            game.rewards.append(reward(end, line.won if human else 0, colour, choices))
        state = state.play(move)
    return game


def drawn(state: Any, opinion: Opinion, top: int, rng: Rng) -> int:
    logits = opinion(native.chess_planes([state.native])[0])
    _, actions = native.chess_legal_actions([state.native])
    told = sorted(zip((-float(logits[a]) for a in actions), range(len(actions)), strict=True))
    chosen = [i for _, i in told[:top]] if 0 < top < len(actions) else list(range(len(actions)))
    most = max(float(logits[actions[i]]) for i in chosen)
    shares = np.cumsum([exp(float(logits[actions[i]]) - most) for i in chosen])
    chance = rng.uniform() * shares[-1]
    return state.moves()[chosen[next(i for i, upto in enumerate(shares) if chance < upto)]]


def reward(end: int, human: int, colour: int, choices: int) -> float:
    """Pelat's table, row by row."""
    if choices == 1:
        return NOT_LEARNT
    won, lost, drew = end == colour, end == -colour, end == 0
    if human == 0:
        return 1.0 if won else 1 / choices if drew else 0.0
    if won:
        return 1.0
    if drew and colour != human:
        return 1.0
    if lost and colour == human:
        return 0.0
    if lost:
        return NOT_LEARNT
    return 1 / choices  # drawn by the human winner, or aborted
