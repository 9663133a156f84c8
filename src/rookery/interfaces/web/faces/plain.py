"""Any game: the board in characters, as at a terminal, and a list of the moves."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.api import GameSpec, Seat, State, View
from rookery.errors import BadPosition
from rookery.interfaces.web.faces import Announcement, Family, Geometry, Look, Man, Piece, Sight, Step, Still

_COLOURS = ("white", "black", "red", "green", "yellow", "blue", "magenta", "cyan")
_LAST = 1000
"""Behind every family that has a place of its own."""


class PlainFace(Still):
    """What a game shows of itself: `picture`, and the text of its moves."""

    pieces: Sequence[Piece] = ()

    def __init__(self, spec: GameSpec) -> None:
        self._spec = spec
        known = all(name.lower() in _COLOURS for name in spec.seat_names)
        colours = spec.seat_names if known else _COLOURS
        self.look = Look(
            Family(spec.name, spec.title, "", _LAST, spec.name),
            colours=tuple(colour.lower() for colour in colours[: spec.seats]),
            editable=False,
        )

    def geometry(self, seat: Seat) -> Geometry:
        return Geometry((0.0, 0.0, 1.0, 1.0), ())

    def see(self, view: View) -> Sight:
        return Sight((), picture=view.picture())

    def truth(self, state: State) -> Sight:
        return Sight((), picture=state.picture())

    def announcements(self, view: View) -> Sequence[Announcement]:
        return [Announcement(view.spoken(event)) for event in view.events]

    def step(self, text: str) -> Step:
        return Step(text)

    def arrange(self, men: Sequence[Man], turn: Seat) -> str:
        raise BadPosition(f"positions of {self._spec.title} cannot be set up by hand")

    def label(self, state: State, text: str) -> str:
        return text
