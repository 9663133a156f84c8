"""The paper's figures of weights: a Hinton diagram, and boards with a circle on each square."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from rookery.evaluators.duchess_features import KINDS
from rookery.games import duchess
from rookery.games.duchess_rose import middle, outline

_STYLE = """
.rook-weights { --ink: #1f2328; --faint: #d0d7de; --paper: #ffffff; font: 13px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .rook-weights { --ink: #e6edf3; --faint: #3d444d; --paper: #0d1117; } }
.rook-weights text { fill: var(--ink); }
.rook-weights .ground { fill: var(--paper); }
.rook-weights .line { fill: none; stroke: var(--faint); }
.rook-weights .home { fill: none; stroke: var(--ink); stroke-width: 1.5; }
.rook-weights .more { fill: var(--ink); stroke: var(--ink); }
.rook-weights .less { fill: none; stroke: var(--ink); stroke-width: 1.2; }
"""
_LETTERS = "KWQDFNRBP"
_CELL = 14.0
_EDGE = 56.0
_SECTORS = {4: (1, 2, 4, 5), 6: (1, 2, 3, 4, 5, 6)}
"""Where the players sit, P1 first."""


def _page(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rook-weights" viewBox="0 0 {width:g} {height:g}" '
        f'role="img" aria-label="{escape(title)}">'
    )
    ground = f'<rect class="ground" width="{width:g}" height="{height:g}"/>'
    return "\n".join([head, f"<style>{_STYLE}</style>", ground, *parts, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, size: int = 13) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" font-size="{size}">{escape(text)}</text>'


@dataclass(frozen=True)
class Hinton:
    """[player, kind, player, kind]: squares whose area is the weight, full where it is above 0."""

    title: str
    weights: NDArray[np.float32]

    def svg(self) -> str:
        players, kinds = self.weights.shape[:2]
        table = self.weights.reshape(players * kinds, players * kinds)
        most = float(np.abs(table).max()) or 1.0
        side = _CELL * len(table)
        parts = [_text(_EDGE + side / 2, 18, f"{self.title}; a full square is {most:.4f}")]
        for player in range(players + 1):
            at = _EDGE + _CELL * kinds * player
            parts.append(f'<path class="line" d="M{at:g} {_EDGE:g}v{side:g}M{_EDGE:g} {at:g}h{side:g}"/>')
        for man in range(len(table)):
            name, at = _LETTERS[man % kinds], _EDGE + _CELL * (man + 0.5)
            parts += [_text(at, _EDGE - 5, name, 10), _text(_EDGE - 9, at + 4, name, 10)]
            if man % kinds == kinds // 2:
                whose = f"P{man // kinds + 1}"
                parts += [_text(at, _EDGE - 20, whose), _text(_EDGE - 30, at + 4, whose)]
        for row, column in np.argwhere(table):
            weight = float(table[row, column])
            size = (_CELL - 2) * sqrt(abs(weight) / most)
            x, y = (_EDGE + _CELL * (place + 0.5) - size / 2 for place in (column, row))
            parts.append(
                f'<rect class="{"more" if weight > 0 else "less"}" x="{x:.1f}" y="{y:.1f}" '
                f'width="{size:.1f}" height="{size:.1f}"><title>{self._name(row)} on {self._name(column)}: '
                f"{weight:+.4f}</title></rect>"
            )
        return _page(self.title, _EDGE + side + 12, _EDGE + side + 12, parts)

    @staticmethod
    def _name(man: int) -> str:
        return f"P{man // len(KINDS) + 1} {KINDS[man % len(KINDS)]}"


@dataclass(frozen=True)
class Boards:
    """[board, square]: boards side by side, a circle on each square, full where the weight is above 0.

    Each board has its own scale, which stands beneath its name: on its square of the largest weight the
    circle fills the square. P1 to P4 name the flaps, as the team that is drawn counts the players. The home
    squares of a board have a dark edge.
    """

    title: str
    names: Sequence[str]
    weights: NDArray[np.float32]
    homes: Sequence[Collection[str]] = ()
    """Of each board, the names of squares."""
    players: int = 4
    columns: int = 3

    def svg(self) -> str:
        squares, home = duchess.squares(self.players), 6 if self.players == 4 else 1
        shapes = [outline(square, home) for square in squares]
        left, right = min(x for s in shapes for x, _ in s), max(x for s in shapes for x, _ in s)
        top, bottom = min(y for s in shapes for _, y in s), max(y for s in shapes for _, y in s)
        scale = 300 / (right - left)
        width, height = 320.0, scale * (bottom - top) + 78
        at = {square.name: middle(square, home) for square in squares}
        parts = [_text(width * min(self.columns, len(self.names)) / 2, 18, self.title)]
        for number, (name, weights) in enumerate(zip(self.names, self.weights, strict=True)):
            across, down = width * (number % self.columns) + 10, height * (number // self.columns) + 78
            most = float(np.abs(weights).max())
            parts.append(_text(across + 150, down - 36, name))
            parts.append(_text(across + 150, down - 20, f"largest {most:.4f}", 11))
            for player, sector in enumerate(_SECTORS[self.players], 1):
                (x, y), (inner_x, inner_y) = at[f"{sector}c1"], at[f"{sector}c2"]
                x, y = x + 0.85 * (x - inner_x), y + 0.85 * (y - inner_y)
                parts.append(
                    _text(across + scale * (x - left), down + scale * (y - top) + 4, f"P{player}", 11)
                )
            homes: list[str] = []
            for square, shape, weight in zip(squares, shapes, weights, strict=True):
                points = " ".join(
                    f"{across + scale * (x - left):.1f},{down + scale * (y - top):.1f}" for x, y in shape
                )
                parts.append(f'<polygon class="line" points="{points}"/>')
                if self.homes and square.name in self.homes[number]:
                    homes.append(f'<polygon class="home" points="{points}"/>')
                if not weight:
                    continue
                x, y = middle(square, home)
                cx, cy = across + scale * (x - left), down + scale * (y - top)
                radius = scale * _room(shape, (x, y)) * sqrt(abs(float(weight)) / most)
                parts.append(
                    f'<circle class="{"more" if weight > 0 else "less"}" cx="{cx:.1f}" cy="{cy:.1f}" '
                    f'r="{radius:.1f}">'
                    f"<title>{square.name}: {float(weight):+.4f}</title></circle>"
                )
            parts += homes  # over the edges of their neighbours
        rows = -(-len(self.names) // self.columns)
        return _page(self.title, width * min(self.columns, len(self.names)), height * rows + 30, parts)


def _room(shape: Sequence[tuple[float, float]], centre: tuple[float, float]) -> float:
    """The radius of the largest circle round a point that stays within a shape.

    >>> _room([(0, 0), (2, 0), (2, 2), (0, 2)], (1, 1))
    1.0
    """
    cx, cy = centre
    edges = zip(shape, [*shape[1:], shape[0]], strict=True)
    return min(
        abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        for (ax, ay), (bx, by) in edges
        if (ax, ay) != (bx, by)
    )
