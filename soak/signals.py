"""SIGINT, SIGTERM and SIGHUP to every command at work: it ends soon, without a traceback.

    python -m soak.signals                         each signal once to each command
    python -m soak.signals --count 5 --only train

A command may say a line or two, and what it leaves can be gone on with. A traceback, an exit code that says
neither success nor failure nor the signal, or an end that takes long is a failure; the exit code is 1.
"""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from soak import ROOKERY
from soak.table import table

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LONG = 10.0
"""Seconds within which it must end; a second on an idle machine."""

COMMANDS: dict[str, list[str]] = {
    "train td": ["train", "go5-koten", "--run", "DIR/run", "--set", "evaluate_every=500000"],
    "train treestrap": ["train", "chess-treestrap", "--run", "DIR/run", "--set", "depth=5", "--set", "step=400"],
    "train duchess": ["train", "duchess4-stage1", "--run", "DIR/run", "--set", "depth=4", "--set", "step=100"],
    "train copies": ["train", "go5-koten", "--run", "DIR/runs", "--copies", "2", "--workers", "1"],
    "match": ["match", "chess", "alphabeta:depth=4+classical", "alphabeta:depth=3+pieces", "--record", "DIR/m.jsonl",
              "--workers", "1"],
    "match in one process": ["match", "chess", "alphabeta:depth=9+classical", "random", "--workers", "0"],
    "tournament": ["tournament", "go9", "uct:nodes=5000", "random", "naive", "--workers", "0"],
    "paper": ["paper", "go-td", "--quick", "--out", "DIR/paper", "--workers", "1"],
    "solve": ["solve", "go5", "--hash", "16"],
    "perft": ["perft", "chess", "--depth", "9"],
    "bench": ["bench", "--seconds", "20"],
    "serve": ["serve", "--port", "0", "--data", "DIR/data", "--runs", "DIR/runs"],
    "uci": ["uci", "alphabeta+classical"],
    "gtp": ["gtp", "uct"],
    "play": ["play", "chess", "--with", "alphabeta+classical"],
}  # fmt: skip
SAID = {
    "uci": b"position startpos\ngo infinite\n",
    "gtp": b"boardsize 9\ntime_settings 600 0 0\ngenmove b\n",
    "play": b"e4\n",
}
"""What a command is told on its input, to be at work."""
FILES = {"train copies": "runs/*/metrics.jsonl", "match": "m.jsonl", "paper": "paper/pieces/*/*.json"}
"""Which file shows that it is at work,"""
WORDS = {"serve": "http", "uci": "info depth", "gtp": "=", "play": "e4"}
"""or which word of its output,"""
BUSY = 1.5
"""or else how many seconds of processor time."""
ALLOWED = {
    signal.SIGINT: {0, 1, 130, -2},
    signal.SIGTERM: {0, 1, 143, -15},
    signal.SIGHUP: {0, 1, 129, -1},
}


@dataclass
class Try:
    command: str
    signal: str
    code: int | None
    seconds: float
    failure: str


def at_work(name: str, process: int, folder: Path) -> bool:
    if name in FILES:
        return any(folder.glob(FILES[name]))
    if name in WORDS:
        return WORDS[name] in (folder / "said").read_text(errors="replace")
    used = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, used)) / os.sysconf("SC_CLK_TCK") > BUSY


def send(name: str, number: signal.Signals, rng: random.Random) -> Try:
    with tempfile.TemporaryDirectory(prefix="soak-") as folder:
        words = [word.replace("DIR", folder) for word in COMMANDS[name]]
        noise = Path(folder) / "said"
        with noise.open("wb") as said:
            process = subprocess.Popen(
                [*ROOKERY, *words], stdin=subprocess.PIPE, stdout=said, stderr=said, start_new_session=True,
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
            )  # fmt: skip
        assert process.stdin
        process.stdin.write(SAID.get(name, b""))
        process.stdin.flush()
        until = time.monotonic() + 60
        while (
            process.poll() is None
            and time.monotonic() < until
            and not at_work(name, process.pid, Path(folder))
        ):
            time.sleep(0.05)
        time.sleep(rng.uniform(0, 1.0))
        if process.poll() is not None:
            text = noise.read_text(errors="replace")
            return Try(name, number.name, process.returncode, 0.0, f"it had ended before: {text[-200:]}")
        began = time.monotonic()
        # A terminal sends Ctrl-C, and its own end, to all that runs in it.
        (os.kill if number is signal.SIGTERM else os.killpg)(process.pid, number)
        try:
            code: int | None = process.wait(LONG)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            code = None
        seconds = time.monotonic() - began
        process.stdin.close()
        text = noise.read_text(errors="replace")
        failure = ""
        if code is None:
            failure = f"no end within {LONG:g} s"
        elif code not in ALLOWED[number]:
            failure = f"exit code {code}"
        if "Traceback" in text or "terminate called" in text:
            failure += f" a traceback: {text[-300:]!r}"
        return Try(name, number.name, code, seconds, failure)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=1, help="times that each command gets each signal")
    parser.add_argument("--only", choices=COMMANDS, action="append", help="this command")
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    tries = []
    for name in asked.only or COMMANDS:
        for number in SIGNALS:
            for _ in range(asked.count):
                tries.append(send(name, number, rng))
                if tries[-1].failure and not asked.json:
                    print(f"{name}, {number.name}: {tries[-1].failure}", flush=True)
    failures = sum(bool(each.failure) for each in tries)
    if asked.json:
        print(json.dumps({"tries": [vars(each) for each in tries], "failures": failures}))
    else:
        rows = [
            [name, *(" ".join(str(t.code) for t in tries if (t.command, t.signal) == (name, s.name)) for s in SIGNALS),
             f"{max(t.seconds for t in tries if t.command == name):.1f}"]
            for name in dict.fromkeys(t.command for t in tries)
        ]  # fmt: skip
        print(table(["command", *(f"{number.name} gives" for number in SIGNALS), "seconds at most"], rows))
        print(f"{len(tries)} signals, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
