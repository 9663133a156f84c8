"""Kriegspiel: chess in which neither side sees the other's men, by the referee of the ICC's "wild 16".

A move is a *try*. The referee plays it if it is legal and refuses it otherwise; a refusal is heard by the
trier alone, who tries again. What a seat hears are the lines described in docs/games/kriegspiel.md:
`ILLEGAL e2e5`, `OK e4d5 cap=p@d5 chk=- tries=0 turn=b end=-`, `OPP cap=p@d5 chk=- tries=0 turn=b end=-`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rookery import native
from rookery.api import Event, GameSpec, Move, Seat
from rookery.errors import BadNotation, HiddenInformation, IllegalMove, quote

from .chess import CHESS, ChessState, board_rows, chess_spec, draw_board
from .state import NativeState, require_seat

_DIRECTIONS = {"R": "rank", "F": "file", "L": "long diagonal", "S": "short diagonal", "N": "knight"}
_ENDS = {
    "mate": "Checkmate.",
    "stale": "Stalemate.",
    "material": "Neither side can mate.",
    "fifty": "Drawn by the fifty-move rule.",
    "rep3": "Drawn by repetition.",
    "length": "Drawn: the game is too long.",
    "forfeit": "Forfeited after too many tries.",
    "time": "Lost on time.",
    "resign": "Resigned.",
}
_UMPIRE = re.compile(
    r"(?:OK (?P<move>\S+)|OPP) cap=(?:-|(?P<man>[pP])@(?P<square>[a-h][1-8])) "
    r"chk=(?P<checks>-|[RFLSN](?:\+[RFLSN])?) tries=(?P<tries>\d{1,2}) "
    r"turn=(?P<turn>[wb]) end=(?P<end>[-a-z0-9]+)"
)


_CUSTOMARY = re.compile(r"([KQRBN])?([a-h])?([1-8])?([x-])?([a-h][1-8])(?:=?([QRBN]))?[+#]?")
_UCI = re.compile(r"[a-h][1-8][a-h][1-8][nbrq]?")
_CASTLING = {"O-O": "g", "0-0": "g", "O-O-O": "c", "0-0-0": "c"}


@dataclass(frozen=True)
class Heard:
    """One line of the referee, taken apart."""

    refused: str | None = None
    """The try that was refused; then nothing else is said."""
    move: str | None = None
    """The hearer's own move that stood; None for the other side's."""
    captured: str | None = None
    """`p` for a pawn, `P` for any other man."""
    square: str | None = None
    """Where the captured man stood."""
    checks: tuple[str, ...] = ()
    """Of R F L S N: rank, file, long diagonal, short diagonal, knight."""
    tries: int = 0
    """How many pawn captures the side to move has."""
    turn: str | None = None
    """w or b: who moves next, or would."""
    end: str | None = None

    @classmethod
    def read(cls, event: Event) -> Heard:
        """Takes a line apart.

        >>> Heard.read("OPP cap=p@d5 chk=F+N tries=2 turn=b end=-").checks
        ('F', 'N')

        Raises:
            BadNotation: it is no line of the referee.
        """
        word, _, rest = event.partition(" ")
        if word == "ILLEGAL" and rest:
            return cls(refused=rest)
        found = _UMPIRE.fullmatch(event)
        if not found or (found["end"] != "-" and found["end"] not in _ENDS):
            raise BadNotation(
                f"{quote(event)} is no line of the referee; 'ILLEGAL e2e5' or 'OPP cap=- ...' would be"
            )
        return cls(
            move=found["move"],
            captured=found["man"],
            square=found["square"],
            checks=() if found["checks"] == "-" else tuple(found["checks"].split("+")),
            tries=int(found["tries"]),
            turn=found["turn"],
            end=None if found["end"] == "-" else found["end"],
        )

    def spoken(self) -> str:
        """The line as a referee says it to people.

        >>> Heard.read("OPP cap=p@d5 chk=F+N tries=2 turn=b end=-").spoken()
        "Pawn at d5 captured. File check. Knight check. Black's move. 2 pawn tries."
        """
        if self.refused:
            return f"Illegal move: {self.refused}."
        said = []
        if self.captured:
            said.append(f"{'Pawn' if self.captured == 'p' else 'Piece'} at {self.square} captured.")
        said += [f"{_DIRECTIONS[check].capitalize()} check." for check in self.checks]
        if self.end:
            return " ".join([*said, _ENDS[self.end]])
        said.append("White's move." if self.turn == "w" else "Black's move.")
        if self.tries:
            said.append("1 pawn try." if self.tries == 1 else f"{self.tries} pawn tries.")
        return " ".join(said)

    def json(self) -> dict[str, object]:
        """The line for programs that read JSON."""
        if self.refused:
            return {"t": "illegal", "move": self.refused}
        line: dict[str, object] = {
            "t": "ump",
            "cap": [self.captured, self.square] if self.captured else None,
            "chk": list(self.checks),
            "tries": self.tries,
            "turn": self.turn,
            "end": self.end,
        }
        return line if self.move is None else {**line, "move": self.move}


class KriegspielView:
    """What one seat knows: its own men and what it has heard. It holds no reference to the true board."""

    __slots__ = ("_events", "native", "spec")

    def __init__(self, spec: GameSpec, known: native.KriegspielView) -> None:
        self.spec = spec
        self.native = known
        """The same for native code: copies alone. What was public when the game began is in it too."""
        self._events: Sequence[Event] | None = None

    @property
    def seat(self) -> Seat:
        return self.native.seat

    @property
    def events(self) -> Sequence[Event]:
        if self._events is None:
            self._events = self.native.lines()
        return self._events

    @property
    def men(self) -> str:
        """The seat's own men, as the board field of a FEN."""
        return self.native.men

    @property
    def tries(self) -> int:
        """Pawn captures of the side to move, as announced."""
        return self.native.tries

    @property
    def checks(self) -> str:
        """Directions of check against the side to move, as announced."""
        return self.native.checks

    @property
    def turn(self) -> Seat:
        return self.native.turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KriegspielView) and self.native == other.native

    __hash__ = None  # type: ignore[assignment]

    def moves(self) -> Sequence[Move]:
        return self.native.moves

    def text(self, move: Move) -> str:
        return native.uci(move)

    def parse(self, text: str) -> Move:
        """A try as `e2e4`, or as people write it where the own pieces tell what is meant: `e4`, `Nf3`."""
        written = None if _UCI.fullmatch(text) else _CUSTOMARY.fullmatch(text)
        if written or text in _CASTLING:
            return self._understand(text, written)
        if not _UCI.fullmatch(text):
            raise BadNotation(f"cannot read {quote(text)} as a move; write it like e4, Nf3 or e2e4")
        move = native.read_uci(text)
        if len(text) == 4 and text[3] == self._last_rank and self.piece(text[:2]) == "P":
            return native.read_uci(text + "q")
        return move

    def piece(self, square: str) -> str | None:
        """The own piece on a square, K Q R B N or P; None: nothing of one's own."""
        mark = board_rows(self.men)[8 - int(square[1])]["abcdefgh".index(square[0])]
        return None if mark == "." else mark.upper()

    @property
    def _last_rank(self) -> str:
        return "1" if self.seat else "8"

    def _understand(self, text: str, written: re.Match[str] | None) -> Move:
        tries = [self.text(move) for move in self.moves()]
        if written is None:
            rank = "8" if self.seat else "1"
            fits = [f"e{rank}{_CASTLING[text]}{rank}"]
            fits = [each for each in fits if self.piece(each[:2]) == "K"]
        else:
            kind, file, rank, sign, to, promotion = written.groups()
            promoted = (promotion or "q").lower() if not kind and to[1] == self._last_rank else ""
            fits = [
                each
                for each in (*tries, *self._blind_captures(file, to, promoted))
                if each[2:4] == to
                and each[4:] == promoted
                and self.piece(each[:2]) == (kind or "P")
                and each[0] in (file or each[0])
                and each[1] in (rank or each[1])
                # A Pawn takes when it leaves its file, and only then.
                and (kind or (each[0] != to[0]) == (sign == "x"))
            ]
        found = sorted(set(fits))
        if not found:
            raise IllegalMove(f"none of your pieces can try {quote(text)}")
        if len(found) > 1:
            starts = " or ".join(each[:2] for each in found)
            raise BadNotation(f"{quote(text)} could start from {starts}; write {found[0][:4]}")
        return native.read_uci(found[0])

    def _blind_captures(self, file: str | None, to: str, promoted: str) -> list[str]:
        """A Pawn's capture for which no try was announced: it will be refused, but can be tried."""
        start = f"{file}{int(to[1]) + (1 if self.seat else -1)}"
        beside = file is not None and abs(ord(file) - ord(to[0])) == 1 and "1" <= start[1] <= "8"
        return [start + to + promoted] if beside else []

    def picture(self) -> str:
        return draw_board(board_rows(self.men), self.seat)

    def spoken(self, event: Event) -> str:
        return Heard.read(event).spoken()

    def state(self) -> NativeState:
        raise HiddenInformation(
            "a Kriegspiel player sees its own pieces and hears the referee; the board is hidden"
        )


