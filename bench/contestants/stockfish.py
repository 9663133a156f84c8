"""Stockfish over UCI: `stockfish.py PROGRAM`. What is timed is the command `go perft`, not the start."""

import subprocess
import sys
import time

from protocol import repeat_perft, serve

engine = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)


def ask(command, start):
    """Sends a command and returns what follows `start` on the first line of the answer that has it."""
    engine.stdin.write(command + "\n")
    for line in engine.stdout:
        if line.startswith(start):
            return line[len(start) :].strip()
    raise SystemExit(f"{sys.argv[1]} ended without answering {command!r}")


def engine_clock():
    """The processor seconds of the engine: as clock_getcpuclockid(3) makes that clock's number from a pid."""
    return time.clock_gettime(~engine.pid << 3 | 2)


def perft(game, depth, seconds):
    ask("position startpos\nisready", "readyok")
    return repeat_perft(seconds, lambda: int(ask(f"go perft {depth}", "Nodes searched:")), engine_clock)


name = ask("uci", "id name")
ask("isready", "readyok")
serve({"name": "stockfish", "version": name.removeprefix("Stockfish").strip()}, {"perft": perft})
