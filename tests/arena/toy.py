"""A small team game with forced passes: four tokens race along a track, and a token at a wall must wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rookery.api import GameSpec, Move, Outcome, Seat, State
from rookery.errors import IllegalMove

GOAL, WALL = 6, 3
SPEC = GameSpec("race", 1, (0, 1, 0, 1), False, 3, "Race", ("North", "East", "South", "West"))


@dataclass(frozen=True)
class RaceState(State):
    """Where each seat's token is; moves step 1 or 2, and 0 is the pass of a token on the wall."""

    places: tuple[int, ...] = (0, 0, 0, 0)
    seat: Seat = 0
    rested: tuple[bool, ...] = (False,) * 4
    past: tuple[Move, ...] = ()

    spec = SPEC

    def moves(self) -> Sequence[Move]:
        if self.outcome():
            return []
        return [0] if self.places[self.seat] == WALL and not self.rested[self.seat] else [1, 2]

    def forced(self) -> Move | None:
        return 0 if self.moves() == [0] else None

    def play(self, move: Move) -> RaceState:
        if move not in self.moves():
            raise IllegalMove(f"move number {move} is not among the moves")
        places, rested = list(self.places), list(self.rested)
        places[self.seat] += move
        rested[self.seat] = move == 0
        return RaceState(tuple(places), (self.seat + 1) % 4, tuple(rested), (*self.past, move))

    def outcome(self) -> Outcome | None:
        for seat, place in enumerate(self.places):
            if place >= GOAL:
                return Outcome((1.0, -1.0) if seat % 2 == 0 else (-1.0, 1.0), "home")
        return None

    def view(self, seat: Seat) -> RaceView:
        return RaceView(self, seat)

    def history(self) -> Sequence[Move]:
        return self.past

    def text(self, move: Move) -> str:
        return "--" if move == 0 else str(move)

    def parse(self, text: str) -> Move:
        return 0 if text == "--" else int(text)


@dataclass(frozen=True)
class RaceView:
    whole: RaceState
    seat: Seat

    spec = SPEC

    def moves(self) -> Sequence[Move]:
        return self.whole.moves() if self.whole.seat == self.seat else []

    def text(self, move: Move) -> str:
        return self.whole.text(move)

    def state(self) -> RaceState:
        return self.whole


class Race:
    spec = SPEC

    def start(self, text: str | None = None) -> RaceState:
        return RaceState()


RACE = Race()
