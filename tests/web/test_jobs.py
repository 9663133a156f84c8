"""Jobs survive the server that started them, and files that went bad spoil nothing but themselves."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from served import HEADERS, post, serve
from starlette.testclient import TestClient
from studio_table import settings

from rookery.errors import RookeryError
from rookery.interfaces.web.app import create
from rookery.interfaces.web.jobs import BOUNDED, END, Jobs, began

STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
FAILING = f"""
import os, pathlib, sys
print("something before", file=sys.stderr)
pathlib.Path(os.environ["{END}"]).write_text("1")
sys.exit("rookery: there is no room")
"""


def wait(look: Callable[[], Any], seconds: float = 200.0) -> None:
    end = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < end
        time.sleep(0.05)


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def test_a_job_is_found_again_and_can_be_stopped(tmp_path: Path) -> None:
    async def first() -> int:
        jobs = Jobs(tmp_path / "jobs", tmp_path, 2)
        await jobs.start("run-a", python("import time; time.sleep(60)"))
        found = jobs.get("run-a")
        assert found is not None and found.running
        found.process._transport._proc = None  # type: ignore[union-attr]  # The server has gone.
        return found.pid

    pid = asyncio.run(first())
    try:
        jobs = Jobs(tmp_path / "jobs", tmp_path, 1)
        assert jobs.running("run-a") and not jobs.running("run-b")
        with pytest.raises(RookeryError, match="at most 1"):
            asyncio.run(jobs.start("run-b", python("pass")))
        jobs.stop("run-a")
        wait(lambda: not jobs.running("run-a"))
        with pytest.raises(RookeryError, match="not running"):
            jobs.stop("run-a")
        # Another process under the same number is another process.
        kept = tmp_path / "jobs" / "run-a.json"
        kept.write_text(json.dumps({"pid": os.getpid(), "since": "1"}))
        assert not Jobs(tmp_path / "jobs", tmp_path, 1).running("run-a")
        kept.write_text("{")
        assert Jobs(tmp_path / "jobs", tmp_path, 1).get("run-a") is None
    finally:
        with suppress(ChildProcessError):
            os.waitpid(pid, os.WNOHANG)  # its parent, this process, may not have asked after it yet
        with pytest.raises(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def test_who_does_not_leave_is_ended_when_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rookery.interfaces.web.jobs._PATIENCE", 0.2)

    async def work() -> None:
        jobs = Jobs(tmp_path / "jobs", tmp_path, 2)
        await jobs.start("run-a", python(STUBBORN))
        job = jobs.get("run-a")
        assert job is not None
        await asyncio.sleep(0.5)
        jobs.stop("run-a")
        assert not await job.wait(0.3)
        jobs.stop("run-a")
        assert await job.wait(10) and job.failure is None
        await jobs.start("run-b", python(STUBBORN))
        await asyncio.sleep(0.3)
        await jobs.close()
        assert not jobs.running("run-b")

    asyncio.run(work())


def test_a_job_says_why_it_failed_after_a_restart_too(tmp_path: Path) -> None:
    async def work() -> None:
        jobs = Jobs(tmp_path / "jobs", tmp_path, 2)
        await jobs.start("run-a", python(FAILING))
        job = jobs.get("run-a")
        assert job is not None and await job.wait(20) and job.failure == "there is no room"

    asyncio.run(work())
    again = Jobs(tmp_path / "jobs", tmp_path, 2).get("run-a")
    assert again is not None and not again.running and again.failure == "there is no room"
    assert began(os.getpid()) and not began(2**22 + 1)


def test_a_training_outlives_a_killed_server_and_is_stopped_by_the_next(tmp_path: Path) -> None:
    process, address = serve(tmp_path)
    try:
        changes = ["games=100000000", "evaluate_every=500", "evaluation_games=0"]
        post(address, "/api/runs", {"recipe": "go5-koten", "name": "long", "changes": changes})
        wait(lambda: (tmp_path / "runs" / "long" / "metrics.jsonl").is_file())
    finally:
        process.kill()
        process.wait()
    process, address = serve(tmp_path)
    try:
        shown = get(address, "/api/runs/long")
        assert shown["running"] and shown["steps"] == 200_000 and shown["failure"] is None
        assert [run["running"] for run in get(address, "/api/runs")] == [True]
        post(address, "/api/runs/long/stop", {})
        wait(lambda: not get(address, "/api/runs/long")["running"])
        shown = get(address, "/api/runs/long")
        assert shown["failure"] is None and shown["checkpoints"] and shown["step"] < shown["steps"]
    finally:
        process.terminate()
        process.wait(20)


def get(address: str, path: str) -> Any:
    import urllib.request

    with urllib.request.urlopen(urllib.request.Request(f"http://{address}{path}", headers=HEADERS)) as answer:
        return json.load(answer)


def test_a_finished_run_is_finished_after_a_restart(tmp_path: Path) -> None:
    asked = {"recipe": "go5-koten", "name": "short", "changes": ["games=40", "evaluate_every=20"]}
    asked["changes"] += ["evaluation_games=0"]  # type: ignore[operator]
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as client:
        assert client.post("/api/runs", json=asked).status_code == 201
        wait(lambda: not client.get("/api/runs/short").json()["running"])
        before = client.get("/api/runs/short").json()
        assert (before["step"], before["steps"], before["failure"]) == (2, 2, None)
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as client:
        assert client.get("/api/runs/short").json() == before


def test_one_bad_file_empties_no_list(tmp_path: Path) -> None:
    contests, runs, reports = tmp_path / "contests", tmp_path / "runs", tmp_path / "reports"
    for folder in (contests, runs, reports):
        folder.mkdir()
    good = {"game": "go5", "players": ["random", "random"], "games": 2}
    (contests / "go5-1.json").write_text(json.dumps(good))
    unknown = {"game": "draughts", "seed": 1, "limit": {}, "openings": "", "max_plies": None, "sprt": None}
    for name, content in {
        "chess-9.json": "",
        "chess-8.json": '{"game": "chess", "players": ["ran',
        "chess-7.json": "[]",
        "chess-6.jsonl": "foreign\n",
        "chess-5.jsonl": '{"rookery": 1}\n',
        "chess-4.jsonl": "\x00\xff",
        "old-1.json": json.dumps({**good, "game": "draughts"}),
        "old-2.jsonl": json.dumps({"rookery": 1, "entrants": ["random"] * 2, **unknown}) + "\n",
        "odd name.json": "{}",
    }.items():
        (contests / name).write_text(content)
    (contests / "gone.json").symlink_to(tmp_path / "nowhere")
    (contests / "folder.json").mkdir()
    for name, metrics in {
        "endless": '{"step": 1, "loss": 2}\n{"step": Infinity}\n{"step": 2, "loss": NaN, "big": Infinity}\n',
        "odd": '{"step": "x"}\n[]\nnull\n\x00\n{"step": 1e999}\n',
        "cut": '{"step": 1, "lo',
    }.items():
        (runs / name).mkdir()
        (runs / name / "config.toml").write_text('learner = "td"\n')
        (runs / name / "metrics.jsonl").write_text(metrics)
    (runs / "binary").mkdir()
    (runs / "binary" / "config.toml").write_bytes(b"\xff\xfe\x00")
    (runs / "gone").symlink_to(tmp_path / "nowhere")
    (reports / "good.md").write_text("# A report\n")
    (reports / "gone.md").symlink_to(tmp_path / "nowhere")
    (reports / "folder.md").mkdir()
    with TestClient(create(settings(tmp_path)), base_url="http://localhost") as client:
        listed = {one["name"]: one for one in client.get("/api/contests").json()}
        assert listed["go5-1"]["failure"] is None and "damaged" in listed["chess-9"]["failure"]
        assert listed["old-1"]["failure"] == "its plan, old-1.json, is of 'draughts', which is no game here"
        assert listed["old-2"]["failure"] == "no record of games"
        for name in listed:
            assert client.get(f"/api/contests/{name}").status_code in (200, 400, 404), name
        found = {one["name"]: one for one in client.get("/api/runs").json()}
        assert set(found) == {"endless", "odd", "cut", "binary"} and found["endless"]["step"] == 2
        assert "cannot be read" in found["binary"]["failure"]
        for name in found:
            assert client.get(f"/api/runs/{name}").status_code == 200, name
        titles = [paper["title"] for paper in client.get("/api/papers").json()]
        assert "A report" in titles
        assert client.get("/api/papers/gone").status_code == 404


def test_a_job_that_wants_too_much_memory_ends_with_a_line(tmp_path: Path) -> None:
    """Whatever is not refused before it starts, the system bounds."""
    match = ["match", "chess", "alphabeta:hash=2000+pieces", "random", "--games", "2", "--workers", "0"]
    command = [*BOUNDED, str(300 << 20), *match]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert ended.returncode not in (0, -signal.SIGSEGV, -signal.SIGABRT)
    assert "memory" in ended.stderr.splitlines()[-1] and "Traceback" not in ended.stderr, ended.stderr[-2000:]
    fits = [*BOUNDED, str(300 << 20), "match", "go5", "random", "random", "--games", "2", "--json"]
    assert subprocess.run(fits, capture_output=True, cwd=tmp_path).returncode == 0
