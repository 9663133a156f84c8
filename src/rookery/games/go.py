"""Go on boards from 2x2 to 19x19. docs/games/go.md states the rules, the options and the text."""

from __future__ import annotations

from collections.abc import Sequence

from rookery import native
from rookery.api import GameSpec, Seat
from rookery.errors import UnknownName
from rookery.games.state import NativeState

Point = int
"""A point of the board: `size * row + column`, both counted from the lower left corner, from 0."""

COLUMNS = "ABCDEFGHJKLMNOPQRST"
SIZES = range(2, 20)

# The word that each choice adds to the text of a position.
_OPTIONS = {
    "scoring": {"territory": "", "area": "area"},
    "ko": {"simple": "", "psk": "psk"},
    "dead_stones": {"none": "", "benson": "benson"},
}


class GoState(NativeState):
    """A state of Go. Black is seat 0; points and moves are the same numbers, and `size * size` passes."""

    __slots__ = ()

    @property
    def size(self) -> int:
        return self.native.size

    @property
    def captures(self) -> tuple[int, int]:
        """The stones that each seat has taken."""
        return self.native.prisoners

    @property
    def ko(self) -> Point | None:
        """Where the ko rule forbids the seat to play now."""
        return self.native.ko

    @property
    def passes(self) -> int:
        """How many passes in a row came last."""
        return self.native.passes

    @property
    def komi(self) -> float:
        return self.native.komi

    @property
    def options(self) -> str:
        """The rules that are not the usual ones, as they stand in the text."""
        return self.native.options

    def stones(self, seat: Seat) -> Sequence[Point]:
        """Where the stones of a seat stand, ascending."""
        return self.native.stones(seat)

    def chain(self, point: Point) -> Sequence[Point]:
        """The stones joined to the one at a point; none if there is no stone."""
        return self.native.chain(point)

    def liberties(self, point: Point) -> Sequence[Point]:
        """The empty points next to the chain of a point."""
        return self.native.liberties(point)

    def score(self) -> float:
        """Black's points less White's and komi, if the game ended here."""
        return self.native.score()

    def territory_score(self) -> int:
        """Empty points and prisoners, Black's less White's; without komi."""
        return self.native.territory_score()

    def area_score(self) -> int:
        """Empty points and stones, Black's less White's; without komi."""
        return self.native.area_score()

    def picture(self, seat: Seat | None = None) -> str:
        """The board with the last move in brackets: the same for both seats."""
        size, history = self.size, self.history()
        last = history[-1] if history else None
        signs = ["+" if point in _stars(size) else "." for point in range(size * size)]
        for seat_, sign in enumerate("XO"):
            for point in self.stones(seat_):
                signs[point] = sign
        header = "   " + " ".join(COLUMNS[:size])
        lines = [header]
        for row in reversed(range(size)):
            gaps = [" "] * (size + 1)
            if last is not None and last // size == row:
                gaps[last % size : last % size + 2] = "()"
            cells = zip(gaps, signs[size * row : size * row + size], strict=False)
            lines.append(f"{row + 1:2}" + "".join(map("".join, cells)) + f"{gaps[-1]}{row + 1}")
        return "\n".join([*lines, header, self._caption(passed=last == size * size)])

    def _caption(self, passed: bool) -> str:
        """What the board does not show."""
        black, white = self.captures
        taken = f"Black X took {black}, White O took {white}"
        if self.outcome():
            score = self.score()
            result = f"{'Black' if score > 0 else 'White'} wins by {abs(score):g}" if score else "a tie"
            return f"{taken}; {result}"
        mover, other = self.spec.seat_names[self.seat], self.spec.seat_names[1 - self.seat]
        ko = f", but not at {self.text(self.ko)} (ko)" if self.ko is not None else ""
        return f"{taken}; " + (f"{other} passed, " if passed else "") + f"{mover} to move{ko}"


def _stars(size: int) -> set[Point]:
    """The points that are marked on a board of wood."""
    if size < 7:
        return {size * size // 2} if size % 2 else set()
    line = 2 if size < 13 else 3
    lines = [line, size - 1 - line]
    if size % 2 and size > 13:
        lines.append(size // 2)
    centre = {size * size // 2} if size % 2 else set()
    return {size * row + column for row in lines for column in lines} | centre


class Go:
    """Go on a board of any size from 2 to 19, by the rules that are asked for.

    The options are a part of every position, so the name tells the board alone.

    >>> game = Go(5, scoring="area", komi=6.5)
    >>> str(game.start())
    '...../...../...../...../..... b 0:0 - 0 0 area komi=6.5'
    >>> state = game.start("..X../..X../..X../..X../..X..")
    >>> state.score(), state.text(state.moves()[0])
    (18.5, 'A1')

    Raises:
        UnknownName: there is no such board or option.
    """

    def __init__(
        self,
        size: int,
        scoring: str = "territory",
        ko: str = "simple",
        komi: float = 0.0,
        dead_stones: str = "none",
    ) -> None:
        if size not in SIZES:
            raise UnknownName(f"no board of Go is {size!r} wide; {SIZES[0]} to {SIZES[-1]} would do")
        words = [_word("scoring", scoring), _word("ko", ko), _word("dead_stones", dead_stones)]
        if not -1000 <= komi <= 1000 or 2 * komi != int(2 * komi):
            raise UnknownName(f"komi {komi!r}: a multiple of 0.5 from -1000 to 1000 would do")
        self._options = " ".join(filter(None, [*words, f"komi={komi:g}" if komi else ""]))
        self._native = getattr(native, f"Go{size}")
        self.spec = GameSpec(
            name=f"go{size}",
            version=1,
            side_of=(0, 1),
            hidden=False,
            policy_size=size * size + 1,
            title=f"Go {size}x{size}",
            seat_names=("Black", "White"),
        )
        self.size = size

    def start(self, text: str | None = None) -> GoState:
        """The empty board, or the position of a text.

        A text that names no more than the board and the side to move is played by this game's options.

        Raises:
            BadPosition: the text describes no position on this board.
        """
        empty = "/".join(["." * self.size] * self.size)
        return GoState(self.spec, self._native(empty if text is None else text, self._options))

    def __repr__(self) -> str:
        return f"<{self.spec.name} {self._options}>" if self._options else f"<{self.spec.name}>"


def _word(option: str, value: str) -> str:
    choices = _OPTIONS[option]
    if value not in choices:
        raise UnknownName(f"{option}={value!r}: {' or '.join(choices)} would do")
    return choices[value]


GAMES = [Go(size) for size in (5, 7, 9, 13, 19)]
