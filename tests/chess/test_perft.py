"""Counts that are published for these positions and on which all correct generators agree."""

import pytest

from rookery import games

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
COUNTS = [
    (START, [20, 400, 8902, 197281, 4865609, 119060324]),
    (KIWIPETE, [48, 2039, 97862, 4085603, 193690690]),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2812, 43238, 674624, 11030083]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", [6, 264, 9467, 422333, 15833292]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", [44, 1486, 62379, 2103487, 89941194]),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2079, 89890, 3894594, 164075551],
    ),
    # En passant that opens a rank, a diagonal; castling that gives or stops check; promotion with check.
    ("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", [18, 92, 1670, 10138, 185429, 1134888]),
    ("8/8/4k3/8/2p5/8/B2P1K2/8 w - - 0 1", [13, 102, 1284, 10375, 138886, 1038514]),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", [15, 66, 1198, 6399, 120330, 661072]),
    ("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", [44, 1494, 50509, 1720476]),
    ("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", [11, 133, 1442, 19174, 266199, 3821001]),
    ("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", [10, 25, 268, 926, 10857, 43261, 567584]),
]


@pytest.mark.parametrize(("fen", "counts"), COUNTS)
def test_perft(fen, counts):
    state = games.get("chess").start(fen)
    assert [state.native.perft(depth) for depth in range(1, len(counts) + 1)] == counts
