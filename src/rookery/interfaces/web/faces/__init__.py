"""How games look: where squares lie, what stands there, what a move does, and what people are told of it.

A face belongs to a game. Every module here that has a dict `FACES` gives faces to the games that it names; a
game without one is shown by its text and a list of its moves (`plain.py`). A face is given views, never
states, so it cannot show what a seat may not see.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from rookery import games, registry
from rookery.api import Seat, State, View

Place = tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """A square, or a point where lines cross."""

    name: str
    outline: tuple[Place, ...]
    x: float
    y: float
    """Where a piece stands."""
    size: float
    """How wide a piece may be."""
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
    ground: bool = False
    """Whether the board is drawn below its cells, as wood is below lines."""


@dataclass(frozen=True)
class Man:
    """A piece on the board."""

    cell: str
    kind: str
    """The letter of its `Piece`."""
    seat: Seat


@dataclass(frozen=True)
class Step:
    """What a move does to the board, for showing it."""

    text: str
    to: str | None = None
    """None: it leaves nothing to be seen on the board."""
    start: str | None = None
    """None: it comes from outside the board."""
    promotion: str | None = None
    teleport: bool = False
    drops: str | None = None
    """What is put down, if it comes from outside: the letter of a `Piece`."""
    passes: bool = False


@dataclass(frozen=True)
class Sight:
    """What a seat sees now."""

    men: tuple[Man, ...]
    alarms: tuple[str, ...] = ()
    """Cells of Kings in check."""
    notes: tuple[str, ...] = ()
    """What the board does not show, in words."""
    picture: str = ""
    """The board in characters, where nothing else is drawn."""


@dataclass(frozen=True)
class Announcement:
    """Something that a seat of a game that hides something was told."""

    words: str
    move: str | None = None
    """The seat's own move that stood, as text,"""
    refused: str | None = None
    """or its try that did not."""
    cell: str | None = None
    """Where something was captured."""
    tries: int = 0
    """How many captures by pawns were announced."""


# --- what a game looks like, whatever the position -----------------------------------------------------


@dataclass(frozen=True)
class Part:
    """A part of a drawing on a field of 100 by 100."""

    style: str
    """`body` has the colour of the seat, `mark` and `dot` that of its lines, `shine` and `star` a little
    light. `stone`, `stone-shadow` and `stone-shine` are those of a stone."""
    path: str
    """As SVG writes paths."""


@dataclass(frozen=True)
class Piece:
    """A kind of piece."""

    letter: str
    name: str
    drawing: tuple[Part, ...]
    points: int | None = None
    """What it counts where material is compared; None: it is not."""


@dataclass(frozen=True)
class Family:
    """Games that share a place on the first page."""

    name: str
    title: str
    words: str
    """A line that says what it is."""
    place: int
    """Of all families, the lowest first."""
    game: str
    """The one of its games that is offered first."""
    choice: str = ""
    """What tells its games apart: Board, Players."""


@dataclass(frozen=True)
class Check:
    """A threat that people call out."""

    call: str
    """Check!"""
    reason: str
    """Why a move is not legal: your King is in check."""


@dataclass(frozen=True)
class Look:
    """What the page must know of a game besides its pieces and positions."""

    family: Family
    variant: str = ""
    """Which of its family it is: 9 by 9, 4 players."""
    style: str = "text"
    """How board and pieces are painted: squares, grid or rose; text: in characters."""
    colours: tuple[str, ...] = ()
    """Of each seat; none said: the seat's name is its colour."""
    lead: str = "Make a move, and the game begins."
    """What to do first."""
    stones: bool = False
    """Whether pieces are put down and stay where they are."""
    promotions: str = ""
    """Letters of pieces, in the order in which they are offered."""
    check: Check | None = None
    """What is said when the cell of an alarm is that of whoever is to move."""
    pawns: str = ""
    """How scores in pawns are to be read; empty: people of this game speak of winning chances."""
    every_move_counts: bool = False
    """Whether people number each move, and not each round of them."""
    editable: bool = True
    """Whether positions can be set up by hand."""


@dataclass(frozen=True)
class Choice:
    value: str
    words: str


@dataclass(frozen=True)
class Option:
    """Something to choose before a game begins: one of the choices, or a number if there are none."""

    name: str
    title: str
    choices: tuple[Choice, ...] = ()
    usual: str = ""
    """What it is if nobody says it."""
    step: float = 1.0
    low: float = 0.0
    high: float = 0.0


Setup = Mapping[str, str]
"""What was chosen, by the names of options."""


class Face(Protocol):
    """How one game looks."""

    @property
    def look(self) -> Look: ...
    @property
    def pieces(self) -> Sequence[Piece]:
        """In the order in which an editor offers them."""
        ...

    def options(self, setup: Setup) -> Sequence[Option]:
        """What can be chosen before a game, given what was chosen; what makes no sense is passed over."""
        ...

    def opening(self, setup: Setup) -> str | None:
        """The position from which people begin; None: the game's own start.

        Raises:
            RookeryError: there is no such option or choice.
        """
        ...

    def geometry(self, seat: Seat) -> Geometry: ...
    def see(self, view: View) -> Sight: ...
    def truth(self, state: State) -> Sight:
        """All of it; only for games that hide nothing or are over."""
        ...

    def announcements(self, view: View) -> Sequence[Announcement]:
        """What the seat was told, in a game that hides something; one for each event."""
        ...

    def announced(self, view: View) -> Sequence[Step]:
        """The moves of which it was announced that some can be played."""
        ...

    def step(self, text: str) -> Step: ...
    def arrange(self, men: Sequence[Man], turn: Seat) -> str:
        """The text of a position in which these pieces stand; whether it is a legal one, the game says.

        Raises:
            BadPosition: positions of this game cannot be set up by hand.
        """
        ...

    def label(self, state: State, text: str) -> str:
        """A move as people write it; `state` is the one before it."""
        ...


class Still:
    """What most faces share: nothing is chosen before a game, and nothing is announced."""

    def options(self, setup: Setup) -> Sequence[Option]:
        return ()

    def opening(self, setup: Setup) -> str | None:
        return None

    def announcements(self, view: View) -> Sequence[Announcement]:
        return ()

    def announced(self, view: View) -> Sequence[Step]:
        return ()


@cache
def _faces() -> dict[str, Face]:
    return registry.found(__name__, "FACES")


@cache
def get(name: str) -> Face:
    """The face of a game: its own, or the plain one.

    Raises:
        UnknownName: there is no such game.
    """
    from rookery.interfaces.web.faces.plain import PlainFace

    game = games.get(name)
    return _faces().get(name) or PlainFace(game.spec)


def colours(name: str) -> Sequence[str]:
    """The colour of each seat of a game."""
    return get(name).look.colours or tuple(seat.lower() for seat in games.get(name).spec.seat_names)
