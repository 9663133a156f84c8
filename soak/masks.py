"""What a seat of Kriegspiel thinks impossible, held against the true board after every event.

    python -m soak.masks                            10,000 games of random tries, and 20 of each two players
    python -m soak.masks --count 100000 --games 0

A board that a seat's masks exclude is a failure: the first is printed with the event that led to it, and the
exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from rookery import native, players
from rookery.api import Limit, Player
from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielState
from soak.table import table

PLAYERS = ("random", "sergeant", "kriegspiel-minimax")
_MARKS = "pnbrqk"


def truth(state: KriegspielState, seat: int) -> NDArray[np.int64]:
    """By square, the bit that a seat's mask must have: of the kind of an enemy piece, or that for empty."""
    bits = np.full(64, 1 << len(_MARKS))
    for row, line in enumerate(state.native.fen.split(" ")[0].split("/")):
        square = 8 * (7 - row)
        for mark in line:
            if mark.isdigit():
                square += int(mark)
                continue
            bits[square] = 1 << _MARKS.index(mark.lower()) if mark.islower() == (seat == 0) else 0
            square += 1
    return bits


def excluded(state: KriegspielState) -> list[int]:
    """The seats that think the true board impossible."""
    return [
        seat
        for seat in (0, 1)
        if np.any(truth(state, seat) & ~np.array(native.Possible(state.view(seat).native).masks))
    ]


def game(seats: Sequence[Player], seed: int, nodes: int) -> tuple[int, str]:
    """How many events a game had, and what was wrong with it."""
    for seat, player in enumerate(seats):
        player.start(KRIEGSPIEL.spec, seat, seed)
    state, events = KRIEGSPIEL.start(), 0
    while not state.outcome():
        move = seats[state.seat].choose(state.view(state.seat), Limit(nodes=nodes))
        state, before, events = state.play(move), state, events + 1
        if wrong := excluded(state):
            return events, f"seats {wrong} exclude {state} after {state.text(move)} in {before}"
    return events, ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="games of random tries")
    parser.add_argument("--games", type=int, default=20, help="games of each two players")
    parser.add_argument("--nodes", type=int, default=200, help="of each player that counts them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    args = parser.parse_args()

    began = time.monotonic()
    random = native.possible_violations(args.count, args.seed)
    rows: list[tuple[str, int, int, int, str]] = [
        ("tries at random", random.games, random.events, random.violations, random.first)
    ]
    for pair in combinations_with_replacement(PLAYERS, 2):
        if not args.games:
            break
        seats = [players.make(name, KRIEGSPIEL) for name in pair]
        played = [
            game(seats[:: 1 if number % 2 else -1], args.seed + number, args.nodes)
            for number in range(args.games)
        ]
        failures = [wrong for _, wrong in played if wrong]
        events = sum(each for each, _ in played)
        rows.append((" - ".join(pair), args.games, events, len(failures), "".join(failures[:1])))
    failed = any(row[3] for row in rows)
    seconds = time.monotonic() - began
    if args.json:
        keys = ("games of", "games", "events", "excluded", "first")
        found = [dict(zip(keys, row, strict=True)) for row in rows]
        print(json.dumps({"rows": found, "seconds": round(seconds, 1), "failed": failed}))
    else:
        print(table(["games of", "games", "events", "excluded"], [row[:4] for row in rows]))
        for row in rows:
            if row[4]:
                print(row[4])
        print(f"{seconds:.0f} s")
    sys.exit(failed)


if __name__ == "__main__":
    main()
