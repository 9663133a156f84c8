"""A study: the work on one paper, in a folder, piece by piece, over several processes; what is done is kept.

A piece is a function of a module and what it is called with. It works in the study's folder, so the paths
that it is given or gives are relative to that, and the folder may be moved. Its result lies in pieces/ as
JSON, with the commit and the machine that made it and the time that it took, written aside and renamed; a
second start finds it there and goes on with what is missing. So a kill costs the pieces under way, and two
programs never work in one folder.
"""

from __future__ import annotations

import json
import os
import platform
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import chdir
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any

from rookery import durable, native
from rookery.arena.workers import deaf, leave_it_to_parent, leave_with_parent
from rookery.errors import RookeryError, warn


@dataclass(frozen=True)
class Piece:
    """Work that gives something JSON can hold; the function is one of a module, not made on the spot."""

    work: Callable[..., Any]
    arguments: Mapping[str, Any]
    unasked: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that change the time and never the result, such as a number of threads."""
    cores: int = 1
    """How many it keeps busy."""
    gpu: bool = False
    """Whether it needs the GPU, of which a study lends one, to one piece at a time."""

    @property
    def asked(self) -> str:
        """What was asked for, to tell whether a kept result answers it."""
        return json.dumps(
            [self.work.__module__, self.work.__qualname__, dict(self.arguments)], sort_keys=True
        )


@dataclass(frozen=True)
class Done:
    """What a piece may give in place of its result alone: with the time that it took in all sittings."""

    result: Any
    seconds: float


@dataclass(frozen=True)
class Progress:
    """How far the pieces of one stage are."""

    stage: str
    done: int
    of: int


class Study:
    """A folder to work in, alone until it is closed. With no workers the work is done in this process."""

    def __init__(
        self,
        out: Path,
        workers: int = 0,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        commit: str = "unknown",
        without: Collection[str] = (),
    ) -> None:
        self.out = out.absolute()
        self.workers = workers
        self.without = frozenset(without)
        """Stages whose missing pieces are not done: what is kept of them is all there is."""
        self._on_progress = on_progress
        self._commit = commit
        self._began = perf_counter()
        self._used: dict[Path, dict[str, Any]] = {}
        (self.out / "pieces").mkdir(parents=True, exist_ok=True)
        busy = RookeryError(f"another program is at work in {out}; wait for it, or name another folder")
        self._held = durable.open_alone(self.out / "pieces", busy)

    def close(self) -> None:
        os.close(self._held)

    def __enter__(self) -> Study:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def lend(self, name: str, data: Path) -> None:
        """Let pieces find data from elsewhere as `data/NAME`, whatever it was before."""
        place = self.out / "data" / name
        place.parent.mkdir(exist_ok=True)
        if place.is_symlink():
            place.unlink()
        elif place.exists():
            raise RookeryError(f"{place} is there already and no link; move it away first")
        place.symlink_to(data.absolute())

    def cores_each(self, pieces: int) -> int:
        """How many cores each of so many pieces may have if all are to be under way at a time."""
        return max(1, self.workers // max(1, pieces))

    def do(self, stage: str, pieces: Mapping[str, Piece]) -> dict[str, Any]:
        """The results of all pieces of a stage by name; those kept from before are not done again.

        Of a stage that the study goes without, only those.
        """
        for piece in pieces.values():
            if str(self.out) in piece.asked:
                raise ValueError(f"a piece of {stage!r} names the study's folder; write paths relative to it")
        missing = {name: piece for name, piece in pieces.items() if not self._kept(stage, name, piece)}
        if stage in self.without:
            pieces = {name: piece for name, piece in pieces.items() if name not in missing}
            missing = {}
        tell = self._counter(stage, len(pieces), len(pieces) - len(missing))
        if self.workers and len(missing) > 1:
            self._do_aside(stage, missing, tell)
        else:
            for name, piece in missing.items():
                self._keep(stage, name, piece, *_timed(piece, self.out))
                tell()
        results = {}
        for name, piece in pieces.items():
            kept = self._used[self._path(stage, name)] = self._kept(stage, name, piece)
            results[name] = kept["result"]
        return results

    @property
    def seconds(self) -> float:
        """The time that the pieces asked for so far took, each by itself, in all sittings."""
        return float(sum(piece["seconds"] for piece in self._used.values()))

    @property
    def commits(self) -> Counter[str]:
        """How many of them each commit made."""
        return Counter(piece.get("commit", "unknown") for piece in self._used.values())

    @property
    def stages(self) -> dict[str, Counter[str]]:
        """How many pieces each stage had, and the seconds that they took."""
        found: dict[str, Counter[str]] = {}
        for path, piece in self._used.items():
            found.setdefault(path.parent.name, Counter()).update(pieces=1, seconds=piece["seconds"])
        return found

    @property
    def machines(self) -> Counter[str]:
        """How many pieces each machine made."""
        return Counter(piece.get("machine", "unknown") for piece in self._used.values())

    @property
    def sitting(self) -> float:
        """The seconds since this sitting began."""
        return perf_counter() - self._began

    def _do_aside(self, stage: str, missing: Mapping[str, Piece], tell: Callable[[], None]) -> None:
        with deaf():
            pool = ProcessPoolExecutor(
                min(self.workers, len(missing)), mp_context=get_context("spawn"), initializer=_begin
            )
        waiting, running = dict(missing), dict[Future[Any], str]()
        try:
            while waiting or running:
                for name, piece in list(waiting.items()):
                    if self._fits(piece, [missing[other] for other in running.values()]):
                        with deaf():
                            running[pool.submit(_timed, waiting.pop(name), self.out)] = name
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    name = running.pop(done)
                    self._keep(stage, name, missing[name], *done.result())
                    tell()
        except BrokenProcessPool:
            raise RookeryError(
                f"a process that worked on {stage!r} was killed, perhaps for want of memory; "
                f"what is finished lies in {self.out}, and the same command goes on"
            ) from None
        except BaseException:
            # Nobody waits for the pieces under way: what they would give is lost, and done again next time.
            for process in list((pool._processes or {}).values()):
                process.kill()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _fits(self, piece: Piece, running: list[Piece]) -> bool:
        """Whether there are cores for it, and the GPU if it needs it; alone everything fits."""
        cores = sum(other.cores for other in running) + piece.cores
        gpus = sum(other.gpu for other in running) + piece.gpu
        return not running or (cores <= self.workers and gpus <= 1)

    def _counter(self, stage: str, of: int, done: int) -> Callable[[], None]:
        count = [done]
        self._on_progress(Progress(stage, done, of))

        def tell() -> None:
            count[0] += 1
            self._on_progress(Progress(stage, count[0], of))

        return tell

    # --- the folder ----------------------------------------------------------------------------------

    def _path(self, stage: str, name: str) -> Path:
        return self.out / "pieces" / stage / f"{name}.json"

    def _kept(self, stage: str, name: str, piece: Piece) -> Any:
        kept = self._read(self._path(stage, name))
        return kept if kept and kept["asked"] == piece.asked else None

    def _read(self, path: Path) -> dict[str, Any] | None:
        """A kept piece; one that is damaged is done again."""
        try:
            kept = json.loads(path.read_bytes())
            sound = {"asked", "seconds", "result"} <= kept.keys() and isinstance(kept["seconds"], int | float)
        except FileNotFoundError:
            return None
        except (ValueError, AttributeError, RecursionError):
            sound = False
        if not sound:
            warn(f"{path} is damaged; this piece is done again")
        return kept if sound else None

    def _keep(self, stage: str, name: str, piece: Piece, result: Any, seconds: float) -> None:
        path = self._path(stage, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        made = {"asked": piece.asked, "commit": self._commit, "machine": machine()}
        took = {"seconds": seconds, "cores": piece.cores}
        durable.write(path, json.dumps({**made, **took, "result": result}))


def machine() -> str:
    """The processor and the native core that runs on it."""
    info = Path("/proc/cpuinfo")
    model = re.search(r"^model name\s*:\s*(.+)$", info.read_text() if info.exists() else "", re.MULTILINE)
    return f"{model[1] if model else platform.machine()}, core {native.level}"


def _begin() -> None:
    leave_it_to_parent()
    leave_with_parent()


def _timed(piece: Piece, folder: Path) -> tuple[Any, float]:
    """Its result and its time. A part of it may have been done in an earlier sitting: then `Done` says so."""
    began = perf_counter()
    with chdir(folder):
        result = piece.work(**piece.arguments, **piece.unasked)
    seconds = perf_counter() - began
    return (result.result, max(seconds, result.seconds)) if isinstance(result, Done) else (result, seconds)
