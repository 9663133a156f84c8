"""A server that is killed has lost nothing that it answered."""

import json
import signal
import sqlite3
from pathlib import Path

from served import HEADERS, post, serve
from starlette.testclient import TestClient
from studio_table import Sitting, lay, settings
from websockets.sync.client import connect

from rookery.interfaces.web.app import create


def test_a_game_goes_on_in_another_server(tmp_path: Path) -> None:
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as client:
        made = lay(client, "go5", ["me", "random"], clock={"minutes": 10, "increment": 2})
        with Sitting(client, made["id"], [made["secrets"][0]]) as me:
            me.move("C3")
            before = me.move(next(step["text"] for step in me.shown["legal"]))
    with (
        TestClient(create(settings(tmp_path)), base_url="http://localhost") as client,
        Sitting(client, made["id"], [made["secrets"][0]]) as me,
    ):
        after = me.shown
        assert after["moves"] == before["moves"] and after["men"] == before["men"]
        assert abs(after["seats"][0]["clock"] - before["seats"][0]["clock"]) < 5
        me.send({"do": "resign"})
        me.until(lambda shown: shown["outcome"])
    with (
        TestClient(create(settings(tmp_path)), base_url="http://localhost") as client,
        Sitting(client, made["id"], [made["secrets"][0]]) as me,
    ):
        assert me.shown["outcome"]["reason"] == "Black resigned"


def test_a_killed_server_comes_back_with_every_move(tmp_path: Path) -> None:
    process, address = serve(tmp_path)
    try:
        seats = [{"who": "me"}, {"who": "player", "player": "random"}]
        made = post(address, "/api/tables", {"game": "chess", "seats": seats})
        with connect(f"ws://{address}/api/tables/{made['id']}/play", additional_headers=HEADERS) as socket:
            socket.send(json.dumps({"do": "sit", "secrets": [made["secrets"]["0"]]}))
            shown = json.loads(socket.recv())
            while len(shown["moves"]) < 6:
                if shown["legal"]:
                    socket.send(json.dumps({"do": "move", "text": shown["legal"][0]["text"]}))
                shown = json.loads(socket.recv())
            process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    process, address = serve(tmp_path)
    try:
        with connect(f"ws://{address}/api/tables/{made['id']}/play", additional_headers=HEADERS) as socket:
            socket.send(json.dumps({"do": "sit", "secrets": [made["secrets"]["0"]]}))
            again = json.loads(socket.recv())
            assert again["moves"][: len(shown["moves"])] == shown["moves"]
    finally:
        process.terminate()
        assert process.wait(20) in (0, -signal.SIGTERM)


def test_games_from_before_people_had_names_are_still_there(tmp_path: Path) -> None:
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as client:
        made = lay(client, "chess", ["me", "random"])
    with sqlite3.connect(settings(tmp_path).folder / "studio.sqlite3") as old:
        old.execute("ALTER TABLE seats DROP COLUMN person")
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as client:
        listed = client.get("/api/tables").json()
        assert [one["titles"] for one in listed] == [["", "Random mover"]]
        with Sitting(client, made["id"], [made["secrets"][0]]) as me:
            me.send({"do": "call", "name": "Ada"})
            me.until(lambda shown: shown["seats"][0]["title"] == "Ada")
