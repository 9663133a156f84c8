"""Short tables of figures for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """
    >>> print(table(["kind", "tried"], [["bounds", 12], ["total", 112]]))
    kind    tried
    bounds     12
    total     112
    """
    cells = [[str(each) for each in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]

    def line(row: Sequence[str]) -> str:
        sized = zip(row, widths, strict=True)
        return "  ".join(
            f"{each:>{w}}" if n else f"{each:<{w}}" for n, (each, w) in enumerate(sized)
        ).rstrip()

    return "\n".join([line(heads), *map(line, cells)])
