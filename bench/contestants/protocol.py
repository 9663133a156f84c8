"""The contestant's half of the bench's protocol: a JSON line asks for a task, a JSON line answers.

Every contestant is a program of its own, since some need another Python than Rookery has. It greets with a
line about itself. Each request names a task and the seconds to spend on it; the answer says how many units
of work were done in how many seconds, and nothing but the work is timed. Seconds are those of the processor,
of all threads together: what other programs take of the machine meanwhile counts for nobody.
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


def repeat(seconds, once, clock=time.process_time):
    """Calls `once`, which returns (units, games), until the seconds have passed."""
    units = games = 0
    start = clock()
    while (spent := clock() - start) < seconds or not games:
        more_units, more_games = once()
        units += more_units
        games += more_games
    return {"units": units, "games": games, "seconds": spent}


def repeat_perft(seconds, perft, clock=time.process_time):
    """Counts a tree, by `perft()`, until the seconds have passed; the answer tells the count, to compare."""
    counts = set()

    def once():
        nodes = perft()
        counts.add(nodes)
        return nodes, 1

    return {**repeat(seconds, once, clock), "count": counts.pop()}
