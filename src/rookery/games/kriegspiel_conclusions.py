"""What each line of the referee lets a seat of Kriegspiel conclude, in sentences.

Every sentence holds on every board that fits what the seat has heard. It is made from the view alone: the
seat's own men, the line, and the exact masks of what can stand where (native/belief/possible.hpp).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rookery import native

from .kriegspiel import Heard, KriegspielView

_KINDS = ("Pawn", "Knight", "Bishop", "Rook", "Queen", "King")
_PAWN, _KNIGHT, _, _ROOK, _QUEEN, _KING = range(6)
_EMPTY = 1 << 6
_LINES = {"R": "rank", "F": "file", "L": "long diagonal", "S": "short diagonal"}
_SENSELESS = "No board would allow this try: nothing follows."
_FEW = 6
"""As many squares as one sentence names."""

Square = int


def conclusions(view: KriegspielView, first: int = 0) -> list[tuple[str, ...]]:
    """For each event from the one numbered `first`, what can be concluded from it; often nothing."""
    known = native.Possible.history(view.native)
    lines = [Heard.read(event) for event in view.events]
    found = []
    for place in range(max(0, first), len(lines)):
        said = _Said(lines[place], _Known(known[place], view.seat), _Known(known[place + 1], view.seat))
        found.append(tuple(said.sentences(lines[place - 1] if place else None)))
    return found


@dataclass(frozen=True)
class PawnTry:
    """A capture by an own Pawn that may be what the referee announced."""

    start: str
    to: str


def pawn_tries(view: KriegspielView) -> list[PawnTry]:
    """Where the announced tries may be; none if none were announced to this seat.

    They are tries of the view that were not refused yet, where something can stand that could be taken.
    """
    if view.turn != view.seat or not view.tries:
        return []
    known = _Known(native.Possible(view.native), view.seat)
    open_tries = {view.text(move)[:4] for move in view.moves()}
    takes = [(_name(start), _name(to)) for start, to in known.captures() if known.may_take(start, to)]
    return [PawnTry(start, to) for start, to in takes if start + to in open_tries]


def _name(square: Square) -> str:
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


def _square(text: str) -> Square:
    return "abcdefgh".index(text[0]) + 8 * (int(text[1]) - 1)


def _names(squares: Iterable[Square], word: str = "and") -> str:
    names = [_name(square) for square in squares]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {word} {names[-1]}"


def _path(start: Square, to: Square) -> list[Square] | None:
    """The squares between two on a line; None: they are on none."""
    across, up = to % 8 - start % 8, to // 8 - start // 8
    if start == to or (across and up and abs(across) != abs(up)):
        return None
    long = max(abs(across), abs(up))
    step = across // long + 8 * (up // long)
    return [start + step * n for n in range(1, long)]


class _Known:
    """What the seat knew at one moment."""

    def __init__(self, possible: native.Possible, seat: int) -> None:
        self.possible = possible
        self.seat = seat
        self.own: Sequence[int] = possible.own
        self.masks: Sequence[int] = possible.masks
        self.up = -8 if seat else 8

    def piece(self, square: Square) -> int | None:
        kind = self.own[square]
        return None if kind < 0 else kind

    @property
    def king(self) -> Square:
        return self.own.index(_KING)

    def kings(self) -> list[Square]:
        """Where the enemy's King may stand."""
        return [square for square, mask in enumerate(self.masks) if mask & 1 << _KING]

    def maybe_occupied(self, square: Square) -> bool:
        return bool(self.masks[square] & ~_EMPTY)

    def captures(self) -> Iterator[tuple[Square, Square]]:
        """Every square beside and before an own Pawn on which no own man stands."""
        for start, kind in enumerate(self.own):
            if kind == _PAWN:
                for across in (-1, 1):
                    to = start + self.up + across
                    if 0 <= start % 8 + across < 8 and 0 <= to < 64 and self.piece(to) is None:
                        yield start, to

    def may_take(self, start: Square, to: Square) -> bool:
        """Whether an own Pawn may find something to take there, in passing too."""
        beside = start - start % 8 + to % 8
        fifth = start // 8 == (3 if self.seat else 4)
        passing = fifth and bool(self.masks[beside] & 1 << _PAWN)
        return self.maybe_occupied(to) or passing


