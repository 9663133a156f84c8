"""Moves and positions in words, and what is said of bad ones."""

import numpy as np
import pytest

from rookery import games
from rookery.errors import BadNotation, BadPosition, GameError, IllegalMove
from rookery.games.duchess import GAMES
from walks import walk

FOUR, SIX = GAMES
SPARSE = "4 t1 q0 | K1c1 W1b1 P1c6 P1d6 | K2c1 BV | K4c1 | K5c1"
TELEPORT = "4 t1 q0 | K1e1 W1b2 R1a1 P1c3 | K2e1 N4c4 P4a4 | K4e1 W4b3 B4c2 | K5e1"


def test_start():
    own = "K{0}c1 W{0}b1 Q{0}c2 D{0}e2 F{0}d1 N{0}b2 R{0}a1 R{0}e1 B{0}a2 B{0}d2 "
    own += "P{0}a3 P{0}b3 P{0}c3 P{0}d3 P{0}e3"
    assert str(FOUR.start()) == " | ".join(["4 t1 q0", *(own.format(n) for n in (1, 2, 4, 5))])
    assert str(SIX.start()) == " | ".join(["6 t1 q0", *(own.format(n) for n in (1, 2, 3, 4, 5, 6))])


def test_first_moves():
    state = FOUR.start()
    assert {state.text(move) for move in state.moves()} == {
        *(f"P1{file}3-1{file}4" for file in "abcde"),
        *("N1b2-1a4", "N1b2-1c4", "D1e2-1d4"),
    }


@pytest.mark.parametrize(
    ("position", "standard", "customary"),
    [
        (
            None,
            "N1b2-1a4",
            ["1b2-1a4", "1b2 1a4", "1b21a4", " n1b2-1a4 ", "N1B2-1A4", "N1b2 1a4", "N1b2x1a4"],
        ),
        (SPARSE, "P1d6xV=Q", ["1d6V=Q", "1d6-V=Q", "1d6 v=q", "P1d6xVQ", "p1d6XvQ"]),
        (SPARSE, "P1d6xV", ["1d6V", "P1d6-V"]),
        (SPARSE, "P1d6-6c6", []),
        (TELEPORT, "R1a1~x4c4", ["R1a1x4c4", "1a1-4c4", "1a1~4c4", "r1a1~X4c4"]),
        (TELEPORT, "R1a1~4c3", ["1a14c3"]),
        (TELEPORT, "R1a1-2e5", ["R1a1-1a5", "1a1 1a5"]),
        ("4 t1 q0 | K3d5 | K2c1 | K4c1 | K5c1", "K3d5-3c6", ["K2a6-3c6", "2a6 3c6"]),
        ("4 t2 q0 | K1e1 Q2c2 | K2a1 | K4e1 | K5e1", "--", ["pass", " PASS "]),
    ],
)
def test_moves_are_read(position, standard, customary):
    state = FOUR.start(position)
    move = state.parse(standard)
    assert state.text(move) == standard
    for text in customary:
        assert state.parse(text) == move, text


@pytest.mark.parametrize(
    "text",
    ["", "-", "---", "N", "1b2", "N1b2", "1b2-", "X1b2-1a4", "1b2-1a9", "1b2-7a1", "1b2-1f1", "1b2--1a4",
     "1b2-3a1", "1b2-1a4=Q", "1c6-V=", "1c6-V=K", "1c6-V=P", "1c6-V=QQ", "V", "VV-", "N1b2-1a4 1", "é",
     "1b2\n1a4"],
)  # fmt: skip
def test_unreadable_moves(text):
    with pytest.raises(BadNotation) as error:
        FOUR.start().parse(text)
    assert "\n" not in str(error.value).replace(text, "")


