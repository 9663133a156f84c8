"""`rookery data`: what it reports, and what it says of wrong wishes."""

import json
from pathlib import Path

import pytest
from games_made import random_games
from typer.testing import CliRunner

from rookery.cli import app
from rookery.records.store import Store

GAMES = random_games(12)


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    (folder / "games.pgn").write_text("".join(game.pgn for game in GAMES) + "1. e4 e5 2. Nd4 *\n")
    run("import", folder / "games.pgn", "--to", folder / "store")
    return folder


def run(*arguments, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["data", *map(str, arguments)])
    assert result.exit_code == code, result.stderr
    if code:
        assert result.stderr.startswith("rookery: ") and result.stderr.count("\n") == 1, result.stderr
        return result.stderr
    return result.stdout


def test_import_reports_what_became_of_every_game(made):
    # The same command again: it is done, and says the same.
    told = json.loads(run("import", made / "games.pgn", "--to", made / "store", "--json"))
    assert list(told) == ["store", "read", "kept", "duplicates", "skipped", "plies", "seconds"]
    assert (told["read"], told["kept"], told["duplicates"]) == (13, 12, 0)
    assert told["skipped"] == {"illegal move": 1}
    assert "1 skipped: illegal move" in run("import", made / "games.pgn", "--to", made / "store")


def test_info(made):
    told = json.loads(run("info", made / "store", "--check", "--json"))
    assert told["games"] == 12 and told["hash"] == Store.open(made / "store").hash and told["checked"]
    assert told["results"] == {"1-0": 3, "1/2-1/2": 3, "0-1": 3, "*": 3}
    assert told["sources"][0]["name"] == "games.pgn"
    assert "12" in run("info", made / "store")


def test_sample_is_seeded(made):
    first = run("sample", made / "store", "-n", 3, "--seed", 4, "--json")
    assert first == run("sample", made / "store", "-n", 3, "--seed", 4, "--json")
    games = json.loads(first)["games"]
    assert len(games) == 3 and games[0]["moves"]
    assert run("sample", made / "store", "-n", 2).count("[Event ") == 2
    positions = json.loads(run("sample", made / "store", "-n", 5, "--positions", "--json"))["positions"]
    assert len(positions) == 5
    for each in positions:
        board = GAMES[each["game"]].boards[each["ply"]]
        assert each["position"] == board.fen()
        assert each["move"] == GAMES[each["game"]].board.move_stack[each["ply"]].uci()
    assert "position" in run("sample", made / "store", "--positions")


def test_what_is_exported_is_imported_again(made, tmp_path):
    told = json.loads(run("export", made / "store", "-o", tmp_path / "out.pgn", "--json"))
    assert told["games"] == 12 and told["bytes"] == (tmp_path / "out.pgn").stat().st_size
    run("import", tmp_path / "out.pgn", "--to", tmp_path / "again")
    assert Store.open(tmp_path / "again").hash == Store.open(made / "store").hash
    only = run("export", made / "store", "--result", "1-0", "--since", "2004", "--threads", 1)
    assert only.count('[Result "1-0"]') == only.count("[Event ") == 2
    assert run("export", made / "store", "--until", "1999-12-31") == ""


def test_exported_text_is_that_of_python_chess(made):
    import io

    import chess.pgn

    text = io.StringIO(run("export", made / "store"))
    for game in GAMES:
        read = chess.pgn.read_game(text)
        assert not read.errors and read.board().fen() == game.board.root().fen()
        assert list(read.mainline_moves()) == game.board.move_stack
        # python-chess leaves what is escaped as it is.
        assert read.headers["Black"] == r"Bert \"B\" \\ é"
    assert chess.pgn.read_game(text) is None


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["info", "nowhere"], 1, "no store"),
        (["sample", "nowhere"], 1, "no store"),
        (["export", "nowhere"], 1, "no store"),
        (["import", "nowhere.pgn", "--to", "x"], 1, "nowhere.pgn"),
        (["import", "{games}", "--to", "{store}", "--min-elo", "5"], 1, "other games"),
        (["import", "{games}", "--to", "x", "--result", "2-0"], 2, "no result"),
        (["import", "{games}", "--to", "x", "--since", "yesterday"], 2, "no date"),
        (["import", "{games}", "--to", "x", "--min-plies", "9", "--max-plies", "8"], 2, "--min-plies"),
        (["export", "{store}", "--json"], 2, "--output"),
        (["export", "{store}", "-o", "/no/such/folder/x.pgn"], 1, "/no/such/folder"),
    ],
)
def test_wrong_wishes_are_answered_in_one_line(made, tmp_path, monkeypatch, words, code, said):
    monkeypatch.chdir(tmp_path)
    words = [word.format(games=made / "games.pgn", store=made / "store") for word in words]
    assert said in run(*words, code=code)
    assert not (tmp_path / "x").exists()
