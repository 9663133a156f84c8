"""`rookery solve`: what it proves, and what it admits that it did not."""

import json

import pytest
from typer.testing import CliRunner

from rookery.cli import app
from rookery.solve import Bounds, Solver


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


def test_proofs_that_ran_out_of_moves_are_not_blamed_on_the_nodes() -> None:
    _, out = run("go2", "--hash", "1")
    assert out.startswith(
        "Not settled by proofs of up to 30 moves, all that are tried: Black scores from -4 to 4 ("
    )


def test_long_work_says_beforehand_that_it_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def ask(self: Solver, *_: object) -> Bounds:
        told.append("asked")
        return Bounds(0, 0, 1)

    monkeypatch.setattr(Solver, "bounds", ask)
    for arguments, said in (["go4"], True), (["go4", "--nodes", "1000"], False), (["go3"], False):
        result = CliRunner().invoke(app, ["solve", *arguments, "--hash", "1"])
        assert result.exit_code == 0 and told.pop() == "asked"
        assert ("starts from the beginning" in result.stderr) is said and result.stderr.count("\n") == said


@pytest.mark.parametrize("game", ["go7", "chess"])
def test_other_games_are_refused(game: str) -> None:
    code, _ = run(game)
    assert code == 2
