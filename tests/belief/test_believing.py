"""What players and people are told of a belief: the record of api.py, and `rookery analyse`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from rookery import games
from rookery.api import Believer
from rookery.cli import app
from rookery.searches.kriegspiel.belief import Believing, believed

GAME = games.get("kriegspiel")
LINE = "e2e4 d7d5 e4d5 d8d5 b1c3 d5d6"


def view(moves: str, seat: int) -> Any:
    state = GAME.start()
    for text in moves.split():
        state = state.play(state.parse(text))
    return state.view(seat)


def test_a_belief_is_within_what_is_possible_and_adds_up() -> None:
    assert issubclass(Believing, Believer)
    for seat in (0, 1):
        found = Believing().belief(view(LINE, seat))
        assert found.probability.shape == found.possible.shape == (64, 6)
        assert found.probability.dtype == np.float32
        assert (found.probability[~found.possible] == 0).all()
        assert (found.probability[found.possible] > 0).all()
        assert found.probability[:, 5].sum() == pytest.approx(1, abs=1e-4)
        assert max(found.occupied.values()) <= 1.001
    # Both have lost a pawn, and all else is there.
    assert found.probability.sum() == pytest.approx(15, abs=1e-2)


def test_pieces_that_have_not_moved_far_are_known_by_their_squares() -> None:
    found = believed(view("e2e4 e7e5 g1f3 b8c6", 0))
    chance = {
        (square, kind): float(found.probability[i, k])
        for i, square in enumerate(found.squares)
        for k, kind in enumerate(found.kinds)
    }
    assert chance["a8", "rook"] > 0.8 and chance["c8", "bishop"] > 0.8 and chance["d8", "queen"] > 0.7
    assert chance["c6", "knight"] > chance["c6", "bishop"]


def test_analyse_tells_a_seat_only_what_it_may_know() -> None:
    def told(*arguments: str) -> Any:
        done = CliRunner().invoke(app, ["analyse", "kriegspiel", *arguments, "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    said = told(*LINE.split(), "--seat", "white")
    assert said["seat"] == "White" and not any("d5d6" in line["event"] for line in said["heard"])
    assert said["possible"]["e1"] == [] and "queen" in said["possible"]["d6"]
    chances = [chance for kinds in said["belief"].values() for chance in kinds.values()]
    assert min(chances) >= 1e-4 and max(chances) > 0.5
    assert sum(kinds.get("king", 0) for kinds in said["belief"].values()) == pytest.approx(1, abs=0.01)
    # Two games that sounded the same to White are told in the same words.
    other = told(*["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8"], "--seat", "white")
    assert other == said


def test_analyse_reads_moves_as_the_terminal_does() -> None:
    """In short forms, as the own pieces tell what is meant; and tries that the referee refuses."""

    def told(moves: str) -> str:
        done = CliRunner().invoke(app, ["analyse", "kriegspiel", moves, "--json"])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert told("e4 d5 exd5 Qxd5 Nc3 Qd6") == told(LINE)
    assert told("e4 d6 exd5") == told("e2e4 d7d6 e4d5")


def test_analyse_prints_a_board_of_chances() -> None:
    done = CliRunner().invoke(app, ["analyse", "kriegspiel", *LINE.split()])
    assert done.exit_code == 0 and "Chance of a hidden piece" in done.stdout
    assert "king" in done.stdout and "   a   b   c   d   e   f   g   h" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess", "e2e4"], "name a player to analyse with: --player "),
        (["kriegspiel", "e2e9"], "cannot read 'e2e9'"),
        (["kriegspiel", "--model", "nowhere"], "no weights.safetensors at 'nowhere'"),
        (["chess", "--model", "nowhere", "--player", "random"], "leave out --model 'nowhere'"),
        (["kriegspiel", "--record", "nowhere"], "nowhere"),
        (["kriegspiel", "--seat", "green"], "green"),
    ],
)
def test_analyse_says_in_a_line_what_is_wrong(arguments: list[str], words: str) -> None:
    done = CliRunner().invoke(app, ["analyse", *arguments])
    assert done.exit_code in (1, 2)
    assert words in done.stderr and len(done.stderr.splitlines()) == 1
