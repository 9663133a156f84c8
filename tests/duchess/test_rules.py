"""One rule at a time, and what holds in every game."""

import re

import numpy as np
import pytest
from duchess_twin import SET, Twin

from rookery import games
from rookery.api import Limit, Outcome
from rookery.errors import BadNotation
from rookery.games.duchess import GAMES
from rookery.players import make
from walks import walk

FOUR, SIX = GAMES
# text, legal moves (0: must pass), players in check, players mated
CASES = {
    "queen on the Vortex": ("4 t1 q0 | K1e1 QV | K2e1 | K4e1 | K5e1", 43, "", ""),
    "Knights at the Vortex": ("4 t1 q0 | K1a1 N1c6 N2d6 | K2c1 | K4c1 | K5c1", 25, "", ""),
    "teleports with two Wizards": (
        "4 t1 q0 | K1e1 W1b2 R1a1 P1c3 | K2e1 N4c4 P4a4 | K4e1 W4b3 B4c2 | K5e1",
        51,
        "",
        "",
    ),
    "Pawn takes on the Vortex": ("4 t1 q0 | K1c1 W1b1 P1c6 P1d6 | K2c1 BV | K4c1 | K5c1", 22, "", ""),
    "Pawn teleports to the Vortex": ("4 t1 q0 | K1c1 W1b1 P1a1 | K2c1 | K4c1 W4c6 | K5c1", 41, "", ""),
    "check through the Vortex": ("4 t1 q1 | K1c2 | K2c1 R1c5 | K4c1 | K5c1", 6, "13", ""),
    "pin through the Vortex": ("4 t1 q0 | K1c1 B1c5 | K2c1 R4c4 | K4e1 | K5c1", 5, "", ""),
    "out of check by teleport": (
        "4 t1 q0 | K1a1 W1b1 R1b2 N4e1 | K2e1 R1a4 | K4d1 W4e2 | K5e1",
        8,
        "1",
        "",
    ),
    "mated player passes": ("4 t2 q0 | K1e1 Q2b2 R2b4 | K2a1 P2e3 | K4e1 | K5e1 N2d4", 0, "2", "2"),
    "both mated": ("4 t2 q0 | K1e1 Q2b2 R2b4 | K2a1 P2e3 | K4e1 Q5b2 R5b4 | K5a1 N5e3", 0, "24", "24"),
    "released by the partner": ("4 t2 q4 | K1e2 Q2b2 R2b4 | K2a1 P2e3 | K4e2 | K5e1 N2b3", 1, "2", ""),
    "stalemate": ("4 t2 q0 | K1e1 Q2c2 | K2a1 | K4e1 | K5e1", 0, "", ""),
    "one stalemated, one mated": ("4 t2 q0 | K1e1 Q2c2 | K2a1 | K4e1 Q5b2 R5b4 | K5a1", 0, "4", "4"),
    "Rooks on the outer files": ("4 t1 q0 | K1c1 R1a1 R1e1 | K2c1 | K4c1 | K5c1", 27, "", ""),
}
BOTH_MATED = CASES["both mated"][0]


def players(seats):
    return "".join(str(seat + 1) for seat in seats)


def texts(state):
    return {state.text(move) for move in state.moves()}


@pytest.mark.parametrize("case", CASES)
def test_case(case):
    text, count, checked, mated = CASES[case]
    state = FOUR.start(text)
    assert FOUR.start(str(state)) == state
    legal = texts(state) - {"--"}
    assert len(legal) == count
    assert players(state.in_check()) == checked
    assert players(state.mated()) == mated
    assert (state.outcome() is not None) == (case == "both mated")
    if case != "both mated" and count == 0:
        assert texts(state) == {"--"}
    assert legal == {Twin.read(text).text(step) for step in Twin.read(text).steps(state.seat)}


def test_teleports_take_and_spare():
    legal = texts(FOUR.start(CASES["teleports with two Wizards"][0]))
    assert {"R1a1~x4c4", "W1b2~x4c4", "P1c3~x4c4", "R1a1~x4a4", "W1b2~x4a4", "P1c3~x4a4"} <= legal
    assert not [text for text in legal if text.endswith("4c2")]


def test_promotion_is_optional_and_from_the_box():
    legal = texts(FOUR.start(CASES["Pawn takes on the Vortex"][0]))
    ways = {text for text in legal if text.startswith("P1d6xV")}
    assert ways == {"P1d6xV", *(f"P1d6xV={kind}" for kind in "QDFNRB")}
    assert not [text for text in legal if text.startswith("P1c6-V") or text.startswith("P1c6xV")]
    legal = texts(FOUR.start(CASES["Pawn teleports to the Vortex"][0]))
    assert {text for text in legal if "~V" in text and text[0] == "P"} == {
        "P1a1~V",
        *(f"P1a1~V={kind}" for kind in "QDFNRB"),
    }


