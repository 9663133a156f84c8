"""The `State` and `View` of every game whose rules are native: one class serves them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from rookery import native as rules
from rookery.api import Event, GameSpec, Move, Outcome, Seat
from rookery.errors import BadOption

# The native half says who won; these are the values per side that it means.
_VALUES = {-1: (0.0, 0.0), 0: (1.0, -1.0), 1: (-1.0, 1.0)}


class NativeState:
    """A native state with its spec. Everything hard happens in C++; see native/games/state.hpp."""

    __slots__ = ("native", "spec")

    def __init__(self, spec: GameSpec, native: Any) -> None:
        self.spec = spec
        self.native = native

    @property
    def seat(self) -> Seat:
        return self.native.seat

    @property
    def stood(self) -> bool:
        return True

    def moves(self) -> Sequence[Move]:
        return self.native.moves()

    def board_moves(self) -> Sequence[Move]:
        """The moves without regard to drawing rules: what perft walks."""
        return self.native.board_moves()

    def forced(self) -> Move | None:
        return None

    def play(self, move: Move) -> Self:
        return type(self)(self.spec, self.native.play(move))

    def outcome(self) -> Outcome | None:
        over = self.native.outcome()
        return Outcome(_VALUES[over[0]], over[1]) if over else None

    def view(self, seat: Seat) -> OpenView:
        require_seat(self.spec, seat)
        return OpenView(self, seat)

    def history(self) -> Sequence[Move]:
        return self.native.history()

    def previous(self) -> Self | None:
        native = self.native.previous()
        return type(self)(self.spec, native) if native else None

    def text(self, move: Move) -> str:
        return self.native.text(move)

    def parse(self, text: str) -> Move:
        return self.native.parse(text)

    def picture(self, seat: Seat | None = None) -> str:
        return str(self)

    def about(self) -> str:
        return ""

    def __str__(self) -> str:
        return str(self.native)

    def __repr__(self) -> str:
        return f"<{self.spec.name} {self}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, NativeState)
            and self.spec.name == other.spec.name
            and self.native == other.native
        )

    def __hash__(self) -> int:
        return hash(self.native)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as where the game began and what was played: the whole game, whatever the processor."""
        first = self.native
        while before := first.previous():
            first = before
        kind = type(self.native).__name__
        return _replay, (type(self), self.spec, kind, str(first), tuple(self.history()))


def _replay(
    cls: type[NativeState], spec: GameSpec, kind: str, start: str, moves: tuple[Move, ...]
) -> NativeState:
    state = getattr(rules, kind)(start)
    for move in moves:
        state = state.play(move)
    return cls(spec, state)


def require_seat(spec: GameSpec, seat: Seat) -> None:
    """Refuse a seat that the game does not have."""
    if not 0 <= seat < spec.seats:
        raise BadOption(f"seat must be between 0 and {spec.seats - 1} (got {seat})")


class OpenView:
    """A seat's view of a game that hides nothing."""

    __slots__ = ("_state", "seat")

    def __init__(self, state: NativeState, seat: Seat) -> None:
        self._state = state
        self.seat = seat

    @property
    def spec(self) -> GameSpec:
        return self._state.spec

    @property
    def events(self) -> Sequence[Event]:
        events = []
        before = self._state.previous()
        for move in reversed(self._state.history()):
            assert before is not None
            events.append(before.text(move))
            before = before.previous()
        return events[::-1]

    def moves(self) -> Sequence[Move]:
        return self._state.moves() if self._state.seat == self.seat else []

    def text(self, move: Move) -> str:
        return self._state.text(move)

    def parse(self, text: str) -> Move:
        return self._state.parse(text)

    def spoken(self, event: Event) -> str:
        return event

    def picture(self) -> str:
        return self._state.picture(self.seat)

    def state(self) -> NativeState:
        return self._state
