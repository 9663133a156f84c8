"""What each command reports, to people and as JSON."""

import json

import pytest
from typer.testing import CliRunner

from rookery import __version__, games, native
from rookery.cli import app
from sticks import Sticks

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FOOLS_MATE = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def run_json(*arguments: str):
    return json.loads(run(*arguments, "--json"))


def test_version():
    assert run("--version") == f"rookery {__version__}\n"


def test_help_names_every_command():
    listed = run("--help")
    for command in ("play", "players", "games", "moves", "perft", "bench", "doctor"):
        assert f" {command} " in listed


def test_games():
    found = {game["name"]: game for game in run_json("games")["games"]}
    assert list(found) == games.names()
    chess = found["chess"]
    assert (chess["seats"], chess["sides"], chess["hidden"]) == (2, 2, False)
    assert chess["side_of"] == [0, 1] and chess["seat_names"] == ["White", "Black"]
    assert "White, Black" in run("games")


def test_moves():
    found = run_json("moves", "chess")
    assert list(found) == ["game", "position", "seat", "moves", "outcome", "forced_pass"]
    assert found["game"] == "chess" and found["position"] == START and found["seat"] == 0
    assert found["moves"][:3] == ["a2a3", "a2a4", "b1a3"] and len(found["moves"]) == 20
    assert found["outcome"] is None and found["forced_pass"] is False


def test_moves_of_a_position():
    found = run_json("moves", "chess", "--position", KIWIPETE)
    assert len(found["moves"]) == 48 and found["moves"] == sorted(found["moves"])
    assert found["position"] == KIWIPETE


def test_moves_of_a_finished_game():
    found = run_json("moves", "chess", "--position", FOOLS_MATE)
    assert found["moves"] == [] and found["outcome"] == {"values": [-1.0, 1.0], "reason": "checkmate"}
    assert "Black wins: checkmate." in run("moves", "chess", "--position", FOOLS_MATE)


def test_moves_of_a_drawn_position_are_still_its_moves():
    found = run_json("moves", "chess", "--position", "8/8/8/8/8/8/8/k1K5 w - - 0 1")
    assert found["moves"] == ["c1c2", "c1d1", "c1d2"] and found["outcome"]["values"] == [0.0, 0.0]


def test_a_forced_pass_is_no_move(monkeypatch):
    monkeypatch.setitem(games._GAMES, "sticks", Sticks())
    found = run_json("moves", "sticks", "--position", "10 2")
    assert found["moves"] == [] and found["forced_pass"] is True and found["outcome"] is None
    assert "South cannot move, and must pass." in run("moves", "sticks", "--position", "10 2")
    assert run_json("moves", "sticks")["forced_pass"] is False


def test_moves_for_people():
    shown = run("moves", "chess")
    assert "White has 20 moves:" in shown and "e2e4" in shown and "r n b q k b n r" in shown


@pytest.mark.parametrize("name", games.names())
def test_moves_of_every_game(name):
    assert run_json("moves", name)["moves"]
    assert run("moves", name)


@pytest.mark.parametrize(("depth", "nodes"), [(0, 1), (1, 20), (2, 400), (3, 8902), (4, 197281)])
def test_perft(depth, nodes):
    found = run_json("perft", "chess", "--depth", str(depth))
    assert found["nodes"] == nodes and found["depth"] == depth and found["position"] == START
    assert found["seconds"] >= 0 and found["nodes_per_second"] >= 0
    assert list(found) == ["game", "position", "depth", "nodes", "seconds", "nodes_per_second"]


def test_perft_of_a_position_divided():
    found = run_json("perft", "chess", "--depth", "3", "--position", KIWIPETE, "--divide")
    assert found["nodes"] == 97862 == sum(found["divide"].values())
    assert len(found["divide"]) == 48 and found["divide"]["e1g1"] == 2059
    shown = run("perft", "chess", "--depth", "2", "--divide").splitlines()
    assert len(shown) == 21 and shown[0] == "a2a3  20" and shown[-1].startswith("400 leaves at depth 2")


