"""What each line of the referee lets a seat conclude: by hand, never wrong, and from the view alone."""

import random
import re

import chess
import pytest

from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielState
from rookery.games.kriegspiel_conclusions import PawnTry, conclusions, pawn_tries


def played(start: str | None, tries: str) -> KriegspielState:
    state = KRIEGSPIEL.start(start)
    for text in tries.split():
        state = state.play(state.parse(text))
    return state


@pytest.mark.parametrize(
    ("start", "tries", "seat", "sentence"),
    [
        # A straight step that was refused: somebody stands there.
        ("4k3/8/8/8/4p3/4P3/8/7K w - - 0 1 material", "e3e4", 0, "e4 is occupied."),
        # The same before a King that a Rook may see through the Pawn.
        (
            "4k3/8/8/8/8/5n2/5P2/K7 w - - 0 1 material",
            "f2f4",
            0,
            "f3 or f4 is occupied.",
        ),
        # A slide of two squares: the middle one.
        ("4k3/8/8/8/8/8/1p6/R6K w - - 0 1 material", "a1a3 h1g1", 0, None),
        ("4k3/8/8/8/8/p7/8/R6K w - - 0 1 material", "a1a4", 0, "At least one of a2 and a3 is occupied."),
        ("4k3/8/8/8/8/8/p7/R6K w - - 0 1 material", "a1a3", 0, "a2 is occupied."),
        # A Knight is refused only if it is pinned.
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1 material", "e2c3", 0, "The Knight on e2 is pinned to your King."),
        # A King's step: the square is attacked; by a bare King, from next to it.
        ("r6k/8/8/8/8/8/8/1K6 w - - 0 1 material", "b1a1", 0, "a1 is attacked."),
        ("8/8/8/8/8/2k5/8/K6R w - - 0 1 material", "a1b2", 0, "Their King stands next to b2."),
        # A Pawn's capture that was refused.
        (
            "4k3/8/8/3p4/4P3/8/8/7K w - - 0 1 material",
            "e4f5",
            0,
            "No enemy can be taken on f5.",
        ),
        # What no board allows tells nothing.
        (None, "e2e5", 0, "No board would allow this try: nothing follows."),
        (None, "a1a3", 0, "No board would allow this try: nothing follows."),
        # Taken, and no Pawn of theirs could.
        (
            "4k1n1/8/8/8/8/7P/8/4K2R w - - 0 1",
            "h3h4 g8h6 h4h5 h6f5 h5h6 f5h6",
            0,
            "A Knight stands on h6.",
        ),
        (
            "4k3/8/8/8/8/7P/8/4K1n1 b - - 0 1 material",
            "g1h3",
            0,
            None,
        ),
        (
            "4k3/8/8/8/7P/8/8/4K1n1 w - - 0 1 material",
            "e1d2 g1f3 d2c2 f3h4",
            0,
            "They had no captures by a Pawn, so no Pawn took it.",
        ),
        # Checks bind.
        (
            "4k2r/8/8/8/8/8/8/K7 b - - 0 1",
            "h8h1",
            0,
            "Only a King's move, or one that ends on the rank of a1, can be legal.",
        ),
        (
            "4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1",
            "e4f6",
            1,
            "Two men give check: only your King can move.",
        ),
        (
            "4k3/8/8/6n1/8/8/4P1P1/4K3 b - - 0 1",
            "g5f3",
            0,
            "Only a King's move or taking the Knight, a Knight's jump away from e1, can be legal.",
        ),
        # Tries that were announced.
        ("4k3/8/8/8/2n5/8/1P6/4K3 b - - 0 1", "c4a3", 0, "These captures are legal: b2xa3."),
        # A capture counts.
        (
            "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
            "e4d5",
            0,
            "Their King is alone.",
        ),
        ("4k3/2p5/3p4/8/4N3/8/8/4K3 w - - 0 1", "e4d6", 0, "Enemy Pawns have 1 capture."),
        ("4k3/8/3p4/8/4N3/8/7p/4K3 w - - 0 1", "e4d6", 0, "No Pawn can retake on d6."),
    ],
)
def test_by_hand(start: str | None, tries: str, seat: int, sentence: str | None) -> None:
    found = conclusions(played(start, tries).view(seat))
    if sentence is None:
        assert len(found) == len(played(start, tries).view(seat).events)
    else:
        assert sentence in found[-1], found[-1]


