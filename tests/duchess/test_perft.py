"""Leaves of the move tree from the start: to depth 5 by an independent generator, the sixth by the twin."""

import pytest
from duchess_twin import Twin

from rookery import games

COUNTS = {"duchess4": [8, 64, 608, 5_776, 102_120, 1_745_752], "duchess6": [8, 64, 608, 5_776, 65_360]}


@pytest.mark.parametrize(("name", "counts"), COUNTS.items())
def test_perft(name, counts):
    start = games.get(name).start().native
    assert [start.perft(depth) for depth in range(1, len(counts) + 1)] == counts
    assert start.perft(0) == 1


def twin_perft(twin, depth):
    moves = twin.moves()
    if depth == 1:
        return len(moves)
    return sum(twin_perft(twin.play(move), depth - 1) for move in moves)


@pytest.mark.parametrize("players", [4, 6])
def test_twin_counts_the_same(players):
    assert twin_perft(Twin.start(players), 4) == COUNTS[f"duchess{players}"][3]


@pytest.mark.slow
def test_twin_counts_the_same_one_deeper():
    assert twin_perft(Twin.start(4), 6) == COUNTS["duchess4"][5]


def test_perft_is_the_number_of_lines_played():
    """Counting the last ply agrees with playing it, through promotions, passes and won games."""
    for text in (
        "4 t1 q0 | K1c1 W1b1 P1a1 | K2c1 | K4c1 W4c6 | K5c1",
        "4 t2 q0 | K1e1 Q2b2 R2b4 | K2a1 P2e3 | K4e1 | K5e1 N2d4",
        "4 t1 q0 | K1e1 Q2c2 R2b4 | K2a1 P2e3 | K4e1 Q5b2 R5b4 | K5a1 N5e3",
    ):
        state = games.get("duchess4").start(text)

        def lines(state, depth):
            if depth == 0:
                return 1
            return sum(lines(state.play(move), depth - 1) for move in state.board_moves())

        assert state.native.perft(3) == lines(state, 3)
