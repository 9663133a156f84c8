"""The record of a contest: a line of JSON for each game, written the moment the game ends.

The first line says which contest it is. A game counts once its line is whole and on the disk: whatever kills
the program, at any instant, at most the games that were still being played are lost, and playing the contest
again with the same record goes on from there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from math import isfinite
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from rookery import durable, games, players
from rookery.api import GameRecord, Outcome
from rookery.arena.contest import Contest, ScheduledGame
from rookery.errors import RecordMismatch, RookeryError, quote

FORMAT = 1
T = TypeVar("T")


@dataclass(frozen=True)
class Played:
    """One game of a contest, after it was played."""

    pair: int
    sides: tuple[int, int]
    record: GameRecord

    @property
    def key(self) -> tuple[int, tuple[int, int]]:
        return self.pair, self.sides

    def line(self) -> str:
        return json.dumps({"pair": self.pair, "sides": self.sides, **asdict(self.record)}) + "\n"

    @classmethod
    def read(cls, line: str) -> Played:
        """The game that `line` wrote.

        Raises:
            ValueError, KeyError, TypeError: it is no such line.
        """
        fields = _dict(json.loads(line))
        pair, sides = _whole(fields.pop("pair")), _each(_whole, fields.pop("sides"))
        values = _dict(fields.pop("outcome"))
        outcome = Outcome(_each(_number, values["values"]), _text(values["reason"]))
        if len(sides) != 2 or sides[0] == sides[1] or any(abs(value) > 1 for value in outcome.values):
            raise ValueError
        fields = {name: _FIELDS[name](value) for name, value in fields.items()}
        return cls(pair, (sides[0], sides[1]), GameRecord(outcome=outcome, **fields))


def _dict(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _whole(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or not isfinite(value):
        raise TypeError
    return value


def _each(check: Callable[[Any], T], values: Any) -> tuple[T, ...]:
    if not isinstance(values, list):
        raise TypeError
    return tuple(check(value) for value in values)


def _two(values: Any) -> tuple[float, ...]:
    found = _each(_number, values)
    if len(found) != 2:
        raise TypeError
    return found


def _maybe(check: Callable[[Any], T]) -> Callable[[Any], T | None]:
    return lambda value: None if value is None else check(value)


_FIELDS: Mapping[str, Callable[[Any], Any]] = {
    "game": _text,
    "version": _whole,
    "seed": _whole,
    "players": partial(_each, _text),
    "start": _text,
    "moves": partial(_each, _text),
    "opening": _whole,
    "plies": _whole,
    "seconds": partial(_each, _number),
}
"""What a line says besides, and how each is checked."""

_HEADER: Mapping[str, Callable[[Any], Any]] = {
    "game": _text,
    "entrants": partial(_each, _text),
    "seed": _whole,
    "limit": _dict,
    "openings": _text,
    "max_plies": _maybe(_whole),
    "sprt": _maybe(_two),
}


def order(games: Iterable[Played]) -> list[Played]:
    """Games in the order in which they count."""
    return sorted(games, key=lambda game: (game.pair, sorted(game.sides), game.sides))


class Record:
    """The games of one contest, in a file that grows with them."""

    def __init__(self, contest: Contest, path: Path) -> None:
        """Open the record, or begin it.

        Raises:
            RecordMismatch: the file is something else, or another contest's, or in use.
        """
        self.path = path
        self.played: dict[tuple[int, tuple[int, int]], Played] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise RecordMismatch(f"{path} is no file; name another for the record")
        busy = RecordMismatch(f"{path} is being written by another match; wait for it, or name another file")
        self._file = durable.open_alone(path, busy, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        try:
            self._load(contest)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, game: Played) -> None:
        """Keep a game for good."""
        self._write(game.line())
        self.played[game.key] = game

    def settle(self, order: Iterable[ScheduledGame], keep_others: bool) -> None:
        """Put the games in order once the contest is over; the order in which they ended is chance.

        Games out of that order are kept behind it or, if so many workers had run ahead, left out.
        """
        keys = [scheduled.key for scheduled in order]
        known = set(keys)
        games = [self.played[key] for key in keys if key in self.played]
        if keep_others:
            games += [game for key, game in self.played.items() if key not in known]
        if games == list(self.played.values()):
            return
        durable.write(self.path, self._header + "".join(game.line() for game in games))
        self.played = {game.key: game for game in games}

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Record:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _load(self, contest: Contest) -> None:
        self._header = json.dumps({"rookery": FORMAT, **contest.identity()}) + "\n"
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            # The program was killed while it wrote this line, so the game does not count.
            os.ftruncate(self._file, len(whole))
        if not whole:
            self._write(self._header)
            return
        lines = whole.decode("utf-8", errors="replace").split("\n")[:-1]
        there = _read_header(self.path, lines[0])
        _compare(there, _read_header(self.path, self._header), self.path)
        self.played = {game.key: game for game in _read_games(self.path, there, lines)}

    def _write(self, line: str) -> None:
        data = line.encode()
        with durable.naming(self.path):
            while data:  # a disk that is nearly full takes some of it, and then says what is wrong
                data = data[os.write(self._file, data) :]
            os.fsync(self._file)


def save(contest: Contest, games: Iterable[Played], path: Path) -> None:
    """Begin a record with games that were played without one."""
    with Record(contest, path) as record:
        for game in games:
            record.append(game)


def read(path: Path) -> tuple[dict[str, Any], list[Played]]:
    """The identity of the contest that a file records, and its games.

    Raises:
        RecordMismatch: it is no record.
    """
    if path.exists() and not path.is_file():
        raise RecordMismatch(f"{path} is no file, and no record of games")
    content = path.read_bytes()
    lines = content[: content.rfind(b"\n") + 1].decode("utf-8", errors="replace").split("\n")[:-1]
    if not lines:
        raise RecordMismatch(f"{path} is empty; no record of games")
    header = _read_header(path, lines[0])
    return header, list(_read_games(path, header, lines))


def _read_header(path: Path, line: str) -> dict[str, Any]:
    try:
        header = _dict(json.loads(line))
        found = header["rookery"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise RecordMismatch(
            f"{path} is no record of games: its first line names no match or tournament"
        ) from None
    if found != FORMAT:
        raise RecordMismatch(
            f"{path} is a record of format {quote(found)}; this program reads format {FORMAT}"
        )
    for name, check in _HEADER.items():
        try:
            check(header[name])
        except (KeyError, TypeError):
            raise RecordMismatch(f"{path}: its first line does not say {name} as it should") from None
    return header | {"entrants": [*map(_spelled, header["entrants"])]}


@cache
def _spelled(name: str) -> str:
    """A player's name as it is spelled today: options of an old record may have been renamed since."""
    try:
        return players.vary(name, {})
    except RookeryError:
        return name


def _read_games(path: Path, header: dict[str, Any], lines: list[str]) -> Iterator[Played]:
    spec = games.get(header["game"]).spec
    for number, line in enumerate(lines[1:], 2):
        try:
            game = Played.read(line)
            record = game.record
            if not (
                max(game.sides) < len(header["entrants"])
                and record.game == spec.name
                and len(record.players) == spec.seats
                and len(record.outcome.values) == spec.sides
                and len(record.seconds) in (0, spec.seats)
            ):
                raise ValueError
        except (ValueError, KeyError, TypeError, RecursionError):
            raise RecordMismatch(f"{path}, line {number}: no game can be read from {quote(line)}") from None
        yield replace(game, record=replace(record, players=tuple(map(_spelled, record.players))))


def _compare(there: dict[str, Any], here: dict[str, Any], path: Path) -> None:
    for name, value in here.items():
        if there.get(name) != value:
            raise RecordMismatch(
                f"{path} records another contest: {name} is {_show(there.get(name))} there and "
                f"{_show(value)} here; name another file, or ask for the same"
            )


def _show(value: Any) -> str:
    words = isinstance(value, list) and all(isinstance(each, str) for each in value)
    return " and ".join(value) if words else json.dumps(value)
