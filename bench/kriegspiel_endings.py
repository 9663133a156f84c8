"""Is a lone King of Kriegspiel mated? `python bench/kriegspiel_endings.py [MATERIAL ...] [--json]`.

Random legal positions with the hunter to move; of the enemy only the material is public, so that his King may
be anywhere. He moves at random, or he evades: he sees the whole board, takes what he can, else makes for men
that nobody protects, for the centre, and away from our King. The share mated is given with its 95 % interval
(Wilson), the draws by reason. With a Rook, a draw on the first move is sometimes beyond help: in 39 % of the
starts every move leaves the Rook to a King on some square, or stalemates him there. Over all starts that is
1.8 % of his squares.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from time import process_time

import numpy as np

from rookery import native, players
from rookery.api import Limit, Move
from rookery.errors import BadOption, BadPosition, RookeryError
from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielState
from rookery.seeds import generator

MATERIALS = ("R", "Q", "RR", "P", "BB", "BN", "RP", "QR")
MOST_DRAWS = 10_000
"""Of men at random, before a material is given up: with a few men one in two is a legal position."""
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
    for _ in range(MOST_DRAWS):
        board = [["."] * 8 for _ in range(8)]
        places = rng.choice(64, 2 + len(material), replace=False)
        for man, square in zip("kK" + material, places, strict=True):
            board[square // 8][square % 8] = man
        fen = "/".join("".join("1" if man == "." else man for man in row) for row in board)
        try:
            state = KRIEGSPIEL.start(f"{fen} w - - 0 1 material")
        except BadPosition:
            continue
        known = native.KriegspielLoneKing.of(state.view(0).native)
        if known and known.can_mate:  # two Bishops may stand on squares of one colour
            return state
    raise BadOption(f"K{material} cannot mate a lone King; give it a pawn, rook or queen, or BB, BN or NNN")


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


@dataclass(frozen=True)
class Row:
    """All games of one material against one kind of King."""

    material: str
    against: str
    games: int
    mated: float
    low: float
    high: float
    moves: float
    """To mate, on the average."""
    longest: int
    draws: dict[str, int]
    lost_at_once: int
    """Draws on the first move."""
    milliseconds: float
    """A try."""

    def __str__(self) -> str:
        draws = ", ".join(f"{reason} {times}" for reason, times in self.draws.items())
        if self.lost_at_once:
            draws += f" ({self.lost_at_once} on the first move)"
        share = f"{self.mated:7.2%} {self.low:7.2%}-{self.high:7.2%}"
        took = f"{self.moves:6.1f} {self.longest:5} {self.milliseconds:7.2f}"
        return f"{self.material:8} {self.against:8} {self.games:6} {share} {took}  {draws}"


HEADER = f"{'':8} {'against':8} {'games':>6} {'mated':>7} {'95 %':>15} {'moves':>6} {'most':>5} {'ms/try':>7}"


def summary(material: str, against: str, games: list[Ended]) -> Row:
    mated = [game for game in games if game.reason == "checkmate"]
    drawn = [game for game in games if game.reason != "checkmate"]
    low, high = interval(len(mated), len(games))
    return Row(
        material=f"K{material}K",
        against=against,
        games=len(games),
        mated=len(mated) / len(games),
        low=low,
        high=high,
        moves=sum(game.moves for game in mated) / max(1, len(mated)),
        longest=max((game.moves for game in mated), default=0),
        draws=dict(Counter(game.reason for game in drawn)),
        lost_at_once=sum(game.moves == 1 for game in drawn),
        milliseconds=1000 * sum(game.seconds for game in games) / sum(game.tries for game in games),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("material", nargs="*", default=list(MATERIALS), help="of PNBRQ (default: several)")
    parser.add_argument("--games", type=int, default=1000, help="of each material and defender")
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
                    print(*([HEADER] if len(rows) == 1 else []), rows[-1], sep="\n", flush=True)
    if given.json:
        table = [asdict(row) for row in rows]
        print(json.dumps({"player": given.player, "seed": given.seed, "rows": table}, indent=1))


if __name__ == "__main__":
    try:
        main()
    except RookeryError as error:
        sys.exit(str(error))
