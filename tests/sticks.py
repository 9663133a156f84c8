"""A four-seat team game in a few lines: take one or two of thirteen sticks; whoever takes the last wins.

South is stuck in the first round and must pass, as seats of some games are.
"""

from __future__ import annotations

from dataclasses import dataclass

from rookery.api import GameSpec, Outcome, State
from rookery.errors import BadNotation, IllegalMove
from rookery.games.state import OpenView

TEXTS = ("--", "take1", "take2")


class Sticks:
    spec = GameSpec("sticks", 1, (0, 1, 0, 1), False, 3, "Sticks", ("North", "East", "South", "West"))

    def start(self, text: str | None = None) -> SticksState:
        """Of the sticks left and the turns taken, `13 0`."""
        sticks, turns = map(int, (text or "13 0").split())
        return SticksState(sticks, (0,) * turns)


@dataclass(frozen=True)
class SticksState(State):
    sticks: int
    taken: tuple[int, ...] = ()
    before: SticksState | None = None

    spec = Sticks.spec

    @property
    def seat(self) -> int:
        return len(self.taken) % 4

    def moves(self) -> list[int]:
        if self.sticks == 0:
            return []
        if self.seat == 2 and len(self.taken) < 4:
            return [0]
        return [take for take in (1, 2) if take <= self.sticks]

    def forced(self) -> int | None:
        return 0 if self.moves() == [0] else None

    def play(self, move: int) -> SticksState:
        if move not in self.moves():
            raise IllegalMove(f"{TEXTS[move]} with {self.sticks} sticks")
        return SticksState(self.sticks - move, (*self.taken, move), self)

    def outcome(self) -> Outcome | None:
        if self.sticks:
            return None
        return Outcome((-1.0, 1.0) if self.seat % 2 == 0 else (1.0, -1.0), "the last stick is taken")

    def view(self, seat: int) -> OpenView:
        return OpenView(self, seat)

    def history(self) -> tuple[int, ...]:
        return self.taken

    def previous(self) -> SticksState | None:
        return self.before

    def text(self, move: int) -> str:
        return TEXTS[move]

    def parse(self, text: str) -> int:
        if text not in TEXTS:
            raise BadNotation(f"{text!r} is no move; take1 or take2 would be")
        return TEXTS.index(text)

    def picture(self, seat: int | None = None) -> str:
        return "|" * self.sticks

    def __str__(self) -> str:
        return f"{self.sticks} {len(self.taken)}"


GAMES = [Sticks()]
