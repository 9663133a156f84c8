"""What the other pages ask for: analysis, arena, training, papers."""

import json
import re
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rookery import cards, players
from rookery.api import Measure
from rookery.learners import learners
from rookery.runs import recipe


def wait(look: Callable[[], Any], wanted: Callable[[Any], bool], seconds: float = 200.0) -> Any:
    end = time.monotonic() + seconds
    while not wanted(found := look()):
        assert time.monotonic() < end, found
        time.sleep(0.1)
    return found


def test_players_think_aloud(client: TestClient) -> None:
    with client.websocket_connect("ws://localhost/api/analyse") as socket:
        wish = {"do": "think", "game": "chess", "player": "alphabeta+classical", "moves": ["e2e4", "e7e5"]}
        socket.send_text(json.dumps(wish | {"seconds": 0.4, "lines": 3}))
        said = [socket.receive_json()]
        while said[-1]["type"] == "thought":
            said.append(socket.receive_json())
    assert said[-1]["type"] == "choice" and said[-1]["label"]
    lines = said[-2]["lines"]
    assert len(lines) == 3 and lines[0]["labels"] and lines[0]["first"]["start"]


def thought_of(client: TestClient, **wish: Any) -> list[dict[str, Any]]:
    """Everything that is said of a position until the thinking ends."""
    with client.websocket_connect("ws://localhost/api/analyse") as socket:
        socket.send_text(json.dumps({"do": "think", **wish}))
        said = [socket.receive_json()]
        while said[-1]["type"] == "thought":
            said.append(socket.receive_json())
    return said


def test_forced_moves_are_searched(client: TestClient) -> None:
    immortal = "r1b1k1nr/p2p1pNp/n2B4/1p1NP2P/6P1/3P1Q2/P1P1K3/q5b1 b kq - 0 21"
    said = thought_of(client, game="chess", player="alphabeta+classical", start=immortal, seconds=20, lines=3)
    assert said[-1]["type"] == "choice" and said[-1]["value"] == [1.0, -1.0]
    best = said[-2]["lines"][0]
    assert best["wins_in"] == -4 and best["labels"][:2] == ["Kd8", "Qf6+"] and "#" in best["labels"][3]


def test_a_name_does_not_bound_an_analysis(client: TestClient) -> None:
    said = thought_of(client, game="go5", player="uct:nodes=20", seconds=0.3)
    assert said[-1]["type"] == "choice" and said[-1]["nodes"] > 20


def test_chess_offers_opponents_by_rating(client: TestClient) -> None:
    shown = {game["name"]: game for game in client.get("/api/games").json()}
    ratings = shown["chess"]["ratings"]
    assert [one["elo"] for one in ratings["list"]] == list(range(1000, 2501, 100))
    usual = ratings["list"][ratings["usual"]]
    assert usual == {
        "elo": 1500,
        "player": players.rated("pikl+chess/human", 1500),
        "title": "Like people rated 1500",
        "words": cards.zoo()["chess/human"].ratings.told(1500),
    }
    assert shown["go9"]["ratings"] is None


def test_levels_show_what_they_were_measured_at(client: TestClient) -> None:
    shown = {game["name"]: game for game in client.get("/api/games").json()}
    assert len(shown["chess"]["strengths"]) == len(shown["chess"]["spellings"]) == shown["chess"]["levels"]
    assert shown["chess"]["strengths"][3] == "casual player, about 1000 Elo"
    assert {*shown["go19"]["strengths"]} == {"not measured; the network was not trained on this size"}
    listed = {player["name"]: player for player in client.get("/api/games/chess/players").json()["players"]}
    best = listed["alphabeta+classical"]
    assert shown["go9"]["levels"] == players.levels(shown["go9"]["opponent"])
    assert best["strengths"] == shown["chess"]["strengths"] and best["title"] == "Rookery"
    assert {*listed["uct"]["strengths"]} == {"not measured"} and listed["uct"]["spellings"]


def test_an_analysis_can_be_stopped_and_changed(client: TestClient) -> None:
    with client.websocket_connect("ws://localhost/api/analyse") as socket:
        endless = {"do": "think", "game": "go9", "player": "uct", "seconds": 600}
        socket.send_text(json.dumps(endless))
        assert socket.receive_json()["type"] == "thought"
        socket.send_text(json.dumps({"do": "think", "game": "go5", "player": "random", "seconds": 1}))
        while (said := socket.receive_json())["type"] == "thought":
            pass
        assert said["type"] == "choice"
        socket.send_text(json.dumps(endless | {"player": "sergeant"}))
        assert "sergeant" in socket.receive_json()["text"]
        mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
        socket.send_text(
            json.dumps({"do": "think", "game": "chess", "player": "random", "start": mate, "seconds": 1})
        )
        assert "over" in socket.receive_json()["text"]


