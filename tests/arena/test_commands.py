"""`match`, `tournament` and `record` as people and programs meet them."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
import typer
from typer.testing import CliRunner

from rookery.arena import record as records
from rookery.arena.contest import Contest
from rookery.arena.hold import hold
from rookery.cli import app
from rookery.interfaces.arena.commands import _sitting

ROOKERY = [sys.executable, "-c", "from rookery.cli import main; main()"]


def rookery(*words, code=0, cwd=None):
    done = subprocess.run([*ROOKERY, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=120)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


QUICK = [
    "match",
    "chess",
    "rollouts:games=1",
    "random",
    "--games",
    "4",
    "--max-plies",
    "20",
    "--workers",
    "0",
]


def test_match_as_json():
    out, err = rookery(*QUICK, "--json")
    found = json.loads(out)
    assert err == ""
    assert {"wins", "draws", "losses", "score", "elo", "elo_low", "elo_high", "games"} <= set(found)
    assert {"pentanomial", "llr", "sprt", "reasons", "seconds"} <= set(found)
    assert found["games"] == 4 and found["draws"] == 4 and found["elo"] == 0
    assert found["elo_low"] < -50 < 50 < found["elo_high"]


def test_match_for_people_its_record_and_its_export(tmp_path):
    path = tmp_path / "games.jsonl"
    out, _ = rookery(*QUICK, "--record", path, "--sprt", "0,50")
    assert "4 games: 0 won, 4 drawn, 0 lost; 50.0 %" in out
    assert "SPRT 0 or 50 Elo: LLR" in out and "Ended by length 4" in out
    again, _ = rookery(*QUICK, "--record", path, "--sprt", "0,50", "--resume")
    assert again.splitlines()[:4] == out.splitlines()[:4]
    shown, _ = rookery("record", "show", path)
    assert shown.splitlines()[:4] == out.splitlines()[:4]
    pgn, _ = rookery("record", "export", path, "--to", "pgn")
    assert pgn.count("[Event ") == 4
    rookery("record", "export", path, "--to", "pgn", "-o", tmp_path / "games.pgn")
    assert (tmp_path / "games.pgn").read_text() == pgn
    path.write_text(path.read_text().partition("\n")[0] + "\n")
    shown, _ = rookery("record", "show", path)
    assert shown.splitlines()[1:] == ["No game has ended yet."]


def test_a_bound_that_somebody_does_not_heed_is_mentioned():
    out, err = rookery(*QUICK, "--depth", "2", "--nodes", "50", "--json")
    assert err == "rookery: rollouts:games=1 does not heed --depth\n"
    assert json.loads(out)["games"] == 4


def test_tournament():
    words = [
        "tournament",
        "chess",
        "random",
        "rollouts:games=1",
        "random",
        "--games",
        "2",
        "--max-plies",
        "10",
    ]
    out, _ = rookery(*words, "--workers", "0")
    assert "+0 =2 -0" in out and "6 games" in out
    found = json.loads(rookery(*words, "--workers", "0", "--json")[0])
    assert [place["elo"] for place in found["ladder"]] == pytest.approx([0, 0, 0])
    assert found["points"] == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


@pytest.mark.parametrize(
    "words, code, said",
    [
        (["match", "ches", "random", "random"], 2, "did you mean chess?"),
        (["match", "chess", "random", "nobody"], 2, "no player is called 'nobody'"),
        (["match", "chess", "random", "uci:nothing"], 2, "there is no program 'nothing' here"),
        (["match", "chess", "random", "random", "--sprt", "5"], 2, "0,5"),
        (["match", "chess", "random", "random", "--openings", "x.pgn"], 2, "no book 'x.pgn'"),
        (["match", "chess", "random", "random", "--resume"], 2, "--record FILE"),
        (
            ["match", "chess", "random", "random", "--resume", "--record", "x"],
            1,
            "x does not exist; leave out --resume",
        ),
        (["match", "chess", "random", "random", "--games", "0"], 2, "games"),
        (["match", "chess", "random", "random", "--clock", "ten"], 2, "10+0.1"),
        (["tournament", "chess", "random"], 2, "needs two players or more (got 1)"),
        (["record", "show", "nowhere"], 1, "nowhere"),
        (["record", "export", "nowhere", "--to", "pgn"], 1, "nowhere"),
    ],
)
def test_mistakes_are_named_in_one_line(words, code, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, words)
    assert done.exit_code == code and said in done.stderr and done.stdout == ""
    assert isinstance(done.exception, SystemExit) and "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [], "nothing was begun"


def test_ctrl_c_says_how_to_go_on(tmp_path):
    words = ["match", "chess", "rollouts:games=1", "rollouts:games=2", "--games", "500", "--workers", "1"]
    words += ["--record", "games.jsonl"]
    process = subprocess.Popen(
        [*ROOKERY, *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    path = tmp_path / "games.jsonl"
    while not path.exists() or path.read_bytes().count(b"\n") < 2:
        time.sleep(0.02)
    # To the whole group, as a terminal does it: workers must not take it for their own.
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1 and out == "" and "Traceback" not in err
    assert "interrupted after" in err
    command = err.partition("To go on: rookery ")[2].split()
    assert command == words
    games = path.read_bytes().count(b"\n") - 1
    command[command.index("500")] = str(games)
    out, _ = rookery(*command, cwd=tmp_path)
    assert f"{games} games" in out


def test_games_that_nobody_asked_to_record_are_kept_when_interrupted(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["rookery", "match", "chess", "random", "random"])
    (tmp_path / "chess-1.jsonl").touch()
    contest = Contest("chess", ("random", "random"), games=4, max_plies=6)
    with pytest.raises(typer.Exit) as left, _sitting(contest, None, False) as (_, _, ended):
        for count, game in enumerate(hold(contest)):
            if count == 3:
                raise KeyboardInterrupt
            ended(game)
    assert left.value.exit_code == 1
    assert "To go on: rookery match chess random random --record chess-2.jsonl" in capsys.readouterr().err
    assert records.read(tmp_path / "chess-2.jsonl")[1] == list(hold(contest))[:3]
