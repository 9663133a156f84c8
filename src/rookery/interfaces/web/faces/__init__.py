"""What the page must know of each game to draw it: where squares lie, who stands where, what a move does.

A face is given views, never states, so it cannot show what a seat may not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from rookery import games
from rookery.api import Seat, State, View
from rookery.errors import UnsupportedGame

Place = tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """A square, or a point of Go."""

    name: str
    outline: tuple[Place, ...]
    x: float
    y: float
    """Where a man stands."""
    size: float
    """How wide a man may be."""
    shade: str
    """light, dark or none."""


@dataclass(frozen=True)
class Label:
    """Writing on the board."""

    text: str
    x: float
    y: float
    shade: str = "none"
    """Of the cell below it."""


@dataclass(frozen=True)
class Geometry:
    """A board as one seat sees it."""

    box: tuple[float, float, float, float]
    """Left, top, width, height."""
    cells: tuple[Cell, ...]
    labels: tuple[Label, ...] = ()
    lines: tuple[tuple[Place, Place], ...] = ()
    stars: tuple[Place, ...] = ()
    homes: tuple[Place, ...] = ()
    """Where the name of each seat is written, if on the board."""


@dataclass(frozen=True)
class Man:
    """Somebody on the board; a stone of Go is one too."""

    cell: str
    kind: str
    """K Q R B N P, in Duchess W D F too, or S for a stone."""
    seat: Seat


@dataclass(frozen=True)
class Step:
    """What a move does to the board, for showing it."""

    text: str
    to: str | None = None
    """None: a pass."""
    start: str | None = None
    """None: it comes from outside the board."""
    promotion: str | None = None
    teleport: bool = False


@dataclass(frozen=True)
class Sight:
    """What a seat sees now."""

    men: tuple[Man, ...]
    alarms: tuple[str, ...] = ()
    """Cells of Kings in check."""
    notes: tuple[str, ...] = ()
    """What the board does not show, in words."""


class Face(Protocol):
    """How one game looks."""

    kind: str
    """Which family of drawings it wants: chess, go or duchess."""

    opening: str | None
    """The position from which people begin; None: the game's own start."""

    def geometry(self, seat: Seat) -> Geometry: ...
    def see(self, view: View) -> Sight: ...
    def truth(self, state: State) -> Sight:
        """All of it; only for games that hide nothing or are over."""
        ...

    def step(self, text: str) -> Step: ...
    def arrange(self, men: Sequence[Man], turn: Seat) -> str:
        """The text of a position in which these men stand; whether it is a legal one, the game says."""
        ...

    def label(self, state: State, text: str) -> str:
        """A move as people write it; `state` is the one before it."""
        ...


@cache
def _faces() -> dict[str, Face]:
    from rookery.interfaces.web.faces.chessboard import ChessFace, KriegspielFace
    from rookery.interfaces.web.faces.goban import GoFace
    from rookery.interfaces.web.faces.rose import RoseFace

    found: dict[str, Face] = {}
    for name in games.names():
        spec = games.get(name).spec
        if name == "chess":
            found[name] = ChessFace()
        elif name == "kriegspiel":
            found[name] = KriegspielFace()
        elif name.startswith("go"):
            found[name] = GoFace(int(name.removeprefix("go")))
        elif name.startswith("duchess"):
            found[name] = RoseFace(spec.seats)
    return found


def names() -> Sequence[str]:
    """The games that can be drawn."""
    return list(_faces())


def get(name: str) -> Face:
    """The face of a game.

    Raises:
        UnknownName: there is no such game.
        UnsupportedGame: nobody has drawn it yet.
    """
    games.get(name)
    if name not in _faces():
        raise UnsupportedGame(f"{name} has no drawing yet; {', '.join(names())} have")
    return _faces()[name]
