"""Go on boards from 2x2 to 19x19. docs/games/go.md states the rules, the options and the text."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from rookery import native
from rookery.api import GameSpec, Outcome, Seat
from rookery.errors import BadPosition, UnknownName
from rookery.games import go_scoring
from rookery.games.state import NativeState

Point = int
"""A point of the board: `size * row + column`, both counted from the lower left corner, from 0."""

COLUMNS = "ABCDEFGHJKLMNOPQRST"
SIZES = range(2, 20)

# The word that each choice adds to the text of a position.
_OPTIONS = {
    "scoring": {"territory": "", "area": "area"},
    "ko": {"simple": "", "psk": "psk"},
    "dead_stones": {"none": "", "benson": "benson", "agreed": "agreed"},
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

    @property
    def scoring(self) -> str:
        """`territory` or `area`."""
        return "area" if "area" in self.options.split() else "territory"

    @property
    def ko_rule(self) -> str:
        """`simple` or `psk`."""
        return "psk" if "psk" in self.options.split() else "simple"

    @property
    def dead_stones(self) -> str:
        """What is taken off before the count: `none`, `benson`, or what is `agreed`."""
        return next((word for word in self.options.split() if word in ("benson", "agreed")), "none")

    @property
    def handicap(self) -> int:
        """Stones that Black was given at the start."""
        words = (word.partition("=") for word in self.options.split())
        return next((int(value) for key, _, value in words if key == "handicap"), 0)

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
        """Black's points less White's and komi, if the game ended here; where dead stones are agreed on, with
        those off the board that `go_scoring.propose` finds."""
        if self.dead_stones == "agreed":
            return go_scoring.count(self, go_scoring.propose(self)).margin
        return self.native.score()

    def outcome(self) -> Outcome | None:
        """As it stands, or where dead stones are agreed on, as if both had agreed on the proposed ones."""
        over = super().outcome()
        if over is None or self.dead_stones != "agreed":
            return over
        return go_scoring.count(self, go_scoring.propose(self)).outcome()

    def territory_score(self) -> int:
        """Empty points and prisoners, Black's less White's; without komi."""
        return self.native.territory_score()

    def area_score(self) -> int:
        """Empty points and stones, Black's less White's; without komi."""
        return self.native.area_score()

    def picture(self, seat: Seat | None = None) -> str:
        """The board with the last move in brackets: the same for both seats."""
        history = self.history()
        last = history[-1] if history else None
        return f"{self._board(self._signs(), last)}\n{self._caption(passed=last == self.size**2)}"

    def about(self) -> str:
        from rookery.games import go_rules

        return go_rules.describe(self)

    def counted_picture(self, dead: frozenset[Point]) -> str:
        """The board at the count: dead stones in small letters, territory as `b` and `w`."""
        signs = self._signs()
        for point, owner in enumerate(go_scoring.count(self, dead).owner):
            if signs[point] not in "XO" and owner != go_scoring.NEUTRAL:
                signs[point] = "bw"[owner]
            elif point in dead:
                signs[point] = signs[point].lower()
        return self._board(signs, None)

    def _signs(self) -> list[str]:
        signs = ["+" if point in _stars(self.size) else "." for point in range(self.size**2)]
        for seat, sign in enumerate("XO"):
            for point in self.stones(seat):
                signs[point] = sign
        return signs

    def _board(self, signs: Sequence[str], last: Point | None) -> str:
        size = self.size
        header = "   " + " ".join(COLUMNS[:size])
        lines = [header]
        for row in reversed(range(size)):
            gaps = [" "] * (size + 1)
            if last is not None and last // size == row:
                gaps[last % size : last % size + 2] = "()"
            cells = zip(gaps, signs[size * row : size * row + size], strict=False)
            lines.append(f"{row + 1:2}" + "".join(map("".join, cells)) + f"{gaps[-1]}{row + 1}")
        return "\n".join([*lines, header])

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


def handicap_points(size: int, stones: int) -> list[Point] | None:
    """Where so many handicap stones are put by custom; None if there is no custom."""
    low, middle = (3 if size >= 13 else 2), size // 2
    high = size - 1 - low
    most = 0 if size < 7 else 4 if size % 2 == 0 or size == 7 else 9
    if not 2 <= stones <= most:
        return None
    corners = [(low, low), (high, high), (high, low), (low, high)]
    points = corners[: min(stones, 4)]
    if stones >= 6:
        points += [(middle, low), (middle, high)]
    if stones >= 8:
        points += [(low, middle), (high, middle)]
    if stones in (5, 7, 9):
        points.append((middle, middle))
    return [size * row + column for row, column in points]


def rows(size: int, black: Container[Point], white: Container[Point] = ()) -> str:
    """Stones on a board, as the text of a position begins."""
    signs = ["X" if point in black else "O" if point in white else "." for point in range(size * size)]
    return "/".join("".join(signs[size * row : size * row + size]) for row in reversed(range(size)))


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
        handicap: int = 0,
    ) -> None:
        if size not in SIZES:
            raise UnknownName(f"the board must be between {SIZES[0]} and {SIZES[-1]} wide (got {size!r})")
        words = [_word("scoring", scoring), _word("ko", ko), _word("dead_stones", dead_stones)]
        if not -1000 <= komi <= 1000 or 2 * komi != int(2 * komi):
            raise UnknownName(f"komi must be a multiple of 0.5 from -1000 to 1000 (got {komi!r})")
        if handicap and not 2 <= handicap <= 360:
            raise UnknownName(f"handicap must be between 2 and 360 stones, or 0 (got {handicap})")
        words += [f"komi={komi:g}" if komi else "", f"handicap={handicap}" if handicap else ""]
        self._options = " ".join(filter(None, words))
        self._handicap = handicap
        if f"Go{size}" not in vars(native):
            raise UnknownName(f"this build has no {size}x{size} board; `make full` builds all of them")
        self._native = getattr(native, f"Go{size}")
        self.spec = GameSpec(
            name=f"go{size}",
            version=1,
            side_of=(0, 1),
            hidden=False,
            policy_size=size * size + 1,
            title=f"Go {size}x{size}",
            seat_names=("Black", "White"),
            format="sgf",
            ending="go",
        )
        self.size = size

    def start(self, text: str | None = None) -> GoState:
        """The board with no stone but those of a handicap, or the position of a text.

        A text that names no more than the board and the side to move is played by this game's options.

        Raises:
            BadPosition: the text describes no position on this board, or it has no points for the handicap.
        """
        if text is None:
            given = handicap_points(self.size, self._handicap)
            if self._handicap and given is None:
                most = max((n for n in range(2, 10) if handicap_points(self.size, n)), default=0)
                board = f"{self.size}x{self.size}"
                takes = f"a handicap of 2 to {most} stones" if most else "no handicap; leave it out"
                raise BadPosition(f"{board} takes {takes} (got {self._handicap})")
            text = f"{rows(self.size, given or ())} {'w' if given else 'b'}"
        return GoState(self.spec, self._native(text, self._options))

    def adjusted(self, options: Mapping[str, str]) -> Go:
        """By `rules`, `komi` and `handicap`; people usually play by Chinese rules."""
        from rookery.games import go_rules

        return go_rules.board(self.size, options)

    def __repr__(self) -> str:
        return f"<{self.spec.name} {self._options}>" if self._options else f"<{self.spec.name}>"


def _word(option: str, value: str) -> str:
    choices = _OPTIONS[option]
    if value not in choices:
        raise UnknownName(f"{option} must be {' or '.join(choices)} (got {value!r})")
    return choices[value]


GAMES = [Go(size) for size in (5, 7, 9, 13, 19)]
