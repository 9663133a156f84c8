"""What a page may ask for: no program, file or amount of memory of its own choice."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient

from rookery.errors import RookeryError
from rookery.interfaces.web.budget import Budget
from rookery.interfaces.web.permits import Permits, engines
from rookery.learners import learners
from rookery.names import PlayerName
from rookery.runs import recipe

SMALL = Budget.of(4 << 30, 2)
NAMED = (PlayerName.parse("uci:stockfish"), PlayerName.parse("gtp:gnugo"))
EXPLOITS = [
    "uci:stockfish,Debug Log File=/some/folder/.bashrc,SyzygyPath=$(id>/some/folder/PWNED)",
    "gtp:gnugo,printsgf=/any/file",
    "gtp:gnugo,arguments=--mode gtp -o /any/file",
    "uci:stockfish,debug log file=x",
    "uci:stockfish,SyzygyPath=/etc",
    "uci:stockfish,EvalFile=/etc/passwd",
    "uci:stockfish,Threads=64",
    "uci:stockfish,Hash=65536",
    "uci:stockfish,depth=1\nsetoption name Debug Log File value x",
    "uci:stockfish,UCI_Elo=$(id)",
    "uci:stockfish,time=nan",
    "uci:stockfish,time=1e9",
    "uci:/bin/sh",
    "uci:./stockfish",
    "xboard:stockfish",
    "gtp:stockfish",
    "xboard:fairymax",
    "gtp:gnugo,loadsgf=/etc/passwd",
    "gtp:gnugo,level=5 -o /any/file",
    "greedy+td@/etc/passwd",
    "greedy+td@../x",
    "greedy+td@..",
    "greedy+td@.",
    "greedy+td@~",
    "greedy+linear@linked",
    "greedy+linear@file",
    "greedy+linear@none",
    "puct+zero@go/zero/../../../x",
    "alphabeta:threads=256+classical",
    "alphabeta:hash=65536+classical",
    "alphabeta:hash=1_024+classical",
    "uct:threads=3",
    "greedy+td@mine:threads=256",
    "greedy+classical:hash=65536",
    "puct+zero@../x:temperature=2",
    "puct+zero@/etc/passwd:temperature=2",
    "greedy+td@mine/..:",
]


@pytest.fixture
def permits(tmp_path: Path) -> Permits:
    runs = tmp_path / "runs"
    (runs / "mine").mkdir(parents=True)
    (runs / "file").write_text("no run")
    (tmp_path / "elsewhere").mkdir()
    (runs / "linked").symlink_to(tmp_path / "elsewhere")
    return Permits(runs, SMALL, NAMED)


@pytest.mark.parametrize("name", EXPLOITS)
def test_what_does_harm_is_refused(permits: Permits, name: str) -> None:
    with pytest.raises(RookeryError) as refused:
        permits.player(name)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "name",
    [
        *("random", "uci:stockfish", "gtp:gnugo,level=3", "alphabeta:hash=64,threads=2+classical"),
        "uci:stockfish,UCI_LimitStrength=true,UCI_Elo=1500,Skill Level=3,depth=5,nodes=1000,time=0.1",
        *("greedy+td@mine", "puct:nodes=400+go/zero", "greedy+linear@duchess/best"),
        *("puct+go/zero:temperature=2", "puct+zero@mine:temperature=0.5"),
    ],
)
def test_what_does_none_is_allowed(permits: Permits, name: str) -> None:
    assert str(permits.player(name)) == name


def test_without_a_word_of_the_owner_no_program_plays(tmp_path: Path) -> None:
    for name in ("uci:stockfish", "gtp:gnugo,level=3", "xboard:fairymax"):
        with pytest.raises(RookeryError, match="--engine"):
            Permits(tmp_path, SMALL).player(name)


def test_the_owner_names_programs() -> None:
    assert engines(["uci:sh"]) == (PlayerName("uci", (), None, "sh"),)
    for wrong in ("sh", "uci:sh,depth=3", "alphabeta+classical"):
        with pytest.raises(RookeryError, match="PROTOCOL:PROGRAM"):
            engines([wrong])
    with pytest.raises(RookeryError, match="no program"):
        engines(["uci:nothing-of-that-name"])


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("duchess4-stage1", "start=/etc/passwd"),
        ("duchess4-stage1", "start=../runs/mine"),
        ("duchess4-stage1", 'start="linked"'),
        ("duchess4-stage1", "hash=1024"),
        ("duchess4-stage1", "threads=200"),
        ("go5-koten", 'opponents=["naive", "uci:/bin/sh"]'),
        ("go5-koten", "opponents=gtp:gnugo"),
        ("go5-zero", "device=/dev/../x"),
        ("../../etc/passwd", "seed=1"),
        ("/etc/passwd", "seed=1"),
    ],
)
def test_recipes_name_no_files_and_take_no_machine(permits: Permits, name: str, change: str) -> None:
    with pytest.raises(RookeryError):
        permits.recipe(name, [change])


def test_a_recipe_may_begin_with_a_run(permits: Permits) -> None:
    passed = permits.recipe("duchess4-stage2", ["start=mine", "games=3"])
    assert passed[-1] == f"start={json.dumps(str(permits.runs.resolve() / 'mine'))}"
    assert permits.recipe("duchess4-stage2", ["start=duchess/stage1"]) == ["start=duchess/stage1"]
    for name in recipe.names():
        assert permits.recipe(name, ["seed=3"]) == ["seed=3"]


def test_a_recipe_may_have_a_run_for_its_teacher_and_no_other_store(permits: Permits) -> None:
    passed = permits.recipe("chess-deepchess-small", ["teacher=mine"])
    assert passed[-1] == f"teacher={json.dumps(str(permits.runs.resolve() / 'mine'))}"
    for change in ("teacher=/etc/passwd", "store=/etc", "store=mine"):
        with pytest.raises(RookeryError):
            permits.recipe("chess-deepchess-small", [change])


def test_every_text_of_a_recipe_is_known_to_the_check(
    permits: Permits, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A learner whose options name a file in a way that nobody thought of is refused, not let through."""

    @dataclass(frozen=True)
    class Options:
        diary: str = "/etc/passwd"

    (tmp_path / "writing.toml").write_text('learner = "writer"\n')
    monkeypatch.setattr(recipe, "FOLDER", tmp_path)
    monkeypatch.setitem(learners(), "writer", SimpleNamespace(Options=Options))  # type: ignore[arg-type]
    with pytest.raises(RookeryError, match="may not be set"):
        permits.recipe("writing", [])


