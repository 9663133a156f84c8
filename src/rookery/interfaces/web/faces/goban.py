"""Go: lines, and stones where they cross."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import nan
from typing import cast

from rookery.api import Seat, State, View
from rookery.errors import BadOption
from rookery.games import go_rules
from rookery.games.go import COLUMNS, GAMES, GoState, handicap_points
from rookery.interfaces.web.faces import (
    Cell,
    Choice,
    Family,
    Geometry,
    Label,
    Look,
    Man,
    Option,
    Part,
    Piece,
    Setup,
    Sight,
    Step,
    Still,
)

_STEP = 100.0
_MARGIN = 55.0
_KOMI = 1000.0
_HANDICAP = 9
"""Stones that may be given here; custom knows no more."""

STONE = Piece(
    "S",
    "stone",
    (
        Part("stone-shadow", "M2 55a50 50 0 1 0 100 0a50 50 0 1 0-100 0Z"),
        Part("stone", "M0 50a50 50 0 1 0 100 0a50 50 0 1 0-100 0Z"),
        Part("stone-shine", "M21.6 40.47a17 11-38 1 0 26.8-20.94a17 11-38 1 0-26.8 20.94Z"),
    ),
)
_FAMILY = Family("go", "Go", "Surround the most territory.", 2, "go9", "Board")


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
    return Geometry(box, tuple(cells), tuple(labels), tuple(lines), tuple(_stars(size)), ground=True)


def _stars(size: int) -> list[tuple[float, float]]:
    """The points that are marked on a board of wood."""
    centre = [size // 2] if size % 2 else []
    line = 2 if size < 13 else 3
    corners = [line, size - 1 - line] if size >= 7 else []
    lines = sorted({*corners, *(centre if size > 13 else [])})
    points = {(a, b) for a in lines for b in lines} | {(c, c) for c in centre}
    return [(column * _STEP, row * _STEP) for column, row in sorted(points)]


class GoFace(Still):
    """Go on one size of board."""

    pieces = (STONE,)

    def __init__(self, size: int) -> None:
        self._size = size
        self.look = Look(
            _FAMILY,
            f"{size} \u00d7 {size}",
            style="grid",
            lead="Put down a stone, and the game begins.",
            stones=True,
            every_move_counts=True,
        )

    def options(self, setup: Setup) -> Sequence[Option]:
        rules = go_rules.RULES.get(setup.get("rules", ""), go_rules.RULES[go_rules.USUAL])
        given = setup.get("handicap", "0") != "0"
        stones = [n for n in range(2, _HANDICAP + 1) if handicap_points(self._size, n)]
        return (
            Option(
                "rules",
                "Rules",
                tuple(Choice(each.name, _called(each)) for each in go_rules.RULES.values()),
                go_rules.USUAL,
            ),
            Option("komi", "Komi", (), f"{rules.usual_komi(self._size, given):g}", 0.5, -_KOMI, _KOMI),
            Option(
                "handicap",
                "Handicap",
                (Choice("0", "None"), *(Choice(str(n), f"{n} stones for Black") for n in stones)),
                "0",
            ),
        )

    def opening(self, setup: Setup) -> str | None:
        for name in setup:
            if name not in ("rules", "komi", "handicap"):
                raise BadOption(f"Go has no option {name!r}; it has rules, komi and handicap")
        rules = go_rules.get(setup.get("rules", go_rules.USUAL))
        komi = _number("komi", setup["komi"], -_KOMI, _KOMI) if "komi" in setup else None
        handicap = int(_number("handicap", setup.get("handicap", "0"), 0, _HANDICAP))
        return str(rules.board(self._size, komi, handicap).start())

    def geometry(self, seat: Seat) -> Geometry:
        return _geometry(self._size)

    def see(self, view: View) -> Sight:
        return self.truth(view.state())

    def truth(self, state: State) -> Sight:
        go = cast(GoState, state)
        men = [Man(self._name(point), STONE.letter, seat) for seat in (0, 1) for point in go.stones(seat)]
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
        if text.lower() == "pass":
            return Step(text, passes=True)
        return Step(text, text, drops=STONE.letter)

    def arrange(self, men: Sequence[Man], turn: Seat) -> str:
        signs = {man.cell: "XO"[man.seat] for man in men if man.seat in (0, 1)}
        size = self._size
        rows = (
            "".join(signs.get(self._name(size * row + column), ".") for column in range(size))
            for row in reversed(range(size))
        )
        usual = str(go_rules.get(go_rules.USUAL).board(self._size).start())
        return " ".join(["/".join(rows), "bw"[turn % 2], *usual.split()[2:]])

    def label(self, state: State, text: str) -> str:
        return text

    def _name(self, point: int) -> str:
        row, column = divmod(point, self._size)
        return f"{COLUMNS[column]}{row + 1}"


def _called(rules: go_rules.Rules) -> str:
    return f"{rules.title}: every stone counts" if rules.dead_stones == "none" else rules.title


def _number(name: str, text: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = nan
    if not low <= value <= high:
        raise BadOption(f"{name} must be between {low:g} and {high:g} (got {text!r})")
    return value


FACES = {game.spec.name: GoFace(game.size) for game in GAMES}
