"""Line plots as SVG: lines with bands of spread, axes, a legend; readable on light and on dark ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import ceil, floor, isfinite, log10

WIDTH, HEIGHT = 720, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 40, 52
_LETTER = 7.0
"""About as wide as a letter of a legend is."""

# Told apart by people who see few colours too (Okabe and Ito 2008), and by their dashes in print.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999")
_DASHES = ("", "7 4", "2 3", "9 3 2 3", "", "7 4", "2 3")

_STYLE = """
.rook-plot { --ink: #1f2328; --faint: #d0d7de; --paper: #ffffff; font: 13px system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .rook-plot { --ink: #e6edf3; --faint: #3d444d; --paper: #0d1117; } }
.rook-plot text { fill: var(--ink); }
.rook-plot .grid { stroke: var(--faint); stroke-width: 1; }
.rook-plot .axis { stroke: var(--ink); stroke-width: 1; }
.rook-plot .ground { fill: var(--paper); }
"""


@dataclass(frozen=True)
class Line:
    """A named row of points; `spread`, where given, is drawn as a band that far to both sides."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    spread: Sequence[float] = ()
    band: Sequence[tuple[float, float]] = ()
    """Where the two sides differ: the band's lower and upper edge, infinite where there is none."""

    @property
    def edges(self) -> list[tuple[float, float]]:
        """The lower and the upper edge of the band at each point."""
        return [*self.band] or [(y - s, y + s) for y, s in zip(self.y, self.spread, strict=False)]


@dataclass(frozen=True)
class Plot:
    """Lines over common axes. Bounds that are not given follow from what is drawn."""

    title: str
    x_label: str
    y_label: str
    lines: Sequence[Line]
    y_from: float | None = None
    y_to: float | None = None
    levels: Mapping[str, float] = field(default_factory=dict)
    """What a paper says of some of the lines, by their names: dashed across the plot in their colours."""
    x_log: bool = False
    """Whether each tenfold takes as much room as the next."""

    @property
    def x_bounds(self) -> tuple[float, float]:
        return _bounds([x for line in self.lines for x in line.x])

    @property
    def y_bounds(self) -> tuple[float, float]:
        drawn = [y for line in self.lines for y in line.y] + list(self.levels.values())
        drawn += [edge for line in self.lines for both in line.edges for edge in both if isfinite(edge)]
        low, high = _bounds(drawn)
        return (low if self.y_from is None else self.y_from, high if self.y_to is None else self.y_to)

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Where a point lies on the picture, from its upper left corner."""
        (x0, x1), (y0, y1) = self.x_bounds, self.y_bounds
        if self.x_log:
            x, x0, x1 = log10(x), log10(x0), log10(x1)
        across = LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
        down = HEIGHT - BOTTOM - (min(max(y, y0), y1) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
        return round(across, 2), round(down, 2)

    def svg(self) -> str:
        """The picture, whole in itself."""
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="rook-plot" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'role="img" aria-label="{escape(self.title)}">',
            f"<style>{_STYLE}</style>",
            f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
            _text(WIDTH / 2, 22, self.title, "middle", "font-weight:600"),
            *self._axes(),
            *self._levels(),
            *(part for number, line in enumerate(self.lines) for part in self._line(number, line)),
            *self._legend(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _axes(self) -> list[str]:
        (x0, x1), (y0, y1) = self.x_bounds, self.y_bounds
        parts = []
        for y in ticks(y0, y1):
            left, down = self.place(x0, y)
            parts.append(f'<path class="grid" d="M{left} {down}H{WIDTH - RIGHT}"/>')
            parts.append(_text(left - 8, down + 4, _spell(y), "end"))
        for x in powers(x0, x1) if self.x_log else ticks(x0, x1):
            across, bottom = self.place(x, y0)
            parts.append(f'<path class="axis" d="M{across} {bottom}v5"/>')
            parts.append(_text(across, bottom + 20, _spell(x), "middle"))
        left, bottom = self.place(x0, y0)
        parts.append(f'<path class="axis" fill="none" d="M{left} {TOP}V{bottom}H{WIDTH - RIGHT}"/>')
        parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, self.x_label, "middle"))
        middle = (TOP + HEIGHT - BOTTOM) / 2
        turned = f'transform="rotate(-90 16 {middle})"'
        parts.append(_text(16, middle, self.y_label, "middle", more=turned))
        return parts

    def _levels(self) -> list[str]:
        parts = []
        names = [line.name for line in self.lines]
        for value in sorted(set(self.levels.values())):
            those = [name for name, level in self.levels.items() if level == value]
            (x0, _), (_, down) = self.x_bounds, self.place(self.x_bounds[0], value)
            for n, name in enumerate(those):
                # Several at one level share the line: each has a dash in turn.
                colour = _COLOURS[names.index(name) % len(_COLOURS)]
                rest = 8 * len(those) - 5
                parts.append(
                    f'<path stroke="{colour}" stroke-width="1.5" stroke-dasharray="5 {rest}" '
                    f'stroke-dashoffset="{-8 * n}" d="M{LEFT} {down}H{WIDTH - RIGHT}"/>'
                )
            left = self.place(x0, value)[0]
            told = f"the paper's {', '.join(those)}: {value:g}"
            parts.append(_text(left + 6, down - 5, told, style="font-size:11px"))
        return parts

    def _line(self, number: int, line: Line) -> list[str]:
        colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
        parts = [f"<g><title>{escape(line.name)}</title>"]
        if line.edges:
            edges = list(zip(line.x, line.edges, strict=True))
            upper = [self.place(x, high) for x, (_, high) in edges]
            lower = [self.place(x, low) for x, (low, _) in reversed(edges)]
            parts.append(f'<polygon fill="{colour}" fill-opacity="0.15" points="{_points(upper + lower)}"/>')
        placed = [self.place(x, y) for x, y in zip(line.x, line.y, strict=True)]
        parts.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}" '
            f'points="{_points(placed)}"/>'
        )
        for (x, y), (across, down) in zip(zip(line.x, line.y, strict=True), placed, strict=True):
            told = f"{escape(line.name)}: {_spell(x)}, {y:.3f}"
            parts.append(
                f'<circle cx="{across}" cy="{down}" r="2.5" fill="{colour}"><title>{told}</title></circle>'
            )
        return [*parts, "</g>"]

    def _legend(self) -> list[str]:
        parts = []
        longest = max((len(line.name) for line in self.lines), default=0)
        left = WIDTH - RIGHT - max(150, round(44 + _LETTER * longest))
        for number, line in enumerate(self.lines):
            colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
            down = HEIGHT - BOTTOM - 14 - 18 * (len(self.lines) - 1 - number)
            parts.append(
                f'<path stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}" '
                f'd="M{left} {down - 4}h28"/>'
            )
            parts.append(_text(left + 36, down, line.name))
        return parts


def ticks(low: float, high: float) -> list[float]:
    """Round numbers within bounds, four to ten of them.

    >>> ticks(0, 1), ticks(50_000, 1_000_000)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [200000.0, 400000.0, 600000.0, 800000.0, 1000000.0])
    """
    rough = (high - low) / 5
    power = 10 ** floor(log10(rough))
    step = next(power * times for times in (1, 2, 5, 10) if power * times >= 0.8 * rough)
    first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
    return [round(float(number * step), 10) for number in range(first, last + 1)]


def powers(low: float, high: float) -> list[float]:
    """The powers of ten within bounds.

    >>> powers(1_000, 200_000)
    [1000.0, 10000.0, 100000.0]
    """
    return [10.0**n for n in range(ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9) + 1)]


def _bounds(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values, default=0.0), max(values, default=1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _points(placed: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in placed)


def _spell(number: float) -> str:
    """
    >>> _spell(1_000_000), _spell(50_000), _spell(0.2), _spell(3.0)
    ('1 M', '50 k', '0.2', '3')
    """
    for unit, sign in ((1_000_000, "M"), (1_000, "k")):
        if abs(number) >= unit:
            return f"{number / unit:g} {sign}"
    return f"{number:g}"


def _text(x: float, y: float, text: str, anchor: str = "start", style: str = "", more: str = "") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" style="{style}" {more}>{escape(text)}</text>'