def test_pawn_left_on_the_vortex_stays_a_pawn():
    state = FOUR.start("4 t1 q9 | K1c1 PV | K2c1 | K4c1 | K5c1")
    assert {text for text in texts(state) if text[0] == "P"} == {f"PV-{sector}c6" for sector in range(1, 7)}


def test_nothing_to_promote_to():
    start = Twin.start(4)
    start.men["1c6"] = start.men.pop("1a3")
    state = FOUR.start(str(start))
    assert [text for text in texts(state) if "V" in text] == ["P1c6-V"]


def test_promotion_resets_the_quiet_plies_and_arriving_does_not():
    state = FOUR.start("4 t1 q7 | K1c1 P1c6 | K2c1 | K4c1 | K5c1")
    assert state.play(state.parse("P1c6-V")).quiet == 8
    assert state.play(state.parse("P1c6-V=Q")).quiet == 0


def test_king_may_not_go_back_along_the_line():
    legal = texts(FOUR.start(CASES["check through the Vortex"][0]))
    assert "K1c2-1c1" not in legal


def test_pinned_man_may_not_teleport_past_the_man_that_pins_it():
    # The Rook on 1a2 is pinned by the one on 1a4; the partner's Wizard offers 1a3 and squares of the same
    # line beyond 1a4.
    state = FOUR.start("4 t1 q0 | K1a1 R1a2 W1b1 | K2c1 R1a4 | K4c1 W2e6 | K5c1")
    rook = {text for text in texts(state) if text[0] == "R"}
    assert rook == {"R1a2-1a3", "R1a2x1a4"}


def test_released_player_moves_again():
    state = FOUR.start(CASES["released by the partner"][0])
    assert texts(state) == {"K2a1x2b2"}


def test_mated_players_men_give_check_and_his_wizard_works():
    # Player 2 is mated; his Rook checks player 1 all the same, and player 4 teleports with his Wizard.
    text = "4 t4 q0 | K1e1 Q2b2 R2b4 | K2a1 R1a1 W5e3 | K4e1 | K5e1 N5d2"
    state = FOUR.start(text)
    assert players(state.mated()) == "2"
    assert players(state.in_check()) == "12"
    assert any(text.startswith("N5d2~") for text in texts(state))


def test_win_comes_with_the_move():
    state = FOUR.start("4 t1 q0 | K1e1 Q2c2 R2b4 | K2a1 P2e3 | K4e1 Q5b2 R5b4 | K5a1 N5e3")
    assert state.outcome() is None
    won = state.play(state.parse("Q2c2-2b2"))
    assert won.outcome() == Outcome((1.0, -1.0), "checkmate")
    assert not won.moves()
    assert not won.board_moves()


def test_even_side_wins_too():
    state = FOUR.start("4 t1 q0 | K1a1 P1e3 | K2e1 Q1b2 R1b4 | K4a1 | K5e1 Q4b2 R4b4")
    assert players(state.mated()) == "13"
    assert state.outcome() == Outcome((-1.0, 1.0), "checkmate")


def test_three_must_be_mated_of_three():
    mates = "K2a1 | K3e1 Q2b2 R2b4 {} | K4a1 | K5e1 Q4b2 R4b4 | K6a1"
    state = SIX.start("6 t2 q0 | K1e1 | " + mates.format(""))
    assert players(state.mated()) == "24"
    assert state.outcome() is None
    assert texts(state) == {"--"}
    state = SIX.start("6 t2 q0 | K1e1 Q6b2 R6b4 | " + mates.format(""))
    assert players(state.mated()) == "246"
    assert state.outcome() == Outcome((1.0, -1.0), "checkmate")


def test_stagnation():
    state = FOUR.start("4 t1 q199 | K1c1 R1a4 | K2c1 | K4c1 P1b4 | K5c1 P1a2")
    drawn = state.play(state.parse("K1c1-1d1"))
    assert drawn.outcome() == Outcome((0.0, 0.0), "stagnation")
    assert not drawn.moves()
    assert drawn.board_moves()
    taken = state.play(state.parse("R1a4x1a2"))
    assert taken.outcome() is None
    assert taken.quiet == 0


def test_forced_passes_count_as_quiet():
    state = FOUR.start("4 t2 q199 | K1e1 Q2c2 | K2a1 | K4e1 | K5e1")
    assert state.text(state.forced()) == "--"
    assert state.play(state.parse("--")).outcome().reason == "stagnation"


