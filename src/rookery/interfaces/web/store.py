"""What survives: every game and every move, in SQLite, written as they are played.

The log is written ahead (WAL) and brought to the disk at every commit (synchronous=FULL), so a move that was
answered survives a killed server and a power cut.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from secrets import token_urlsafe
from time import time

from rookery.api import Outcome
from rookery.errors import RookeryError
from rookery.interfaces.web.scoring import Marking

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, start TEXT, seed INTEGER NOT NULL, clock TEXT,
    created REAL NOT NULL, touched REAL NOT NULL, outcome TEXT
);
CREATE TABLE IF NOT EXISTS seats (
    id TEXT NOT NULL REFERENCES tables, seat INTEGER NOT NULL, player TEXT, secret TEXT, invitation TEXT,
    person TEXT, PRIMARY KEY (id, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS moves (
    id TEXT NOT NULL REFERENCES tables, number INTEGER NOT NULL, text TEXT NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (id, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS markings (
    id TEXT PRIMARY KEY REFERENCES tables, marking TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS by_time ON tables (touched DESC);
"""


_STATES = {
    "finished": "outcome IS NOT NULL",
    "unfinished": "outcome IS NULL",
    "drawn": "(outcome LIKE '[[0.0%' OR outcome LIKE '[[-0.0%')",
}


@dataclass
class Chair:
    """A seat: a player's name, or None and what proves that a person holds it."""

    player: str | None
    secret: str | None = None
    """Its hash; None if nobody sits there yet."""
    invitation: str | None = None
    """The hash of what lets somebody sit down, once."""
    person: str | None = None
    """What somebody who sits there wants to be called."""

    def opens(self, secret: str) -> bool:
        return self.secret is not None and compare_digest(self.secret, digest(secret))


@dataclass
class Kept:
    """One game as it is stored."""

    id: str
    game: str
    start: str | None
    seed: int
    clock: tuple[float, float] | None
    """Seconds at the start, and after each move."""
    chairs: list[Chair]
    moves: list[tuple[str, float]] = field(default_factory=list)
    """Each with the seconds that it took."""
    outcome: Outcome | None = None
    """Where it ended otherwise than by its rules."""
    created: float = 0.0
    """When, in seconds since 1970."""
    marking: Marking | None = None
    """The stones of Go that are marked as dead."""


@dataclass(frozen=True)
class Listed:
    """A line in the list of games."""

    id: str
    game: str
    players: list[str | None]
    people: list[str | None]
    """What people want to be called."""
    moves: int
    outcome: Outcome | None
    touched: float


def digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return token_urlsafe(18)


