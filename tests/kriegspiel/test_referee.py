"""The referee's words: case by case, and against a slow referee over whole games."""

from collections import Counter

import chess
import numpy as np
import pytest
from referee_twin import Referee

from rookery.errors import BadNotation, BadPosition, IllegalMove
from rookery.games.kriegspiel import KRIEGSPIEL, Heard

# id: position, then tries with what the trier and the other seat hear; "" = nothing.
CASES = {
    "nonsense is just illegal, then a silent move": (
        chess.STARTING_FEN,
        [
            ("e2e5", "ILLEGAL e2e5", ""),
            (
                "e2e4",
                "OK e2e4 cap=- chk=- tries=0 turn=b end=-",
                "OPP cap=- chk=- tries=0 turn=b end=-",
            ),
        ],
    ),
    "a wrong pawn try, then a pawn captured": (
        "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        [("e4f5", "ILLEGAL e4f5", ""), ("e4d5", "OK e4d5 cap=p@d5 chk=- tries=0 turn=b end=-", None)],
    ),
    "both hear two tries": (
        "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/7N/PPPP1PPP/RNBQKB1R b KQkq - 1 3",
        [("g8f6", "OK g8f6 cap=- chk=- tries=2 turn=w end=-", None)],
    ),
    "en passant is a try, and its victim is named where it stood": (
        "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1",
        [
            ("d7d5", "OK d7d5 cap=- chk=- tries=1 turn=w end=-", None),
            ("e5d6", "OK e5d6 cap=p@d5 chk=- tries=0 turn=b end=-", None),
        ],
    ),
    "en passant that opens the rank is no try": (
        "8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1",
        [("d7d5", "OK d7d5 cap=- chk=- tries=0 turn=w end=-", None), ("e5d6", "ILLEGAL e5d6", "")],
    ),
    "en passant that opens a diagonal is no try": (
        "4k3/3p4/5b2/4P3/3K4/8/8/8 b - - 0 1",
        [("d7d5", "OK d7d5 cap=- chk=- tries=1 turn=w end=-", None), ("e5d6", "ILLEGAL e5d6", "")],
    ),
    "a pinned pawn may take its pinner": (
        "4k3/8/8/8/1b6/8/3P4/4K3 b - - 0 1",
        [
            ("b4c3", "OK b4c3 cap=- chk=- tries=1 turn=w end=-", None),
            ("d2c3", "OK d2c3 cap=P@c3 chk=- tries=0 turn=b end=-", None),
        ],
    ),
    "a pinned pawn may not take another": (
        "4k3/8/8/8/1b6/4n3/3P4/4K3 b - - 0 1",
        [("e8e7", "OK e8e7 cap=- chk=- tries=0 turn=w end=-", None), ("d2e3", "ILLEGAL d2e3", "")],
    ),
    "a pawn checks along a diagonal": (
        "4k3/8/8/8/8/3p4/8/4K3 b - - 0 1",
        [("d3d2", "OK d3d2 cap=- chk=L tries=0 turn=w end=-", None)],
    ),
    "short diagonal and mate": (
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq g3 0 2",
        [("d8h4", "OK d8h4 cap=- chk=S tries=0 turn=w end=mate", None)],
    ),
    "long diagonal of d1": (
        "4k3/8/8/8/7q/8/8/3K4 b - - 0 1",
        [("h4g4", "OK h4g4 cap=- chk=L tries=0 turn=w end=-", None)],
    ),
    "double check": (
        "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1",
        [("e4f6", "OK e4f6 cap=- chk=F+N tries=0 turn=b end=-", None)],
    ),
    "tries in check are those that end it": (
        "4k3/8/8/6n1/8/3p4/4P1P1/4K3 b - - 0 1",
        [("g5f3", "OK g5f3 cap=- chk=N tries=2 turn=w end=-", None), ("e2d3", "ILLEGAL e2d3", "")],
    ),
    "castling is silent, its check is not": (
        "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
        [("e1g1", "OK e1g1 cap=- chk=F tries=0 turn=b end=-", None)],
    ),
    "castling through an attacked square": (
        "4kr2/8/8/8/8/8/8/4K2R w K - 0 1",
        [("e1g1", "ILLEGAL e1g1", "")],
    ),
    "a King onto its own Rook is no castling": (
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        [("e1h1", "ILLEGAL e1h1", "")],
    ),
    "castling past an attacked b1": (
        "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
        [("e1c1", "OK e1c1 cap=- chk=- tries=0 turn=b end=-", None)],
    ),
    "promotion is not announced": (
        "2k5/P7/8/8/8/8/8/K7 w - - 0 1",
        [("a7a8q", "OK a7a8q cap=- chk=R tries=0 turn=b end=-", None)],
    ),
    "promotion by capture is one try, a promoted man is a piece": (
        "1r2k3/P7/8/8/8/8/8/K7 b - - 0 1",
        [
            ("e8f8", "OK e8f8 cap=- chk=- tries=1 turn=w end=-", None),
            ("a7a8q", "OK a7a8q cap=- chk=- tries=0 turn=b end=-", None),
            ("b8a8", "OK b8a8 cap=P@a8 chk=F tries=0 turn=w end=-", None),
        ],
    ),
    "kings keep apart": (
        "8/8/8/3k4/8/3K4/8/R7 w - - 0 1",
        [("d3d4", "ILLEGAL d3d4", ""), ("d3c4", "ILLEGAL d3c4", "")],
    ),
    "stalemate": (
        "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1",
        [("g5g6", "OK g5g6 cap=- chk=- tries=0 turn=b end=stale", None)],
    ),
    "neither can mate": (
        "8/8/8/8/3k4/4R3/8/K7 b - - 0 1",
        [("d4e3", "OK d4e3 cap=P@e3 chk=- tries=0 turn=w end=material", None)],
    ),
    "mate beats the fifty moves": (
        "7k/8/6K1/8/8/8/8/R7 w - - 99 80",
        [("a1a8", "OK a1a8 cap=- chk=R tries=0 turn=b end=mate", None)],
    ),
    "fifty moves": (
        "7k/8/6K1/8/8/8/8/R7 w - - 99 80",
        [("a1a7", "OK a1a7 cap=- chk=- tries=0 turn=b end=fifty", None)],
    ),
    "length": (
        "7k/8/6K1/8/8/8/8/R7 b - - 0 300",
        [("h8g8", "OK h8g8 cap=- chk=- tries=0 turn=w end=length", None)],
    ),
}


