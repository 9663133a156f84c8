"""The commands that let other programs play: `rookery uci`, `rookery gtp`, `rookery engine-config`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

PlayerName = Annotated[str, typer.Argument(metavar="PLAYER", help="A player; `rookery players` lists them.")]


class Program(StrEnum):
    cutechess = "cutechess"
    en_croissant = "en-croissant"
    nibbler = "nibbler"
    lichess_bot = "lichess-bot"
    sabaki = "sabaki"


class Scoring(StrEnum):
    territory = "territory"
    area = "area"


class Ko(StrEnum):
    simple = "simple"
    psk = "psk"


def uci(player: PlayerName) -> None:
    """Speak UCI on stdin and stdout, so that chess programs can play with a player."""
    from rookery.interfaces.uci import serve

    serve(player)


def gtp(
    player: PlayerName,
    scoring: Annotated[Scoring, typer.Option(help="What counts beside territory.")] = Scoring.territory,
    ko: Annotated[Ko, typer.Option(help="psk: no board may ever come again.")] = Ko.simple,
    komi: Annotated[float, typer.Option(help="White's extra points, until the program sets them.")] = 0.0,
    size: Annotated[int | None, typer.Option(help="The board, until the program sets it.")] = None,
) -> None:
    """Speak GTP on stdin and stdout, so that Go programs can play with a player."""
    from rookery.interfaces.gtp import serve

    serve(player, scoring, ko, komi, size)


def engine_config(
    program: Annotated[Program, typer.Argument(help="The program that is to play with the player.")],
    player: PlayerName,
) -> None:
    """Print what another program must be told to play with a player."""
    from rookery.interfaces.engine_config import describe

    typer.echo(describe(program, player))
