"""What a seat of Kriegspiel thinks impossible, held against the true board after every event.

    python -m soak.masks                            10,000 games of random tries, and 20 of each player
    python -m soak.masks --count 100000 --games 0
    python -m soak.masks --count 0 --games 0 games.jsonl    games that `rookery match` recorded

A board that a seat's masks exclude is a failure: the first is printed with the event that led to it, and the
exit code is 1. Masks depend on what was tried and heard alone, so a game that was recorded shows as much as
one that is played for it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rookery import native, players
from rookery.api import GameRecord, Limit, Player
from rookery.arena.record import Played
from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielState
from soak.table import table

PLAYERS = (
    "random",
    "sergeant",
    "kriegspiel-minimax",
    "kriegspiel-mcts:approach=a",
    "kriegspiel-mcts:approach=b",
    "kriegspiel-mcts:approach=c",
    "kriegspiel-mcts:approach=c,variant=fast",
    "kriegspiel-hybrid:boards=10,pool=100,tree=500",
    "kriegspiel-sampling:method=los,depth=1",
    "kriegspiel-sampling:method=aosp,depth=1,pool=500",
    "kriegspiel-sampling:method=hs,depth=1,pool=500",
)
"""Each kind; each meets the next, and the last the first."""
OPENING = 6
"""Tries at random with which a game begins: players that see little would play the same game again."""
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
    state, events, rng = KRIEGSPIEL.start(), 0, random.Random(seed)
    while not state.outcome():
        view = state.view(state.seat)
        drawn = events < OPENING
        move = rng.choice(view.moves()) if drawn else seats[state.seat].choose(view, Limit(nodes=nodes))
        state, before, events = state.play(move), state, events + 1
        if wrong := excluded(state):
            return events, f"seats {wrong} exclude {state} after {state.text(move)} in {before}"
    return events, ""


def replayed(record: GameRecord) -> tuple[int, str]:
    """How many events a recorded game had, and what was wrong with it."""
    state = KRIEGSPIEL.start(record.start)
    for events, text in enumerate(record.moves, 1):
        state = state.play(state.parse(text))
        if wrong := excluded(state):
            return events, f"seats {wrong} exclude {state} after {text}"
    return len(record.moves), ""


def recorded(path: Path) -> Iterator[GameRecord]:
    """The games of a record; its first line says which contest it is."""
    with path.open() as lines:
        next(lines)
        for line in lines:
            yield Played.read(line).record


Row = tuple[str, int, int, int, str]
"""Games of whom, how many, their events, how many excluded the truth, and the first of these."""


def row(name: str, played: Sequence[tuple[int, str]]) -> Row:
    failures = [wrong for _, wrong in played if wrong]
    return name, len(played), sum(each for each, _ in played), len(failures), "".join(failures[:1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("records", nargs="*", type=Path, help="games of matches, to be looked at as well")
    parser.add_argument("--count", type=int, default=10_000, help="games of random tries")
    parser.add_argument("--games", type=int, default=20, help="games of each player with the next")
    parser.add_argument("--nodes", type=int, default=50, help="of each player that counts them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    args = parser.parse_args()

    began = time.monotonic()
    drawn = native.possible_violations(args.count, args.seed)
    rows: list[Row] = [("tries at random", drawn.games, drawn.events, drawn.violations, drawn.first)]
    for pair in zip(PLAYERS, (*PLAYERS[1:], PLAYERS[0]), strict=True):
        if not args.games:
            break
        seats = [players.make(name, KRIEGSPIEL) for name in pair]
        played = [
            game(seats[:: 1 if number % 2 else -1], args.seed + number, args.nodes)
            for number in range(args.games)
        ]
        rows.append(row(" - ".join(pair), played))
    again = defaultdict[str, list[tuple[int, str]]](list)
    for record in itertools.chain.from_iterable(map(recorded, args.records)):
        again[" - ".join(sorted(record.players))].append(replayed(record))
    rows += [row(name, played) for name, played in again.items()]
    failed = any(each[3] for each in rows)
    seconds = time.monotonic() - began
    if args.json:
        keys = ("games of", "games", "events", "excluded", "first")
        found = [dict(zip(keys, each, strict=True)) for each in rows]
        print(json.dumps({"rows": found, "seconds": round(seconds, 1), "failed": failed}))
    else:
        print(table(["games of", "games", "events", "excluded"], [each[:4] for each in rows]))
        for *_, first in rows:
            if first:
                print(first)
        print(f"{seconds:.0f} s")
    sys.exit(failed)


if __name__ == "__main__":
    main()
