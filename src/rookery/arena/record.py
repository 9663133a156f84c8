"""The record of a contest: a line of JSON for each game, written the moment the game ends.

The first line says which contest it is. A game counts once its line is whole and on the disk: whatever kills
the program, at any instant, at most the games that were still being played are lost, and playing the contest
again with the same record goes on from there.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from rookery import durable
from rookery.api import GameRecord, Outcome
from rookery.arena.contest import Contest, Fixture
from rookery.errors import RecordMismatch

FORMAT = 1


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
        fields = json.loads(line)
        pair, sides = fields.pop("pair"), tuple(fields.pop("sides"))
        values = fields.pop("outcome")
        outcome = Outcome(tuple(values["values"]), values["reason"])
        fields = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        return cls(pair, sides, GameRecord(outcome=outcome, **fields))


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

    def settle(self, order: Iterable[Fixture], keep_others: bool) -> None:
        """Put the games in order once the contest is over; the order in which they ended is chance.

        Games out of that order are kept behind it or, if so many workers had run ahead, left out.
        """
        keys = [fixture.key for fixture in order]
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
        lines = whole.decode("utf-8", errors="replace").splitlines()
        _compare(_read_header(self.path, lines[0]), json.loads(self._header), self.path)
        self.played = {game.key: game for game in _read_games(self.path, lines)}

    def _write(self, line: str) -> None:
        data = line.encode()
        with durable.naming(self.path):
            if os.write(self._file, data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
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
    content = path.read_bytes()
    lines = content[: content.rfind(b"\n") + 1].decode("utf-8", errors="replace").splitlines()
    if not lines:
        raise RecordMismatch(f"{path} is empty; no record of games")
    return _read_header(path, lines[0]), list(_read_games(path, lines))


def _read_header(path: Path, line: str) -> dict[str, Any]:
    try:
        header = json.loads(line)
        found = header["rookery"]
    except (ValueError, KeyError, TypeError):
        raise RecordMismatch(f"{path} is no record of games: its first line names no contest") from None
    if found != FORMAT:
        raise RecordMismatch(f"{path} is a record of format {found}; this program reads format {FORMAT}")
    return dict(header)


def _read_games(path: Path, lines: list[str]) -> Iterator[Played]:
    for number, line in enumerate(lines[1:], 2):
        try:
            yield Played.read(line)
        except (ValueError, KeyError, TypeError):
            raise RecordMismatch(f"{path}, line {number}: no game can be read from {line[:60]!r}") from None


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
