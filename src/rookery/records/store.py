"""A store of games: a folder that is mapped into memory and never changes once it is written.

manifest.json   what it is: format, sources, counts, and the SHA-256 of the other parts
headers         forty bytes a game: `HEADER`
moves           a byte a ply: the number of the move among the legal ones, ascending
texts           the tags of each game, a line each; the first is its FEN where it was set up
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import date as Date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import Outcome, Transcript
from rookery.errors import BadStore
from rookery.records.tree import line

__all__ = ["HEADER", "MANIFEST", "PARTS", "VERSION", "BadStore", "Store", "seal"]

MANIFEST = "manifest.json"
PARTS = ("headers", "moves", "texts")
VERSION = 1
FORMAT = "rookery games"
HEADER = np.dtype(
    [
        ("id", "<u8"),
        ("moves", "<u8"),
        ("text", "<u8"),
        ("date", "<u4"),
        ("plies", "<u2"),
        ("text_size", "<u2"),
        ("elos", "<i2", 2),
        ("result", "i1"),
        ("set_up", "u1"),
        ("unused", "<u2"),
    ]
)
"""A game, as native/records/header.hpp has it."""
_OUTCOMES = {
    1: Outcome((1.0, -1.0), "White won"),
    0: Outcome((0.0, 0.0), "drawn"),
    -1: Outcome((-1.0, 1.0), "Black won"),
}


class Store:
    """The games of a store, counted from 0."""

    def __init__(self, path: Path, manifest: Mapping[str, Any]) -> None:
        self.path = path
        self.manifest = manifest
        headers, moves, texts = (_mapped(path / part) for part in PARTS)
        try:
            self.native = native.ChessStore(headers, moves, texts)
        except BadStore as error:
            raise BadStore(f"{path}: {error}") from None
        self._headers = headers.view(HEADER)

    @classmethod
    def open(cls, path: str | Path) -> Store:
        """The store in a folder.

        Raises:
            BadStore: it is none, one of another version, or not as it was written.
        """
        path = Path(path)
        manifest = _manifest(path)
        try:
            for part in PARTS:
                said, size = manifest["parts"][part]["bytes"], (path / part).stat().st_size
                if said != size:
                    raise BadStore(
                        f"{path}: {part} has {size:,} bytes and not {said:,}; import the games again"
                    )
            if manifest["parts"]["headers"]["bytes"] != manifest["games"] * HEADER.itemsize:
                raise BadStore(f"{path}: {MANIFEST} has changed since it was written")
            if manifest["hash"] != _content(manifest["parts"]):
                raise BadStore(f"{path}: {MANIFEST} has changed since it was written")
        except FileNotFoundError as error:
            raise BadStore(
                f"{path}: {Path(error.filename).name} is missing; import the games again"
            ) from None
        except OSError as error:
            raise BadStore(f"{path}: {error.strerror}") from None
        except (KeyError, TypeError, AttributeError):
            raise BadStore(f"{path}: {MANIFEST} has changed since it was written") from None
        return cls(path, manifest)

    def __len__(self) -> int:
        return len(self._headers)

    @property
    def hash(self) -> str:
        """Of all that it holds: the same games in the same order, wherever they lie."""
        return str(self.manifest["hash"])

    @property
    def plies(self) -> NDArray[np.uint16]:
        return self._headers["plies"]

    @property
    def results(self) -> NDArray[np.int8]:
        """1 White won, 0 drawn, -1 Black won, 2 unknown."""
        return self._headers["result"]

    @property
    def set_up(self) -> NDArray[np.bool_]:
        """Which games began elsewhere than games do."""
        return self._headers["set_up"] != 0

    @property
    def elos(self) -> NDArray[np.int16]:
        """[games, 2], White's first; 0 unknown."""
        return self._headers["elos"]

    @property
    def dates(self) -> NDArray[np.uint32]:
        """yyyymmdd, 00 for unknown parts; 0 unknown."""
        return self._headers["date"]

    @property
    def ids(self) -> NDArray[np.uint64]:
        """Hashes of the moves: the same game has the same id in every store."""
        return self._headers["id"]

    def check(self, threads: int = 1) -> None:
        """Nothing where every byte is as it was written and every game can be played.

        Raises:
            BadStore: it is not.
        """
        for part in PARTS:
            if _sum(self.path / part) != self.manifest["parts"][part]["sha256"]:
                raise BadStore(
                    f"{self.path}: {part} has changed since it was written; import the games again"
                )
        try:
            self.native.check(threads)
        except BadStore as error:
            raise BadStore(f"{self.path}: {error}") from None

    def tags(self, game: int) -> dict[str, str]:
        """What its source says of a game: Event, Site, Round, White, Black, ECO, TimeControl, Termination."""
        lines = self.native.text(game).decode(errors="replace").splitlines()
        return dict(each.split(" ", 1) for each in lines if " " in each)

    def transcript(self, game: int) -> Transcript:
        """One game, to be written in any format."""
        tags = self.tags(game)
        result = int(self.results[game])
        return Transcript(
            game="chess",
            start=self.native.start(game),
            branches=line(native.uci(move) for move in self.native.line(game)),
            players=(tags.get("White", "?"), tags.get("Black", "?")),
            outcome=_OUTCOMES.get(result),
            event=tags.get("Event", ""),
            site=tags.get("Site", ""),
            round=tags.get("Round", ""),
            date=_date(int(self.dates[game])),
        )

    def __iter__(self) -> Iterator[Transcript]:
        return (self.transcript(game) for game in range(len(self)))


def seal(path: Path, said: Mapping[str, Any]) -> dict[str, Any]:
    """The manifest of a folder whose parts are all there; what is said of them goes into it."""
    sizes = {part: (path / part).stat().st_size for part in PARTS}
    parts = {part: {"bytes": sizes[part], "sha256": _sum(path / part)} for part in PARTS}
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": "chess",
        "games": sizes["headers"] // HEADER.itemsize,
        **said,
        "parts": parts,
        "hash": _content(parts),
    }


def _manifest(path: Path) -> dict[str, Any]:
    try:
        said = json.loads((path / MANIFEST).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        if (path / PARTS[0]).exists():
            raise BadStore(f"{path}: its import has not ended; the same command goes on with it") from None
        raise BadStore(f"{path} is no store of games; `rookery data import` makes one") from None
    except OSError as error:
        raise BadStore(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise BadStore(f"{path}: {MANIFEST} has changed since it was written") from None
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise BadStore(f"{path} is no store of games; `rookery data import` makes one")
    if said.get("version") != VERSION or said.get("game") != "chess":
        raise BadStore(f"{path} is a store of another version; import the games again")
    return said


def _mapped(path: Path) -> NDArray[np.uint8]:
    if path.stat().st_size == 0:
        return np.zeros(0, np.uint8)  # nothing cannot be mapped
    return np.asarray(np.memmap(path, np.uint8, "r"))


def _content(parts: Mapping[str, Any]) -> str:
    said = f"{FORMAT} {VERSION} chess " + " ".join(parts[part]["sha256"] for part in PARTS)
    return f"sha256:{hashlib.sha256(said.encode()).hexdigest()}"


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _date(number: int) -> Date | None:
    try:
        return Date(number // 10000, number // 100 % 100, number % 100)
    except ValueError:
        return None
