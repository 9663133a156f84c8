"""Games out of PGN files into a store. Killed at any instant, it goes on where it was.

While it works the folder holds the parts and `import.json`: how long the parts were when all of them had
reached the disk, and where in which file the next game begins. What was written after that is cut off and
read again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from rookery import durable, native
from rookery.errors import BadOption, BadStore, RookeryError
from rookery.records import archive, store

_PROGRESS = "import.json"
_EVERY = 10.0
"""Seconds after which what was read is made safe."""
RESULTS = {"1-0": 1, "1/2-1/2": 0, "0-1": -1, "*": 2}


@dataclass(frozen=True)
class Filter:
    """Which games are kept. One whose rating or date is unknown fits no bound of it."""

    min_elo: int = 0
    """Of both players; 0: any."""
    max_elo: int = 0
    results: tuple[str, ...] = tuple(RESULTS)
    min_plies: int = 1
    max_plies: int = 65535
    since: int = 0
    """yyyymmdd; 0: any."""
    until: int = 0

    def native(self, headers: np.ndarray[Any, Any], moves: int, texts: int) -> native.PgnImporter:
        """What reads PGN into a store that has these games."""
        return native.PgnImporter(
            min_elo=self.min_elo,
            max_elo=self.max_elo,
            results=[RESULTS[each] for each in self.results],
            min_plies=self.min_plies,
            max_plies=self.max_plies,
            since=self.since,
            until=self.until,
            ids=np.ascontiguousarray(headers["id"]),
            moves_size=moves,
            texts_size=texts,
        )

    def fits(self, games: store.Store) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The same of the games of a store: which it keeps."""
        white, black = games.elos[:, 0], games.elos[:, 1]
        keep = np.isin(games.results, [RESULTS[each] for each in self.results])
        keep &= (games.plies >= self.min_plies) & (games.plies <= self.max_plies)
        if self.min_elo:
            keep &= (white >= self.min_elo) & (black >= self.min_elo)
        if self.max_elo:
            keep &= (white > 0) & (black > 0) & (white <= self.max_elo) & (black <= self.max_elo)
        if self.since or self.until:
            keep &= (games.dates > 0) & (games.dates >= self.since)
            keep &= games.dates <= (self.until or 99999999)
        return keep


@dataclass
class Counts:
    """What became of the games: `read` is the sum of all the others but plies and seconds."""

    read: int = 0
    kept: int = 0
    duplicates: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """By the reason."""
    plies: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class Step:
    """How far an import has come."""

    counts: Counts
    done: int
    """Bytes of the files."""
    total: int


Listener = Callable[[Step], None]


def run(files: Sequence[Path], to: Path, keep: Filter, tell: Listener = lambda step: None) -> Counts:
    """Read the games of all files into a new store; the same call goes on with one that did not end.

    Raises:
        BadStore: the folder is something else.
        BadArchive: a file cannot be unpacked.
        OSError: a file cannot be read, or a part cannot be written.
    """
    if not files:
        raise BadOption("there must be a file to import")
    sources = [_source(path) for path in files]
    if to.is_file():
        raise BadStore(f"{to} is a file; name a folder that the store is written to")
    to.mkdir(parents=True, exist_ok=True)
    held = durable.open_alone(to, BadStore(f"{to}: another program is writing this store; wait for it"))
    try:
        if (to / store.MANIFEST).exists():
            return _finished(to, sources, keep)
        return _Import(files, sources, to, keep, tell).run()
    finally:
        os.close(held)


def _source(path: Path) -> dict[str, Any]:
    status = path.stat()
    if path.is_dir():
        raise RookeryError(f"{path} is a folder; name the files in it")
    return {"name": path.name, "bytes": status.st_size}


def _finished(to: Path, sources: Sequence[Mapping[str, Any]], keep: Filter) -> Counts:
    """What was counted when the store was made, if it was made of the same."""
    said = store.Store.open(to).manifest
    try:
        made_of = [{"name": one["name"], "bytes": one["bytes"]} for one in said["sources"]]
        if made_of == list(sources) and said["filter"] == json.loads(json.dumps(asdict(keep))):
            return Counts(**said["counts"])
    except (KeyError, TypeError):
        pass
    raise BadStore(f"{to} is a store of other games; choose another place")