@pytest.mark.parametrize(("start", "attempts"), CASES.values(), ids=CASES)
def test_case(start, attempts):
    state = KRIEGSPIEL.start(start)
    expected = ([], [])
    for text, trier, other in attempts:
        if other is None:
            other = trier.replace(f"OK {text}", "OPP")
        expected[state.seat].append(trier)
        if other:
            expected[1 - state.seat].append(other)
        state = state.play(state.parse(text))
        assert (state.view(0).events, state.view(1).events) == expected


def test_third_occurrence():
    state = KRIEGSPIEL.start()
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        # Refused tries are no occurrences.
        state = state.play(state.parse("e2e5" if state.seat == 0 else "e7e4"))
        assert state.outcome() is None
        state = state.play(state.parse(text))
    assert state.outcome().reason == "threefold repetition"
    assert state.view(0).events[-1].endswith("end=rep3")


def test_too_many_tries_forfeit():
    state = KRIEGSPIEL.start()
    for _ in range(300):
        assert state.outcome() is None
        state = state.play(state.parse("e2e5"))
    assert state.outcome().values == (-1.0, 1.0)
    assert state.outcome().reason == "forfeit"
    assert state.view(0).events == ["ILLEGAL e2e5"] * 300
    assert state.view(1).events == ["OPP cap=- chk=- tries=0 turn=w end=forfeit"]
    with pytest.raises(IllegalMove):
        state.play(state.parse("e2e4"))