def test_a_match_is_held_and_can_be_replayed(client: TestClient) -> None:
    asked = {"game": "go5", "players": ["random", "random"], "games": 4}
    made = client.post("/api/contests", json=asked).json()
    path = f"/api/contests/{made['name']}"
    shown = wait(lambda: client.get(path).json(), lambda one: not one["running"])
    assert shown["failure"] is None and shown["played"] == shown["planned"] == 4
    assert shown["result"]["wins"] + shown["result"]["draws"] + shown["result"]["losses"] == 4
    assert sorted(one["number"] for one in shown["games"]) == [0, 1, 2, 3]
    game = client.get(f"{path}/games/3").json()
    assert len(game["frames"]) > 2 and game["outcome"]
    assert client.get(f"{path}/games/4").status_code == 400
    assert made["name"] in [one["name"] for one in client.get("/api/contests").json()]
    assert client.post(f"{path}/stop").status_code == 400


def test_a_tournament_has_a_ladder(client: TestClient) -> None:
    asked = {"game": "go5", "players": ["random", "rollouts:games=1", "uct:nodes=5"], "games": 2}
    made = client.post("/api/contests", json=asked).json()
    path = f"/api/contests/{made['name']}"
    shown = wait(lambda: client.get(path).json(), lambda one: not one["running"])
    assert shown["played"] == 6 and len(shown["result"]["ladder"]) == 3


def test_matches_that_cannot_be_held(client: TestClient) -> None:
    answer = client.post("/api/contests", json={"game": "go5", "players": ["random", "nobody"], "games": 2})
    assert "nobody" in answer.json()["error"]
    assert client.get("/api/contests/none-1").status_code == 404


TRAINER = """
import json, pathlib, signal, sys, time
verb, what = sys.argv[1], sys.argv[2]
run = pathlib.Path(sys.argv[sys.argv.index("--run") + 1] if verb == "train" else what)
(run / "checkpoints").mkdir(parents=True, exist_ok=True)
(run / "config.toml").write_text('learner = "counting"\\n')
(run / "steps.json").write_text('{"steps": 2000}')
done = []
signal.signal(signal.SIGTERM, lambda *_: done.append(1))
with (run / "metrics.jsonl").open("a") as file:
    for step in range(1, 2000):
        file.write(json.dumps({"step": step, "seconds": step / 10, "loss": 1 / step}) + "\\n")
        file.flush()
        if done:
            (run / "checkpoints" / f"{step:06}").mkdir()
            break
        time.sleep(0.02)
"""


class Counting:
    """A learner of which only the recipe is read here."""

    @dataclass(frozen=True)
    class Options:
        games: int = 1

    @staticmethod
    def measures(options: Options) -> dict[str, Measure]:
        return {"loss": Measure("Loss", "Of nothing.")}


@pytest.fixture
def runs(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "recipes").mkdir()
    (tmp_path / "recipes" / "small.toml").write_text('# Counts a little.\nlearner = "td"\n')
    (tmp_path / "trainer.py").write_text(TRAINER)
    monkeypatch.setattr(recipe, "FOLDER", tmp_path / "recipes")
    monkeypatch.setitem(learners(), "counting", Counting)  # type: ignore[arg-type]
    found = client.app._app.state.studio.runs  # type: ignore[attr-defined]
    monkeypatch.setattr(found, "command", (sys.executable, str(tmp_path / "trainer.py")))
    return found


def test_a_run_is_started_followed_stopped_and_resumed(client: TestClient, runs: Any) -> None:
    (listed,) = client.get("/api/recipes").json()
    assert (listed["name"], listed["about"], listed["learner"]) == ("small", "Counts a little.", "td")
    made = client.post("/api/runs", json={"recipe": "small", "changes": ["seed=2"]}).json()
    path = f"/api/runs/{made['name']}"
    shown = wait(lambda: client.get(path).json(), lambda run: run["step"] > 5)
    assert shown["running"] and shown["steps"] == 2000 and shown["learner"] == "counting"
    assert client.post("/api/runs", json={"recipe": "small", "name": made["name"]}).status_code == 400
    client.post(f"{path}/stop")
    shown = wait(lambda: client.get(path).json(), lambda run: not run["running"])
    assert shown["checkpoints"] and shown["failure"] is None and "loss" in shown["metrics"][-1]
    assert len(client.get(f"{path}?points=4").json()["metrics"]) <= 4
    table = client.get(f"{path}/metrics.csv").text.splitlines()
    assert table[:2] == ["step,seconds,loss", "1,0.1,1.0"] and len(table) == shown["step"] + 1
    assert client.get(f"{path}/players").json() == {"players": []}
    client.post(f"{path}/resume")
    assert client.get(path).json()["running"]
    client.post(f"{path}/stop")
    wait(lambda: client.get(path).json(), lambda run: not run["running"])


