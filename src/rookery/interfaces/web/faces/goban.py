"""Go: lines, and stones where they cross."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import cast

from rookery.api import Seat, State, View
from rookery.games import go_rules
from rookery.games.go import COLUMNS, GoState
from rookery.interfaces.web.faces import Cell, Geometry, Label, Man, Sight, Step

_STEP = 100.0
_MARGIN = 55.0


@cache
def _geometry(size: int) -> Geometry:
    far = (size - 1) * _STEP
    cells, labels = [], []
    half = _STEP / 2
    for row in range(size):
        for column in range(size):
            x, y = column * _STEP, far - row * _STEP
            outline = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
            cells.append(Cell(f"{COLUMNS[column]}{row + 1}", outline, x, y, 0.94 * _STEP, "none"))
    out = half + _MARGIN / 2
    for place in range(size):
        labels += [Label(COLUMNS[place], place * _STEP, end) for end in (-out, far + out)]
        labels += [Label(str(place + 1), end, far - place * _STEP) for end in (-out, far + out)]
    lines = [((0.0, at), (far, at)) for at in (place * _STEP for place in range(size))]
    lines += [((at, 0.0), (at, far)) for at in (place * _STEP for place in range(size))]
    edge = half + _MARGIN
    box = (-edge, -edge, far + 2 * edge, far + 2 * edge)
    return Geometry(box, tuple(cells), tuple(labels), tuple(lines), tuple(_stars(size)))


def _stars(size: int) -> list[tuple[float, float]]:
    """The points that are marked on a board of wood."""
    centre = [size // 2] if size % 2 else []
    line = 2 if size < 13 else 3
    corners = [line, size - 1 - line] if size >= 7 else []
    lines = sorted({*corners, *(centre if size > 13 else [])})
    points = {(a, b) for a in lines for b in lines} | {(c, c) for c in centre}
    return [(column * _STEP, row * _STEP) for column, row in sorted(points)]


class GoFace:
    """Go on one size of board."""

    kind = "go"

    def __init__(self, size: int) -> None:
        self._size = size
        self.opening: str | None = str(go_rules.get(go_rules.USUAL).board(size).start())

    def geometry(self, seat: Seat) -> Geometry:
        return _geometry(self._size)

    def see(self, view: View) -> Sight:
        return self.truth(view.state())

    def truth(self, state: State) -> Sight:
        go = cast(GoState, state)
        men = [Man(self._name(point), "S", seat) for seat in (0, 1) for point in go.stones(seat)]
        black, white = go.captures
        notes = [f"Captures: Black {black}, White {white} · {go_rules.describe(go)}"]
        if go.passes and go.dead_stones != "agreed":
            score = go.score()
            leader = "Black" if score > 0 else "White"
            verb = "wins" if go.passes == 2 else "would win"
            notes.append(f"{leader} {verb} by {abs(score):g}" if score else "the score is level")
        if go.ko is not None:
            notes.append(f"ko: not at {self._name(go.ko)} now")
        return Sight(tuple(men), (), tuple(notes))

    def step(self, text: str) -> Step:
        return Step(text) if text.lower() == "pass" else Step(text, text)

    def arrange(self, men: Sequence[Man], turn: Seat) -> str:
        signs = {man.cell: "XO"[man.seat] for man in men if man.seat in (0, 1)}
        size = self._size
        rows = (
            "".join(signs.get(self._name(size * row + column), ".") for column in range(size))
            for row in reversed(range(size))
        )
        assert self.opening is not None
        return " ".join(["/".join(rows), "bw"[turn % 2], *self.opening.split()[2:]])

    def label(self, state: State, text: str) -> str:
        return text

    def _name(self, point: int) -> str:
        row, column = divmod(point, self._size)
        return f"{COLUMNS[column]}{row + 1}"
