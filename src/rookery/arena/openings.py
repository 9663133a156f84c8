"""Where games begin: random moves, or the lines and positions of a book.

Both games of a pair begin alike, so that an opening's luck cancels out. The opening of a pair depends on the
seed and on the pair alone, never on who plays or how many games there are.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import StringIO
from itertools import count, islice
from pathlib import Path
from typing import Protocol

import chess.pgn

from rookery.api import Game, GameSpec, State
from rookery.errors import BadOption, BadPosition, RookeryError, UnsupportedGame, describe, quote
from rookery.games.chess import read_epd
from rookery.seeds import generator

logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
# What is wrong with a game is told once, by us.

_CHESS_MEN = ("chess", "kriegspiel")
"""The games whose positions are FEN and whose moves are chess moves."""
_ATTEMPTS = 50
"""Draws before an opening is taken that another pair has had, or that was over at once."""


@dataclass(frozen=True)
class Opening:
    """Where a game begins."""

    start: str | None
    """The text of a position; None for the usual one."""
    moves: tuple[str, ...]


class Openings(Protocol):
    """Openings by pair."""

    @property
    def name(self) -> str:
        """What was asked for, and enough more to tell whether two of them are the same."""
        ...

    def draw(self, pair: int) -> Opening: ...


def read(text: str | None, game: Game, seed: int) -> Openings:
    """The openings that a text asks for: `random:PLIES`, `FILE` or `FILE:PLIES`; None for the usual ones.

    A file's name says what it is: `.pgn` holds games, of which the first PLIES moves are played (all that
    there are, if not said); any other file holds a position a line, for chess FEN or EPD.

    Raises:
        BadOption: it asks for nothing that there is.
    """
    name = text or f"random:{usual_plies(game.spec)}"
    source, colon, plies = name.rpartition(":")
    if not colon or not plies.isdecimal():
        source, plies = name, ""
    if source == "random":
        if not plies:
            raise BadOption(f"openings {name!r} lack their length; write random:4")
        return RandomOpenings(game, _count(plies), seed)
    path = Path(source)
    try:
        found = path.is_file()
    except OSError:  # a name that is too long
        found = False
    if not found:
        raise BadOption(f"there is no book {quote(source)}; use random:PLIES, or a .pgn or .epd file")
    if path.suffix.lower() != ".pgn" and plies:
        raise BadOption(f"{source} holds positions and not lines of moves; leave out ':{plies}'")
    return Book(game, path, _count(plies) if plies else None, seed)


def _count(plies: str) -> int:
    if len(plies) > 6:
        raise BadOption(f"openings must be at most 999999 plies long (got {quote(plies)})")
    return int(plies)


def usual_plies(spec: GameSpec) -> int:
    """One move for each seat, and at least four."""
    return max(4, spec.seats)


class RandomOpenings:
    """The same number of random moves for each pair; no two pairs alike while there are enough."""

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        self.name = f"random:{plies}"
        self._game = game
        self._plies = plies
        self._seed = seed
        self._drawn: list[Opening] = []
        self._met: set[str] = set()

    def draw(self, pair: int) -> Opening:
        while len(self._drawn) <= pair:
            self._drawn.append(self._next(len(self._drawn)))
        return self._drawn[pair]

    def _next(self, pair: int) -> Opening:
        rng = generator(self._seed, "opening", pair)
        usable = None
        for _ in range(_ATTEMPTS):
            state = self._game.start()
            moves: list[str] = []
            while len(moves) < self._plies and state.outcome() is None:
                choices = state.moves()
                move = choices[int(rng.integers(len(choices)))]
                after = state.play(move)
                # A refused try is no move: it would only tell the trier something.
                if after.stood:
                    moves.append(state.text(move))
                    state = after
            if state.outcome() is None:
                usable = Opening(None, tuple(moves))
                if str(state) not in self._met:
                    break
        if usable is None:
            raise BadOption(f"{self.name} leaves no {self._game.spec.name} to play; use fewer moves")
        self._met.add(str(state))
        return usable


class Book:
    """The openings of a file, shuffled by the seed; from the first again when they run out."""

    def __init__(self, game: Game, path: Path, plies: int | None, seed: int) -> None:
        content = path.read_bytes()
        self.name = f"{path.name}{'' if plies is None else f':{plies}'} {sha256(content).hexdigest()[:16]}"
        text = content.decode("utf-8", errors="replace")
        pgn = path.suffix.lower() == ".pgn"
        try:
            lines = list(_lines(text, game, plies) if pgn else _positions(text, game))
        except RookeryError as error:
            raise BadPosition(f"{path}: {error}") from None
        if not lines:
            raise BadOption(f"{path} holds no opening of {game.spec.name}")
        order = generator(seed, "book").permutation(len(lines))
        self._openings: list[Opening] = [lines[place] for place in order]

    def __len__(self) -> int:
        return len(self._openings)

    def draw(self, pair: int) -> Opening:
        return self._openings[pair % len(self._openings)]


def _positions(text: str, game: Game) -> Iterator[Opening]:
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if game.spec.name in _CHESS_MEN and len(line.split()) != 6:
                line = str(read_epd(line)[0])
            state = game.start(line)
        except RookeryError as error:
            raise BadPosition(f"line {number}: {error}") from None
        if state.outcome() is None:
            yield Opening(str(state), ())


def _lines(text: str, game: Game, plies: int | None) -> Iterator[Opening]:
    if game.spec.name not in _CHESS_MEN:
        raise UnsupportedGame(f"PGN holds chess, not {game.spec.name}; use a file of positions")
    stream = StringIO(text)
    for number in count(1):
        try:
            read = chess.pgn.read_game(stream)
        except Exception as error:  # of a damaged game the library may say anything
            raise BadPosition(f"game {number} is no PGN: {describe(error)}") from None
        if read is None:
            return
        if read.errors:
            raise BadPosition(f"game {number}: {describe(read.errors[0])}")
        start = None if read.board().fen() == chess.STARTING_FEN else read.board().fen()
        moves = tuple(move.uci() for move in islice(read.mainline_moves(), plies))
        state: State = game.start(start)
        for move in moves:
            state = state.play(state.parse(move))
        if state.outcome() is None:
            yield Opening(start, moves)
