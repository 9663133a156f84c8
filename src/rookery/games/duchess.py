"""Duchess for four and six players: two teams on a board of six sectors round a Vortex.

>>> from rookery.games import get
>>> state = get("duchess4").start()
>>> state.text(state.parse("1b2 1a4"))
'N1b2-1a4'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, NamedTuple

from rookery import native
from rookery.api import GameSpec, Move, Seat
from rookery.games.duchess_picture import Picture
from rookery.games.state import NativeState


class Man(NamedTuple):
    """A man on the board."""

    square: str
    kind: str
    """One of K W Q D F N R B P."""
    seat: Seat


@dataclass(frozen=True)
class Square:
    """A square, and what it leads to on an empty board (as indices into `squares`)."""

    name: str
    sector: int
    """1 to 6, clockwise."""
    x: int
    """In the chart of its sector: -2 to 2 for the files a to e as its player sees them."""
    y: int
    """The same: 7 - rank. The Vortex is (0, 0)."""
    distance: int
    """King moves to the Vortex."""
    edges: Sequence[int]
    corners: Sequence[int]
    leaps: Sequence[int]
    """The Knight's."""
    straight_lines: Sequence[int]
    """The Rook's."""
    slant_lines: Sequence[int]
    """The Bishop's."""
    seen_by: Sequence[int]
    """For each seat, the square that this one is when the board is turned towards that seat: with six players
    its flap to sector 1, with four that of Red and Yellow to sector 1, that of Green and Blue to sector 2."""


PASS = "--"
"""The text of the one move of a seat that has none."""


class DuchessState(NativeState):
    """A Duchess position. What it says of check and mate it says of every seat, not only the one to move."""

    __slots__ = ()

    def forced(self) -> Move | None:
        moves = self.moves()
        return moves[0] if len(moves) == 1 and self.text(moves[0]) == PASS else None

    def in_check(self) -> Sequence[Seat]:
        """The seats whose King is in check."""
        return self.native.in_check()

    def mated(self) -> Sequence[Seat]:
        """The seats in checkmate now: they miss their turns until somebody releases them."""
        return self.native.mated()

    def men(self) -> Sequence[Man]:
        return [Man(*man) for man in self.native.men()]

    def attackers(self, square: str) -> Sequence[str]:
        """The squares of all men, whoever's, that could take on a square if an enemy stood there.

        Raises:
            BadNotation: there is no such square.
        """
        return self.native.attackers(square)

    @property
    def quiet(self) -> int:
        """Plies since the last capture or promotion; at 200 the game is drawn."""
        return self.native.quiet

    def picture(self, seat: Seat | None = None) -> str:
        names, players = self.spec.seat_names, self.spec.seats
        men = {man.square: names[man.seat][0].lower() + man.kind for man in self.men()}
        mated, checked = self.mated(), self.in_check()
        labels = {}
        for who, name in enumerate(names):
            mark = "#" if who in mated else "+" if who in checked else ""
            labels[sector(players, who)] = ("*" if who == self.seat else "") + name + mark
        board = _picture(players, sector(players, seat or 0)).draw(men, labels)
        return f"{board}\n\n{self._caption()}"

    def _caption(self) -> str:
        names = self.spec.seat_names
        over = self.outcome()
        if over is None:
            now = f"{names[self.seat]} (*) to move; {self.quiet} quiet plies"
        elif over.winner is None:
            now = f"drawn: {over.reason}"
        else:
            now = f"{' and '.join(names[over.winner :: 2])} have won: {over.reason}"
        lines = [f"{now}. Teams: {', '.join(names[0::2])}; {', '.join(names[1::2])}."]
        if self.in_check():
            words = [names[s] + (" (mated)" if s in self.mated() else "") for s in self.in_check()]
            lines.append(f"In check: {', '.join(words)}.")
        return "\n".join(lines)


def sector(players: int, seat: Seat) -> int:
    """The sector, 1 to 6, where a seat has its flap. With four players flaps 3 and 6 are folded down."""
    return seat + seat // 2 + 1 if players == 4 else seat + 1


@cache
def squares(players: int) -> Sequence[Square]:
    """The board, in the order of the native half."""
    state = native.Duchess4State if players == 4 else native.Duchess6State
    return [Square(**{f.name: getattr(s, f.name) for f in fields(Square)}) for s in state.squares()]


@cache
def _picture(players: int, home: int) -> Picture:
    return Picture(squares(players), home)


class Duchess:
    """The game for 4 or 6 players."""

    def __init__(self, seat_names: tuple[str, ...], native_state: Any) -> None:
        players = len(seat_names)
        self._native = native_state
        self.spec = GameSpec(
            name=f"duchess{players}",
            version=1,
            side_of=tuple(seat % 2 for seat in range(players)),
            hidden=False,
            policy_size=native_state.policy_size,
            title=f"Duchess for {'four' if players == 4 else 'six'}",
            seat_names=seat_names,
        )

    def start(self, text: str | None = None) -> DuchessState:
        return DuchessState(self.spec, self._native(text))


GAMES = [
    Duchess(("Red", "Green", "Yellow", "Blue"), native.Duchess4State),
    Duchess(("Red", "Green", "Magenta", "Blue", "Yellow", "Cyan"), native.Duchess6State),
]