class Store:
    """The one file."""

    def __init__(self, path: Path) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
            self._db.executescript(_SCHEMA)
            if "person" not in {column[1] for column in self._db.execute("PRAGMA table_info(seats)")}:
                # Games from before people had names.
                self._db.execute("ALTER TABLE seats ADD COLUMN person TEXT")
            damage = self._db.execute("PRAGMA quick_check(1)").fetchone()[0]
            # Whoever may not write shall hear it now, and not with the first move.
            self._db.execute("BEGIN IMMEDIATE")
            self._db.execute("ROLLBACK")
        except OSError as error:
            raise RookeryError(
                f"{error.filename or path} cannot be used: {error.strerror}; name another folder by --data"
            ) from None
        except sqlite3.Error as error:
            raise RookeryError(
                f"{path} cannot be used: {error}; put it aside, or name another folder by --data"
            ) from None
        if damage != "ok":
            first = str(damage).splitlines()[-1]
            raise RookeryError(f"{path} is damaged: {first}; put it aside, or name another folder by --data")

    def close(self) -> None:
        self._db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing, and on the disk when this is left.

        Raises:
            RookeryError: it could not be written, and nothing has changed.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield self._db
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise RookeryError(f"the game cannot be kept: {error}") from None

    def create(self, kept: Kept) -> None:
        now = time()
        clock = json.dumps(kept.clock) if kept.clock else None
        with self._writing() as db:
            db.execute(
                "INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, NULL)",
                (kept.id, kept.game, kept.start, kept.seed, clock, now, now),
            )
            db.executemany(
                "INSERT INTO seats (id, seat, player, secret, invitation, person) VALUES (?, ?, ?, ?, ?, ?)",
                [(kept.id, n, c.player, c.secret, c.invitation, c.person) for n, c in enumerate(kept.chairs)],
            )
            db.executemany(
                "INSERT INTO moves VALUES (?, ?, ?, ?)",
                [(kept.id, n, text, seconds) for n, (text, seconds) in enumerate(kept.moves)],
            )

    def load(self, table: str) -> Kept | None:
        row = self._db.execute(
            "SELECT game, start, seed, clock, outcome, created FROM tables WHERE id = ?", (table,)
        ).fetchone()
        if row is None:
            return None
        game, start, seed, clock, outcome, created = row
        seats = self._db.execute(
            "SELECT player, secret, invitation, person FROM seats WHERE id = ? ORDER BY seat", (table,)
        )
        marked = self._db.execute("SELECT marking FROM markings WHERE id = ?", (table,)).fetchone()
        moves = self._db.execute("SELECT text, seconds FROM moves WHERE id = ? ORDER BY number", (table,))
        return Kept(
            table,
            game,
            start,
            seed,
            _pair(clock),
            [Chair(*seat) for seat in seats.fetchall()],
            moves.fetchall(),
            _outcome(outcome),
            created,
            Marking.read(marked[0]) if marked else None,
        )

    def append(self, table: str, number: int, text: str, seconds: float, stood: bool = True) -> None:
        """Keep a move; `number` counts from 0.

        One that did not stand was refused by a referee, who tells nobody but the trier: it is kept, but the
        game is not touched by it, for when it was touched is public.
        """
        with self._writing() as db:
            db.execute("INSERT INTO moves VALUES (?, ?, ?, ?)", (table, number, text, seconds))
            if stood:
                db.execute("UPDATE tables SET touched = ? WHERE id = ?", (time(), table))

    def take_back(self, table: str, number: int) -> None:
        """Forget the moves from this number on, and any end of the game."""
        with self._writing() as db:
            db.execute("DELETE FROM moves WHERE id = ? AND number >= ?", (table, number))
            db.execute("DELETE FROM markings WHERE id = ?", (table,))
            db.execute("UPDATE tables SET outcome = NULL, touched = ? WHERE id = ?", (time(), table))

    def mark(self, table: str, marking: str) -> None:
        """Keep which stones are marked as dead, and who agrees."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO markings VALUES (?, ?)", (table, marking))
            db.execute("UPDATE tables SET touched = ? WHERE id = ?", (time(), table))

    def end(self, table: str, outcome: Outcome) -> None:
        text = json.dumps([outcome.values, outcome.reason])
        with self._writing() as db:
            db.execute("UPDATE tables SET outcome = ?, touched = ? WHERE id = ?", (text, time(), table))

    def seat(self, table: str, number: int, chair: Chair) -> None:
        """Somebody sat down."""
        with self._writing() as db:
            db.execute(
                "UPDATE seats SET player = ?, secret = ?, invitation = ?, person = ? "
                "WHERE id = ? AND seat = ?",
                (chair.player, chair.secret, chair.invitation, chair.person, table, number),
            )

    def delete(self, table: str) -> bool:
        """Forget a game; gives whether there was one."""
        with self._writing() as db:
            for name in ("moves", "seats"):
                db.execute(f"DELETE FROM {name} WHERE id = ?", (table,))
            return db.execute("DELETE FROM tables WHERE id = ?", (table,)).rowcount > 0

    def count(self) -> int:
        """How many games are kept."""
        return int(self._db.execute("SELECT count(*) FROM tables").fetchone()[0])

    def recent(self, count: int) -> Sequence[Listed]:
        """The games that were touched last."""
        return self._list("", (), count, 0)

    def search(
        self, game: str, state: str, who: str, players: Sequence[str] | None, count: int, offset: int
    ) -> tuple[int, Sequence[Listed]]:
        """Games of a kind, in a state, in which a person is called so or one of the players sat.

        Gives how many there are, and of those, the newest first, so many from an offset on.
        """
        wanted, given = [], []
        if game:
            wanted.append("game = ?")
            given.append(game)
        if state in _STATES:
            wanted.append(_STATES[state])
        if players is not None:
            marks = ", ".join("?" * len(players))
            wanted.append(
                "EXISTS (SELECT 1 FROM seats WHERE seats.id = tables.id AND "
                f"(instr(lower(coalesce(person, '')), ?) > 0 OR player IN ({marks})))"
            )
            given += [who.lower(), *players]
        where = f"WHERE {' AND '.join(wanted)} " if wanted else ""
        total = self._db.execute(f"SELECT count(*) FROM tables {where}", given).fetchone()[0]
        return total, self._list(where, given, count, offset)

    def players(self) -> Sequence[tuple[str, str]]:
        """Every game and the names of the players that sat there."""
        return self._db.execute(
            "SELECT DISTINCT game, player FROM tables JOIN seats USING (id) "
            "WHERE player IS NOT NULL LIMIT 900"
        ).fetchall()

    def _list(self, where: str, given: Sequence[str], count: int, offset: int) -> Sequence[Listed]:
        rows = self._db.execute(
            "SELECT id, game, outcome, touched, (SELECT count(*) FROM moves WHERE moves.id = tables.id) "
            f"FROM tables {where}ORDER BY touched DESC LIMIT ? OFFSET ?",
            (*given, count, offset),
        ).fetchall()
        listed = []
        for table, game, outcome, touched, moves in rows:
            seats = self._db.execute("SELECT player, person FROM seats WHERE id = ? ORDER BY seat", (table,))
            players, people = map(list, zip(*seats.fetchall(), strict=True))
            listed.append(Listed(table, game, players, people, moves, _outcome(outcome), touched))
        return listed


def _outcome(text: str | None) -> Outcome | None:
    if text is None:
        return None
    values, reason = json.loads(text)
    return Outcome(tuple(values), reason)


def _pair(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    first, second = json.loads(text)
    return float(first), float(second)
