"""Games as they are written down and exchanged with other programs: each format read once and written once.

Every module here that has a list `FORMATS` adds to the formats. A game says which is its own by
`GameSpec.format`; one that has none is written as plain text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from rookery import games, registry
from rookery.api import Format, Game, Transcript
from rookery.errors import BadNotation, GameError, RookeryError
from rookery.records.text import PLAIN


@cache
def formats() -> Mapping[str, Format]:
    """Every format by name."""
    return {each.name: each for each in registry.listed(__name__, "FORMATS")}


def of(game: Game) -> Format:
    """The format of a game."""
    return formats()[game.spec.format]


def holding(suffix: str) -> Format | None:
    """The format of files with this suffix, `.pgn`; None: such a file may hold anything."""
    fitting = (
        each for each in formats().values() if each is not PLAIN and f".{each.suffix}" == suffix.lower()
    )
    return next(fitting, None)


def held_by(form: Format) -> list[str]:
    """The names of the games that are written so."""
    return [name for name in games.names() if games.get(name).spec.format == form.name]


def read(text: str, game: Game, any_game: bool = False) -> Transcript:
    """A game or a position that somebody pasted. With `any_game` a text of another game is read as such.

    >>> read("1. e4 e5 2. Nf3", games.get("chess")).moves
    ('e2e4', 'e7e5', 'g1f3')

    Raises:
        GameError: it cannot be read as one of that game.
    """
    form = of(game)
    if not text.strip():
        raise BadNotation(f"there is nothing to read; paste {form.wanted}")
    for other in formats().values():
        if other is not form and other.recognises(text):
            return _as_other(text, games.get(held_by(other)[0]), other.title, any_game)
    try:
        return _one(text, game)
    except GameError:
        for name in games.names():
            if name != game.spec.name and _is_position(text, games.get(name)):
                other = of(games.get(name))
                called = other.positions or f"a position of {games.get(name).spec.title}"
                return _as_other(text, games.get(name), called, any_game)
        raise


def _one(text: str, game: Game) -> Transcript:
    form = of(game)
    if not form.recognises(text) and not form.may_be(text):
        form = PLAIN
    found = next(form.read(text, game), None)
    if found is None:
        raise BadNotation(f"this is no game of {game.spec.title}; paste {form.wanted}")
    return found


def _as_other(text: str, game: Game, called: str, allowed: bool) -> Transcript:
    found = _one(text, game)
    if not allowed:
        raise BadNotation(f"this looks like {called}; choose {games.get(found.game).spec.title}")
    return found


def _is_position(text: str, game: Game) -> bool:
    try:
        game.start(text.strip())
    except RookeryError:
        return False
    return True
