"""Our chess against python-chess: the same moves, text, checks and results at every ply."""

from collections import Counter

import pytest
from chess_twin import compare_game

# Few men, so that games end in every way that they can.
SPARSE = [
    "8/5k2/8/8/8/8/PP4K1/8 w - - 0 1",
    "8/5k2/3b4/8/8/2N5/6K1/8 w - - 0 1",
    "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "k7/7P/8/8/8/8/p7/7K b - - 0 1",
    "3qk3/8/8/8/8/8/8/3QK3 w - - 90 60",
]


def test_twenty_thousand_positions():
    plies, ends, seed = 0, Counter(), 0
    while plies < 20_000:
        fen = SPARSE[seed % 12] if seed % 12 < len(SPARSE) else None
        played, end = compare_game(seed, *([fen] if fen else []))
        plies, seed = plies + played, seed + 1
        ends[end] += 1
    assert set(ends) == {
        "checkmate",
        "stalemate",
        "insufficient material",
        "fifty moves",
        "threefold repetition",
    }


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_ten_thousand_games(chunk):
    for seed in range(chunk * 500, (chunk + 1) * 500):
        compare_game(1_000_000 + seed)
