"""TD(0) once more, as plainly as it can be said: float64, one layer after the other, every value anew."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rookery.games.go import Go, GoState

Array = NDArray[np.float64]


def encode(representation: str, state: GoState, seat: int, joined: tuple[float, float] = (0.2, 0.2)) -> Array:
    """The inputs of a network, in a seat's view."""
    board = np.zeros((5, 5))
    for side in (0, 1):
        for point in state.stones(side):
            board[divmod(point, 5)] = 1 if side == seat else -1
    if representation == "koten":
        return board.ravel()
    if representation == "katatsugi":
        wide = np.pad(board, 1)
        around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
        return (joined[0] * board + joined[1] * around).ravel()
    squares = [board[r : r + 3, c : c + 3].mean() for r in range(3) for c in range(3)]
    return np.array([*squares, board.mean()])


def folding(representation: str, joined: tuple[float, float]) -> Array:
    """The inputs, a row each, that single points of the board give."""
    empty = Go(5).start()
    return np.array([encode(representation, empty.play(point), 0, joined) for point in range(25)]).T


class Twin:
    """A network as a list of layers, each with a bias."""

    def __init__(
        self,
        representation: str,
        layers: dict[str, NDArray[np.float32]],
        joined: tuple[float, float] = (0.2, 0.2),
    ) -> None:
        self.representation, self.joined = representation, joined
        self.biased = "output_bias" in layers
        names = ["board", *(["middle"] if "middle" in layers else []), "output"]
        self.weights = [layers[name].astype(np.float64) for name in names]
        # Weights for inputs that are these over the points; of several the smallest.
        self.weights[0] = self.weights[0] @ np.linalg.pinv(folding(representation, joined))
        self.biases = [
            layers[f"{name}_bias"].astype(np.float64).ravel() if self.biased else np.zeros(len(matrix))
            for name, matrix in zip(names, self.weights, strict=True)
        ]

    def forward(self, inputs: Array) -> list[Array]:
        """What each layer gives, the inputs first."""
        given = [inputs]
        for i, (matrix, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            sums = matrix @ given[-1] + bias
            given.append(sums if i == len(self.weights) - 1 else 1 / (1 + np.exp(-np.clip(sums, -700, 700))))
        return given

    def value(self, state: GoState, seat: int) -> float:
        return float(self.forward(self.encode(state, seat))[-1][0])

    def encode(self, state: GoState, seat: int) -> Array:
        return encode(self.representation, state, seat, self.joined)

    def values(self, state: GoState) -> dict[int, float]:
        """Of every move, in the view of who makes it."""
        return {move: self.value(state.play(move), state.seat) for move in state.moves()}

    def step(self, inputs: Array, target: float, eta: float, eta_input: float) -> None:
        given = self.forward(inputs)
        delta = np.array([target - given[-1][0]])
        for i in reversed(range(len(self.weights))):
            rate = eta_input if i == 0 else eta
            below = (self.weights[i].T @ delta) * given[i] * (1 - given[i])
            self.weights[i] = self.weights[i] + rate * np.outer(delta, given[i])
            if self.biased:
                self.biases[i] = self.biases[i] + rate * delta
            delta = below

    def learn(
        self,
        start: GoState,
        moves: Sequence[int],
        random: Sequence[bool],
        *,
        skip: str = "t+1|t+2",
        target: str = "selected",
        tie_reward: float = 0.5,
        difference: str = "t+2",
        rewards: str = "both",
        eta: float = 0.01,
        eta_input: float = 0.01,
    ) -> None:
        """All updates of a game."""
        rules = {"t": 0, "t+1": 1, "t+2": 2}
        looked_at = {"any": ["t", "t+1", "t+2"], "none": []}.get(skip, skip.split("|"))
        state, reached = start, []
        for t, move in enumerate(moves):
            best = max(self.values(state).values()) if target == "best" else 0.0
            before, seat, state = state, state.seat, state.play(move)
            seen = self.value(state, seat) if target == "selected" else best
            reached.append((self.encode(state, seat), seat))
            if difference == "t+2":
                if t >= 2 and not any(random[t - 2 + rules[word]] for word in looked_at):
                    self.step(reached[t - 2][0], seen, eta, eta_input)
            elif t >= 1:
                # The move that makes the board of the target stands for the last, and none lies between.
                drawn = {"t": random[t - 1], "t+1": False, "t+2": random[t]}
                if not any(drawn[word] for word in looked_at):
                    inputs = reached[t - 1][0] if difference == "t+1" else self.encode(before, seat)
                    self.step(inputs, 1 - seen if difference == "t+1" else seen, eta, eta_input)
        score = state.score()
        for inputs, seat in reversed(reached[-2:] if rewards == "both" else reached[-1:]):
            reward = tie_reward if score == 0 else float((score > 0) == (seat == 0))
            self.step(inputs, reward, eta, eta_input)

    def board(self) -> Array:
        """The first layer over the points."""
        return self.weights[0] @ folding(self.representation, self.joined)
