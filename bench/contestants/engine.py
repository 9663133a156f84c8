"""A chess program over UCI: `engine.py NAME PROGRAM [ARGUMENT...]`. Its work is timed, not its start."""

import atexit
import re
import subprocess
import sys
import time

from protocol import repeat, repeat_perft, serve

NAME, *COMMAND = sys.argv[1:]
engine = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
atexit.register(engine.kill)  # GNU Chess would run on when its input ends.


def lines(command):
    """Sends a command, and gives what the engine says."""
    engine.stdin.write(command + "\n")
    # Not `yield from`, which would close the stream with the generator.
    for line in engine.stdout:  # noqa: UP028
        yield line
    raise SystemExit(f"{NAME} ended without answering {command!r}")


def ask(command, start):
    """What follows `start` on the first line of the answer that has it."""
    return next(line[len(start) :].strip() for line in lines(command) if line.startswith(start))


def engine_clock():
    """The processor seconds of the engine: as clock_getcpuclockid(3) makes that clock's number from a pid."""
    return time.clock_gettime(~engine.pid << 3 | 2)


def perft(game, depth, seconds):
    ask("position startpos\nisready", "readyok")
    return repeat_perft(seconds, lambda: int(ask(f"go perft {depth}", "Nodes searched:")), engine_clock)


def search(game, depth, positions, seconds):
    """Each position to a depth; the nodes are those of the last report before the move."""

    def once():
        total = 0
        for position in positions:
            ask(f"ucinewgame\nposition fen {position}\nisready", "readyok")
            nodes = 0
            for line in lines(f"go depth {depth}"):
                if found := re.search(r"\bnodes (\d+)", line):
                    nodes = int(found[1])
                if line.startswith("bestmove"):
                    break
            total += nodes
        return total, len(positions)

    return repeat(seconds, once, engine_clock)


told = ask("uci", "id name")
ask("isready", "readyok")
version = next((word for word in told.split() if word[0].isdigit()), told)
serve({"name": NAME, "version": version}, {"perft": perft, "search": search})
