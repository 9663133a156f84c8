"""Positions and moves in words, and what is said of bad ones."""

import chess
import numpy as np
import pytest

from rookery import games
from rookery.errors import BadNotation, BadPosition, GameError, IllegalMove
from rookery.games.chess import CHESS, read_epd, write_epd
from walks import walk

BAD_FENS = {
    "8/8/8/8/8/8/8 w - - 0 1": "8 ranks of 8",
    "8/8/8/8/8/8/8/8/8 w - - 0 1": "too many ranks",
    "4k3/9/8/8/8/8/8/4K3 w - - 0 1": "'9' is no piece",
    "4k3/pppppppp1/8/8/8/8/8/4K3 w - - 0 1": "rank 7 has more than 8",
    "4k3/8/8/8/8/8/8/8 w - - 0 1": "White must have exactly one king (got 0)",
    "4kk2/8/8/8/8/8/8/4K3 w - - 0 1": "Black must have exactly one king (got 2)",
    "4k2P/8/8/8/8/8/8/4K3 w - - 0 1": "a pawn stands on h8",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1": "left its king in check",
    "4k3/8/8/8/8/8/8/4K3 x - - 0 1": "must be w or b (got 'x')",
    "4k3/8/8/8/8/8/8/4K3 w XK - 0 1": "KQkq",
    "4k3/8/8/8/8/8/8/4K3 w K - 0 1": "'K' needs the king",
    "4k3/8/8/8/8/8/8/4K3 w - e3 0 1": "rank 6",
    "4k3/8/8/8/8/8/8/4K3 w - e6 0 1": "no pawn has just passed",
    "4k3/8/8/8/8/8/8/4K3 w - - -1 1": "halfmove clock '-1'",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 0": "move number '0'",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x": "not 7",
    "QQQQQQQQ/QQQQ3k/8/8/8/8/8/4K3 b - - 0 1": "more pieces than",
}


@pytest.mark.parametrize(("fen", "words"), BAD_FENS.items())
def test_bad_fen_is_quoted_and_explained(fen, words):
    with pytest.raises(BadPosition) as error:
        CHESS.start(fen)
    assert words in str(error.value)
    assert fen in str(error.value)
    assert "\n" not in str(error.value)


def test_first_four_fields_do():
    assert str(CHESS.start("4k3/8/8/8/8/8/8/4K3 b - -")) == "4k3/8/8/8/8/8/8/4K3 b - - 0 1"


def test_en_passant_square_stands_only_where_it_can_be_taken():
    after = CHESS.start().play(CHESS.start().parse("e2e4"))
    assert str(after).split()[3] == "-"
    assert str(CHESS.start("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")).split()[3] == "e3"
    # Taking would open the fourth rank to the King.
    assert str(CHESS.start("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1")).split()[3] == "-"


def test_san_reads_and_writes_like_python_chess():
    for seed in range(3):
        for state in walk(CHESS, seed, 80):
            board = chess.Board(str(state))
            for move in state.moves()[::4]:
                san = board.san(chess.Move.from_uci(state.text(move)))
                assert state.san(move) == san
                assert state.parse(san) == move


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("e2e5", IllegalMove),
        ("Nd4", IllegalMove),
        ("e9e4", BadNotation),
        ("hello", BadNotation),
        ("e7e8x", BadNotation),
    ],
)
def test_bad_moves(text, error):
    with pytest.raises(error, match=text):
        CHESS.start().parse(text)


def test_ambiguous_san_asks_for_the_square():
    with pytest.raises(BadNotation, match="comes from"):
        CHESS.start("4k3/8/8/8/8/4K3/8/R6R w - - 0 1").parse("Rd1")


def test_epd_round_trips():
    line = 'r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id "mate";'
    state, operations = read_epd(line)
    assert operations == {"bm": ["h5f7"], "id": "mate"}
    assert write_epd(state, operations) == line
    with pytest.raises(BadPosition):
        read_epd("rubbish bm e4;")


@pytest.mark.parametrize("name", ["chess", "kriegspiel"])
def test_mutated_text_is_read_or_refused(name):
    """Whatever the text, there is a state or one clear line; what was read can be written and read again."""
    rng = np.random.default_rng(5)
    game = games.get(name)
    alphabet = "pnbrqkPNBRQK12345678/ wb-KQkqae36 0129xé\x00"
    fens = [str(state) for seed in range(5) for state in walk(game, seed, 60)]
    for _ in range(6000):
        text = list(fens[rng.integers(len(fens))])
        for _ in range(rng.integers(1, 4)):
            at = rng.integers(len(text) + 1)
            text[at : at + rng.integers(0, 2)] = alphabet[rng.integers(len(alphabet))]
        try:
            state = game.start("".join(text))
        except GameError as error:
            assert "\n" not in str(error)
        else:
            assert game.start(str(state)) == state
            state.moves()


@pytest.mark.parametrize("name", ["chess", "kriegspiel"])
def test_mutated_moves_are_read_or_refused(name):
    rng = np.random.default_rng(6)
    alphabet = "abcdefgh12345678qnrbkxNO-+#= é\x00"
    for state in walk(games.get(name), 1, 30):
        for _ in range(100):
            text = "".join(alphabet[i] for i in rng.integers(len(alphabet), size=rng.integers(0, 7)))
            try:
                move = state.parse(text)
            except GameError as error:
                assert "\n" not in str(error)
            else:
                state.play(move)
