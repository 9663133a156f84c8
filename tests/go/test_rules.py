"""Captures, suicide, ko, the end of a game and the count, case by case."""

import pytest

from rookery.errors import IllegalMove
from rookery.games import get
from rookery.games.go import Go

from .positions import board, run

KO = board("..... .XO.. X.XO. .XO.. .....", "w")


@pytest.mark.parametrize(
    ("rows", "move", "prisoners", "after"),
    [
        ("..... ..X.. .XO.. ..X.. .....", "D3", 1, "..... ..X.. .X.X. ..X.. ....."),
        ("..... .XXX. XO.OX .XXX. .....", "C3", 2, "..... .XXX. X.X.X .XXX. ....."),
        ("OO... XX... ..... ..... .....", "C5", 2, "..X.. XX... ..... ..... ....."),
        ("..... ..... XX... OOX.. .OX..", "A1", 3, "..... ..... XX... ..X.. X.X.."),
    ],
)
def test_captures(rows: str, move: str, prisoners: int, after: str) -> None:
    state = run(Go(5).start(board(rows)), move)
    assert state.captures == (prisoners, 0)
    assert str(state).split()[0] == "/".join(after.split())


@pytest.mark.parametrize("rows", ["..... ..... ..... X.... .X...", "..... ..... X.... OX... .X..."])
def test_suicide_is_illegal(rows: str) -> None:
    state = Go(5).start(board(rows, "w"))
    assert 0 not in state.moves()
    with pytest.raises(IllegalMove, match="A1: suicide"):
        state.parse("A1")
    with pytest.raises(IllegalMove):
        state.play(0)


def test_ko_may_not_be_taken_back_at_once() -> None:
    state = run(Go(5).start(KO), "B3")
    assert (state.captures, state.ko) == ((0, 1), 12)
    with pytest.raises(IllegalMove, match="C3: the ko"):
        state.parse("C3")


@pytest.mark.parametrize("threat", ["E1", "pass"])
def test_ko_is_lifted_by_any_other_move(threat: str) -> None:
    state = run(Go(5).start(KO), f"B3 {threat} E5 C3")
    assert state.captures == (1, 1)
    assert state.text(state.ko) == "B3"


def test_two_stones_taken_are_no_ko() -> None:
    """Throwing in may follow at once when more than one stone was taken."""
    state = run(Go(5).start(board("..... ..... XX... OOX.. .OX..")), "A1")
    assert state.ko is None


@pytest.mark.parametrize(
    ("moves", "territory", "area", "winner"),
    [
        ("pass pass", 0, 0, None),
        ("C3 pass pass", 24, 25, 0),
        (
            "E1 E4 B5 A5 B2 D3 B3 E2 C1 D4 B4 E5 A4 C3 A3 C2 D5 D2 C4 D1 B1 C5 pass pass",
            -1,
            -1,
            1,
        ),
    ],
)
def test_two_passes_end_the_game(moves: str, territory: int, area: int, winner: int | None) -> None:
    state = run(Go(5).start(), moves)
    assert (state.territory_score(), state.area_score()) == (territory, area)
    assert state.score() == territory
    outcome = state.outcome()
    assert (outcome.reason, outcome.winner) == ("passes", winner)
    assert state.moves() == []
    with pytest.raises(IllegalMove, match="the game is over"):
        state.parse("pass")


def test_count_of_a_whole_game() -> None:
    moves = "E1 E4 B5 A5 B2 D3 B3 E2 C1 D4 B4 E5 A4 C3 A3 C2 D5 D2 C4 D1 B1 C5 pass pass"
    state = run(Go(5).start(), moves)
    assert str(state).split()[0] == ".XO.O/XXXOO/XXOO./.XOOO/.XXO."
    assert state.captures == (1, 2)


def test_a_pass_between_moves_ends_nothing() -> None:
    state = run(Go(5).start(), "pass C3 pass")
    assert state.outcome() is None
    assert state.passes == 1


def test_length_ends_the_game() -> None:
    rows = "...../..X../.X.X./..X../....."
    last = Go(5).start(f"{rows} w 3:7 - 0 199")
    assert last.outcome() is None
    state = last.play(0)
    assert state.outcome().reason == "length"
    assert state.moves() == []
    assert last.play(25).outcome().reason == "length"
    assert Go(5).start(f"{rows} w 3:7 - 1 199").play(25).outcome().reason == "passes"


def test_scoring_and_komi_are_options() -> None:
    text = board("XXXXX XX.XX XXXXX .OOOO OOOO.")
    assert Go(5).start(text).score() == 0
    assert Go(5, scoring="area").start(text).score() == 6
    assert Go(5, scoring="area", komi=6.5).start(text).score() == -0.5
    assert Go(5, komi=-2).start(text).score() == 2


@pytest.mark.parametrize("name", ["go5", "go7", "go9", "go13", "go19"])
def test_registered_boards(name: str) -> None:
    state = get(name).start()
    size = int(name[2:])
    assert state.spec.policy_size == size**2 + 1
    assert list(state.moves()) == list(range(size**2 + 1))
    assert state.text(size**2 - 1) == {5: "E5", 7: "G7", 9: "J9", 13: "N13", 19: "T19"}[size]
    assert [state.parse(spelling) for spelling in ("a1", "A1", "pass", "PASS")] == [0, 0, size**2, size**2]


def test_chains_and_their_liberties() -> None:
    state = Go(5).start(board("..... .XO.. .XO.. ...X. ....."))
    assert [state.text(p) for p in state.chain(11)] == ["B3", "B4"]
    assert [state.text(p) for p in state.liberties(12)] == ["C2", "D3", "D4", "C5"]
    assert list(state.chain(0)) == []


def test_picture() -> None:
    state = run(Go(5).start(KO), "B3")
    assert state.picture().splitlines() == [
        "   A B C D E",
        " 5 . . . . . 5",
        " 4 . X O . . 4",
        " 3 X(O)+ O . 3",
        " 2 . X O . . 2",
        " 1 . . . . . 1",
        "   A B C D E",
        "Black X took 0, White O took 1; Black to move, but not at C3 (ko)",
    ]
    assert Go(19).start().picture().count("+") == 9
    assert run(Go(5).start(), "C3 pass pass").picture().endswith("; Black wins by 24")
