"""The Duchess board as a rose: where its squares lie when people look at it.

Around the Vortex six right angles meet instead of four. So a direction in the chart of a sector (see
docs/games/duchess.md) is turned by two thirds of its angle and a distance is drawn as a power of it: lines
that are straight in a chart become the gentle curves of petals, and squares stay nearly square.
"""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

from rookery.games.duchess import Square

SCALE = 140.0
_POWER = 0.8
"""How distances shrink outwards; 2/3 would keep all angles right, and the back ranks too small to touch."""
_BENDS = 5
"""How many straight pieces make one curved side."""
_TURN = pi / 3

Place = tuple[float, float]


def place(turn: int, x: float, y: float) -> Place:
    """Where a point of a chart lies; `turn` counts sectors clockwise from the one at the bottom."""
    distance = SCALE * hypot(x, y) ** _POWER
    # In its chart a player faces the centre, so his right is towards the sector before his.
    angle = atan2(x, y) * 2 / 3 - turn * _TURN
    return distance * sin(angle), distance * cos(angle)


def middle(square: Square, home: int) -> Place:
    """The middle of a square with that sector at the bottom."""
    return place((square.sector - home) % 6, square.x, square.y)


def outline(square: Square, home: int) -> list[Place]:
    """The corners of a square, and the bends of its sides."""
    if square.name == "V":
        return [place(turn, -0.5, 0.5) for turn in range(6)]
    turn, x, y = (square.sector - home) % 6, float(square.x), float(square.y)
    corners = [(x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5)]
    return [
        point for a, b in zip(corners, corners[1:] + corners[:1], strict=True) for point in _side(turn, a, b)
    ]


def _side(turn: int, a: Place, b: Place) -> list[Place]:
    """One side of a square without its end; straight where it bounds the Vortex."""
    bends = 1 if a[1] == b[1] == 0.5 and abs(a[0]) == abs(b[0]) == 0.5 else _BENDS
    return [
        place(turn, a[0] + (b[0] - a[0]) * i / bends, a[1] + (b[1] - a[1]) * i / bends) for i in range(bends)
    ]
