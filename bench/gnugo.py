"""What a Go player is worth against GNU Go: `python bench/gnugo.py SIZE [PLAYER] [--games N]`.

Area counting, and komi that makes even games: 9 on 7x7, 7 on 9x9. Each pair of games begins with two random
moves of its own, and the players swap sides. GNU Go is told to capture what is dead, for every stone left on
the board counts as alive.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from rookery.arena.contest import Contest, enter
from rookery.arena.match import match
from rookery.arena.record import Record
from rookery.games.go import Go
from rookery.interfaces.arena.report import match_lines
from rookery.seeds import generator

KOMI = {5: 24.0, 7: 9.0, 9: 7.0}
GNU_GO = "gtp:gnugo,arguments=--mode gtp --level {} --chinese-rules --capture-all-dead"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("size", type=int, choices=KOMI)
    parser.add_argument("player", nargs="?", default="puct:fpu=0.2,nodes=200+go/zero")
    parser.add_argument("--level", type=int, default=10, help="of GNU Go (default 10)")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep every game; go on where FILE ends")
    given = parser.parse_args()
    game = f"go{given.size}"
    with TemporaryDirectory() as folder:
        book = Path(folder) / f"{game}.epd"
        book.write_text("".join(f"{line}\n" for line in positions(given.size, given.games // 2, given.seed)))
        entrants = enter(game, (given.player, GNU_GO.format(given.level)))
        contest = Contest(game, entrants, given.games, seed=given.seed, openings=str(book))
        record = Record(contest, given.record) if given.record else None
        result = match(contest, record, given.workers, on_result=lambda so_far: tell(so_far.tally))
    print("\n".join(match_lines(result)))


def positions(size: int, count: int, seed: int) -> list[str]:
    """Different positions after two random stones."""
    rng = generator(seed, "gnugo", size)
    found: dict[str, None] = {}
    while len(found) < count:
        state = Go(size, scoring="area", komi=KOMI[size]).start()
        for _ in range(2):
            points = [move for move in state.moves() if move < size * size]
            state = state.play(int(rng.choice(points)))
        found[str(state)] = None
    return list(found)


def tell(tally: object) -> None:
    print(f"\r{tally.games} games, {tally.score:.1%}", end="", file=sys.stderr, flush=True)  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
