"""Random games, ply for ply the same as the twin's."""

import random

import pytest

from rookery.games.go import Go, GoState

from .twin import Twin


def check(state: GoState, twin: Twin) -> None:
    stones = {twin.point(p): seat for seat in (0, 1) for p in state.stones(seat)}
    assert stones == twin.stones
    assert list(state.moves()) == twin.moves()
    assert (state.ko is None) == (twin.ko is None)
    assert state.ko is None or twin.point(state.ko) == twin.ko
    assert (state.seat, state.passes, list(state.captures)) == (twin.seat, twin.passes, twin.prisoners)
    outcome = state.outcome()
    assert (outcome is not None) == twin.over()
    if outcome:
        assert outcome.reason == ("passes" if twin.passes == 2 else "length")


def check_scores(state: GoState, twin: Twin) -> None:
    territory, area = twin.scores()
    assert (state.territory_score(), state.area_score()) == (territory, area)
    if not twin.benson:
        assert area - territory == twin.placed[0] - twin.placed[1]
    assert len(twin.stones) + sum(twin.prisoners) == sum(twin.placed)
    if outcome := state.outcome():
        score = state.score()
        assert outcome.winner == (None if score == 0 else 0 if score > 0 else 1)


def play(size: int, games: int, seed: int, ko: str = "simple", dead_stones: str = "none") -> None:
    rng = random.Random(seed)
    start = Go(size, ko=ko, dead_stones=dead_stones).start()
    for _ in range(games):
        state, twin = start, Twin(size, ko, dead_stones == "benson")
        check(state, twin)
        # Rarely passing makes full boards, captures and long fights; passing at will makes the usual games.
        eager = size < 10 and rng.random() < 0.3
        while moves := state.moves():
            move = rng.choice(moves[:-1] if eager and len(moves) > 1 and rng.random() < 0.9 else moves)
            state = state.play(move)
            twin.play(move)
            check(state, twin)
            if rng.random() < 0.1:
                check_scores(state, twin)
        check_scores(state, twin)


FAST = [(2, 300), (3, 200), (4, 150), (5, 300), (6, 20), (7, 15), (8, 5), (9, 4), (11, 2), (13, 1), (16, 1)]
SLOW = [
    (2, 500),
    (3, 500),
    (4, 700),
    (5, 8000),
    (6, 100),
    (7, 100),
    (8, 50),
    (9, 40),
    (12, 5),
    (15, 3),
    (19, 2),
]


@pytest.mark.parametrize(("size", "games"), FAST)
def test_games_agree(size: int, games: int) -> None:
    play(size, games, seed=size)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("size", "games"), SLOW)
def test_ten_thousand_games_agree(size: int, games: int) -> None:
    play(size, games, seed=1000 + size)


@pytest.mark.parametrize(("size", "games"), [(2, 40), (3, 40), (4, 20), (5, 20), (9, 1)])
def test_superko_games_agree(size: int, games: int) -> None:
    play(size, games, seed=2000 + size, ko="psk")


@pytest.mark.parametrize(("size", "games"), [(3, 40), (4, 40), (5, 100), (7, 10), (9, 3)])
def test_scores_without_dead_stones_agree(size: int, games: int) -> None:
    play(size, games, seed=3000 + size, dead_stones="benson")