def test_perft_counts_through_drawing_rules():
    assert (
        run_json("perft", "chess", "--depth", "2", "--position", "8/8/8/8/8/8/8/k1K5 w - - 0 1")["nodes"] == 7
    )
    mated = run_json("perft", "chess", "--depth", "2", "--position", FOOLS_MATE)
    assert mated["nodes"] == 0


@pytest.mark.parametrize("name", [*games.names(), "go"])
def test_rules_are_those_of_the_studio(name):
    assert run("rules", name) == games.rules(name) + "\n"


def test_players():
    found = run_json("players")
    names = {player["name"]: player for player in found["players"]}
    assert names["random"]["games"] == games.names()
    assert "kriegspiel" not in names["rollouts"]["games"] and "games" in names["rollouts"]["options"]
    assert found["default"].keys() == set(games.names())
    assert len(names["alphabeta+classical"]["levels"]["chess"]) >= 5 and not names["random"]["levels"]
    told = run("players", "chess")
    assert all(str(elo) in told for elo in names["alphabeta+classical"]["levels"]["chess"])
    assert "rollouts" in told and "rollouts" not in run("players", "kriegspiel")


def test_bench():
    found = run_json("bench", "perft/chess", "play", "--seconds", "0.01")
    assert [result["name"] for result in found["results"]] == [
        "perft/chess",
        *(f"play/{name}" for name in games.names()),
    ]
    assert all(result["value"] > 0 and result["unit"] in ("nodes/s", "us") for result in found["results"])
    assert found["build"] == native.build and "signature" not in found
    assert "moves/chess" in run("bench", "moves/chess", "--seconds", "0.01")


def test_bench_prints_the_signature(monkeypatch):
    monkeypatch.setattr(games, "names", lambda: ["kriegspiel"])
    found = run_json("bench", "signature")
    assert found["results"] == [] and found["signatures"].keys() == {"kriegspiel"}
    shown = run("bench", "signature")
    assert f"Signature: {found['signature']}" in shown and "sergeant" in shown


def test_bench_refuses_a_slow_build(monkeypatch):
    monkeypatch.setattr(native, "build", "Debug")
    refused = CliRunner().invoke(app, ["bench", "perft/chess", "--json"])
    assert refused.exit_code == 1 and refused.stdout == ""
    assert refused.stderr.startswith("rookery: ") and "Debug" in refused.stderr
    anyway = run_json("bench", "perft/chess", "--anyway", "--seconds", "0.01")
    assert anyway["build"] == "Debug"


def test_doctor():
    found = run_json("doctor")
    assert found["rookery"] == __version__ and found["games"] == games.names()
    assert found["native"]["level"] in found["native"]["built"]
    assert found["cpu"]["cores"] >= 1 and found["speeds"]["perft/chess"] > 0
    assert "torch" in found["extras"]["train"]
    shown = run("doctor")
    assert __version__ in shown and native.level in shown
    # Square brackets must not be taken for colours.
    assert ("missing" in shown) == ("pip install 'rookery[" in shown)


def test_doctor_warns_of_a_slow_build(monkeypatch):
    monkeypatch.setattr(native, "build", "Debug")
    assert any("Debug" in warning for warning in run_json("doctor")["warnings"])
    assert "WARNING: this is a Debug build" in run("doctor")


def test_training_tells_its_progress_where_there_is_no_terminal(tmp_path):
    said = [
        "train",
        "go5-koten",
        "--run",
        str(tmp_path / "run"),
        "--set",
        "games=10",
        "--set",
        "evaluate_every=10",
    ]
    told = CliRunner().invoke(app, [*said, "--set", "evaluation_games=2"])
    assert told.exit_code == 0 and "step 1/1; " in told.stderr and " left\n" in told.stderr


def test_every_seat_is_told_what_its_move_is_worth() -> None:
    for moves in ([], ["1c3-1c4"], ["1c3-1c4", "2c3-2c4"], ["1c3-1c4", "2c3-2c4", "4c3-4c4"]):
        said = run("analyse", "duchess4", *moves, "--player", "uct:nodes=20").splitlines()[-1]
        assert "(-1 lost, +1 won), 20 nodes" in said, moves
    assert run("analyse", "kriegspiel", "--player", "sergeant").endswith(": chosen without a search\n")
