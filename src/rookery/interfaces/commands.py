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
        str, typer.Option(metavar="NAME", help="chinese, japanese, tromp-taylor or mayer.")
    ] = "chinese",
    komi: Annotated[
        float | None, typer.Option(help="White's extra points, until the program sets them.")
    ] = None,
    size: Annotated[int | None, typer.Option(help="The board, until the program sets it.")] = None,
) -> None:
    """Speak GTP on stdin and stdout, so that Go programs can play with a player."""
    from rookery.interfaces.gtp import serve

    serve(player, rules, komi, size)


def serve(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Default 8000, or the next free one; 0: any.")
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="Where to listen; 0.0.0.0 for the whole network. It says who can do what then."),
    ] = "127.0.0.1",
    allow: Annotated[
        list[str] | None, typer.Option("--allow-host", metavar="NAME", help="A name it may be reached by.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where games are kept; ~/.local/share/rookery.")
    ] = None,
    runs: Annotated[Path, typer.Option(metavar="DIR", help="Where training happens.")] = Path("runs"),
    reports: Annotated[Path, typer.Option(metavar="DIR", help="Reports of reproduced papers.")] = Path(
        "papers"
    ),
    token: Annotated[
        str | None,
        typer.Option(metavar="TEXT", help="Access token; default one that is made and kept."),
    ] = None,
    engine: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A program that the page may start: stockfish, uci:/path/to/it."),
    ] = None,
    pace: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="Least time between moves that no person makes.")
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
    program: Annotated[Program, typer.Argument(help="The program that is to play with the player.")],
    player: PlayerName,
) -> None:
    """Print what another program must be told to play with a player."""
    from rookery.interfaces.engine_config import describe

    typer.echo(describe(program, player))
