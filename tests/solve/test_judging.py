"""The command `judge`: recorded games against exact play."""

import json
from pathlib import Path

from typer.testing import CliRunner

from rookery.cli import app

run = CliRunner().invoke


def test_says_how_many_moves_kept_the_outcome(tmp_path: Path):
    record = tmp_path / "games.jsonl"
    words = ["match", "go5", "random", "naive", "--games", "2", "--seed", "1", "--record", str(record)]
    assert run(app, [*words, "--workers", "0"]).exit_code == 0
    told = run(app, ["judge", str(record), "--json", "--hash", "16", "--nodes", "500"])
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout)["players"]
    assert [row["player"] for row in sorted(found, key=lambda row: row["player"])] == ["naive", "random"]
    for row in found:
        assert 0 < row["judged"] <= row["moves"] and 0 <= row["kept"] <= 1 and row["points_lost"] >= 0
    shown = run(app, ["judge", str(record), "--games", "1", "--hash", "16", "--nodes", "100"])
    assert "points lost a move" in shown.stdout


def test_refuses_what_cannot_be_solved(tmp_path: Path):
    record = tmp_path / "games.jsonl"
    words = ["match", "go7", "random", "random", "--games", "2", "--record", str(record), "--workers", "0"]
    assert run(app, words).exit_code == 0
    told = run(app, ["judge", str(record)])
    assert told.exit_code != 0
    assert "go7 cannot be judged; go2 to go5 can" in told.stderr


def test_games_that_begin_elsewhere_are_judged_from_there(tmp_path: Path):
    record, book = tmp_path / "games.jsonl", tmp_path / "book.txt"
    book.write_text("OO..O/OOXOX/XXX../OXX.O/.OOX. b 0:0 - 0 0\n")
    words = ["match", "go5", "random", "naive", "--games", "2", "--record", str(record), "--workers", "0"]
    assert run(app, [*words, "--openings", str(book)]).exit_code == 0
    told = run(app, ["judge", str(record), "--json", "--hash", "16", "--nodes", "20000"])
    assert told.exit_code == 0, told.output
    found = {row["player"]: row for row in json.loads(told.stdout)["players"]}
    assert found["random"]["judged"] > 0 and found["naive"]["judged"] > 0
