"""More connections than there is room for are turned away; everybody else goes on, and the log is short."""

import asyncio
import logging
import resource
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from served import TOKEN
from starlette.testclient import TestClient

from rookery.interfaces.web import connections
from rookery.interfaces.web.connections import Door, calmly


class Transport:
    def __init__(self, address: str) -> None:
        self.address, self.closed = address, False

    def get_extra_info(self, what: str) -> tuple[str, int]:
        return self.address, 1

    def is_closing(self) -> bool:
        return self.closed


def test_so_many_and_no_more() -> None:
    door = Door(8)
    one = [Transport("a") for _ in range(6)]
    assert all(door.admit(each) for each in one) and not door.admit(Transport("a"))
    assert door.admit(Transport("b")) and door.admit(Transport("b")) and not door.admit(Transport("b"))
    one[0].closed = True  # It has been upgraded, and its protocol never said good-bye.
    door.leave(one[1])
    assert door.admit(Transport("a")) and door.admit(Transport("a")) and not door.admit(Transport("a"))


def test_trouble_with_accepting_is_told_now_and_then(caplog: pytest.LogCaptureFixture) -> None:
    connections._told.clear()
    told: list[Any] = []

    class Loop:
        default_exception_handler = staticmethod(told.append)

    trouble = {
        "message": "socket.accept() out of system resource",
        "exception": OSError(24, "Too many open files"),
    }
    with caplog.at_level(logging.WARNING, "rookery.web"):
        for _ in range(10_000):
            calmly(Loop(), trouble)  # type: ignore[arg-type]
    assert len(caplog.records) == 1 and "Too many open files" in caplog.text and not told
    calmly(Loop(), {"message": "something else"})  # type: ignore[arg-type]
    assert told == [{"message": "something else"}]


def test_a_crowd_does_not_shut_others_out(tmp_path: Path) -> None:
    def few_files() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (110, 110))

    command = [sys.executable, "-c", "from rookery.cli import main; main()", "serve", "--port", "0"]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--token", TOKEN, "--data", str(tmp_path / "data"), "--runs", str(tmp_path / "runs")],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            preexec_fn=few_files,
        )
    crowd: list[socket.socket] = []
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline().split("localhost:")[1].split("/")[0])

        def answers() -> bool:
            try:
                return bool(urllib.request.urlopen(f"http://127.0.0.1:{port}/favicon.svg", timeout=5).read())
            except OSError:
                return False

        wait(answers)
        crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(200)]
        time.sleep(1.5)
        assert process.poll() is None
        for one in crowd:
            one.close()
        wait(answers)
    finally:
        process.terminate()
        process.wait(20)
    assert (tmp_path / "log").stat().st_size < 4000, (tmp_path / "log").read_text()[:2000]


def wait(look: Any, seconds: float = 200.0) -> None:
    end = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_who_says_nothing_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_SILENCE", 0.2)

    async def main() -> None:
        import uvicorn

        async def app(scope: Any, receive: Any, send: Any) -> None:
            raise NotImplementedError

        config = uvicorn.Config(app, lifespan="off", log_level="error")
        config.load()
        state = uvicorn.server.ServerState()
        spoken: Any = connections.guarded(Door(4))
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: spoken(config, state, {}), "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HT")  # and never the rest
        assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()
        server.close()

    asyncio.run(main())


def test_new_tables_are_rationed(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.interfaces.web.guard import Buckets

    studio = client.app._app.state.studio  # type: ignore[attr-defined]
    monkeypatch.setattr(studio, "laying", Buckets(0.001, 3))
    asked = {"game": "go5", "seats": [{"who": "me"}] * 2}
    assert [client.post("/api/tables", json=asked).status_code for _ in range(5)] == [201] * 3 + [429] * 2
    monkeypatch.undo()
    monkeypatch.setattr("rookery.interfaces.web.tables._KEPT", 3)
    assert "no more" in client.post("/api/tables", json=asked).json()["error"]