class _Said:
    """One line, with what was known before it and after it."""

    def __init__(self, line: Heard, before: _Known, after: _Known) -> None:
        self.line, self.before, self.after = line, before, after

    def sentences(self, previous: Heard | None) -> Iterator[str]:
        if self.line.refused:
            yield from self._refused(self.line.refused)
        elif self.line.move:
            yield from self._stood(self.line.move)
        else:
            yield from self._answered(previous)
        yield from self._king()

    # --- an own try that was refused ------------------------------------------------------------------

    def _refused(self, text: str) -> Iterator[str]:
        start, to = _square(text[:2]), _square(text[2:4])
        kind = self.before.piece(start)
        promotes = kind == _PAWN and to // 8 in (0, 7)
        if kind is None or self.before.piece(to) is not None or promotes != (len(text) == 5):
            yield _SENSELESS
            return
        if self.before.possible.checks:
            yield "You were in check, and any move may fail to end it: nothing is certain."
            return
        name, path = _KINDS[kind], _path(start, to)
        pinned = f"the {name} is pinned" if self.before.possible.may_be_pinned(start, to) else ""
        if kind == _KING:
            yield from self._king_refused(start, to)
        elif kind == _KNIGHT:
            if sorted((abs(to % 8 - start % 8), abs(to // 8 - start // 8))) == [1, 2]:
                yield f"The Knight on {_name(start)} is pinned to your King."
            else:
                yield _SENSELESS
        elif kind == _PAWN:
            yield from self._pawn_refused(start, to, pinned)
        elif path is None or not self._slides(kind, start, to) or any(self.before.own[s] >= 0 for s in path):
            yield _SENSELESS
        else:
            # What certainly was empty did not stand in the way.
            maybe = [square for square in path if self.before.maybe_occupied(square)]
            if not maybe:
                yield f"The {name} on {_name(start)} is pinned to your King."
            elif len(maybe) == 1:
                yield _either(f"{_name(maybe[0])} is occupied", pinned)
            else:
                yield _either(f"at least one of {_names(maybe)} is occupied", pinned)

    @staticmethod
    def _slides(kind: int, start: Square, to: Square) -> bool:
        straight = start % 8 == to % 8 or start // 8 == to // 8
        return kind == _QUEEN or straight == (kind == _ROOK)

    def _king_refused(self, start: Square, to: Square) -> Iterator[str]:
        across, up = to % 8 - start % 8, to // 8 - start // 8
        if max(abs(across), abs(up)) == 1:
            if self.before.possible.bare_king:
                yield f"Their King stands next to {_name(to)}."
            else:
                yield f"{_name(to)} is attacked."
        elif up == 0 and abs(across) == 2 and self.before.possible.castling & (1 if across > 0 else 2):
            rook = start + 3 if across > 0 else start - 4
            path = _path(start, rook) or []
            if any(self.before.own[square] >= 0 for square in path):
                yield "Your own men stand between King and Rook: nothing follows."
            else:
                crossed = _names([(start + to) // 2, to])
                yield f"One of {_names(path)} is occupied, or one of {crossed} is attacked."
        else:
            yield _SENSELESS

    def _pawn_refused(self, start: Square, to: Square, pinned: str) -> Iterator[str]:
        up = self.before.up
        home = start // 8 == (6 if self.before.seat else 1)
        if to == start + up:
            yield _either(f"{_name(to)} is occupied", pinned)
        elif to == start + 2 * up and home and self.before.piece(start + up) is None:
            maybe = [square for square in (start + up, to) if self.before.maybe_occupied(square)]
            if len(maybe) == 1:
                yield _either(f"{_name(maybe[0])} is occupied", pinned)
            elif maybe:
                yield _either(f"{_names(maybe, 'or')} is occupied", pinned)
            else:
                yield f"The Pawn on {_name(start)} is pinned to your King."
        elif (start, to) in self.before.captures():
            yield _either(f"no enemy can be taken on {_name(to)}", pinned)
        else:
            yield _SENSELESS

    # --- an own move that stood -----------------------------------------------------------------------

    def _stood(self, text: str) -> Iterator[str]:
        start, to = _square(text[:2]), _square(text[2:4])
        path = _path(start, to) if self.before.piece(start) != _KNIGHT else None
        empty = [*(path or []), *([] if self.line.captured else [to])]
        news = [square for square in empty if self.before.maybe_occupied(square)]
        if news:
            yield f"{_names(news)} {'was' if len(news) == 1 else 'were'} empty."
        if self.line.captured:
            yield self._left()
        if self.line.end:
            return
        if self.line.tries:
            yield f"Enemy Pawns have {_count(self.line.tries, 'capture')}."
        elif self.line.captured:
            # Said after a capture only: it is what one wants to know there.
            yield f"No Pawn can retake on {_name(to)}."

    def _left(self) -> str:
        known = self.after.possible
        if known.bare_king:
            return "Their King is alone."
        pawns, pieces = known.pawns_left, known.pieces_left
        return (
            f"They have {pawns + pieces} men left besides the King: "
            f"at most {_count(pawns, 'Pawn')} and at least {_count(pieces, 'other piece')}."
        )

    # --- a move of the other side ---------------------------------------------------------------------

    def _answered(self, previous: Heard | None) -> Iterator[str]:
        line = self.line
        if line.captured and line.square:
            if previous is not None and previous.tries == 0 and previous.move:
                yield "They had no captures by a Pawn, so no Pawn took it."
            mask = self.after.masks[_square(line.square)]
            kinds = [_KINDS[kind] for kind in range(6) if mask & 1 << kind]
            if kinds and not mask & _EMPTY and len(kinds) < 4:
                yield f"A {' or '.join(kinds)} stands on {line.square}."
        if line.end:
            return
        if line.checks:
            yield from self._checked(line.checks)
        takes = list(self.after.captures())
        if line.tries:
            maybe = [pair for pair in takes if self.after.may_take(*pair)]
            tries = ", ".join(f"{_name(start)}x{_name(to)}" for start, to in maybe)
            if len(maybe) == line.tries:
                yield f"These captures are legal: {tries}."
            else:
                yield f"Of {tries}, {line.tries} {'is' if line.tries == 1 else 'are'} legal."
        elif takes and not line.checks:
            # Where something could have come to stand; of the rest it is known without this line.
            free = sorted(
                {
                    to
                    for start, to in takes
                    if not self.after.possible.may_be_pinned(start, to) and self.before.maybe_occupied(to)
                }
            )
            if 0 < len(free) <= _FEW:
                yield f"No enemy stands on {_names(free, 'or')}: your Pawns would have a capture."

    def _checked(self, checks: tuple[str, ...]) -> Iterator[str]:
        king = _name(self.after.king)
        if len(checks) > 1:
            yield "Two men give check: only your King can move."
        elif checks == ("N",):
            yield f"Only a King's move or taking the Knight, a Knight's jump away from {king}, can be legal."
        else:
            passing = " (or takes the checking Pawn en passant)" if checks[0] in "LS" else ""
            line = f"{_LINES[checks[0]]} of {king}{passing}"
            yield f"Only a King's move, or one that ends on the {line}, can be legal."

    # --- whatever was heard ---------------------------------------------------------------------------

    def _king(self) -> Iterator[str]:
        now, then = self.after.kings(), self.before.kings()
        if now and len(now) < len(then):
            if len(now) == 1:
                yield f"Their King stands on {_name(now[0])}."
            elif len(now) <= _FEW:
                yield f"Their King stands on {_names(now, 'or')}."


def _count(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _either(fact: str, other: str) -> str:
    said = f"{fact}, or {other}." if other else f"{fact}."
    # Squares are written small even where a sentence begins.
    return said if said[1].isdigit() else said[0].upper() + said[1:]
