"""The board of a GTP session. GTP lets anybody move at any time; the rules of Go let the sides alternate.

A side that moves out of turn, or after the end, is given its turn as if the other side had passed, though
that pass ends no game: the board is taken as the start of a new one, and superko forgets what stood before.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TypedDict

from rookery.api import Move, Seat
from rookery.games.go import Go, GoState
from rookery.games.sgf import read_sgf


class Rules(TypedDict):
    scoring: str
    ko: str


class Goban:
    """A board, its rules, and the moves on it."""

    def __init__(self, size: int, scoring: str = "territory", ko: str = "simple", komi: float = 0.0) -> None:
        """
        Raises:
            UnknownName: the rules know no such board, option or komi.
        """
        self.rules = Rules(scoring=scoring, ko=ko)
        self.komi = komi
        self.game = Go(size, scoring, ko, komi)
        self.clear()

    def clear(self) -> None:
        self._begin(None)

    def _begin(self, start: str | None) -> None:
        self._start = start
        self._record: list[tuple[Seat, str]] = []
        self._states = [self.game.start(start)]

    @property
    def state(self) -> GoState:
        return self._states[-1]

    @property
    def size(self) -> int:
        return self.game.size

    def turn(self, seat: Seat) -> GoState:
        """The same board with that seat to move."""
        state = self.state
        if state.seat == seat and not state.outcome():
            return state
        rows, _, prisoners, _, _, ply, *options = str(state).split()
        ply = "0" if state.outcome() else ply
        return self.game.start(" ".join([rows, "bw"[seat], prisoners, "-", "0", ply, *options]))

    def play(self, seat: Seat, text: str) -> None:
        """
        Raises:
            BadNotation: it is neither a point nor a pass.
            IllegalMove: the rules forbid it.
        """
        state = self.turn(seat)
        move = state.parse(text)
        self._states.append(state.play(move))
        self._record.append((seat, state.text(move)))

    def undo(self) -> bool:
        """Take back the last move; False if there is none."""
        if not self._record:
            return False
        self._record.pop()
        self._states.pop()
        return True

    def set_komi(self, komi: float) -> None:
        """Komi is a part of the rules: the game so far is played again with it.

        Raises:
            UnknownName: it is none.
        """
        game, record = Go(self.size, **self.rules, komi=komi), self._record
        self.game, self.komi = game, komi
        self._begin(self._start)
        for seat, text in record:
            self.play(seat, text)

    def place(self, points: Container[Move]) -> None:
        """Handicap stones on the empty board; White moves next."""
        signs = ["X" if point in points else "." for point in range(self.size**2)]
        rows = ["".join(signs[self.size * row : self.size * (row + 1)]) for row in reversed(range(self.size))]
        self._begin("/".join(rows) + " w")

    def load(self, text: str, moves: int | None = None) -> None:
        """The main line of an SGF, perhaps only the first moves of it, under the rules of this table.

        Raises:
            BadPosition: it is no SGF, or breaks the rules.
        """
        states = [read_sgf(text, self._rules_in_sgf())]
        while (before := states[0].previous()) is not None:
            states.insert(0, before)
        states = states[: None if moves is None else moves + 1]
        self.komi = states[0].komi
        self.game = Go(states[0].size, **self.rules, komi=self.komi)
        self._start = " ".join(str(states[0]).split()[:2])
        self._states = states
        history = states[-1].history()
        self._record = [(s.seat, s.text(move)) for s, move in zip(states, history, strict=False)]

    def _rules_in_sgf(self) -> str:
        name = {"territory": "Japanese", "area": "Chinese"}[self.rules["scoring"]]
        return f"{name} psk" if self.rules["ko"] == "psk" else name

    def handicap(self, stones: int) -> list[Move] | None:
        """Where so many handicap stones are put by custom; None if there is no custom."""
        size = self.size
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