@pytest.mark.parametrize(
    ("position", "text", "why"),
    [
        (None, "--", "only a player without any move passes"),
        (None, "1a4-1a5", "nothing stands on 1a4"),
        (None, "2a3-2a4", "the piece on 2a3 belongs to player 2"),
        (None, "Q1b2-1a4", "the piece on 1b2 is N"),
        (None, "1a1-1a2", "the piece on 1a1 has no move"),
        (None, "N1b2-1b4", "from there: N1b2-1a4 N1b2-1c4"),
        (SPARSE, "P1d6xV=W", "from there: .*P1d6xV=Q"),
        (
            "4 t2 q0 | K1e1 Q2b2 R2b4 | K2a1 P2e3 | K4e1 Q5b2 R5b4 | K5a1 N5e3",
            "--",
            "the game is won",
        ),
    ],
)
def test_illegal_moves(position, text, why):
    state = FOUR.start(position)
    with pytest.raises(IllegalMove, match=why):
        state.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "4  t1 q0|K1c1|K2c1|  K4c1 |K5c1",
        "4 t1 q0 | K1c1 R1a5 | K2c1 | K4c1 | K5c1",  # an alias: 2e5
    ],
)
def test_positions_are_read_leniently_and_written_in_one_way(text):
    state = FOUR.start(text)
    assert FOUR.start(str(state)) == state
    assert "  " not in str(state)
    assert "1a5" not in str(state)


BAD_POSITIONS = {
    "": r"must begin .* \(got ''\)",
    "4 t1 | K1c1 | K2c1 | K4c1 | K5c1": r"must begin .* \(got '4 t1 '\)",
    "6 t1 q0 | K1c1 | K2c1 | K4c1 | K5c1": "it is for '6' players, not 4",
    "x t1 q0 | K1c1 | K2c1 | K4c1 | K5c1": "it is for 'x' players",
    "4 t5 q0 | K1c1 | K2c1 | K4c1 | K5c1": r"the turn must be t1 to t4 \(got 't5'\)",
    "4 t0 q0 | K1c1 | K2c1 | K4c1 | K5c1": "got 't0'",
    "4 1 q0 | K1c1 | K2c1 | K4c1 | K5c1": "got '1'",
    "4 t1 q201 | K1c1 | K2c1 | K4c1 | K5c1": r"the quiet plies must be q0 to q200 \(got 'q201'\)",
    "4 t1 q-1 | K1c1 | K2c1 | K4c1 | K5c1": "got 'q-1'",
    "4 t1 q99999999999 | K1c1 | K2c1 | K4c1 | K5c1": "the quiet plies must be",
    "4 t1 q0 | K1c1 | K2c1 | K4c1": "pieces of 4 players .* not of 3",
    "4 t1 q0 | K1c1 | K2c1 | K4c1 | K5c1 |": "pieces of 4 players .* not of 5",
    "4 t1 q0 | K1c1 | K2c1 | K4c1 | ": "player 4 has no King",
    "4 t1 q0 | R1c1 | K2c1 | K4c1 | K5c1": "player 1 has no King",
    "4 t1 q0 | K1c1 K1c2 | K2c1 | K4c1 | K5c1": "player 1 has more than 1 of K",
    "4 t1 q0 | K1c1 W1c2 WV | K2c1 | K4c1 | K5c1": "player 1 has more than 1 of W",
    "4 t1 q0 | K1c1 Q1c2 QV Q1a1 | K2c1 | K4c1 | K5c1": "player 1 has more than 2 of Q",
    "4 t1 q0 | K1c1 X1c2 | K2c1 | K4c1 | K5c1": "'X1c2' is no piece; write one of KWQDFNRBP",
    "4 t1 q0 | K1c1 R7a1 | K2c1 | K4c1 | K5c1": "'R7a1' stands on no square",
    "4 t1 q0 | K1c1 R1f1 | K2c1 | K4c1 | K5c1": "'R1f1' stands on no square",
    "4 t1 q0 | K1c1 R1a7 | K2c1 | K4c1 | K5c1": "'R1a7' stands on no square",
    "4 t1 q0 | K1c1 R1a11 | K2c1 | K4c1 | K5c1": "'R1a11' stands on no square",
    "4 t1 q0 | K1c1 R | K2c1 | K4c1 | K5c1": "'R' stands on no square",
    "4 t1 q0 | K1c1 R3a1 | K2c1 | K4c1 | K5c1": "'R3a1' is on a flap that is folded",
    "4 t1 q0 | K1c1 R6e4 | K2c1 | K4c1 | K5c1": "'R6e4' is on a flap that is folded",
    "4 t1 q0 | K1c1 R2c1 | K2c1 | K4c1 | K5c1": "two pieces stand on 2c1",
    "4 t1 q0 | K1c1 R1a5 | K2c1 B2e5 | K4c1 | K5c1": "two pieces stand on 2e5",
    "4 t1 q0 | K1c1 | K1c2 | K4c1 | K5c1": "player 1 and player 2, who are enemies, stand side by side",
    "4 t1 q0 | K1a4 | K2e4 | K4c1 | K5c1": "stand side by side",
    "4 t1 q0 | K1c1 R5c3 | K2c1 | K4c1 | K5c1": "player 4 has just moved and is in check",
    "4 t1 q0 | K1e1 Q2b2 R2b4 | K2a1 P2e3 | K4e1 Q5b2 R5b4 | K5a1 N5e3": "player 4 are all mated",
    "4 t1 q0 | K1c1 Q1a1 Q1a2 D1a3 D1a4 F1b1 F1b2 N1b3 N1b4 R1d1 R1d2 B1d3 B1d4 P1e1 P1e2 P1e3 | K2c1 | K4c1 "
    "| K5c1": "player 1 has more than 15 pieces",
}


