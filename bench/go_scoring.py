"""Our proposals of dead stones against GNU Go's: `python bench/go_scoring.py GAMES.jsonl`.

Plays the games that the file still lacks, asks GNU Go (`final_status_list`) which stones are dead at their
end, and compares. On 9x9 GNU Go plays half of them with itself and half with a player of ours that leaves
more for the count; on 19x19, where it takes its time, five of the first seven games, and ours play the rest.
All begin with a few random stones. The same seed makes the same games.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from subprocess import PIPE, Popen
from time import perf_counter
from typing import Any

from rookery import players
from rookery.api import Limit, Player
from rookery.endings import go as ending
from rookery.games.go import Go, GoState
from rookery.games.go_scoring import count, estimate, propose
from rookery.seeds import generator

KOMI = 6.5
GNU_GO = "gnugo"
RANDOM = 4
"""Stones at random before the players begin."""


OURS = ("gojen", "wally", "naive", "gojen:noise=40,attack=1,escape=no")


def seats(size: int, seed: int) -> tuple[str, str]:
    """Who plays Black, and who White."""
    if size == 9:
        rival = GNU_GO if seed % 2 == 0 else ("gojen", "wally", "uct:nodes=400")[seed // 2 % 3]
        other = GNU_GO
    elif seed < 7:
        rival = (GNU_GO, "gojen", "wally", "gojen", "wally")[seed % 5]
        other = GNU_GO if seed % 5 < 3 else "gojen"
    else:
        rival, other = OURS[seed % 4], OURS[seed // 4 % 4]
    return (rival, other) if seed // 2 % 2 == 0 else (other, rival)


class GnuGo:
    """The program, spoken to over a pipe."""

    def __init__(self, size: int, seed: int, level: int) -> None:
        rules = ("--japanese-rules", "--chinese-rules")[seed // 2 % 2]
        command = ["gnugo", "--mode", "gtp", "--level", str(level), "--seed", str(seed), rules]
        self._process = Popen(command, stdin=PIPE, stdout=PIPE, text=True)
        self.ask(f"boardsize {size}")
        self.ask(f"komi {KOMI}")

    def ask(self, line: str) -> str:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = ""
        while not answer.endswith("\n\n"):
            answer += self._process.stdout.readline()
        if not answer.startswith("="):
            raise SystemExit(f"GNU Go does not understand {line!r}: {answer.strip()}")
        return answer[1:].strip()

    def close(self) -> None:
        self.ask("quit")
        self._process.wait()


def play(size: int, seed: int) -> dict[str, Any]:
    """One game, and what GNU Go says of its end."""
    rng = generator(seed, "go scoring", size)
    gnu = GnuGo(size, seed, level=1)
    state = Go(size, scoring="area", komi=KOMI).start()
    names = seats(size, seed)
    ours: list[Player | None] = [None if name == GNU_GO else players.make(name, Go(size)) for name in names]
    for seat, player in enumerate(ours):
        if player is not None:
            player.start(state.spec, seat, seed)
    while state.outcome() is None:
        player = ours[state.seat]
        if len(state.history()) < RANDOM:
            points = [move for move in state.moves() if move < size * size]
            text = state.text(int(rng.choice(points)))
        elif player is not None:
            text = state.text(player.choose(state.view(state.seat), Limit()))
        else:
            text = gnu.ask(f"reg_genmove {'bw'[state.seat]}")
            if text.lower() == "resign":
                text = "pass"
        gnu.ask(f"play {'bw'[state.seat]} {text}")
        state = state.play(state.parse(text))
    dead = gnu.ask("final_status_list dead").split()
    gnu.close()
    return {"size": size, "seed": seed, "players": names, "position": str(state), "dead": dead}


def complete(file: Path, wanted: Sequence[tuple[int, int]]) -> list[dict[str, Any]]:
    """The wanted games: those in the file, and the rest played and added to it."""
    kept = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    known = {(game["size"], game["seed"]): game for game in kept}
    for size, seed in wanted:
        if (size, seed) not in known:
            began = perf_counter()
            known[size, seed] = game = play(size, seed)
            with file.open("a") as out:
                out.write(json.dumps(game) + "\n")
            who = " - ".join(game["players"])
            print(f"{size}x{size} {seed} {who}: {perf_counter() - began:.1f} s", flush=True)
    return [known[key] for key in wanted]


def compare(games: Iterable[dict[str, Any]], verbose: bool) -> None:
    """Print how far the proposals agree, board by board, without the network and with it."""
    games = list(games)
    for size in sorted({game["size"] for game in games}):
        here = [game for game in games if game["size"] == size]
        found = [measure(game) for game in here]
        print(f"{size}x{size}: {len(here)} games, {sum(f['stones'] for f in found)} stones")
        dead = sum(f["dead"] for f in found), sum(f["dead"] > 0 for f in found)
        print(f"  GNU Go holds {dead[0]} for dead, in {dead[1]} games")
        for way in ("playouts", "together"):
            same = sum(not f[way] for f in found)
            other = sum(len(f[way]) for f in found)
            points = [f"{f[way + ' points']:g}" for f in found if f[way + " points"]]
            print(f"  {way}: same in {same} games; {other} stones differ; scores differ by {points or 0}")
        print(f"  {1000 * sum(f['seconds'] for f in found) / len(found):.0f} ms for a proposal by playouts")
        for game, each in zip(here, found, strict=True):
            if each["together"]:
                print(f"  seed {game['seed']}, {' - '.join(game['players'])}: {' '.join(each['together'])}")
                if verbose:
                    print(Go(size).start(game["position"]).picture())


def measure(game: dict[str, Any]) -> dict[str, Any]:
    """One game by both."""
    board = Go(game["size"])
    state: GoState = board.start(game["position"])
    theirs = frozenset(board.start().parse(text) for text in game["dead"])
    estimate.cache_clear()
    began = perf_counter()
    ways = {"playouts": propose(state)}
    seconds = perf_counter() - began
    ways["together"] = ending.propose(state)
    found: dict[str, Any] = {"dead": len(theirs), "seconds": seconds}
    found["stones"] = len(state.stones(0)) + len(state.stones(1))
    for way, ours in ways.items():
        found[way] = [f"{state.text(p)}{'+' if p in ours else '-'}" for p in sorted(ours ^ theirs)]
        found[way + " points"] = abs(count(state, ours).margin - count(state, theirs).margin)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--nine", type=int, default=150, help="games of 9x9 (default 150)")
    parser.add_argument("--nineteen", type=int, default=50, help="games of 19x19 (default 50)")
    parser.add_argument("--boards", action="store_true", help="show the boards that differ")
    given = parser.parse_args()
    wanted = [(9, seed) for seed in range(given.nine)] + [(19, seed) for seed in range(given.nineteen)]
    compare(complete(given.file, wanted), given.boards)


if __name__ == "__main__":
    main()
