"""What may be played. Every module here that has a list `GAMES` adds to the registry by being here."""

from __future__ import annotations

from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from rookery.api import Game
from rookery.errors import UnknownName, quote


def _find() -> dict[str, Game]:
    found = {}
    for module in sorted(m.name for m in iter_modules(__path__)):
        for game in getattr(import_module(f"{__name__}.{module}"), "GAMES", ()):
            found[game.spec.name] = game
    return found


_GAMES = _find()
_RULES = Path(__file__).parent / "rules"


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
    if name not in _GAMES:
        near = get_close_matches(name, _GAMES, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_GAMES)}"
        raise UnknownName(f"no game is called {quote(name)}; {hint}")
    return _GAMES[name]


def rules(name: str) -> str:
    """How to play a game, as Markdown for people who have never played it; its family's name will do.

    >>> rules("go9") == rules("go")
    True

    Raises:
        UnknownName: there is no such game.
    """
    families = {game.rstrip("0123456789") for game in _GAMES}
    family = name if name in families else get(name).spec.name.rstrip("0123456789")
    return (_RULES / f"{family}.md").read_text("utf-8")
