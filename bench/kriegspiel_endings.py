"""Does a player of Kriegspiel mate a King who is alone? `python bench/kriegspiel_endings.py [MATERIAL ...] [--json]`.

Random legal positions with the hunter to move; of the enemy only the material is public, so that his King may be
anywhere. He moves at random, or he evades: he sees the whole board, takes what he can, else makes for men that nobody
protects, the centre, and away from our King. The share mated is given with its 95 % interval (Wilson), the draws by
reason. With a Rook, a draw on the first move is sometimes beyond help: in 39 % of the starts every move leaves the Rook
to a King on some square, or stalemates him there. Over all starts that is 1.8 % of his squares.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import process_time

import numpy as np

from rookery import native, players
from rookery.api import Limit, Move
from rookery.errors import BadPosition, RookeryError
from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielState
from rookery.seeds import generator

MATERIALS = ("R", "Q", "RR", "P", "BB", "BN", "RP", "QR")
AGAINST = ("random", "evader")


@dataclass(frozen=True)
class Ended:
    """One game."""

    reason: str
    moves: int
    """Of the hunter."""
    tries: int
    seconds: float
    """Of the processor, for all tries."""


def start(material: str, rng: np.random.Generator) -> KriegspielState:
    """Men at random; where that is no legal position that can be won, others."""
    while True:
        board = [["."] * 8 for _ in range(8)]
        for man, square in zip("kK" + material, rng.choice(64, 2 + len(material), replace=False), strict=True):
            board[square // 8][square % 8] = man
        fen = "/".join("".join("1" if man == "." else man for man in row) for row in board)
        try:
            state = KRIEGSPIEL.start(f"{fen} w - - 0 1 material")
        except BadPosition:
            continue
        known = native.KriegspielLoneKing.of(state.view(0).native)
        if known and known.can_mate:  # two Bishops may stand on squares of one colour
            return state


def evade(state: KriegspielState, rng: np.random.Generator) -> Move:
    hunter = native.KriegspielLoneKing.of(state.view(0).native)
    assert hunter
    pieces = squares(state.view(0).men)
    king = next(square for square, man in pieces.items() if man == "K")
    loose = [square for square, man in pieces.items() if man != "K" and not hunter.attacks >> square & 1]

    def worth(move: Move) -> float:
        to = move >> 6 & 63
        rank, file = divmod(to, 8)
        central = min(rank, 7 - rank) + min(file, 7 - file)
        near = sum(7 - distance(to, square) for square in loose)
        return 1000 * (to in loose) + 2 * central + 1.5 * near + 0.5 * distance(to, king) + rng.random()

    return max((move for move in state.moves() if state.accepts(move)), key=worth)


def squares(board: str) -> dict[int, str]:
    """The men of the board field of a FEN."""
    found = {}
    for rank, row in enumerate(reversed(board.split("/"))):
        file = 0
        for mark in row:
            if mark.isalpha():
                found[8 * rank + file] = mark
            file += 1 if mark.isalpha() else int(mark)
    return found


def distance(a: int, b: int) -> int:
    return max(abs(a // 8 - b // 8), abs(a % 8 - b % 8))


def play(number: int, player: str, material: str, against: str, seed: int) -> Ended:
    rng = generator(seed, "endings", material, number)
    state = start(material, rng)
    hunter = players.make(player, KRIEGSPIEL)
    hunter.start(KRIEGSPIEL.spec, 0, int(rng.integers(2**31)))
    moves, tries, seconds = 0, 0, 0.0
    while not (outcome := state.outcome()):
        if state.seat == 0:
            began = process_time()
            move = hunter.choose(state.view(0), Limit())
            seconds += process_time() - began
            state = state.play(move)
            tries += 1
            moves += state.stood
        elif against == "evader":
            state = state.play(evade(state, rng))
        else:
            legal = [move for move in state.moves() if state.accepts(move)]
            state = state.play(int(rng.choice(legal)))
    return Ended(outcome.reason, moves, tries, seconds)


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's, 95 %."""
    z, share = 1.96, part / whole
    middle = share + z * z / (2 * whole)
    half = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    return (middle - half) / (1 + z * z / whole), (middle + half) / (1 + z * z / whole)


def summary(material: str, against: str, games: list[Ended]) -> dict[str, object]:
    mated = [game for game in games if game.reason == "checkmate"]
    low, high = interval(len(mated), len(games))
    tries = sum(game.tries for game in games)
    return {
        "material": f"K{material}K",
        "against": against,
        "games": len(games),
        "mated": len(mated) / len(games),
        "low": low,
        "high": high,
        "moves": sum(game.moves for game in mated) / max(1, len(mated)),
        "longest": max((game.moves for game in mated), default=0),
        "draws": dict(Counter(game.reason for game in games if game.reason != "checkmate")),
        "lost_at_once": sum(game.reason == "insufficient material" and game.moves == 1 for game in games),
        "milliseconds": 1000 * sum(game.seconds for game in games) / tries,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("material", nargs="*", default=list(MATERIALS), help="of P N B R Q (default: several)")
    parser.add_argument("--games", type=int, default=1000, help="of each material and defender (default 1000)")
    parser.add_argument("--against", choices=AGAINST, nargs="*", default=list(AGAINST))
    parser.add_argument("--player", default="sergeant", help="who hunts (default sergeant)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    wrong = next((each for each in given.material if not each or set(each) - set("PNBRQ")), None)
    if wrong is not None:
        parser.error(f"material is letters of PNBRQ, as RR (got {wrong!r})")
    if given.games < 1 or given.workers < 1:
        parser.error("games and workers must be 1 or more")
    rows = []
    with ProcessPoolExecutor(given.workers) as pool:
        for material in given.material:
            for against in given.against:
                one = partial(play, player=given.player, material=material, against=against, seed=given.seed)
                games = list(pool.map(one, range(given.games), chunksize=5))
                rows.append(summary(material, against, games))
                if not given.json:
                    show(rows[-1], header=len(rows) == 1)
    if given.json:
        print(json.dumps({"player": given.player, "seed": given.seed, "rows": rows}, indent=1))


def show(row: dict[str, object], header: bool) -> None:
    if header:
        print(f"{'':8} {'against':8} {'games':>6} {'mated':>7} {'95 %':>15} {'moves':>6} {'most':>5} {'ms/try':>7}  draws")
    draws = ", ".join(f"{reason} {times}" for reason, times in row["draws"].items())  # type: ignore[attr-defined]
    if row["lost_at_once"]:
        draws += f" ({row['lost_at_once']} on the first move)"
    print(
        f"{row['material']:8} {row['against']:8} {row['games']:6} {row['mated']:7.2%} {row['low']:7.2%}-{row['high']:7.2%}"
        f" {row['moves']:6.1f} {row['longest']:5} {row['milliseconds']:7.2f}  {draws}",
        flush=True,
    )


if __name__ == "__main__":
    try:
        main()
    except RookeryError as error:
        sys.exit(str(error))
