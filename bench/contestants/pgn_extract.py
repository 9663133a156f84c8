"""pgn-extract: `pgn_extract.py PROGRAM`. It checks every move and prints nothing but errors (-r)."""

import os
import re
import subprocess
import sys

from protocol import repeat, serve

PROGRAM = sys.argv[1]


def children_clock():
    """The processor seconds of programs that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def read_pgn(game, file, seconds):
    def once():
        done = subprocess.run([PROGRAM, "-r", file], capture_output=True, text=True)
        found = re.search(r"(\d+) games? matched", done.stderr)
        if not found:
            raise SystemExit(f"pgn-extract said no number of games: {done.stderr[-200:]!r}")
        return 0, int(found[1])

    return repeat(seconds, once, children_clock)


told = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True)
version = re.search(r"v?(\d+[-.]\d+)", told.stdout + told.stderr)
serve({"name": "pgn-extract", "version": version[1] if version else "?"}, {"read_pgn": read_pgn})
