"""Naive and Gojen once more, as plainly as they can be said: what value each point has for them.

A rival plays one of the points of the greatest value; without any, Naive wanders and Gojen passes.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from rookery.games.go import GoState, Point

PATTERNS = """
???/X*X/?O? 60   OX?/X*?/??? 62   ?O?/X*X/### 58   X.?/O*X/??? 52   X??/.*O/X?? 44   X.?/?*X/### 40
?X?/O*O/??? 61   XO?/O*?/??? 63   ?X?/O*O/### 57   O.?/X*O/??? 50   ?X?/O*O/?X? 66
XOX/.*./??? 55   XO./.*./?.? 46   XO?/X*./?.? 50   XO./?*./### 42   XOO/X*./### 45
?O./X*./?O? 48   ?X?/O*./?.? 34
?X?/O*./?X? 50   X??/X*O/### 47   .X?/.*O/### 46   .XO/.*./### 41
?.?/X*./O.? 38   .../X*./OO. 40   X../.*./... 26   .../X*./... 20   .../.*./... 24   ?O?/.*./?.? 22
XX?/.*?/### 48   OO?/.*?/### 45   X.X/?*?/??? 36   O.O/?*?/??? 37
"""


@cache
def patterns() -> dict[str, int]:
    """Each pattern as nine characters from the top left, turned and mirrored in every way, with its value."""
    found: dict[str, int] = {}
    words = PATTERNS.split()
    for rows, value in zip(words[::2], map(int, words[1::2]), strict=True):
        board = rows.split("/")
        for _ in range(4):
            board = ["".join(column) for column in zip(*board[::-1], strict=True)]
            for turned in (board, board[::-1]):
                found["".join(turned)] = max(value, found.get("".join(turned), 0))
    return found


def on_board(state: GoState, row: int, column: int) -> bool:
    return 0 <= row < state.size and 0 <= column < state.size


def near(state: GoState, point: Point) -> list[Point]:
    row, column = divmod(point, state.size)
    around = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [r * state.size + c for r, c in around if on_board(state, r, c)]


def sign(state: GoState, row: int, column: int) -> str:
    if not on_board(state, row, column):
        return "#"
    point = row * state.size + column
    return "X" if point in state.stones(state.seat) else "O" if point in state.stones(1 - state.seat) else "."


def square(state: GoState, point: Point) -> str:
    """What is around a point, from the top left; * is the point itself."""
    row, column = divmod(point, state.size)
    signs = [sign(state, row + r, column + c) for r, c in product((1, 0, -1), (-1, 0, 1))]
    return "".join(signs[:4]) + "*" + "".join(signs[5:])


def chains(state: GoState, seat: int) -> list[tuple[set[Point], set[Point]]]:
    """Each chain of a seat with its liberties."""
    found = {frozenset(state.chain(p)): set(state.liberties(p)) for p in state.stones(seat)}
    return [(set(chain), liberties) for chain, liberties in found.items()]


def taken(state: GoState, point: Point) -> int:
    return len(state.stones(1 - state.seat)) - len(state.play(point).stones(1 - state.seat))


def breath(state: GoState, point: Point) -> int:
    """The liberties of a stone that is put there."""
    return len(state.play(point).liberties(point))


def is_eye(state: GoState, point: Point) -> bool:
    around = square(state, point)
    corners = around[0] + around[2] + around[6] + around[8]
    return not set(around[1::2]) & set("O.") and corners.count("O") <= ("#" not in corners)


def legal(state: GoState) -> list[Point]:
    return [move for move in state.moves() if move != state.size**2]


def naive(state: GoState) -> dict[Point, int]:
    values: dict[Point, int] = {}

    def offer(point: Point, value: int) -> None:
        values[point] = max(value, values.get(point, 0))

    for point in legal(state):
        for _, liberties in chains(state, 1 - state.seat):
            if liberties == {point}:
                offer(point, 200 + 10 * taken(state, point))
        for chain, liberties in chains(state, state.seat):
            if point not in liberties:
                continue
            after = breath(state, point)
            joins = len(state.play(point).chain(point)) > len(chain) + 1
            if len(liberties) == 1 and after >= 2:
                offer(point, 100 + 10 * len(chain) + after)
            if len(liberties) == 2 and after >= 3:
                offer(point, (50 + 5 * len(chain) if joins else 30 + 3 * len(chain)) + after)
    return values


def wandering(state: GoState) -> set[Point]:
    """Where Naive goes when no point has a value."""
    good = {p for p in legal(state) if not is_eye(state, p) and breath(state, p) >= 2}
    return good or {state.size**2}


def shape(state: GoState, point: Point) -> int:
    around = square(state, point)
    fitting = [
        value
        for pattern, value in patterns().items()
        if all(p in ("?", s) for p, s in zip(pattern, around, strict=True))
    ]
    known = max(fitting, default=None)
    middle = 8 if point == (state.size + 1) * (state.size // 2) else 3
    if "#" in around:
        return 5 if known is None else known - 6
    return (5 if known is None else known) + middle


def freed(state: GoState, point: Point) -> int:
    after = state.play(point)
    weak = [chain for chain, liberties in chains(state, state.seat) if len(liberties) == 1]
    return sum(8 + 6 * len(chain) for chain in weak if len(after.liberties(min(chain))) >= 2)


def caught(state: GoState, chain: set[Point], liberties: set[Point], point: Point) -> bool:
    (way,) = liberties - {point}
    run = chain | {way}
    for other, _ in chains(state, 1 - state.seat):
        if other & set(near(state, way)):
            run |= other
    stones = {*state.stones(0), *state.stones(1)}
    return len({q for p in run for q in near(state, p)} - stones - {point, way}) <= 2


def gojen(state: GoState, attack: int = 3, escape: bool = True) -> dict[Point, int]:
    """The value of every point that it may choose, without noise."""
    values = {point: shape(state, point) for point in legal(state)}

    def offer(point: Point, value: int) -> None:
        values[point] = max(value, values[point])

    for chain, liberties in chains(state, 1 - state.seat):
        for point in liberties & values.keys() if len(liberties) <= attack else ():
            if len(liberties) == 1:
                offer(point, 100 + 10 * taken(state, point) + freed(state, point))
            if len(liberties) == 2 and breath(state, point) >= 2:
                lost = escape and caught(state, chain, liberties, point)
                offer(point, (70 if lost else 50) + 4 * len(chain))
            if len(liberties) == 3:
                offer(point, 32 + 2 * len(chain))
    for chain, liberties in chains(state, state.seat):
        for point in liberties & values.keys():
            after = breath(state, point)
            if len(liberties) == 1 and after >= 3:
                offer(point, 92 + 9 * len(chain))
            if len(liberties) == 1 and after == 2:
                offer(point, 78 + 6 * len(chain))
            if len(liberties) == 2 and after >= 3:
                offer(point, 44 + 4 * len(chain) + after)
    return {point: value for point, value in values.items() if allowed(state, point, value)}


def allowed(state: GoState, point: Point, value: int) -> bool:
    self_atari = breath(state, point) == 1 and not taken(state, point)
    return not self_atari and not is_eye(state, point) and (value >= 40 or not in_own_land(state, point))


def in_own_land(state: GoState, point: Point) -> bool:
    region, todo, owners = {point}, [point], set()
    while todo:
        for q in near(state, todo.pop()):
            if kind := {"X": "X", "O": "O"}.get(sign(state, *divmod(q, state.size))):
                owners.add(kind)
            elif q not in region:
                region.add(q)
                todo.append(q)
    return owners == {"X"}
