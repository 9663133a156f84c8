"""The board of a GTP session. GTP lets anybody move at any time; the rules of Go let the sides alternate.

A side that moves out of turn, or after the end, is given its turn as if the other side had passed, though
that pass ends no game: the board is taken as the start of a new one, and superko forgets what stood before.
"""

from __future__ import annotations

from collections.abc import Collection

from rookery.api import Move, Seat
from rookery.errors import GameError
from rookery.games.go import GoState, rows
from rookery.games.go_rules import Rules
from rookery.records.sgf import read_sgf


class Goban:
    """A board, its rules, and the moves on it."""

    def __init__(self, size: int, rules: Rules, komi: float | None = None) -> None:
        """komi: what is usual if None.

        Raises:
            UnknownName: the rules know no such board or komi.
        """
        self.rules = rules
        self.komi = komi
        self.game = rules.board(size, komi)
        self.clear()

    def clear(self) -> None:
        self.game = self.rules.board(self.game.size, self.komi)
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
        over = not state.moves()
        if state.seat == seat and not over:
            return state
        board, _, prisoners, _, _, ply, *options = str(state).split()
        ply = "0" if over else ply
        return self.game.start(" ".join([board, "bw"[seat], prisoners, "-", "0", ply, *options]))

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

    def change(self, rules: Rules | None = None, komi: float | None = None) -> None:
        """Rules and komi are parts of the position: the game so far is played again with them.

        Raises:
            UnknownName: there is no such komi.
            GameError: the rules forbid a move of it.
        """
        rules, komi = rules or self.rules, self.komi if komi is None else komi
        game = rules.board(self.size, komi, self.state.handicap)
        before = self.rules, self.komi, self.game, self._start, self._record, self._states
        self.rules, self.komi, self.game = rules, komi, game
        try:
            self._begin(self._start)
            for seat, text in before[4]:
                self.play(seat, text)
        except GameError:
            self.rules, self.komi, self.game, self._start, self._record, self._states = before
            raise

    def place(self, points: Collection[Move]) -> None:
        """Handicap stones on the empty board; White moves next."""
        self.game = self.rules.board(self.size, self.komi, len(points))
        self._begin(rows(self.size, points) + " w")

    def load(self, text: str, moves: int | None = None) -> None:
        """The main line of an SGF, perhaps only the first moves of it, under the rules of this table.

        Raises:
            BadPosition: it is no SGF, or breaks the rules.
        """
        states = [read_sgf(text, self.rules.title)]
        while (before := states[0].previous()) is not None:
            states.insert(0, before)
        states = states[: None if moves is None else moves + 1]
        self.komi = states[0].komi
        self.game = self.rules.board(states[0].size, self.komi, states[0].handicap)
        self._start = " ".join(str(states[0]).split()[:2])
        self._states = states
        history = states[-1].history()
        self._record = [(s.seat, s.text(move)) for s, move in zip(states, history, strict=False)]
