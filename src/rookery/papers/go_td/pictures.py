"""A game on one board, its moves numbered, as books show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_STYLE = """
.rook-game { --ink: #1f2328; --faint: #8c959f; --paper: #ffffff; font: 15px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .rook-game { --ink: #e6edf3; --faint: #6e7681; --paper: #0d1117; } }
.rook-game text { fill: var(--ink); text-anchor: middle; }
.rook-game .ground { fill: var(--paper); }
.rook-game .line { stroke: var(--faint); fill: none; }
.rook-game .black { fill: #1f2328; stroke: var(--ink); }
.rook-game .white { fill: #ffffff; stroke: #1f2328; }
.rook-game .on-black { fill: #ffffff; }
.rook-game .on-white { fill: #1f2328; }
"""
_CELL, _EDGE, _WIDTH = 44.0, 60.0, 720.0


@dataclass(frozen=True)
class NumberedGame:
    """Stones where they were played, Black first; a point that was played on again shows the first stone."""

    title: str
    moves: Sequence[str]
    size: int = 5

    @property
    def again(self) -> list[tuple[int, str]]:
        """The moves that the board does not show, for the caption: on taken points, and passes."""
        first = self._first()
        return [(n, move) for n, move in enumerate(self.moves, 1) if first.get(move) != n]

    def svg(self) -> str:
        """The picture, whole in itself."""
        side, left = _CELL * (self.size - 1), (_WIDTH - _CELL * (self.size - 1)) / 2
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="rook-game" viewBox="0 0 {_WIDTH:g} '
            f'{_EDGE + side + 60:g}" role="img" aria-label="{escape(self.title)}">',
            f"<style>{_STYLE}</style>",
            f'<rect class="ground" width="{_WIDTH:g}" height="{_EDGE + side + 60:g}"/>',
            f'<text x="{_WIDTH / 2:g}" y="22" font-weight="600">{escape(self.title)}</text>',
        ]
        for i in range(self.size):
            at = _CELL * i
            parts.append(
                f'<path class="line" d="M{left + at:g} {_EDGE:g}v{side:g}M{left:g} {_EDGE + at:g}h{side:g}"/>'
            )
            parts.append(f'<text x="{left + at:g}" y="{_EDGE + side + 42:g}">{"ABCDE"[i]}</text>')
            parts.append(f'<text x="{left - 36:g}" y="{_EDGE + at + 5:g}">{self.size - i}</text>')
        for move, number in self._first().items():
            x = left + _CELL * "ABCDE".index(move[0])
            y = _EDGE + _CELL * (self.size - int(move[1]))
            colour = "black" if number % 2 else "white"
            parts.append(f'<circle class="{colour}" cx="{x:g}" cy="{y:g}" r="{0.46 * _CELL:g}"/>')
            parts.append(f'<text class="on-{colour}" x="{x:g}" y="{y + 5:g}">{number}</text>')
        return "\n".join([*parts, "</svg>"]) + "\n"

    def _first(self) -> dict[str, int]:
        """The number of the first stone on each point."""
        first: dict[str, int] = {}
        for number, move in enumerate(self.moves, 1):
            if move != "pass":
                first.setdefault(move, number)
        return first
