"""The solver's own board plays the game that the rules play."""

import random

from rookery import native
from rookery.games.go import Go, GoState


def fields(state: GoState) -> tuple[int, int, int, int]:
    black, white = (sum(1 << p for p in state.stones(seat)) for seat in (0, 1))
    return black, white, state.seat, -1 if state.ko is None else state.ko


def test_every_ply_of_random_games_is_the_same() -> None:
    rng = random.Random(1)
    kos = 0
    for _ in range(150):
        state = Go(5).start()
        while not state.outcome():
            assert native.solver_moves(*fields(state)) == list(state.moves())[:-1]
            move = rng.choice(state.moves())
            after = native.solver_play(*fields(state), move)
            state = state.play(move)
            black, white, _, ko = fields(state)
            assert after == (black, white, ko, state.area_score())
            kos += ko >= 0
    assert kos > 20