@pytest.mark.parametrize("text", BAD_POSITIONS)
def test_bad_positions(text):
    with pytest.raises(BadPosition, match=BAD_POSITIONS[text]) as error:
        FOUR.start(text)
    assert "\n" not in str(error.value)


def test_flaps_are_up_for_six():
    state = SIX.start("6 t1 q0 | K1c1 R3a1 | K2c1 | K3c1 | K4c1 | K5c1 | K6e4")
    assert ("3a1", "R", 0) in state.men()


def mutate(text, rng):
    """A text with a few characters put in, taken out or changed, often for others of the same sort."""
    for _ in range(rng.integers(1, 4)):
        at = int(rng.integers(len(text)))
        if rng.random() < 0.7:
            sort = next((sort for sort in ("KWQDFNRBP", "123456", "abcde") if text[at] in sort), text[at])
            text = text[:at] + sort[rng.integers(len(sort))] + text[at + 1 :]
        else:
            letters = "KWQDFNRBPV123456abcde|tqx~-= 0789"
            wild = letters[rng.integers(len(letters))] if rng.random() < 0.9 else chr(rng.integers(1, 0x500))
            how = rng.integers(3)
            text = text[:at] + (wild if how else "") + text[at + (how < 2) :]
    return text


@pytest.mark.parametrize("name", ["duchess4", "duchess6"])
def test_mutated_positions_are_read_or_refused(name):
    """There is a state or one clear line; and what was read can be written and read again."""
    rng = np.random.default_rng(5)
    game = games.get(name)
    sources = [str(state) for seed in range(10) for state in walk(game, seed, 200)]
    read = 0
    for _ in range(6_000):
        text = mutate(sources[rng.integers(len(sources))], rng)
        try:
            state = game.start(text)
        except BadPosition as error:
            assert str(error)
        else:
            read += 1
            assert game.start(str(state)) == state
            assert (state.outcome() is None) == bool(state.moves())
    assert 500 < read < 5_000


@pytest.mark.parametrize("name", ["duchess4", "duchess6"])
def test_mutated_moves_are_read_or_refused(name):
    rng = np.random.default_rng(6)
    game = games.get(name)
    read = 0
    for state in walk(game, 7, 400):
        for _ in range(20):
            moves = state.moves()
            if not moves:
                break
            text = mutate(state.text(moves[rng.integers(len(moves))]), rng)
            try:
                move = state.parse(text)
            except (BadNotation, IllegalMove) as error:
                assert str(error)
            else:
                read += 1
                assert move in moves
    assert read > 100


def test_what_is_never_a_position_or_move():
    for text in ("\0", "4\0t1 q0", "|" * 1000, "4 t1 q0 " + "| K1c1 " * 500, "K" * 100_000):
        with pytest.raises(GameError):
            FOUR.start(text)
        with pytest.raises(GameError):
            FOUR.start().parse(text)
