"""Positions of all open games to search from, and numbers for them that follow no pattern."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rookery import games
from rookery.api import Evaluation, Game, Policy, PolicyEvaluator, State
from rookery.errors import BadPosition
from rookery.games.duchess import squares
from walks import walk

OPEN = [name for name in games.names() if not games.get(name).spec.hidden]


def places(name: str, count: int) -> Iterator[State]:
    """States of random games, and of Duchess with so few men that mates are near."""
    game = games.get(name)
    for seed in range(count):
        if name.startswith("duchess") and seed % 4:
            state = few_men(game, seed)
        else:
            *_, state = walk(game, seed, 3 + 11 * seed)
        if not state.outcome():
            yield state


def few_men(game: Game, seed: int) -> State:
    """One side is far stronger, and some of the other's seats are often mated."""
    rng = np.random.default_rng(seed)
    seats = game.spec.seats
    while True:
        names = iter(rng.permutation([square.name for square in squares(seats)]).tolist())
        strong = rng.integers(2)
        men = [
            " ".join(f"{kind}{next(names)}" for kind in ("KQDFRR" if seat % 2 == strong else "KP"))
            for seat in range(seats)
        ]
        try:
            state = game.start(f"{seats} t{1 + rng.integers(seats)} q0 | {' | '.join(men)}")
        except BadPosition:
            continue
        if not state.outcome():
            return state


def number(state: State) -> float:
    """In [-1, 1] for the seat to move, exact in a float, and the same for equal positions only."""
    return (_scramble(hash(state)) >> 50) / 2**13 - 1


def _scramble(x: int) -> int:
    return (x + 1) * 0x9E3779B97F4A7C15 % 2**64


class Numbers(PolicyEvaluator):
    """An evaluator that knows only those numbers; as a policy it likes some moves much better than others."""

    def __init__(self, game: Game) -> None:
        self.spec = game.spec
        self.asked: list[int] = []
        """How many states at a time."""

    def evaluate(self, states: list[State]) -> Evaluation:
        self.asked.append(len(states))
        value = np.zeros((len(states), 2), np.float32)
        shares = []
        for i, state in enumerate(states):
            side = self.spec.side_of[state.seat]
            value[i, side], value[i, 1 - side] = number(state), -number(state)
            moves = state.moves()
            weights = [2.0 ** (_scramble(hash(state) ^ _scramble(move)) >> 61) for move in moves]
            shares.append(np.array(weights) / sum(weights))
        return Evaluation(value, Policy.joined(shares))