def test_a_recipe_is_a_form(client: TestClient) -> None:
    found = {one["name"]: one for one in client.get("/api/recipes").json()}
    for one in found.values():
        assert one["about"].endswith(".") and all(key["meaning"] for key in one["keys"]), one["name"]
    assert [name for name, one in found.items() if one["first"]] == ["go5-koten"]
    keys = {key["name"]: key for key in found["go5-roban"]["keys"]}
    assert keys["representation"]["value"] == "roban"
    assert keys["representation"]["choices"] == ["koten", "katatsugi", "roban"]
    assert (keys["learning_rate"]["kind"], keys["learning_rate"]["low"], keys["learning_rate"]["high"]) == (
        "number",
        0,
        10,
    )
    assert keys["opponents"]["value"] == ["gojen", "naive", "random"] and keys["seed"]["value"] == 1


def test_curves_say_what_they_are(client: TestClient, folder: Path) -> None:
    run = folder / "runs" / "told"
    run.mkdir(parents=True)
    (run / "config.toml").write_text(recipe.find("go5-koten", ["evaluation_games=200"]).toml())
    (run / "metrics.jsonl").write_text('{"step": 1, "seconds": 1, "games": 50000, "strength": 0.5}\n')
    measures = client.get("/api/runs/told").json()["measures"]
    assert next(iter(measures)) == "games"
    assert measures["strength"]["title"] == "Win rate vs. gojen, naive, random"
    assert measures["strength"]["games"] == 600 and measures["strength_naive"]["games"] == 200
    # A recipe of another version is no reason to hide its curves.
    (run / "config.toml").write_text('learner = "gone"\n')
    shown = client.get("/api/runs/told").json()
    assert shown["measures"] == {} and shown["metrics"][0]["strength"] == 0.5


def test_runs_that_are_none(client: TestClient, runs: Any) -> None:
    assert client.post("/api/runs", json={"recipe": "large"}).status_code == 404
    assert client.post("/api/runs", json={"recipe": "small", "name": "../x"}).status_code == 422
    assert client.get("/api/runs/none").status_code == 404
    assert client.post("/api/runs/none/stop").status_code == 400
    assert client.post("/api/runs/none/resume").status_code == 404


def test_reports_and_their_pictures(client: TestClient, folder: Path) -> None:
    reports = folder / "reports"
    (reports / "go").mkdir(parents=True)
    (reports / "go" / "report.md").write_text("# Go by TD\n\n![curve](curve.png)\n")
    (reports / "go" / "curve.png").write_bytes(b"\x89PNG")
    (reports / "go" / "secret.txt").write_text("no picture")
    listed = {paper["name"]: paper for paper in client.get("/api/papers").json()}
    assert listed["go"]["title"] == "Go by TD" and not listed["go"]["shipped"] and not listed["go"]["summary"]
    assert "curve" in client.get("/api/papers/go").json()["text"]
    assert client.get("/api/papers/go/curve.png").headers["content-type"] == "image/png"
    assert client.get("/api/papers/go/secret.txt").status_code == 404
    assert client.get("/api/papers/none").status_code == 404


def test_pages_that_a_report_links_to_are_shown_where_the_repository_is(
    client: TestClient, folder: Path
) -> None:
    (folder / "reports" / "linked").mkdir(parents=True)
    linked = "[docs/td.md](../../../../../docs/td.md), [docs/none.md](docs/none.md)"
    (folder / "reports" / "linked" / "report.md").write_text(f"# Go by TD\n\n{linked}\n")
    assert client.get("/api/papers/linked").json()["pages"] == ["docs/td.md"]
    assert client.get("/api/papers/docs/td.md").json()["text"].startswith("# Learning 5x5 Go")
    assert client.get("/api/papers/docs/games/go.md").status_code == 200
    for lost in ("none.md", "..%2fpyproject.toml", "../README.md", ""):
        assert client.get(f"/api/papers/docs/{lost}").status_code in (404, 422), lost


def test_reports_on_the_full_studies_come_along(client: TestClient) -> None:
    listed = {paper["name"]: paper for paper in client.get("/api/papers").json() if paper["shipped"]}
    assert set(listed) >= {"duchess", "go-td"}
    assert re.fullmatch(r"\d+ of \d+ reproduced, \d+ differ, \d+ inconclusive", listed["go-td"]["summary"])
    for name in listed:
        text = client.get(f"/api/papers/{name}").json()["text"]
        for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text):
            assert client.get(f"/api/papers/{name}/{picture}").status_code == 200, picture
