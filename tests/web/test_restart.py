"""A server that is killed has lost nothing that it answered."""

import json
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from served import HEADERS, post, serve
from starlette.testclient import TestClient
from studio_table import Sitting, lay, settings
from websockets.sync.client import connect

from rookery.errors import RookeryError
from rookery.interfaces.web.app import create
from rookery.interfaces.web.store import Chair, Kept, Store


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


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (b"no database at all, but long enough to be looked at" * 20, "not a database"),
        (None, "unable to open"),
    ],
)
def test_a_store_that_cannot_be_used_is_one_line(tmp_path: Path, damage: bytes | None, told: str) -> None:
    data = tmp_path / "data"
    data.mkdir()
    path = data / "studio.sqlite3"
    path.mkdir() if damage is None else path.write_bytes(damage)
    command = [sys.executable, "-c", "from rookery.cli import main; main()", "serve", "--port", "0"]
    told_by = subprocess.run(
        [*command, "--data", str(data), "--runs", str(tmp_path / "runs")], capture_output=True, text=True
    )
    assert told_by.returncode == 1
    assert len(told_by.stderr.splitlines()) == 1 and told in told_by.stderr and "--data" in told_by.stderr


def test_a_page_of_the_store_that_went_bad_is_found_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "studio.sqlite3"
    store = Store(path)
    for number in range(200):
        store.create(Kept(f"table{number}", "chess", None, 1, None, [Chair("random" * 9)] * 2))
    store.close()
    with path.open("r+b") as file:
        file.seek(2 * 4096)
        file.write(b"\xff" * 4096)
    with pytest.raises(RookeryError, match=r"studio\.sqlite3"):
        Store(path)


def test_a_move_is_on_the_disk_before_it_is_answered(tmp_path: Path) -> None:
    """SQLite brings every commit to the disk in this mode; 2 is FULL."""
    assert Store(tmp_path / "studio.sqlite3")._db.execute("PRAGMA synchronous").fetchone() == (2,)
