"""Where games begin: random moves, or the lines and positions of a book.

Both games of a pair begin alike, so that an opening's luck cancels out. The opening of a pair depends on the
seed and on the pair alone, never on who plays or how many games there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from rookery import records
from rookery.api import Format, Game, GameSpec, State
from rookery.errors import BadOption, BadPosition, RookeryError, UnsupportedGame, quote
from rookery.seeds import generator

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

    A file's name says what it is: with the suffix of a format, `.pgn` or `.sgf`, it holds games, of which the
    first PLIES moves are played (all that there are, if not said); any other holds a position a line.

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
        raise BadOption(
            f"there is no book {quote(source)}; use random:PLIES, or a file of games or of positions"
        )
    if records.holding(path.suffix) is None and plies:
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
        form = records.holding(path.suffix)
        try:
            lines = list(_lines(text, game, form, plies) if form else _positions(text, game))
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
            state = game.start(records.of(game).position(line, game))
        except RookeryError as error:
            raise BadPosition(f"line {number}: {error}") from None
        if state.outcome() is None:
            yield Opening(str(state), ())


def _lines(text: str, game: Game, form: Format, plies: int | None) -> Iterator[Opening]:
    if form.name != game.spec.format:
        held = ", ".join(records.held_by(form))
        raise UnsupportedGame(f"{form.title} holds {held}, not {game.spec.name}; use a file of positions")
    usual = str(game.start())
    for number, found in enumerate(form.read(text, game), 1):
        if found.game != game.spec.name:
            raise BadPosition(f"game {number} is one of {found.game}, not of {game.spec.name}")
        state: State = game.start(found.start)
        start = None if str(state) == usual else str(state)
        moves = found.moves[:plies]
        for move in moves:
            state = state.play(state.parse(move))
        if state.outcome() is None:
            yield Opening(start, moves)
