"""The hunt for a lone King that cannot be seen: where he may be, and which move leaves him least room.

Once nothing else is left on the other side, all that the referee says tells of the King alone: a move that
stood did not run into him, a silent one gave no check, a refused one met him. The squares where he may be are
a metaposition, and moves are weighed by what it becomes (Bolognesi and Ciancarini, "Searching over
metapositions in Kriegspiel", 2004), here one move deep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rookery.api import Move, Seat
from rookery.games.chess import board_rows
from rookery.games.kriegspiel import Heard, KriegspielView

Square = int
"""8 * rank + file, both from 0. A set of squares is a whole number, a bit for each."""
Pieces = dict[Square, str]
"""Our pieces, as capital letters."""

_OTHERS = 15
"""The pieces beside each King at the start."""
_ALL = (1 << 64) - 1
_A_FILE = sum(1 << square for square in range(0, 64, 8))
_H_FILE = _A_FILE << 7
_HOME = "RNBQKBNR"
_WORTH = {"P": 20.0, "N": 15.0, "B": 15.0, "R": 50.0, "Q": 60.0, "K": 0.0}
_MATE, _STALEMATE, _PUSH, _AGAIN = 200.0, -300.0, 3.0, 8.0


def _steps(square: Square, ways: Sequence[tuple[int, int]], reach: int) -> list[list[Square]]:
    """The squares in each direction, the nearest first."""
    rays = []
    for up, right in ways:
        rank, file = divmod(square, 8)
        ray = []
        for _ in range(reach):
            rank, file = rank + up, file + right
            if not (0 <= rank < 8 and 0 <= file < 8):
                break
            ray.append(8 * rank + file)
        rays.append(ray)
    return rays


_STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
_OBLIQUE = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
_LEAPS = [(a * x, b * y) for x, y in ((1, 2), (2, 1)) for a in (1, -1) for b in (1, -1)]
_RAYS = {
    "R": [_steps(square, _STRAIGHT, 7) for square in range(64)],
    "B": [_steps(square, _OBLIQUE, 7) for square in range(64)],
    "Q": [_steps(square, _STRAIGHT + _OBLIQUE, 7) for square in range(64)],
    "K": [_steps(square, _STRAIGHT + _OBLIQUE, 1) for square in range(64)],
    "N": [_steps(square, _LEAPS, 1) for square in range(64)],
}
_NEAR = [sum(1 << step for ray in rays for step in ray) for rays in _RAYS["K"]]
"""The squares next to each."""
_CENTRAL = [1 + min(rank, 7 - rank, 3) + min(file, 7 - file, 3) for rank in range(8) for file in range(8)]


@dataclass(frozen=True)
class LoneKing:
    """A lone King, as far as one seat knows."""

    seat: Seat
    """Ours."""
    pieces: Pieces
    squares: int
    """Where he may be."""
    stood: Mapping[frozenset[tuple[Square, str]], int]
    """How often our pieces have stood so since he was alone: going back leads nowhere."""


def track(view: KriegspielView) -> LoneKing | None:
    """The King, if the other side has nothing else; None while it has, or where that cannot be known.

    It is known in games from the usual position, where fifteen captures leave a King alone.
    """
    if sum(event.startswith("OK") and " cap=- " not in event for event in view.events) < _OTHERS:
        return None
    seat = view.seat
    pieces = {8 * (7 if seat else 0) + file: piece for file, piece in enumerate(_HOME)}
    pieces |= {8 * (6 if seat else 1) + file: "P" for file in range(8)}
    taken, squares = 0, _ALL
    stood: Counter[frozenset[tuple[Square, str]]] = Counter()
    for line in map(Heard.read, view.events):
        if line.move:
            if _square(line.move) not in pieces:
                return None  # the game began elsewhere
            taken += line.captured is not None
            if taken == _OTHERS:
                squares &= ~_blocking(pieces, line.move)
            pieces = _moved(pieces, line.move)
            stood[frozenset(pieces.items())] += taken == _OTHERS
        elif line.square:
            pieces.pop(_square(line.square), None)
        if taken == _OTHERS:
            squares = _told(squares, pieces, line, seat) & ~_mask(pieces) or _ALL
    return LoneKing(seat, pieces, squares, stood) if pieces == _read(view.men) else None


def _told(squares: int, pieces: Pieces, line: Heard, seat: Seat) -> int:
    """Where he may be after what the referee said, our pieces standing as they do then."""
    if line.refused:
        return squares & _blocking(pieces, line.refused)
    struck = _attacks(pieces, seat)
    if line.move:
        return squares & (struck if line.checks else ~struck)
    return 1 << _square(line.square) if line.square else _spread(squares) & ~struck


def drive(hunted: LoneKing, texts: Mapping[Move, str]) -> list[Move]:
    """The moves that press him hardest; none if no move could stand."""
    worths = {move: _weigh(hunted, text) for move, text in texts.items()}
    known = {move: worth for move, worth in worths.items() if worth is not None}
    best = max(known.values(), default=0.0)
    # Nearly equal ones too: always the same moves would end in a repetition.
    return [move for move, worth in known.items() if worth >= best - 0.5]


def _weigh(hunted: LoneKing, text: str) -> float | None:
    """What a move is worth wherever it stands; None if it cannot."""
    squares = hunted.squares & ~_blocking(hunted.pieces, text)
    if not squares:
        return None
    pieces = _moved(hunted.pieces, text)
    struck, ours = _attacks(pieces, hunted.seat), _mask(pieces)
    worth = 0.0
    for square in _each(squares):
        free = _NEAR[square] & ~struck
        if not free:
            worth += _MATE if struck >> square & 1 else _STALEMATE
        elif free & ours:
            worth -= max(_WORTH[pieces[loot]] for loot in _each(free & ours))
    room = list(_each(_spread(squares) & ~struck & ~ours))
    king = next(square for square, piece in pieces.items() if piece == "K")
    far = sum(_distance(king, square) for square in room) / max(1, len(room))
    ranks = sum((7 - s // 8 if hunted.seat else s // 8) for s, piece in pieces.items() if piece == "P")
    material = sum(_WORTH[piece] for piece in pieces.values())
    worth = worth / squares.bit_count() + material + _PUSH * ranks
    worth -= sum(_CENTRAL[s] for s in room) + 2 * far
    return worth - _AGAIN * hunted.stood.get(frozenset(pieces.items()), 0)


def _attacks(pieces: Pieces, seat: Seat) -> int:
    """The squares that our pieces strike, through the King if he stands there, and of pieces protected."""
    struck = 0
    for square, piece in pieces.items():
        if piece == "P":
            step = square - 8 if seat else square + 8
            struck |= _NEAR[step] & 0xFF << step // 8 * 8
            continue
        for ray in _RAYS[piece][square]:
            for reached in ray:
                struck |= 1 << reached
                if reached in pieces:
                    break
    return struck


def _blocking(pieces: Pieces, text: str) -> int:
    """Where the King must be for a try to be refused that would else be legal."""
    start, to = _square(text), _square(text[2:])
    piece = pieces.get(start)
    if piece is None:
        return _ALL  # no piece of ours: he may be anywhere
    if piece == "K":
        near = _NEAR[to] | 1 << to
        return near | _NEAR[(start + to) // 2] if abs(to - start) == 2 else near
    ray = next((ray for ray in _RAYS["Q"][start] if to in ray), [to])
    return sum(1 << square for square in ray[: ray.index(to) + 1])


def _moved(pieces: Pieces, text: str) -> Pieces:
    start, to = _square(text), _square(text[2:])
    after = dict(pieces)
    piece = after.pop(start)
    after[to] = text[4:].upper() or piece
    if piece == "K" and abs(to - start) == 2:
        rook = start + 3 if to > start else start - 4
        after[(start + to) // 2] = after.pop(rook)
    return after


def _spread(squares: int) -> int:
    """Where a King may be one step later."""
    sides = (squares & ~_H_FILE) << 1 | (squares & ~_A_FILE) >> 1
    rows = squares | sides
    return (sides | rows << 8 | rows >> 8) & _ALL


def _read(pieces: str) -> Pieces:
    found: Pieces = {}
    for row, line in enumerate(board_rows(pieces)):
        found |= {8 * (7 - row) + file: mark.upper() for file, mark in enumerate(line) if mark.isalpha()}
    return found


def _mask(pieces: Pieces) -> int:
    return sum(1 << square for square in pieces)


def _each(squares: int) -> Iterator[Square]:
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def _square(name: str) -> Square:
    return 8 * (ord(name[1]) - ord("1")) + ord(name[0]) - ord("a")


def _distance(a: Square, b: Square) -> int:
    return max(abs(a // 8 - b // 8), abs(a % 8 - b % 8))
