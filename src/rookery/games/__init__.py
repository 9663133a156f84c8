"""What may be played. Every module here that has a list `GAMES` adds to the registry by being here."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rookery import registry
from rookery.api import Adjustable, Game
from rookery.errors import BadOption, UnknownName

_GAMES: dict[str, Game] = {game.spec.name: game for game in registry.listed(__name__, "GAMES")}
_RULES = Path(__file__).parent / "rules"
_BENCH = Path(__file__).parent / "bench"


def names() -> list[str]:
    """The names of all games."""
    return list(_GAMES)


def get(name: str) -> Game:
    """The game of that name.

    >>> get("chess").spec.seats
    2

    Raises:
        UnknownName: there is none.
    """
    return registry.get(_GAMES, name, "game")


def adjusted(game: Game, options: Mapping[str, str]) -> Game:
    """A game as people play it, by the options that they name.

    >>> adjusted(get("go9"), {"komi": "5.5"}).start().komi
    5.5

    Raises:
        BadOption: it has no such option.
    """
    if isinstance(game, Adjustable):
        return game.adjusted(options)
    if options:
        raise BadOption(f"{game.spec.title} has no such option; leave out {', '.join(options)}")
    return game


def rules(name: str) -> str:
    """How to play a game, as Markdown for people who have never played it; its family's name will do.

    >>> rules("go9") == rules("go")
    True

    Raises:
        UnknownName: there is no such game, or nobody has written its rules down.
    """
    families = {game.rstrip("0123456789") for game in _GAMES}
    family = name if name in families else get(name).spec.name.rstrip("0123456789")
    path = _RULES / f"{family}.md"
    if not path.exists():
        raise UnknownName(f"the rules of {family} are not written down; they belong in {path}")
    return path.read_text("utf-8")


def bench_positions(name: str) -> list[str]:
    """What `rookery bench` searches of a game beside positions of random games: `bench/NAME.txt`."""
    path = _BENCH / f"{name}.txt"
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    return [line for line in lines if not line.startswith("#")]