class KriegspielState(NativeState):
    """The referee's board, and what each seat has heard."""

    __slots__ = ()

    @property
    def stood(self) -> bool:
        """A move that stands passes the turn on; a try that is refused leaves it, even the last of a game."""
        before = self.native.previous()
        return before is None or before.seat != self.seat

    def view(self, seat: Seat) -> KriegspielView:  # type: ignore[override]
        require_seat(self.spec, seat)
        return KriegspielView(self.spec, self.native.view(seat))

    def accepts(self, move: Move) -> bool:
        """Whether the referee would let this try stand."""
        return self.native.accepts(move)

    def chess(self) -> ChessState:
        """The true board as a chess state."""
        return CHESS.start(self.native.fen)

    def picture(self, seat: Seat | None = None) -> str:
        if seat is not None:
            return self.view(seat).picture()
        return draw_board(board_rows(self.native.fen), None)


class Kriegspiel:
    """The game of Kriegspiel."""

    spec = chess_spec("kriegspiel", "Kriegspiel", hidden=True)

    def start(self, text: str | None = None) -> KriegspielState:
        """The starting position, or the true board that a FEN describes.

        Both seats know the board that a game begins with. After a FEN and the word `material` each knows how
        many pawns and how many other pieces the enemy has, and no more.
        """
        return KriegspielState(self.spec, native.KriegspielState(text))


KRIEGSPIEL = Kriegspiel()
GAMES = [KRIEGSPIEL]
