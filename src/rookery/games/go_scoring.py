"""How people score Go: stones that both agree are dead come off, then the count; see docs/games/go.md.

`propose` finds the dead stones of a position, `toggle` changes what is marked, `count` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rookery import native
from rookery.api import Outcome, Seat

if TYPE_CHECKING:
    from rookery.games.go import GoState, Point

Dead = frozenset["Point"]
NEUTRAL = -1
"""Whose a point is that is nobody's."""

PLAYOUTS = 2000
"""How many random games a proposal rests on: some 0.1 s on 19x19."""
_SEED = 1
_FIRM = 0.75
"""The belief, from 1 to -1, that asks nobody else, and that saves a chain afloat in the other side's area."""


@dataclass(frozen=True)
class Count:
    """What a position is worth once the dead stones are off."""

    owner: tuple[int, ...]
    """By point: the seat whose stone or territory it is, or NEUTRAL."""
    black: float
    white: float
    """Points of each side, White's komi included."""

    @property
    def margin(self) -> float:
        """Black's points less White's."""
        return self.black - self.white

    @property
    def winner(self) -> Seat | None:
        return None if not self.margin else 0 if self.margin > 0 else 1

    def outcome(self) -> Outcome:
        """What the count makes of the game."""
        if self.winner is None:
            return Outcome((0.0, 0.0), "level scores")
        points = f"{abs(self.margin):g} point{'' if abs(self.margin) == 1 else 's'}"
        return Outcome(((1.0, -1.0), (-1.0, 1.0))[self.winner], f"by {points}")

    def words(self, over: bool = False) -> str:
        """For people.

        >>> Count((), 45, 36.5).words()
        'Black 45, White 36.5: Black leads by 8.5'
        """
        if self.winner is None:
            end = "level"
        else:
            verb = "wins" if over else "leads"
            end = f"{('Black', 'White')[self.winner]} {verb} by {abs(self.margin):g}"
        return f"Black {self.black:g}, White {self.white:g}: {end}"


def count(state: GoState, dead: Iterable[Point] = ()) -> Count:
    """The score of a position under its rules, with these stones taken off.

    >>> from rookery.games.go import Go
    >>> state = Go(5, scoring="area", komi=0.5).start("..X.O/..X../..X../..X../..X..")
    >>> count(state).words(), count(state, {24}).words()
    ('Black 15, White 1.5: Black leads by 13.5', 'Black 25, White 0.5: Black leads by 24.5')
    """
    off = frozenset(dead)
    size = state.size
    stones = [NEUTRAL] * (size * size)
    for seat in (0, 1):
        for point in state.stones(seat):
            if point not in off:
                stones[point] = seat
    owner = list(stones)
    territory = [0, 0]
    for region in _regions(size, lambda point: stones[point] == NEUTRAL):
        touched = {stones[q] for p in region for q in around(size, p)} - {NEUTRAL}
        if len(touched) == 1:
            seat = touched.pop()
            territory[seat] += len(region)
            for point in region:
                owner[point] = seat
    if state.scoring == "area":
        points = [territory[seat] + stones.count(seat) for seat in (0, 1)]
    else:
        taken = [sum(p in off for p in state.stones(1 - seat)) for seat in (0, 1)]
        points = [territory[seat] + state.captures[seat] + taken[seat] for seat in (0, 1)]
    return Count(tuple(owner), float(points[0]), points[1] + komi(state))


def komi(state: GoState) -> float:
    """What White gets beside its points: komi, and by area and agreement a point for each handicap stone."""
    paid = state.scoring == "area" and state.dead_stones == "agreed"
    return state.komi + (state.handicap if paid else 0)


def toggle(state: GoState, dead: Dead, point: Point) -> Dead:
    """What is marked once a stone was tapped.

    Its chain is turned, and with it the chains of its colour in the same region, which live or die together.
    A region ends at living stones of the other side and at points that are nobody's.
    """
    chain = state.chain(point)
    if not chain:
        return dead
    seat = 0 if point in state.stones(0) else 1
    own, other = set(state.stones(seat)), set(state.stones(1 - seat)) - dead
    owner = count(state, dead).owner
    inside = {p for p in range(state.size**2) if p not in other and (p in own or owner[p] != NEUTRAL)}
    region = next(found for found in _regions(state.size, inside.__contains__) if point in found)
    stones = frozenset(region) & own
    return dead - stones if point in dead else dead | stones


def seki(state: GoState, dead: Dead) -> frozenset[Point]:
    """The living stones around points that are nobody's and where neither side can play without giving up its
    own chain."""
    found: set[Point] = set()
    owner = count(state, dead).owner
    stones = {*state.stones(0), *state.stones(1)}
    for region in _regions(state.size, lambda p: owner[p] == NEUTRAL and p not in stones):
        if not any(_playable(state, seat, p) for p in region for seat in (0, 1)):
            touched = {q for p in region for q in around(state.size, p)} & stones - dead
            found.update(stone for point in touched for stone in state.chain(point))
    return frozenset(found)


