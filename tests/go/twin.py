"""The rules of Go once more, as plainly as they can be said: a dictionary of stones and flood fill."""

from __future__ import annotations

from functools import cache

Point = tuple[int, int]
Stones = dict[Point, int]
"""Row and column from the lower left, and the seat whose stone stands there."""


@cache
def neighbours(point: Point, size: int) -> tuple[Point, ...]:
    row, column = point
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return tuple((r, c) for r, c in around if 0 <= r < size and 0 <= c < size)


def flood(start: Point, inside: set[Point], size: int) -> set[Point]:
    """The points of a set that are joined to one of them."""
    found, todo = {start}, [start]
    while todo:
        for near in neighbours(todo.pop(), size):
            if near in inside and near not in found:
                found.add(near)
                todo.append(near)
    return found


def parts(points: set[Point], size: int) -> list[set[Point]]:
    """A set of points taken apart into joined ones."""
    rest, found = set(points), []
    while rest:
        found.append(flood(next(iter(rest)), rest, size))
        rest -= found[-1]
    return found


def border(points: set[Point], size: int) -> set[Point]:
    return {near for point in points for near in neighbours(point, size)} - points


def chain_at(stones: Stones, point: Point, size: int) -> tuple[set[Point], set[Point]]:
    """The chain of a stone, and its liberties."""
    chain, liberties, todo = {point}, set(), [point]
    while todo:
        for near in neighbours(todo.pop(), size):
            if near not in stones:
                liberties.add(near)
            elif stones[near] == stones[point] and near not in chain:
                chain.add(near)
                todo.append(near)
    return chain, liberties


def secure(stones: Stones, seat: int, size: int) -> tuple[set[Point], set[Point]]:
    """What a seat cannot lose (Benson): its stones that live, and the regions where the other cannot."""
    everything = {(row, column) for row in range(size) for column in range(size)}
    own = {point for point, owner in stones.items() if owner == seat}
    empty = everything - stones.keys()
    chains, regions = parts(own, size), parts(everything - own, size)
    while True:
        alive = [
            chain for chain in chains if sum(region & empty <= border(chain, size) for region in regions) >= 2
        ]
        living = set().union(*alive)
        enclosed = [region for region in regions if border(region, size) <= living]
        if len(alive) == len(chains) and len(enclosed) == len(regions):
            break
        chains, regions = alive, enclosed
    held = set()
    for region in regions:
        eyes = region - border(living, size)
        if living and all(a == b or b in neighbours(a, size) for a in eyes for b in eyes):
            held |= region
    return living, held


class Twin:
    """A game in progress; `play` changes it."""

    def __init__(self, size: int, ko: str = "simple", benson: bool = False) -> None:
        self.size, self.superko, self.benson = size, ko == "psk", benson
        self.stones: Stones = {}
        self.seat = 0
        self.ko: Point | None = None
        self.prisoners = [0, 0]
        self.placed = [0, 0]
        self.passes = self.ply = 0
        self.boards = [dict(self.stones)]

    def point(self, move: int) -> Point:
        return divmod(move, self.size)

    def after(self, point: Point) -> tuple[Stones, set[Point]]:
        """The board after a stone is put there, and what it took; suicide is still on the board."""
        stones = {**self.stones, point: self.seat}
        captured: set[Point] = set()
        for near in neighbours(point, self.size):
            if stones.get(near) == 1 - self.seat and near not in captured:
                chain, liberties = chain_at(stones, near, self.size)
                if not liberties:
                    captured |= chain
        return {p: owner for p, owner in stones.items() if p not in captured}, captured

    def legal(self, point: Point) -> bool:
        if point in self.stones or point == self.ko:
            return False
        if not self.superko and any(near not in self.stones for near in neighbours(point, self.size)):
            return True
        stones, _ = self.after(point)
        _, liberties = chain_at(stones, point, self.size)
        return bool(liberties) and not (self.superko and stones in self.boards)

    def over(self) -> bool:
        return self.passes == 2 or self.ply == 8 * self.size**2

    def moves(self) -> list[int]:
        if self.over():
            return []
        points = [move for move in range(self.size**2) if self.legal(self.point(move))]
        return [*points, self.size**2]

    def play(self, move: int) -> set[Point]:
        """Plays a legal move and tells what it took."""
        captured: set[Point] = set()
        self.ko = None
        if move == self.size**2:
            self.passes += 1
        else:
            point = self.point(move)
            self.stones, captured = self.after(point)
            self.passes = 0
            self.placed[self.seat] += 1
            self.prisoners[self.seat] += len(captured)
            chain, liberties = chain_at(self.stones, point, self.size)
            if len(captured) == 1 and len(chain) == 1 and liberties == captured:
                (self.ko,) = captured
            self.boards.append(self.stones)
        self.seat = 1 - self.seat
        self.ply += 1
        return captured

    def scores(self) -> tuple[int, int]:
        """Black less White by territory and by area."""
        stones, prisoners = dict(self.stones), list(self.prisoners)
        if self.benson:
            for seat in (0, 1):
                _, held = secure(self.stones, seat, self.size)
                dead = [point for point in held if self.stones.get(point) == 1 - seat]
                prisoners[seat] += len(dead)
                for point in dead:
                    del stones[point]
        empty = {self.point(i) for i in range(self.size**2)} - stones.keys()
        points = [0, 0]
        for region in parts(empty, self.size):
            owners = {stones[point] for point in border(region, self.size)}
            if len(owners) == 1:
                points[owners.pop()] += len(region)
        count = [list(stones.values()).count(seat) for seat in (0, 1)]
        territory = points[0] + prisoners[0] - points[1] - prisoners[1]
        return territory, points[0] + count[0] - points[1] - count[1]
