"""How strong the rivals are against each other, as docs/go.md says, within the error of the games."""

from math import sqrt

import pytest

from rookery import native
from rookery.games.go import Go

START = Go(5).start().native
RANDOM, NAIVE, GOJEN, WALLY = native.Random(), native.Naive(), native.Gojen(), native.Wally()

STRENGTHS = [
    (GOJEN, RANDOM, 0.997),
    (GOJEN, NAIVE, 0.905),
    (NAIVE, RANDOM, 0.935),
    (GOJEN, GOJEN, 0.467),
    (WALLY, NAIVE, 0.836),
    (GOJEN, WALLY, 0.648),
    (RANDOM, RANDOM, 0.4505),
]


def check(games: int, seed: int) -> None:
    for first, second, expected in STRENGTHS:
        duel = native.duel(first, second, START, games, seed)
        share = sum(duel.wins) / games
        # The expected figure was measured over 20,000 games, so it has an error too.
        error = sqrt(expected * (1 - expected) * (1 / games + 1 / 20_000))
        assert abs(share - expected) < 4 * error, (first, second, share)


def test_strengths():
    check(2_000, 5)


@pytest.mark.slow
def test_strengths_closely():
    check(200_000, 6)


def test_a_duel_is_the_same_for_the_same_seed_and_shared_by_colour():
    once, again = (native.duel(GOJEN, NAIVE, START, 101, 3) for _ in range(2))
    assert (once.wins, once.losses, once.plies) == (again.wins, again.losses, again.plies)
    assert list(once.games) == [51, 50]
    assert native.duel(GOJEN, NAIVE, START, 101, 4).plies != once.plies


def test_longer_duels_begin_with_the_shorter():
    short, long = (native.duel(NAIVE, RANDOM, START, games, 3) for games in (50, 51))
    assert long.games[0] - short.games[0] == 1 and 0 <= long.wins[0] - short.wins[0] <= 1
    assert long.wins[1] == short.wins[1]


@pytest.mark.parametrize("size", [7, 9])
def test_the_order_holds_on_larger_boards(size):
    start = Go(size).start().native
    assert sum(native.duel(NAIVE, RANDOM, start, 200, 1).wins) > 180
    assert sum(native.duel(GOJEN, NAIVE, start, 200, 1).wins) > 150