def _playable(state: GoState, seat: Seat, point: Point) -> bool:
    """Whether a stone there would stand with two liberties, or take something."""
    rows, _, prisoners, _, _, _, *options = str(state).split()
    text = " ".join([rows, "bw"[seat], prisoners, "-", "0", "0", *options])
    turned = type(state)(state.spec, type(state.native)(text))
    if point not in turned.moves():
        return False
    after = turned.play(point)
    return after.captures != turned.captures or len(after.liberties(point)) > 1


def chains(state: GoState) -> list[tuple[Point, ...]]:
    """All chains of a position."""
    stones = (point for seat in (0, 1) for point in state.stones(seat))
    return list(dict.fromkeys(tuple(state.chain(point)) for point in stones))


def around(size: int, point: Point) -> list[Point]:
    """The points next to one."""
    row, column = divmod(point, size)
    near = []
    if row > 0:
        near.append(point - size)
    if column > 0:
        near.append(point - 1)
    if column < size - 1:
        near.append(point + 1)
    if row < size - 1:
        near.append(point + size)
    return near


def _regions(size: int, inside: Callable[[Point], bool]) -> list[list[Point]]:
    """The points for which `inside` holds, in connected parts."""
    seen: set[Point] = set()
    found = []
    for start in range(size * size):
        if start in seen or not inside(start):
            continue
        seen.add(start)
        region = [start]
        for point in region:
            for near in around(size, point):
                if near not in seen and inside(near):
                    seen.add(near)
                    region.append(near)
        found.append(region)
    return found


# --- proposals ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Estimate:
    """Who will own what, by Benson's proof and by playouts."""

    alive: tuple[frozenset[Point], frozenset[Point]]
    """Stones of each seat that cannot be taken."""
    secure: tuple[frozenset[Point], frozenset[Point]]
    """Where the other seat can never live."""
    owner: tuple[float, ...]
    """By point, from 1, always Black's in the end, to -1, always White's."""
    kept: tuple[float, ...]
    """By point, how often the stone there was never taken."""


@lru_cache(64)
def estimate(state: GoState) -> Estimate:
    """What is known of a position without asking anybody."""
    text, size = str(state), state.size
    found = native.go_ownership(text, size, PLAYOUTS, _SEED)
    alive, secure = native.go_life(text, size)
    return Estimate(
        (frozenset(alive[0]), frozenset(alive[1])),
        (frozenset(secure[0]), frozenset(secure[1])),
        tuple((b - w) / PLAYOUTS for b, w in zip(found.black, found.white, strict=True)),
        tuple(kept / PLAYOUTS for kept in found.kept),
    )


def propose(state: GoState, network: Sequence[float] | None = None) -> Dead:
    """The stones that are dead where nobody plays on.

    Benson's proof decides where it reaches. Elsewhere the playouts are asked whose a chain's points are in
    the end; where they are not firm, so is the network if there is one (`network`: its word on each point,
    from 1, Black's, to -1, White's), and the mean of the two is the belief in the chain. A chain is dead if
    the other side is believed to own it, or if it merely floats in the other side's area and the belief is
    not firm: whoever passes twice leaves such a stone for dead, though there would be room to live. Seki
    floats too, but is spared.
    """
    known = estimate(state)
    adrift = _adrift(state) - seki(state, frozenset())
    dead: set[Point] = set()
    for chain in chains(state):
        seat = 0 if chain[0] in state.stones(0) else 1
        if chain[0] in known.alive[seat]:
            continue
        if chain[0] in known.secure[1 - seat]:
            dead.update(chain)
            continue
        sign = 1 - 2 * seat
        belief = sign * sum(known.owner[p] for p in chain) / len(chain)
        if network is not None and abs(belief) < _FIRM:
            belief = (belief + sign * sum(network[p] for p in chain) / len(chain)) / 2
        if belief < (_FIRM if chain[0] in adrift else 0.0):
            dead.update(chain)
    # What stands in a dead group of the other side is not dead with it: nobody is dead in own territory.
    owner = count(state, dead).owner
    return frozenset(dead).difference(p for seat in (0, 1) for p in state.stones(seat) if owner[p] == seat)


def _adrift(state: GoState) -> set[Point]:
    """Stones in an area that the other side surrounds, with no more than one point there of their own, and
    fewer than surround them."""
    owner = count(state).owner
    found: set[Point] = set()
    for seat in (0, 1):
        own, other = set(state.stones(seat)), set(state.stones(1 - seat))
        for area in _regions(state.size, lambda p, other=other: p not in other):  # type: ignore[misc]
            stones = own.intersection(area)
            land = sum(owner[p] == seat for p in area if p not in own)
            wall = {q for p in area for q in around(state.size, p)} & other
            if land <= 1 and len(stones) < len(wall):
                found |= stones
    return found