def test_nobody_can_move():
    # Red and Blue, who are enemies, are mated; their men leave Green and Yellow no square.
    text = "4 t1 q0 | K2c2 R3e5 P1a1 P2c3 | K2c4 | K1b1 | K2a3 R1e2 R2e1 B1a3 B2e3 P2b3"
    for turn in range(1, 5):
        state = FOUR.start(text.replace("t1", f"t{turn}"))
        assert players(state.mated()) == "14"
        assert state.outcome() == Outcome((0.0, 0.0), "nobody can move")
        assert not state.moves()
        assert [state.text(move) for move in state.board_moves()] == ["--"]


def test_win_on_the_last_quiet_ply_is_a_win():
    state = FOUR.start("4 t1 q199 | K1e1 Q2c2 R2b4 | K2a1 P2e3 | K4e1 Q5b2 R5b4 | K5a1 N5e3")
    assert state.play(state.parse("Q2c2-2b2")).outcome().reason == "checkmate"


@pytest.mark.parametrize("name", ["duchess4", "duchess6"])
def test_attackers_of_every_square(name):
    game = games.get(name)
    for state in list(walk(game, 3, 100))[::10]:
        twin = Twin.read(str(state))
        for square in twin.board.names:
            assert set(state.attackers(square)) == {man for man in twin.men if twin.attacks(man, square)}


def test_attackers_of_no_square():
    with pytest.raises(BadNotation, match="'3a1' is no square"):
        FOUR.start().attackers("3a1")


def turned(text):
    """The same position with the board turned: by one sector for six players, by half for four."""
    head, *parts = text.split(" | ")
    number = len(parts)
    seats, sectors = (2, 3) if number == 4 else (1, 1)

    def name(match):
        return str((int(match[1]) - 1 + sectors) % 6 + 1) + match[2]

    count, turn, quiet = head.split()
    turn = f"t{(int(turn[1:]) - 1 + seats) % number + 1}"
    parts = [re.sub(r"([1-6])([a-e][1-6])", name, part) for part in parts]
    parts = parts[-seats:] + parts[:-seats]
    return " | ".join([f"{count} {turn} {quiet}", *parts])


@pytest.mark.parametrize("name", ["duchess4", "duchess6"])
def test_turned_position_has_the_turned_moves(name):
    game = games.get(name)
    number = game.spec.seats
    seats = 2 if number == 4 else 1
    for seed in range(6):
        for state in walk(game, seed, 150):
            other = game.start(turned(str(state)))
            assert len(other.board_moves()) == len(state.board_moves())
            assert sorted((s + seats) % number for s in state.in_check()) == other.in_check()
            assert sorted((s + seats) % number for s in state.mated()) == other.mated()


@pytest.mark.parametrize("name", ["duchess4", "duchess6"])
def test_what_holds_in_every_game(name):
    game = games.get(name)
    seats = range(game.spec.seats)
    for seed in range(20):
        men = 15 * game.spec.seats
        for state in walk(game, 100 + seed, 300):
            now = state.men()
            assert len(now) <= men
            men = len(now)
            for seat in seats:
                kinds = [man.kind for man in now if man.seat == seat]
                assert kinds.count("K") == 1
                assert all(kinds.count(kind) <= most for kind, most in SET.items())
            last = (state.seat - 1) % game.spec.seats
            if state.history() and last in state.in_check():
                assert last in state.mated()
                assert state.previous().text(state.history()[-1]) == "--"


def test_random_games_look_as_they_should():
    """Mean and most moves, share of teleports and ends of random games, as an independent count had them."""
    counts, teleports, plies, ends = [], 0, 0, []
    for seed in range(25):
        *_, last = states = list(walk(FOUR, seed, 10_000))
        counts += [len(state.moves()) for state in states[:-1]]
        teleports += sum("~" in event for event in last.view(0).events)
        plies += len(last.history())
        ends.append(last.outcome().reason)
    assert 20 < np.mean(counts) < 32
    assert 70 < max(counts) < 160
    assert 0.03 < teleports / plies < 0.10
    assert ends.count("stagnation") > 20


def test_searches_and_random_games_see_that_nothing_has_happened_for_long():
    """They ask for the end in another way than who has the list of moves."""
    state = FOUR.start(str(FOUR.start()).replace(" q0 ", " q199 "))
    assert state.native.playouts(5, 1).plies == 5
    player = make("alphabeta+duchess/best", FOUR)
    player.start(FOUR.spec, 0, 1)
    assert player.think(state.view(0), Limit(depth=1)).value == (0, 0)
