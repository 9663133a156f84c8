"""Whoever ends the program, by the keyboard or not, loses nothing that was played."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rookery.arena import record

EAGER = "from rookery.interfaces.arena import progress; progress._EVERY = 0"
"""So that every game is told."""
ROOKERY = [sys.executable, "-c", f"{EAGER}; from rookery.cli import main; main()"]
MATCH = ["match", "chess", "alphabeta:depth=2+pieces", "random", "--games", "4000", "--max-plies", "60"]


def begin(words: list[str], folder: Path) -> subprocess.Popen[str]:
    """In a group of its own, as a shell begins it."""
    return subprocess.Popen(
        [*ROOKERY, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
    )


CASES = [(2, signal.SIGINT), (2, signal.SIGTERM), (2, signal.SIGHUP), (0, signal.SIGTERM)]


@pytest.mark.parametrize(("workers", "number"), CASES)
def test_a_match_without_a_record_keeps_its_games(tmp_path: Path, workers: int, number: int) -> None:
    process = begin([*MATCH, "--workers", str(workers)], tmp_path)
    try:
        assert "games; " in process.stderr.readline()
        os.killpg(process.pid, number)
        told = process.stderr.read()
        assert process.wait(60) == 1, told
    finally:
        process.kill()
    lines = [line for line in told.splitlines() if "games; " not in line]
    assert lines[0].startswith("rookery: interrupted after"), told
    assert lines[1].startswith("To go on: rookery match") and len(lines) == 2
    _, played = record.read(tmp_path / "chess-1.jsonl")
    assert played and not any(game.record.outcome.reason.startswith("crashed") for game in played)


def test_nohup_is_obeyed(tmp_path: Path) -> None:
    code = """if True:
        import os, signal
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        from rookery.interfaces.signals import leaving_in_order
        with leaving_in_order():
            os.kill(os.getpid(), signal.SIGHUP)
            print("still here")
            try:
                os.kill(os.getpid(), signal.SIGTERM)
            except KeyboardInterrupt:
                print("left")
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    """
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert told.stdout == "still here\nleft\n"


def test_a_paper_says_where_its_pieces_lie(tmp_path: Path) -> None:
    process = begin(["paper", "go-td", "--quick", "--out", "p", "--workers", "2"], tmp_path)
    try:
        assert re.fullmatch(r"learning: 0/[1-9]\d*\n", process.stderr.readline())
        while not list(tmp_path.glob("p/learning/*/metrics.jsonl")) and process.poll() is None:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGTERM)
        told = process.stderr.read()
        assert process.wait(60) == 1, told
    finally:
        process.kill()
    assert told == "rookery: what is finished lies in p; the same command goes on\n"


def close_the_terminal(folder: Path, words: list[str]) -> None:
    """On a process that has begun its work; nobody reads what it says any more."""
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [*ROOKERY, *words], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    try:
        while b"step" not in (told := os.read(ours, 4000)) and b" left" not in told:
            pass
        os.close(ours)
        process.send_signal(signal.SIGHUP)
        process.wait(60)
    finally:
        process.kill()


def test_training_is_saved_when_its_terminal_is_closed(tmp_path: Path) -> None:
    words = [
        "train",
        "go5-koten",
        "--run",
        "r",
        "--set",
        "evaluate_every=1000",
        "--set",
        "evaluation_games=2",
    ]
    close_the_terminal(tmp_path, words)
    assert list((tmp_path / "r/checkpoints").glob("[0-9]*"))


def test_a_match_is_saved_when_its_terminal_is_closed(tmp_path: Path) -> None:
    close_the_terminal(tmp_path, [*MATCH, "--workers", "0"])
    assert record.read(tmp_path / "chess-1.jsonl")[1]