class _Import:
    def __init__(
        self,
        files: Sequence[Path],
        sources: Sequence[dict[str, Any]],
        to: Path,
        keep: Filter,
        tell: Listener,
    ) -> None:
        self._files, self._to, self._keep, self._tell = files, to, keep, tell
        self._asked = {"sources": list(sources), "filter": json.loads(json.dumps(asdict(keep)))}
        self._total = sum(one["bytes"] for one in sources)
        self._file, self._at = 0, 0  # which file, and where in what it holds the next game begins
        self._sizes = dict.fromkeys(store.PARTS, 0)
        self._sums: list[str] = []
        self._before = Counts()

    def run(self) -> Counts:
        self._take_up()
        with contextlib.ExitStack() as stack:
            self._parts = {part: stack.enter_context((self._to / part).open("ab")) for part in store.PARTS}
            for part, file in self._parts.items():
                file.truncate(self._sizes[part])
            headers = np.fromfile(self._to / "headers", store.HEADER)
            self._importer = self._keep.native(headers, self._sizes["moves"], self._sizes["texts"])
            self._began = self._saved = perf_counter()
            while self._file < len(self._files):
                self._read(self._files[self._file])
            self._save()
        counts = self._counts()
        sources = [
            {**one, "sha256": found} for one, found in zip(self._asked["sources"], self._sums, strict=True)
        ]
        said = {"plies": counts.plies, "sources": sources, "filter": self._asked["filter"]}
        manifest = store.seal(self._to, {**said, "counts": asdict(counts)})
        durable.write(self._to / store.MANIFEST, json.dumps(manifest, indent=1) + "\n")
        (self._to / _PROGRESS).unlink(missing_ok=True)
        return counts

    def _read(self, path: Path) -> None:
        read = sum(one["bytes"] for one in self._asked["sources"][: self._file])
        digest = hashlib.sha256()

        def hear(data: bytes) -> None:
            nonlocal read
            digest.update(data)
            read += len(data)

        start = self._at
        for chunk in archive.chunks(path, start, hear):
            self._feed(chunk, last=False)
            self._at = start + self._importer.consumed
            if perf_counter() - self._saved > _EVERY:
                self._save()
            self._tell(Step(self._counts(), read, self._total))
        self._feed(b"", last=True)
        self._sums.append(digest.hexdigest())
        self._file, self._at = self._file + 1, 0
        self._save()

    def _feed(self, data: bytes, last: bool) -> None:
        self._importer.feed(data, last)
        for part, found in zip(store.PARTS, self._importer.take(), strict=True):
            with durable.naming(self._to / part):
                self._parts[part].write(found)
            self._sizes[part] += len(found)

    def _counts(self) -> Counts:
        now, before = self._importer.counts, self._before
        skipped = dict(sorted((Counter(before.skipped) + Counter(self._importer.skipped)).items()))
        return Counts(
            read=before.read + now["read"],
            kept=before.kept + now["kept"],
            duplicates=before.duplicates + now["duplicates"],
            skipped=skipped,
            plies=before.plies + now["plies"],
            seconds=round(before.seconds + perf_counter() - self._began, 3),
        )

    def _save(self) -> None:
        for part, file in self._parts.items():
            with durable.naming(self._to / part):
                file.flush()
                os.fsync(file.fileno())
        said = {"asked": self._asked, "file": self._file, "at": self._at, "sizes": self._sizes}
        said |= {"sums": self._sums, "counts": asdict(self._counts())}
        durable.write(self._to / _PROGRESS, json.dumps(said))
        self._saved = perf_counter()

    def _take_up(self) -> None:
        """Where the import stood, if it had begun."""
        path = self._to / _PROGRESS
        try:
            said = json.loads(path.read_bytes())
        except FileNotFoundError:
            if strange := [each.name for each in self._to.iterdir() if each.name not in store.PARTS]:
                raise BadStore(
                    f"{self._to} holds {strange[0]!r}, and is no store; choose another place"
                ) from None
            return
        except (ValueError, RecursionError):
            raise BadStore(
                f"{path} has changed since it was written; delete {self._to} and import again"
            ) from None
        try:
            if said["asked"] != self._asked:
                raise BadStore(
                    f"{self._to} holds an import of other games that did not end; choose another place"
                )
            self._file, self._at = int(said["file"]), int(said["at"])
            self._sizes = {part: int(said["sizes"][part]) for part in store.PARTS}
            self._sums = [str(each) for each in said["sums"]]
            self._before = Counts(**said["counts"])
            self._before.skipped = Counter({str(why): int(n) for why, n in self._before.skipped.items()})
            for part, size in self._sizes.items():
                if (self._to / part).stat().st_size < size:
                    raise BadStore(
                        f"{self._to}: {part} is shorter than it was; delete {self._to} and import again"
                    )
        except (KeyError, TypeError, ValueError, AttributeError, FileNotFoundError):
            raise BadStore(
                f"{path} has changed since it was written; delete {self._to} and import again"
            ) from None
