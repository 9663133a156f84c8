"""The contestant's half of the bench's protocol: a JSON line asks for a task, a JSON line answers.

Every contestant is a program of its own, since some need another Python than Rookery has. It greets with a
line about itself. Each request names a task and the seconds to spend on it; the answer says how many units
of work were done in how many seconds, and nothing but the work is timed. The greeting and the answers are
written here for Python 3.9 and newer, and with the standard library alone.
"""

import json
import sys
import time


def serve(greeting, tasks):
    """Answers requests until standard input ends."""
    print(json.dumps(greeting), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(tasks[request.pop("task")](**request)), flush=True)


def repeat(seconds, once):
    """Calls `once`, which returns (units, games), until the seconds have passed."""
    units = games = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds or not games:
        more_units, more_games = once()
        units += more_units
        games += more_games
    return {"units": units, "games": games, "seconds": spent}


def repeat_perft(seconds, perft):
    """Counts a tree, by `perft()`, until the seconds have passed; the answer tells the count, to compare."""
    counts = set()

    def once():
        nodes = perft()
        counts.add(nodes)
        return nodes, 1

    return {**repeat(seconds, once), "count": counts.pop()}
