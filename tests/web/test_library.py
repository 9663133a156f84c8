"""Every game can be found again, and thrown away."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from studio_table import Sitting, lay, settings

from rookery.interfaces.web.app import create


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Somebody at a studio where nothing has been played yet."""
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as one:
        yield one


def shelf(client: TestClient, **wish: Any) -> dict[str, Any]:
    answer = client.get("/api/library", params=wish)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def test_all_games_are_reached_page_by_page(client: TestClient) -> None:
    made = [lay(client, "chess", ["me", "random"])["id"] for _ in range(30)]
    first, second = shelf(client), shelf(client, offset=24)
    assert first["total"] == second["total"] == 30
    found = [one["id"] for one in first["games"] + second["games"]]
    assert sorted(found) == sorted(made) and len(first["games"]) == 24


def test_games_are_found_by_kind_state_and_name(client: TestClient) -> None:
    chess, go = lay(client, "chess", ["me", "random"]), lay(client, "go5", ["me", "naive"])
    with Sitting(client, go["id"], [go["secrets"][0]]) as me:
        me.send({"do": "call", "name": "Ada Lovelace"})
        me.send({"do": "resign"})
        me.until(lambda shown: shown["outcome"])
    drawn = lay(client, "chess", ["me", "me"], start="7k/5Q2/8/8/8/8/8/K7 w - - 0 1")
    with Sitting(client, drawn["id"], [drawn["secrets"][0]]) as me:
        me.send({"do": "move", "text": "Qg6"})
        me.until(lambda shown: shown["outcome"])

    def ids(**wish: Any) -> set[str]:
        return {one["id"] for one in shelf(client, **wish)["games"]}

    assert ids(game="chess") == {chess["id"], drawn["id"]} and ids(game="go5") == {go["id"]}
    assert ids(state="unfinished") == {chess["id"]} and ids(state="drawn") == {drawn["id"]}
    assert ids(state="finished") == {go["id"], drawn["id"]}
    assert ids(who="ada l") == {go["id"]} and ids(who="RANDOM MOVER") == {chess["id"]}
    assert ids(who="rule-based", game="go5") == {go["id"]} and ids(who="%") == ids(who="'; --") == set()
    assert client.get("/api/library", params={"state": "won"}).status_code == 422


def test_a_game_is_deleted_when_nobody_is_at_it(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        me.move("e2e4")
        answer = client.delete(f"/api/tables/{made['id']}")
        assert answer.status_code == 400 and "everybody has left" in answer.json()["error"]
    # The server sees a moment later that the browser has gone.
    for _ in range(100):
        answer = client.delete(f"/api/tables/{made['id']}")
        if answer.status_code == 204:
            break
    assert answer.status_code == 204 and shelf(client)["total"] == 0
    assert client.get(f"/api/tables/{made['id']}/replay").status_code == 404
    assert client.delete(f"/api/tables/{made['id']}").status_code == 404


def test_a_hint_for_who_is_to_move_and_nobody_else(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "open"], start="7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    path = f"/api/tables/{made['id']}/hint"
    told = client.post(path, json={"secret": made["secrets"][0]}).json()
    assert told["label"] == "Qg7#" and (told["start"], told["to"]) == ("g5", "g7")
    stranger = client.post(path, json={"secret": "x" * 24})
    assert stranger.status_code == 400 and "holds a seat" in stranger.json()["error"]
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invitation": made["invitations"][1]}
    ).json()
    late = client.post(path, json={"secret": claimed["secret"]})
    assert late.status_code == 400 and "only the player to move" in late.json()["error"]


def test_the_others_are_invited_to_a_rematch_once(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "open"])
    claimed = client.post(
        f"/api/tables/{made['id']}/claim", json={"invitation": made["invitations"][1]}
    ).json()
    again = lay(client, "chess", ["open", "me"])
    wish = {"do": "rematch", "table": again["id"], "invitations": {"1": again["invitations"][0]}}
    with (
        Sitting(client, made["id"], [made["secrets"][0]]) as white,
        Sitting(client, made["id"], [claimed["secret"]]) as black,
        Sitting(client, made["id"]) as watcher,
    ):
        assert "not over" in white.error(wish)
        white.send({"do": "resign"})
        black.until(lambda shown: shown["outcome"])
        white.send(wish)
        black.until(lambda shown: shown["rematch"])
        assert black.shown["rematch"] == f"{again['id']}/join/{again['invitations'][0]}"
        assert "already" in black.error(wish) and white.shown["rematch"] is None
        watcher.until(lambda shown: shown["outcome"])
        assert watcher.shown["rematch"] is None
