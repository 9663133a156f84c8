"""The formulas of belief in Kriegspiel, written slowly: Ciancarini and Favini, section 4, with the
corrections of docs/kriegspiel-players.md. Matrices are [file, rank], and the enemy is Black: his
pawns come down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import exp, prod

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Place = tuple[int, int]

STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
SLANTING = [(1, 1), (-1, -1), (-1, 1), (1, -1)]
LINES = STRAIGHT + SLANTING
JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
RIDER, KNIGHT = 3 / 7, 2 / 7
PAWN, QUEEN, KING = 0, 4, 5


def on_board(place: Place) -> bool:
    return 0 <= place[0] < 8 and 0 <= place[1] < 8


def ray(start: Place, step: Place) -> Iterator[Place]:
    x, y = start[0] + step[0], start[1] + step[1]
    while on_board((x, y)):
        yield x, y
        x, y = x + step[0], y + step[1]


def around(start: Place, steps: list[Place]) -> Iterator[Place]:
    return (p for dx, dy in steps if on_board(p := (start[0] + dx, start[1] + dy)))


EVERYWHERE = [(x, y) for x in range(8) for y in range(8)]


@dataclass
class Twin:
    king: Matrix
    pawn: Matrix
    piece: Matrix
    own: dict[Place, int]
    """Kinds of our pieces: pawn 0, knight 1, ..., king 5."""

    def empty(self, place: Place) -> float:
        if place in self.own:
            return 0.0
        return float(np.clip(1 - self.king[place] - self.pawn[place] - self.piece[place], 0, 1))

    def control(self, t: Place, lifted: Place | None = None) -> float:
        """How many enemy pieces attack a square, with the piece on `lifted` taken off."""
        own = self.own.keys() - {lifted}
        total = sum(self.king[s] for s in around(t, LINES))
        total += sum(self.pawn[s] for s in around(t, [(-1, 1), (1, 1)]))
        total += KNIGHT * sum(self.piece[s] for s in around(t, JUMPS))
        for step in LINES:
            passed = 1.0
            for s in ray(t, step):
                if s in own:
                    break
                total += RIDER * passed * self.piece[s]
                passed *= 1.0 if s == lifted else self.empty(s)
        return float(total)

    # --- the enemy's move

    def spread(self, kernel: str, paper: bool = False) -> Twin:
        pawns, pieces = self.pawn.sum(), self.piece.sum()
        rate = 1 / (pawns + pieces + 1)
        king, pawn, piece = np.zeros((8, 8)), np.zeros((8, 8)), np.zeros((8, 8))
        for s in EVERYWHERE:
            ways = {t: self.empty(t) for t in around(s, LINES)}
            give(king, s, self.king[s], rate * (sum(ways.values()) > 0), ways)
            x, y = s
            ways = {}
            if y > 0:
                ways[x, y - 1] = self.empty((x, y - 1))
                if y == 6:
                    ways[x, y - 2] = ways[x, y - 1] * self.empty((x, y - 2))
            give(pawn, s, self.pawn[s], rate * min(1, sum(ways.values())), ways)
            often = pieces * rate if paper else rate
            if kernel == "gated":
                ways = self.gated_ways(s)
                often *= min(1, sum(ways.values()))
            else:
                ways = self.even_ways(s)
            give(piece, s, self.piece[s], often, ways)
        piece[:, 0] += pawn[:, 0]  # promoted
        pawn[:, 0] = 0
        return Twin(king, pawn, piece, self.own)

    def gated_ways(self, s: Place) -> dict[Place, float]:
        ways: dict[Place, float] = {}
        for step in LINES:
            passed = 1.0
            for t in ray(s, step):
                passed *= self.empty(t)
                ways[t] = RIDER * passed
        return ways | {t: KNIGHT * self.empty(t) for t in around(s, JUMPS)}

    def even_ways(self, s: Place) -> dict[Place, float]:
        """Each line that has room the same, and on it each square of the run without our pieces."""
        ways: dict[Place, float] = {}
        for forth in (STRAIGHT[0], STRAIGHT[2], SLANTING[0], SLANTING[2]):
            run = []
            for step in (forth, (-forth[0], -forth[1])):
                for t in ray(s, step):
                    if t in self.own:
                        break
                    run.append(t)
            for t in run:
                ways[t] = 1 / len(run)
        return ways

    # --- our own tries

    def pinned(self, a: Place) -> float:
        """That a piece of ours which stands between our King and a line is pinned."""
        home = next(place for place, kind in self.own.items() if kind == KING)
        for step in LINES:
            line = list(ray(home, step))
            if a not in line or any(s in self.own for s in line[: line.index(a)]):
                continue
            passed = prod(self.empty(s) for s in line[: line.index(a)])
            free = 1.0
            for s in line[line.index(a) + 1 :]:
                if s in self.own:
                    break
                free *= 1 - RIDER * passed * float(self.piece[s])
                passed *= self.empty(s)
            return 1 - free
        return 0.0

    def legal(self, a: Place, b: Place) -> float:
        """Of a try that is no pawn's capture and no castling, while we are not in check."""
        kind = self.own[a]
        if kind == KING:
            return clamp(exp(-self.control(b, lifted=a)))
        chance = 1.0
        dx, dy = b[0] - a[0], b[1] - a[1]
        if 0 in (dx, dy) or abs(dx) == abs(dy):
            for s in ray(a, (int(np.sign(dx)), int(np.sign(dy)))):
                if s != b or kind == PAWN:
                    chance *= self.empty(s)
                if s == b:
                    break
        home = next(place for place, other in self.own.items() if other == KING)
        return clamp(chance * (1 if in_line(home, a, b) else 1 - self.pinned(a)))

    def pawn_captures(self, tries: int) -> dict[tuple[Place, Place], float]:
        """How likely each is legal, if exactly so many were announced: by looking at every case."""
        pairs = [
            (a, b)
            for a, kind in self.own.items()
            if kind == PAWN
            for b in around(a, [(-1, 1), (1, 1)])
            if b not in self.own
        ]
        home = next(place for place, kind in self.own.items() if kind == KING)
        pins = {a: self.pinned(a) for a, _ in pairs}
        targets = sorted({b for _, b in pairs})
        shields = sorted({a for a, b in pairs if pins[a] > 0 and not in_line(home, a, b)})
        seen, all_ = dict.fromkeys(pairs, 0.0), 0.0
        for there in product([False, True], repeat=len(targets)):
            for held in product([False, True], repeat=len(shields)):
                stands, stuck = dict(zip(targets, there, strict=True)), dict(zip(shields, held, strict=True))
                chance = prod(self.filled(b) if stands[b] else 1 - self.filled(b) for b in targets)
                chance *= prod(pins[a] if stuck[a] else 1 - pins[a] for a in shields)
                can = [
                    (a, b) for a, b in pairs if stands[b] and (in_line(home, a, b) or not stuck.get(a, False))
                ]
                if len(can) == tries:
                    all_ += chance
                    for pair in can:
                        seen[pair] += chance
        return {pair: chance / all_ for pair, chance in seen.items()} if all_ else {}

    def filled(self, b: Place) -> float:
        return float(min(1, self.pawn[b] + self.piece[b]))

    def check(self, a: Place, b: Place) -> float:
        """That a try of ours gives check, once it is legal: by the piece itself, or by one behind it."""
        kind = self.own[a]
        own = (self.own.keys() - {a}) | {b}
        total = 0.0

        def along(start: Place, step: Place, passed: float = 1.0) -> float:
            seen = 0.0
            for s in ray(start, step):
                if s in own:
                    break
                seen += passed * float(self.king[s])
                passed *= 1.0 if s == a else self.clear(s)
            return seen

        if kind == PAWN:
            total += sum(self.king[s] for s in around(b, [(-1, 1), (1, 1)]))
        if kind == 1:
            total += sum(self.king[s] for s in around(b, JUMPS))
        for step in steps_of(kind):
            total += along(b, step)
        for step in LINES:
            passed = 1.0
            for s in ray(a, (-step[0], -step[1])):
                if s in self.own:
                    if step in steps_of(self.own[s]) and not in_line(s, a, b):
                        total += along(a, step, passed)
                    break
                passed *= self.clear(s)
        return float(min(1, total))

    def clear(self, s: Place) -> float:
        return float(np.clip(1 - self.pawn[s] - self.piece[s], 0, 1))


def steps_of(kind: int) -> list[Place]:
    return {2: SLANTING, 3: STRAIGHT, QUEEN: LINES}.get(kind, [])


def give(to: Matrix, s: Place, mass: float, share: float, ways: dict[Place, float]) -> None:
    """A share of the mass goes from s by ways of different weight, and the rest stays."""
    total = sum(ways.values())
    if total <= 0:
        share = 0.0
    to[s] += mass * (1 - share)
    for t, way in ways.items():
        if share:
            to[t] += mass * share * way / total


def in_line(a: Place, b: Place, c: Place) -> bool:
    """Whether three squares lie on one line of the board; the first two are known to."""
    step = (int(np.sign(b[0] - a[0])), int(np.sign(b[1] - a[1])))
    joined = 0 in (b[0] - a[0], b[1] - a[1]) or abs(b[0] - a[0]) == abs(b[1] - a[1])
    return joined and c in [*ray(a, step), *ray(a, (-step[0], -step[1]))]


def clamp(chance: float) -> float:
    return min(max(chance, 0.01), 0.99)