def test_entrants_together_are_bounded(permits: Permits) -> None:
    with pytest.raises(RookeryError, match="MB"):
        permits.match(["alphabeta:hash=96+classical"] * 12)
    permits.match(["alphabeta+classical"] * 12)


def ask(client: TestClient, game: str, player: str) -> list[Any]:
    """Everything that a page can do with a player's name."""
    seats = [{"who": "me"}, {"who": "player", "player": player}]
    answers: list[Any] = [
        client.post("/api/tables", json={"game": game, "seats": seats}),
        client.post("/api/contests", json={"game": game, "players": [player, "random"], "games": 2}),
        client.post("/api/explain", json={"game": game, "player": player}),
    ]
    made = client.post("/api/tables", json={"game": game, "seats": [{"who": "me"}] * 2}).json()
    secret = next(iter(made["secrets"].values()))
    answers.append(client.post(f"/api/tables/{made['id']}/belief", json={"player": player, "secret": secret}))
    codes = [(answer.status_code, answer.json().get("error", "")) for answer in answers]
    with client.websocket_connect("ws://localhost/api/analyse") as socket:
        socket.send_text(json.dumps({"do": "think", "game": game, "player": player, "seconds": 0.1}))
        said = socket.receive_json()
        codes.append((400 if said["type"] == "error" else 200, said.get("text", "")))
    return codes


@pytest.mark.parametrize(
    ("game", "name"),
    [("chess", EXPLOITS[0]), ("go5", EXPLOITS[1]), ("go5", EXPLOITS[2]), ("go5", "greedy+td@/etc/passwd")],
)
def test_no_way_leads_past_the_check(client: TestClient, game: str, name: str) -> None:
    # A short name: one that is too long for any player would be refused for that.
    with TemporaryDirectory() as folder:
        for code, told in ask(client, game, name.replace("/some/folder", folder)):
            assert code == 400 and ("may not" in told or "no name of a run" in told), told
        assert not list(Path(folder).iterdir())


def test_a_table_from_before_is_checked_too(client: TestClient) -> None:
    """What lies in the store may have been allowed by another owner."""
    from rookery.interfaces.web.store import Chair, Kept, digest

    studio = client.app._app.state.studio  # type: ignore[attr-defined]
    chairs = [Chair("uci:stockfish,Debug Log File=/x"), Chair(None, digest("x" * 20))]
    studio.store.create(Kept("before", "chess", None, 1, None, chairs))
    with client.websocket_connect("ws://localhost/api/tables/before/play") as socket:
        socket.send_text('{"do": "sit", "secrets": []}')
        while not (shown := socket.receive_json())["failure"]:
            pass
    assert "may not be started" in shown["failure"]


def test_a_recipe_opens_no_path_of_the_page(client: TestClient) -> None:
    for path in ("/etc/passwd", "/nowhere"):
        answer = client.post("/api/runs", json={"recipe": "duchess4-stage1", "changes": [f"start={path}"]})
        assert answer.status_code == 400 and "no name of a run" in answer.json()["error"]
    bomb = {"recipe": "duchess4-stage1", "name": "bomb", "changes": ["hash=1024", "parallel_games=4096"]}
    answer = client.post("/api/runs", json=bomb)
    assert answer.status_code == 400 and "parallel_games" in answer.json()["error"]


def test_menus_list_the_programs_that_are_allowed(tmp_path: Path) -> None:
    from studio_table import settings

    from rookery.interfaces.web.app import create

    named = (PlayerName.parse("uci:sh"), PlayerName.parse("gtp:sh"))
    with TestClient(
        create(replace(settings(tmp_path), engines=named)), base_url="http://localhost"
    ) as client:
        for game, program in (("chess", "uci:sh"), ("go5", "gtp:sh")):
            listed = [one["name"] for one in client.get(f"/api/games/{game}/players").json()["players"]]
            assert [name for name in listed if ":sh" in name] == [program]
