"""Stones that stand where their owner can never live are taken off before the count, if asked for."""

import random

import pytest

from rookery.games.go import Go

from .positions import board, walk
from .twin import Twin, secure


def scores(rows: str, dead_stones: str) -> tuple[int, int]:
    state = Go(len(rows.split()), dead_stones=dead_stones).start(board(rows))
    return state.territory_score(), state.area_score()


def test_a_stone_in_an_eye_is_dead() -> None:
    rows = "..... ..O.. ..... XXXXX O.X.X"
    assert scores(rows, "none") == (1, 6)
    assert scores(rows, "benson") == (4, 9)


def test_one_eye_is_not_enough() -> None:
    rows = "..... ..O.. ..... XXXXX O.XXX"
    assert scores(rows, "benson") == scores(rows, "none")


def room(width: int) -> str:
    """White stones along the middle of a room three points high, in a black wall with an eye of its own."""
    rows = [
        "XXXXXXXXX",
        "X" + "." * width + "X" * (8 - width),
        "X." + "O" * (width - 2) + ".X" + "X" * (7 - width),
        "X" + "." * width + "X" * (8 - width),
        "XXXXXXXXX",
        "X.X......",
        "XXX......",
        ".........",
        ".........",
    ]
    return " ".join(rows)


@pytest.mark.parametrize(("width", "dead"), [(3, 1), (4, 2), (5, 0)])
def test_two_eyes_need_two_points_apart(width: int, dead: int) -> None:
    """A room with three points off the wall may still hold two eyes."""
    assert scores(room(width), "benson")[0] - scores(room(width), "none")[0] == (
        (2 * dead + 2 * width + 2) if dead else 0
    )


@pytest.mark.parametrize("size", [4, 5, 6])
def test_secure_means_secure(size: int) -> None:
    """However often the opponent moves while the owner only passes, it takes no living chain, and never
    lives where it is held to be dead."""
    rng = random.Random(size)
    found = 0
    for state in walk(Go(size), 60, seed=size):
        if state.outcome() is None:
            continue
        for owner in (0, 1):
            twin = Twin(size)
            twin.stones = {twin.point(p): seat for seat in (0, 1) for p in state.stones(seat)}
            living, held = secure(twin.stones, owner, size)
            found += bool(living)
            for _ in range(40 if living else 0):
                twin.seat, twin.ko, twin.passes, twin.ply = 1 - owner, None, 0, 0
                points = twin.moves()[:-1]
                if not points:
                    break
                twin.play(rng.choice(points))
                assert all(twin.stones.get(point) == owner for point in living)
                assert not held & secure(twin.stones, 1 - owner, size)[0]
    assert found > 5
