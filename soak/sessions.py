"""Servers that are talked to: each session gets a number of malformed messages and must then still answer."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from malformed import CHESS_PLAYER, GO_PLAYER, feed_gtp, feed_uci
from nonsense import ODD, nonsense
from spoken import Inside
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from studio_table import Sitting, lay, settings

from rookery.interfaces.gtp import Server as Gtp
from rookery.interfaces.uci import Server as Uci
from rookery.interfaces.web.app import create
from soak import mutate


@dataclass(frozen=True)
class Session:
    share: int
    """Of the whole, in thousandths."""
    length: int
    """Messages of one session."""
    hold: Callable[[int, int], None]
    """Given a seed and the number of messages; raises if the server fails."""


def uci(seed: int, count: int) -> None:
    with Inside(lambda write: Uci(CHESS_PLAYER, write)) as server:
        feed_uci(server, seed, count)


def gtp(seed: int, count: int) -> None:
    with Inside(lambda write: Gtp(GO_PLAYER, write, size=5)) as server:
        feed_gtp(server, seed, count)


def studio(folder: str) -> TestClient:
    return TestClient(
        create(settings(Path(folder))), base_url="http://localhost", raise_server_exceptions=False
    )


def messages(seed: int, count: int) -> None:
    """Over sockets: at tables of each game, and to the analysis."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, studio(folder) as client:
        for start in range(0, count, 50):
            game = rng.choice(["chess", "kriegspiel", "duchess4", "go5"])
            made = lay(client, game, ["me"] * (4 if game == "duchess4" else 2))
            with Sitting(client, made["id"], [made["secrets"][0]]) as me:
                try:
                    for _ in range(min(50, count - start)):
                        me.send(nonsense(rng) if rng.random() < 0.7 else mutate.text([nonsense(rng)], rng))
                    me.send({"do": "ping"})
                    while me.read()["type"] != "pong":
                        pass
                except WebSocketDisconnect as closed:
                    assert closed.code == 1008, closed.code
        with Sitting(client, made["id"], [made["secrets"][0]]) as me:
            assert me.shown["id"] == made["id"]


SEATS = [{"who": "me"}, {"who": "player", "player": "random"}]
REQUESTS: list[tuple[str, str, Any]] = [
    ("GET", "/api/games", None),
    ("GET", "/api/games/chess/players", None),
    ("GET", "/games/go9/board/0", None),
    ("GET", "/api/games/duchess4/start", None),
    ("POST", "/api/tables", {"game": "chess", "seats": SEATS, "clock": {"minutes": 5, "increment": 2}, "moves": ["e2e4"]}),
    ("POST", "/api/tables", {"game": "go5", "seats": SEATS, "start": "...../...../...../...../..... b 0:0 - 0 0"}),
    ("GET", "/api/tables", None),
    ("POST", "/api/tables/TABLE/claim", {"invitation": "x" * 20}),
    ("GET", "/api/tables/TABLE/replay", None),
    ("GET", "/api/tables/TABLE/export", None),
    ("POST", "/api/tables/TABLE/belief", {"secrets": ["x" * 20]}),
    ("POST", "/api/replay", {"game": "chess", "start": None, "moves": ["e2e4", "e7e5"]}),
    ("POST", "/api/replay", {"game": "kriegspiel", "moves": ["e2e4", "e7e5"]}),
    ("POST", "/api/import", {"game": "chess", "text": "1. e4 e5 2. Nf3 (2. f4) Nc6 *"}),
    ("POST", "/api/import", {"game": "go9", "text": "(;GM[1]SZ[9];B[ee];W[cc])"}),
    ("POST", "/api/setup", {"game": "chess", "men": [{"cell": "e1", "kind": "K", "seat": 0}, {"cell": "e8", "kind": "K", "seat": 1}]}),
    ("POST", "/api/explain", {"game": "chess", "player": "alphabeta+classical", "moves": ["e2e4"]}),
    ("GET", "/api/contests", None),
    ("POST", "/api/contests", {"game": "chess", "players": ["nobody", "random"], "games": 2}),
    ("GET", "/api/contests/chess-1", None),
    ("POST", "/api/contests/chess-1/stop", None),
    ("GET", "/api/contests/chess-1/games/0", None),
    ("GET", "/api/recipes", None),
    ("GET", "/api/runs", None),
    ("POST", "/api/runs", {"recipe": "no-such", "name": "../x", "changes": ["games=5"]}),
    ("GET", "/api/runs/x", None),
    ("POST", "/api/runs/x/stop", None),
    ("POST", "/api/runs/x/resume", None),
    ("GET", "/api/papers", None),
    ("GET", "/api/papers/x", None),
    ("GET", "/api/papers/x/y.svg", None),
    ("GET", "/index.html", None),
]  # fmt: skip


def spoil(body: Any, rng: random.Random) -> Any:
    """One value somewhere in it replaced, or taken out."""
    if isinstance(body, dict) and body and rng.random() < 0.8:
        key = rng.choice(list(body))
        inner = spoil(body[key], rng)
        return {k: inner if k == key else v for k, v in body.items() if rng.random() > 0.02}
    if isinstance(body, list) and body and rng.random() < 0.7:
        at = rng.randrange(len(body))
        return [*body[:at], spoil(body[at], rng), *body[at + rng.randrange(2) :]]
    if isinstance(body, str) and rng.random() < 0.6:
        return mutate.text([body], rng)
    return rng.choice(ODD)


def requests(seed: int, count: int) -> None:
    """Over HTTP: each route, with its path, query, body or headers spoilt."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder, studio(folder) as client:
        table = lay(client, "chess", ["me", "random"])["id"]
        for number in range(count):
            method, path, body = rng.choice(REQUESTS)
            path = path.replace("TABLE", table if rng.random() < 0.5 else mutate.text([table], rng))
            if rng.random() < 0.4:
                path = "/" + mutate.text([path[1:]], rng)
            content = None
            if body is not None or rng.random() < 0.1:
                text = json.dumps(spoil(body, rng) if rng.random() < 0.7 else body)
                content = mutate.text([text], rng) if rng.random() < 0.3 else text
            headers = {"content-type": "application/json" if rng.random() < 0.95 else "text/plain"}
            answer = client.request(
                rng.choice(("PUT", "DELETE", "HEAD", "PATCH")) if rng.random() < 0.03 else method,
                "/" + "".join(f"%{byte:02X}" if not 45 <= byte < 123 else chr(byte) for byte in path[1:].encode("utf-8", "surrogatepass")),
                content=content.encode("utf-8", "surrogatepass") if content is not None else None,
                headers=headers,
            )  # fmt: skip
            told = f"request {number}: {method} {path[:80]!r} {(content or '')[:200]!r}"
            assert answer.status_code < 500 or answer.status_code == 503, f"{answer.status_code} to {told}"
        assert client.get("/api/games").status_code == 200


SESSIONS = {
    "UCI lines": Session(60, 2000, uci),
    "GTP lines": Session(60, 2000, gtp),
    "WebSocket messages": Session(20, 500, messages),
    "HTTP requests": Session(12, 500, requests),
}
