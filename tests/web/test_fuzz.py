"""Whatever is said over a socket, the server answers or hangs up, and goes on."""

import json
import random
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from studio_table import Sitting, lay

VALID: list[dict[str, Any]] = [
    {"do": "sit", "secrets": ["x" * 20]},
    {"do": "move", "text": "e2e4", "seat": 0},
    {"do": "undo"},
    {"do": "resign", "seat": 0},
    {"do": "draw"},
    {"do": "answer", "yes": True},
    {"do": "retry"},
    {"do": "ping"},
    {"do": "think", "game": "chess", "player": "random", "moves": ["e2e4"], "lines": 2, "seconds": 0.1},
    {"do": "stop"},
]
ODD: list[Any] = [
    *(None, True, -1, 0, 6, 10**30, 1e308, "", "e2e4", "\u0000", "\ud83d", "a" * 5000, [], {}, [[]], ["x"]),
    {"do": "move"},
]


def nonsense(rng: random.Random) -> str:
    kind = rng.randrange(5)
    if kind == 0:
        return "".join(chr(rng.randrange(32, 0x2FF)) for _ in range(rng.randrange(60)))
    if kind == 1:
        return json.dumps(rng.choice(ODD))
    message = dict(rng.choice(VALID))
    for _ in range(rng.randrange(1, 3)):
        key = rng.choice([*message, "surprise", "do", "seat"])
        if rng.random() < 0.2:
            message.pop(key, None)
        else:
            message[key] = rng.choice(ODD)
    text = json.dumps(message)
    return text[: rng.randrange(len(text))] if kind == 2 else text


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
