"""Recorded games in the formats that other programs read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rookery import games, records
from rookery.api import Transcript
from rookery.arena.record import Played
from rookery.errors import BadOption, UnsupportedGame
from rookery.records.tree import line


def export(header: dict[str, Any], played: Iterable[Played], to: str | None = None) -> Iterator[str]:
    """Each game as text, in the format of its game unless another is asked for.

    Raises:
        BadOption: there is no such format.
        UnsupportedGame: it does not hold this game.
    """
    fitting = records.of(games.get(header["game"]))
    form = records.formats().get(to) if to else fitting
    if form is None:
        raise BadOption(f"there is no format {to!r}; use {' or '.join(records.formats())}")
    if form.name not in (fitting.name, "text"):
        raise UnsupportedGame(f"{form.name} cannot hold games of {header['game']}; use {fitting.name}")
    for one in played:
        yield form.write(transcript(header, one))


def transcript(header: dict[str, Any], played: Played) -> Transcript:
    """A game of a contest as it is written down."""
    record = played.record
    return Transcript(
        game=record.game,
        start=record.start,
        branches=line(record.moves),
        players=record.players,
        outcome=record.outcome,
        event=f"{header['game']}, seed {header['seed']}",
        round=f"{played.pair + 1}.{1 + (played.sides[0] > played.sides[1])}",
        opening=record.opening,
    )
