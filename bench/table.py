"""The results for people: on the terminal, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table

from contestant import Sample
from judge import Result, Spread

HEADINGS = ("what", "ours", "peer", "ratio (lowest to highest)", "target", "verdict")


def short(number: float) -> str:
    """Three figures, in thousands, millions or thousands of millions.

    >>> short(584_321_000)
    '584 M'
    """
    for size, letter in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.{_places(number / size)}f}{letter}"
    return f"{number:.{_places(number)}f}"


def _places(number: float) -> int:
    return max(0, 2 - (len(str(int(number))) - 1))


def cells(result: Result) -> tuple[str, ...]:
    """The row's text, by the headings."""
    row = result.row
    peer = f"{row.peer}: {_speed(result, result.peers)}" if row.peer else ""
    if row.limit is not None:
        peer = f"arithmetic: {short(row.limit)} {row.unit}/s"
    against = result.ratio or result.share
    ratio = _times(against) if against else ""
    target = str(row.target) if row.target else ""
    return row.what, _speed(result, result.ours), peer, ratio, target, result.verdict


def _speed(result: Result, samples: Sequence[Sample]) -> str:
    rate = result.rate(samples)
    if rate is None:
        return "-"
    if result.row.unit == "calls":
        return f"{1e6 / rate.median:.2f} us ({1e6 / rate.high:.2f} to {1e6 / rate.low:.2f})"
    text = f"{short(rate.median)} {result.row.unit}/s"
    if result.row.peer is None:
        text += f" ({short(rate.low)} to {short(rate.high)})"
    if result.row.task == "playouts" and result.row.unit != "games":
        text += f", {short(Spread.of([sample.games_rate for sample in samples]).median)} games/s"
    return text


def _times(ratio: Spread) -> str:
    low, middle, high = (f"{value:.{_places(value)}f}" for value in (ratio.low, ratio.median, ratio.high))
    return f"{middle}x ({low} to {high})"


def terminal(results: Iterable[Result]) -> Table:
    table = Table(*HEADINGS)
    for result in results:
        style = {True: "green", False: "bold red", None: None}[result.met]
        *others, verdict = cells(result)
        table.add_row(*others, f"[{style}]{verdict}[/]" if style else verdict)
    return table


def markdown(results: Iterable[Result]) -> str:
    lines = [HEADINGS, ("---",) * len(HEADINGS), *(cells(result) for result in results)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