def test_the_lines_from_one_on_are_the_last_of_all() -> None:
    view = played(None, "e2e5 e2e4 d7d5 e4f5 e4d5 d8d5").view(0)
    assert conclusions(view, 3) == conclusions(view)[3:]


def test_pawn_tries_are_those_of_the_view() -> None:
    state = played(None, "e2e4 d7d5")
    assert pawn_tries(state.view(0)) == [PawnTry("e4", "d5"), PawnTry("e4", "f5")]
    refused = state.play(state.parse("e4f5"))
    assert pawn_tries(refused.view(0)) == [PawnTry("e4", "d5")]
    assert not pawn_tries(state.view(1)) and not pawn_tries(KRIEGSPIEL.start().view(0))


def holds(sentence: str, board: chess.Board, seat: int) -> bool:
    """Whether what a sentence says of squares is true on a board; what it says of else is not looked at."""
    theirs = chess.BLACK if seat == 0 else chess.WHITE

    def enemy(name: str) -> bool:
        return board.color_at(chess.parse_square(name)) == theirs

    squares = re.findall(r"\b[a-h][1-8]\b", sentence)
    if "pinned" in sentence and "," in sentence:
        return True  # Either of two: the other is about a line.
    if sentence.startswith("Their King stands on "):
        return chess.square_name(board.king(theirs)) in squares
    if sentence.startswith("Their King stands next to "):
        return chess.square_distance(board.king(theirs), chess.parse_square(squares[0])) <= 1
    if sentence.startswith("Their King is alone"):
        return chess.popcount(board.occupied_co[theirs]) == 1
    if sentence.startswith("No enemy stands on "):
        return not any(enemy(square) for square in squares)
    if "is attacked" in sentence and "," not in sentence:
        return board.is_attacked_by(theirs, chess.parse_square(squares[0]))
    if sentence.startswith("A ") and " stands on " in sentence:
        kind = chess.piece_name(board.piece_type_at(chess.parse_square(squares[0])) or 1)
        return enemy(squares[0]) and kind in sentence.lower()
    if "occupied" in sentence and "attacked" not in sentence:
        return any(enemy(square) for square in squares)
    if sentence.startswith("They have ") and "besides" in sentence:
        men, pawns, pieces = (int(n) for n in re.findall(r"\d+", sentence.replace("no ", "0 ")))
        true = chess.popcount(board.pawns & board.occupied_co[theirs])
        left = chess.popcount(board.occupied_co[theirs]) - 1
        return left == men and true <= pawns and left - true >= pieces
    if sentence.startswith(("These captures are legal", "Of ")):
        tries = re.findall(r"([a-h][1-8])x([a-h][1-8])", sentence)
        legal = {m.uci()[:4] for m in board.legal_moves}
        count = sum(start + to in legal for start, to in tries)
        return count == (
            int(re.findall(r", (\d+) ", sentence)[-1]) if sentence.startswith("Of") else len(tries)
        )
    if sentence.endswith("pinned to your King."):
        return board.is_pinned(not theirs, chess.parse_square(squares[0]))
    return True


def test_what_is_concluded_is_true() -> None:
    checked = 0
    for seed in range(12):
        rng, state = random.Random(seed), KRIEGSPIEL.start()
        while not state.outcome() and len(state.history()) < 160:
            state = state.play(rng.choice(list(state.view(state.seat).moves())))
            board = chess.Board(state.native.fen)
            for seat in (0, 1):
                view = state.view(seat)
                for sentence in (conclusions(view, len(view.events) - 1) or [()])[-1]:
                    checked += 1
                    assert holds(sentence, board, seat), (sentence, board.fen(), view.events[-3:])
    assert checked > 1000


def test_the_same_view_gives_the_same_sentences() -> None:
    here = "8/8/8/3k4/8/8/8/K6R w - - 0 1 material"
    there = "8/8/2k5/8/8/8/8/K6R w - - 0 1 material"
    for tries in ("a1a2", "a1a3", "h1h8"):
        one, other = played(here, tries), played(there, tries)
        if one.view(0) == other.view(0):
            assert conclusions(one.view(0)) == conclusions(other.view(0))
