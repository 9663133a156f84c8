"""A slow, plain solver for the tests: every position that can come about, and who can force what from it.

It knows the rules alone: no life, no walls, no distances, no counted moves. A claim holds where the claimant
can force the game to end, by two passes, with the score that it claims; going round for ever is no end.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable
from functools import cache

Spot = tuple[int, int, int, int, int]  # Black, White, mover, ko or -1, passes


class Twin:
    """Black may be told to leave some points alone, such as its eyes, and so to force less than it could."""

    def __init__(self, size: int, left_alone: int = 0) -> None:
        self.points = size * size
        self.left_alone = left_alone
        self.near = [
            sum(
                1 << q
                for q in range(self.points)
                if abs(p // size - q // size) + abs(p % size - q % size) == 1
            )
            for p in range(self.points)
        ]
        self.flood = cache(self._flood)
        self.around = cache(self._around)

    def _flood(self, seeds: int, within: int) -> int:
        found, edge = 0, seeds & within
        while edge:
            p = (edge & -edge).bit_length() - 1
            found |= 1 << p
            edge = (edge | (self.near[p] & within)) & ~found
        return found

    def _around(self, points: int) -> int:
        return sum_bits(self.near[p] for p in range(self.points) if points >> p & 1)

    def score(self, spot: Spot) -> int:
        black, white = spot[:2]
        empty = (1 << self.points) - 1 & ~(black | white)
        reach = [self.flood(self.around(own), empty) for own in (black, white)]
        counts = [(own | (reach[i] & ~reach[1 - i])).bit_count() for i, own in enumerate((black, white))]
        return counts[0] - counts[1]

    def play(self, spot: Spot, point: int) -> Spot | None:
        own, other, mover = spot[spot[2]], spot[1 - spot[2]], spot[2]
        stone = 1 << point
        if (own | other) & stone or spot[3] == point:
            return None
        own |= stone
        taken = 0
        for q in range(self.points):
            if self.near[point] >> q & 1 and other >> q & 1:
                chain = self.flood(1 << q, other)
                if not self.around(chain) & ~(own | other):
                    taken |= chain
        other &= ~taken
        chain = self.flood(stone, own)
        liberties = self.around(chain) & ~(own | other)
        if not liberties:
            return None
        ko = (
            taken.bit_length() - 1 if taken.bit_count() == 1 and chain == stone and liberties == taken else -1
        )
        black, white = (own, other) if mover == 0 else (other, own)
        return black, white, 1 - mover, ko, 0

    def following(self, spot: Spot) -> list[Spot]:
        if spot[4] == 2:
            return []
        closed = 0 if spot[2] else self.left_alone
        played = (self.play(spot, p) for p in range(self.points) if not closed >> p & 1)
        return [s for s in played if s] + [(*spot[:2], 1 - spot[2], -1, spot[4] + 1)]

    def reachable(self, start: Spot, most: int = 10**9) -> dict[Spot, list[Spot]] | None:
        """All that can follow, with what follows it; nothing if that is more than so many."""
        after: dict[Spot, list[Spot]] = {}
        waiting = [start]
        while waiting:
            spot = waiting.pop()
            if spot not in after:
                after[spot] = self.following(spot)
                waiting += after[spot]
                if len(after) > most:
                    return None
        return after

    def forced(self, after: dict[Spot, list[Spot]], seat: int, points: int) -> set[Spot]:
        """Where a seat can force at least so many points more than the other."""
        before = defaultdict(list)
        left = {}
        for spot, nexts in after.items():
            left[spot] = len(nexts)
            for n in nexts:
                before[n].append(spot)
        won = {s for s in after if s[4] == 2 and self.score(s) * (1 - 2 * seat) >= points}
        waiting = deque(won)
        while waiting:
            for spot in before[waiting.popleft()]:
                left[spot] -= 1
                if spot not in won and (spot[2] == seat or left[spot] == 0):
                    won.add(spot)
                    waiting.append(spot)
        return won


def sum_bits(sets: Iterable[int]) -> int:
    total = 0
    for s in sets:
        total |= s
    return total
