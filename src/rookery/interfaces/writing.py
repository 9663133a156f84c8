"""How commands write their results: tables for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console


def write_json(document: dict[str, Any]) -> None:
    typer.echo(json.dumps(document, indent=2))


def make_console(stderr: bool = False) -> Console:
    from rich.console import Console

    console = Console(highlight=False, stderr=stderr)
    if not console.is_terminal:
        console.width = 120  # There is no edge at which a line must be folded.
    return console


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: Container[int] = ()) -> None:
    """Rows of plain text under bold headings; numbers stand to the right, long names take two lines."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 2), header_style="bold", show_header=any(columns))
    for place, column in enumerate(columns):
        table.add_column(column, justify="right" if place in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    make_console().print(table)
