"""The commands that let other programs play: `rookery uci`, `rookery gtp`, `rookery engine-config`."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="A player; `rookery players` lists them.")]


class Program(StrEnum):
    cutechess = "cutechess"
    en_croissant = "en-croissant"
    nibbler = "nibbler"
    lichess_bot = "lichess-bot"
    sabaki = "sabaki"


def uci(player: PlayerName) -> None:
    """Speak UCI on stdin and stdout, so that chess programs can play with a player."""
    from rookery.interfaces.uci import serve

    serve(player)


def gtp(
    player: PlayerName,
    rules: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="chinese, japanese, tromp-taylor or mayer; chinese unless you say otherwise."
        ),
    ] = None,
    komi: Annotated[
        float | None, typer.Option(help="White's extra points, until the program sets them.")
    ] = None,
    size: Annotated[int | None, typer.Option(help="Board size, until the program sets it.")] = None,
    scoring: Annotated[str | None, typer.Option(hidden=True)] = None,
    ko: Annotated[str | None, typer.Option(hidden=True)] = None,
) -> None:
    """Speak GTP on stdin and stdout, so that Go programs can play with a player."""
    from rookery.interfaces.gtp import rules_named, serve

    serve(player, rules_named(rules, scoring, ko), komi, size)


def serve(
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Port; default 8000, or the next free one. 0: any free port."),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on. 0.0.0.0 opens the studio to the network: see docs/sharing.md."
        ),
    ] = "127.0.0.1",
    allow: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="Another host name under which browsers reach it."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where games are kept; default ~/.local/share/rookery.")
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Where training runs are kept.")] = Path("runs"),
    reports: Annotated[Path, typer.Option(metavar="DIR", help="Reports of reproduced papers.")] = Path(
        "papers"
    ),
    token: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Access token; default: one is made at the first start and kept."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A chess or Go program that may be played against: stockfish, gnugo, uci:/path/to/it.",
        ),
    ] = None,
    pace: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Shortest time between two moves of programs.")
    ] = 0.35,
    show: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in a browser.")] = False,
) -> None:
    """Open the web studio: play, analyse, train and compare in a browser."""
    from rookery.interfaces.web.serve import Wish, bind
    from rookery.interfaces.web.serve import serve as run

    listener = bind(host, 8000 if port is None else port, search=port is None)
    share = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = data or share / "rookery"
    run(listener, Wish(folder, runs, reports, host, allow or [], engine or [], token, pace, show))


def engine_config(
    program: Annotated[Program, typer.Argument(metavar="PROGRAM", help=f"One of {', '.join(Program)}.")],
    player: PlayerName,
) -> None:
    """Print how to set up a player in another program, such as Cute Chess or Sabaki."""
    from rookery.interfaces.engine_config import describe

    typer.echo(describe(program, player))
