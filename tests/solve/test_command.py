"""`rookery solve`: what it proves, and what it admits that it did not."""

import json

import pytest
from typer.testing import CliRunner

from rookery.cli import app


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["solve", *arguments])
    return result.exit_code, result.stdout


def test_a_claim_is_proven_with_its_line() -> None:
    code, out = run("go3", "--at-least", "9", "--hash", "8")
    assert code == 0
    assert out.startswith("Proven: Black scores at least 9 ")
    assert out.splitlines()[-1].startswith("B2 ")


def test_a_claim_is_refuted_with_the_opponents_line() -> None:
    code, out = run("go3", "--at-least", "1", "--position", ".../.O./... b", "--hash", "8", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["holds"] is False and told["nodes"] > 0
    assert len(told["line"]) > 1


def test_the_value_of_a_board() -> None:
    _, out = run("go3", "--hash", "8", "--json")
    assert json.loads(out)["points"] == 9


def test_too_few_nodes_are_admitted() -> None:
    _, out = run("go5", "--at-least", "1", "--nodes", "500", "--hash", "8")
    assert out.startswith("Not settled within 500 nodes")


@pytest.mark.parametrize("game", ["go7", "chess"])
def test_other_games_are_refused(game: str) -> None:
    code, _ = run(game)
    assert code == 2
