"""How strong a player's levels are: `python bench/levels.py GAME PLAYER [--games N] [--folder DIR]`.

Each level meets the next two, and some of them the anchors: in chess Stockfish at several UCI_Elo, whose
scale the result is given on; elsewhere chance, which is 0. One Bradley-Terry ladder over all of it gives the
Elo of each level with its error, as the player's card has it. Go is played as in the studio, area counting
and its komi, after two random stones. Every game is kept in DIR as it ends, and a second start goes on there.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import numpy as np

from rookery import games, players
from rookery.arena.contest import Contest, enter
from rookery.arena.ladder import ladder
from rookery.arena.match import match
from rookery.arena.record import Record
from rookery.interfaces.web import faces
from rookery.seeds import generator

# What each level is set against besides its neighbours: (anchor, its Elo, levels).
STOCKFISH = "uci:stockfish,UCI_LimitStrength=true,UCI_Elo={},time=0.05"
MET = ((1400, (4, 5, 6, 7)), (1700, (6, 7, 8)), (2000, (9, 10)))
ANCHORS = {"chess": [(STOCKFISH.format(elo), elo, levels) for elo, levels in MET]}
MOST_PLIES = 600
BOOK = 200
CHANCE = [("random", 0, (1, 2, 3))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("game")
    parser.add_argument("player")
    parser.add_argument("--games", type=int, default=100, help="of each two (default 100)")
    parser.add_argument("--levels", type=int, help="the highest level (default: all)")
    parser.add_argument("--folder", type=Path, default=Path("runs/levels"))
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()

    anchors = ANCHORS.get(given.game, CHANCE)
    most = given.levels or players.levels(given.player)
    levels = [players.vary(given.player, {"level": number}) for number in range(1, most + 1)]
    pool = [*levels, *(name for name, _, _ in anchors)]
    pairs = [(low, high) for low in range(len(levels)) for high in (low + 1, low + 2) if high < len(levels)]
    for place, (_, _, met) in enumerate(anchors, len(levels)):
        pairs += [(number - 1, place) for number in met if number <= len(levels)]
    points = np.zeros((len(pool), len(pool)))
    for a, b in pairs:
        points[a, b], points[b, a] = meet(given, pool[a], pool[b], f"{a + 1}-{b + 1}")

    rungs = {rung.entrant: rung for rung in ladder(points.tolist())}
    known = range(len(levels), len(pool))
    shift = np.mean([elo - rungs[place].elo for place, (_, elo, _) in zip(known, anchors, strict=True)])
    print(f"{given.game} {given.player}, {given.games} games of each two that met")
    print(f"{'':40} {'Elo':>6} {'+-':>5} {'points':>8} {'games':>6}")
    for place, name in enumerate(pool):
        rung = rungs[place]
        print(f"{name:40} {rung.elo + shift:6.0f} {rung.error:5.0f} {rung.points:8.1f} {rung.games:6}")
    elos = tuple(round(rungs[place].elo + shift) for place in range(len(levels)))
    errors = [round(rungs[place].error) for place in range(len(levels))]
    scale = "UCI_Elo" if given.game in ANCHORS else "random"
    print(f"[levels.{given.game}]\nelo = {list(elos)}\nerror = {errors}")
    print(f'scale = "{scale}"\ngames = {given.games}\nconditions = ""\ncommand = "{" ".join(sys.argv)}"')


def meet(given: argparse.Namespace, a: str, b: str, name: str) -> tuple[float, float]:
    """The points of both from their games, played or recorded."""
    given.folder.mkdir(parents=True, exist_ok=True)
    entrants = enter(given.game, (a, b))
    contest = Contest(given.game, entrants, given.games, openings=book(given), max_plies=MOST_PLIES)
    with Record(contest, given.folder / f"{given.game}-{name}.jsonl") as record:
        tally = match(contest, record, given.workers).tally
    print(f"{a} {tally.wins}-{tally.draws}-{tally.losses} {b}", file=sys.stderr, flush=True)
    return tally.score * tally.games, (1 - tally.score) * tally.games


def book(given: argparse.Namespace) -> str | None:
    """Positions after two random stones, where people begin otherwise than the game's own start says."""
    opening = faces.get(given.game).opening({})
    if opening is None:
        return None
    path: Path = given.folder / f"{given.game}.epd"
    if not path.exists():
        rng, found = generator(1, "levels", given.game), dict[str, None]()
        while len(found) < BOOK:
            state = games.get(given.game).start(opening)
            for _ in range(2):
                state = state.play(int(rng.choice(state.moves()[:-1])))  # the last one passes
            found[str(state)] = None
        path.write_text("".join(f"{line}\n" for line in found))
    return str(path)


if __name__ == "__main__":
    main()
