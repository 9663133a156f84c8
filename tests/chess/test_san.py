"""SAN, read and written natively, against python-chess; and what people write that is not quite SAN."""

import io
import os
from pathlib import Path

import chess
import chess.pgn
import pytest

from rookery.errors import BadNotation, IllegalMove
from rookery.games.chess import CHESS
from walks import walk

# Promotions with and without captures, castling, en passant, and men that must be told apart.
CROWDED = [
    None,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1n1n4/P1P1P3/8/k7/7K/8/p1p1p3/1N1N4 w - - 0 1",
    "7k/8/2Q1Q3/8/2Q1Q3/8/8/K7 w - - 0 1",
    "7k/8/2N1N3/1N3N2/8/1N3N2/2N1N3/7K w - - 0 1",
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
]


@pytest.mark.parametrize("start", CROWDED)
def test_every_move_is_written_and_read_like_python_chess(start):
    for seed in range(2):
        for state in walk(CHESS, seed, 60, start):
            board = chess.Board(str(state))
            texts = {move: board.san(chess.Move.from_uci(state.text(move))) for move in state.board_moves()}
            for move, san in texts.items():
                assert state.san(move) == san
                assert state.parse(san) == move
                assert state.parse(board.lan(chess.Move.from_uci(state.text(move)))) == move


@pytest.mark.parametrize(
    ("fen", "texts", "move"),
    [
        (None, ["e4", "e2e4", "e2-e4", "Pe4", "e4!", "e4?!", "e4+", "Pe2-e4"], "e2e4"),
        (None, ["Nf3", "Nf3+", "Nf3#", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "Nf3!!", "Nxf3"], "g1f3"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["O-O", "0-0", "o-o", "O-O+", "Kg1", "e1g1", "0-0!?"], "e1g1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", ["O-O-O", "0-0-0", "Kc1", "e1c1"], "e1c1"),
        (
            "8/4P2k/8/8/8/8/8/K7 w - - 0 1",
            ["e8=Q", "e8Q", "e8(Q)", "e8/Q", "e8=q", "e7e8q", "e7-e8=Q"],
            "e7e8q",
        ),
        ("3r4/2P4k/8/8/8/8/8/K7 w - - 0 1", ["cxd8=N", "cd8N", "c7xd8=N", "xd8=N", "c:d8=N"], "c7d8n"),
        # The Knight on c3 is pinned: only one can go to e4, and nobody need say which.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", ["Ne2", "Nge2"], "g1e2"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", ["dxe3", "d4e3"], "d4e3"),
    ],
)
def test_what_people_write(fen, texts, move):
    state = CHESS.start(fen)
    for text in texts:
        assert state.text(state.parse(text)) == move, text


@pytest.mark.parametrize(
    ("fen", "text", "error"),
    [
        (None, "Nd2", IllegalMove),
        (None, "O-O", IllegalMove),
        (None, "e5", IllegalMove),
        (None, "e4=Q", IllegalMove),
        ("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "e8", IllegalMove),
        ("8/4P2k/8/8/8/8/8/K7 w - - 0 1", "e8=K", BadNotation),
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", IllegalMove),  # a capture needs its file
        ("4k3/8/8/8/8/4K3/8/R6R w - - 0 1", "Rd1", BadNotation),
        (None, "", BadNotation),
        (None, "Nf9", BadNotation),
        (None, "O-O-O-O", BadNotation),
        (None, "N", BadNotation),
        (None, "éé4", BadNotation),
        (None, "--", BadNotation),
    ],
)
def test_what_is_no_move_here(fen, text, error):
    with pytest.raises(error):
        CHESS.start(fen).parse(text)


def test_san_of_an_illegal_move_is_refused():
    for move in (-1, 0, 10**9, CHESS.start().parse("e2e4") + 64):
        with pytest.raises((IllegalMove, TypeError)):
            CHESS.start().san(move)


@pytest.mark.slow
def test_every_move_of_an_archive():
    """ROOKERY_PGN=FILE, ROOKERY_GAMES=N: each move of the first N games, both ways."""
    path = os.environ.get("ROOKERY_PGN")
    if not path:
        pytest.skip("ROOKERY_PGN names no file")
    text = io.StringIO(Path(path).read_text(encoding="utf-8", errors="replace"))
    plies = games = 0
    for _ in range(int(os.environ.get("ROOKERY_GAMES", "1000"))):
        game = chess.pgn.read_game(text)
        if game is None:
            break
        board, state = game.board(), CHESS.start()
        for move in game.mainline_moves():
            san = board.san(move)
            number = state.parse(san)
            assert state.text(number) == move.uci()
            assert state.san(number) == san
            board.push(move)
            # A game may go on where our rules end it, since nobody claimed the draw.
            state = state.play(number) if state.moves() else CHESS.start(board.fen())
            plies += 1
        games += 1
    print(f"\n{games:,} games, {plies:,} moves both ways")