def test_missing_promotion_letter_means_a_queen():
    state = KRIEGSPIEL.start("2k5/P7/8/8/8/8/8/K7 w - - 0 1")
    assert state.text(state.parse("a7a8")) == "a7a8q" == state.text(state.view(0).parse("a7a8"))
    assert state.text(state.parse("a1a8")) == "a1a8"


def test_refused_tries_are_in_the_text():
    state = KRIEGSPIEL.start()
    state = state.play(state.parse("e2e5")).play(state.parse("a1a8"))
    assert str(state).endswith(" 0 1 tried e2e5 a1a8")
    assert KRIEGSPIEL.start(str(state)) == state != KRIEGSPIEL.start()
    with pytest.raises(BadPosition, match="would not be refused"):
        KRIEGSPIEL.start(f"{chess.STARTING_FEN} tried e2e4")
    with pytest.raises(BadPosition, match="like e2e5"):
        KRIEGSPIEL.start(f"{chess.STARTING_FEN} tried ")


def compare_game(seed: int, start: str = chess.STARTING_FEN) -> str:
    """One random game with some senseless tries; every line to either seat must be the twin's."""
    rng = np.random.default_rng(seed)
    state, twin = KRIEGSPIEL.start(start), Referee(start)
    while not state.outcome():
        moves = state.moves()
        assert {state.parse(move.uci()) for move in twin.board.legal_moves} <= set(moves)
        move = int(rng.integers(4096)) if rng.random() < 0.05 else moves[rng.integers(len(moves))]
        state = state.play(move)
        twin.attempt(state.text(move))
    assert state.native.fen == twin.board.fen()
    assert [state.view(seat).events for seat in (0, 1)] == list(twin.heard)
    return twin.heard[0][-1].rpartition("=")[2]


SPARSE = [
    "4k3/pp6/8/8/8/8/6PP/4K3 w - - 0 1",
    "7k/8/6K1/8/8/8/8/R3QR2 w - - 0 1",
    "3qk3/8/8/8/8/8/8/3QK3 w - - 70 260",
]


def test_whole_games_against_the_twin():
    ends = Counter(compare_game(seed, *SPARSE[seed % 4 : seed % 4 + 1]) for seed in range(48))
    assert {"mate", "material", "fifty", "length"} <= set(ends)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(20))
def test_ten_thousand_games_against_the_twin(chunk):
    for seed in range(chunk * 500, (chunk + 1) * 500):
        compare_game(1_000_000 + seed)


def test_lines_read_back():
    line = Heard.read("OK e4d5 cap=P@d5 chk=L+N tries=12 turn=b end=-")
    assert line == Heard(None, "e4d5", "P", "d5", ("L", "N"), 12, "b", None)
    assert line.json() == {
        **{"t": "ump", "cap": ["P", "d5"], "chk": ["L", "N"], "tries": 12},
        **{"turn": "b", "end": None, "move": "e4d5"},
    }
    assert Heard.read("ILLEGAL e2e5").spoken() == "Illegal move: e2e5."
    for bad in (
        "",
        "ILLEGAL",
        "OPP",
        "OPP cap=- chk=X tries=0 turn=w end=-",
        "OPP cap=- chk=- tries=0 turn=w end=odd",
    ):
        with pytest.raises(BadNotation):
            Heard.read(bad)


def test_the_state_says_whether_the_last_try_stood():
    state, refused = KRIEGSPIEL.start(), 0
    rng = np.random.default_rng(0)
    while state.outcome() is None:
        move = int(rng.choice(state.moves()))
        legal = state.accepts(move)
        state = state.play(move)
        assert state.stood == legal
        refused += not legal
    assert refused
    lost = KRIEGSPIEL.start()
    for _ in range(300):
        lost = lost.play(lost.parse("e1e8"))
        assert not lost.stood
    assert lost.outcome().reason == "forfeit"
