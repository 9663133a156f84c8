"""Whatever is said over a socket, the server answers or hangs up, and goes on."""

import json
import random

import pytest
from nonsense import nonsense
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from studio_table import Sitting, lay


@pytest.mark.parametrize("game", ["chess", "kriegspiel", "duchess4"])
@pytest.mark.parametrize("seed", range(6))
def test_nonsense_at_a_table(client: TestClient, game: str, seed: int) -> None:
    seats = 4 if game == "duchess4" else 2
    made = lay(client, game, ["me"] * seats)
    rng = random.Random(seed)
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        try:
            for _ in range(50):
                me.send(nonsense(rng))
                me.send({"do": "ping"})
                while me.read()["type"] != "pong":
                    pass
        except WebSocketDisconnect as closed:
            assert closed.code == 1008
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert me.shown["id"] == made["id"]


@pytest.mark.parametrize("seed", range(4))
def test_nonsense_at_the_glass(client: TestClient, seed: int) -> None:
    rng = random.Random(seed)
    with client.websocket_connect("ws://localhost/api/analyse") as socket:
        for _ in range(20):
            socket.send_text(nonsense(rng))
        socket.send_text(json.dumps({"do": "think", "game": "chess", "player": "nobody", "seconds": 1}))
        while "nobody" not in (said := socket.receive_json()).get("text", ""):
            assert said["type"] in ("error", "thought", "choice")


def test_bytes_are_no_message(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"])
    with client.websocket_connect(f"ws://localhost/api/tables/{made['id']}/play") as socket:
        socket.send_bytes(b"\xff\xfe")
        with pytest.raises(WebSocketDisconnect):
            socket.receive_text()
    assert client.get("/api/games").status_code == 200


def test_a_flood_is_cut_off(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"])
    with client.websocket_connect(f"ws://localhost/api/tables/{made['id']}/play") as socket:
        for _ in range(200):
            socket.send_text('{"do": "ping"}')
        with pytest.raises(WebSocketDisconnect) as closed:
            for _ in range(300):
                socket.receive_text()
        assert closed.value.code == 1008


def test_a_message_may_not_be_endless(client: TestClient) -> None:
    made = lay(client, "chess", ["me", "me"])
    with Sitting(client, made["id"], [made["secrets"][0]]) as me:
        assert "too long" in me.error("x" * 20_000)
