"""A seat at a table of the studio, for tests: talks as a browser does."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from rookery.interfaces.web.app import Settings

Shown = dict[str, Any]


def settings(folder: Path) -> Settings:
    """A studio in a folder, without the pauses that people like."""
    return Settings(
        folder=folder / "data",
        runs=folder / "runs",
        records=folder / "contests",
        reports=folder / "reports",
        token=None,
        key="a key for tests",
        pace=0.0,
        rate=10_000.0,
        burst=10_000.0,
    )


def lay(client: TestClient, game: str, seats: Sequence[str], **wish: Any) -> dict[str, Any]:
    """A table; seats are `me`, `open` or players' names."""
    asked = [{"who": seat} if seat in ("me", "open") else {"who": "player", "player": seat} for seat in seats]
    answer = client.post("/api/tables", json={"game": game, "seats": asked, **wish})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    made["secrets"] = {int(seat): secret for seat, secret in made["secrets"].items()}
    made["invitations"] = {int(seat): secret for seat, secret in made["invitations"].items()}
    return dict(made)


class Sitting:
    """One connection, and the last that it was told."""

    def __init__(self, client: TestClient, table: str, secrets: Sequence[str] = ()) -> None:
        self._context: AbstractContextManager[Any] = client.websocket_connect(
            f"ws://localhost/api/tables/{table}/play"
        )
        self._secrets = list(secrets)
        self.heard: list[str] = []
        """Every message as it came."""
        self.shown: Shown = {}

    def __enter__(self) -> Sitting:
        self._socket = self._context.__enter__()
        self.send({"do": "sit", "secrets": self._secrets})
        self.read()
        return self

    def __exit__(self, *why: Any) -> None:
        self._context.__exit__(*why)

    def send(self, message: Any) -> None:
        self._socket.send_text(message if isinstance(message, str) else json.dumps(message))

    def read(self) -> dict[str, Any]:
        """The next message, whatever it is."""
        text = self._socket.receive_text()
        self.heard.append(text)
        message: dict[str, Any] = json.loads(text)
        if message["type"] == "table":
            self.shown = message
        return message

    def until(self, wanted: Callable[[Shown], bool]) -> Shown:
        """What is shown once that is so."""
        while not wanted(self.shown):
            self.read()
        return self.shown

    def move(self, text: str) -> Shown:
        """Make a move and wait until it is this seat's turn again, or the game is over."""
        before = self.shown
        self.send({"do": "move", "text": text})
        while True:
            message = self.read()
            assert message["type"] == "table" and not message["failure"], message
            if message != before and (message["legal"] or message["outcome"]):
                return message

    def error(self, message: Any) -> str:
        """Say something that cannot be done; what the table says to it."""
        self.send(message)
        while True:
            answer = self.read()
            if answer["type"] == "error":
                return str(answer["text"])
