"""Where a paper's work is done: piece by piece, over several processes, every finished piece kept.

A piece is a function of a module and what it is called with. Its result lies in OUT/pieces as JSON, written
aside and renamed; a second start finds it there and goes on with what is missing. So a kill costs the pieces
under way, and two programs never work on one paper.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from types import TracebackType
from typing import Any

from rookery import durable
from rookery.arena.workers import deaf, leave_it_to_parent, leave_with_parent
from rookery.errors import RookeryError, warn


@dataclass(frozen=True)
class Piece:
    """Work that gives something JSON can hold; the function is one of a module, not made on the spot."""

    work: Callable[..., Any]
    arguments: Mapping[str, Any]

    @property
    def asked(self) -> str:
        """What was asked for, to tell whether a kept result answers it."""
        return json.dumps(
            [self.work.__module__, self.work.__qualname__, dict(self.arguments)], sort_keys=True, default=str
        )


@dataclass(frozen=True)
class Progress:
    """How far the pieces of one stage are."""

    stage: str
    done: int
    of: int


class Desk:
    """A folder to work in, alone until it is closed. With no workers the work is done in this process."""

    def __init__(
        self, out: Path, workers: int = 0, on_progress: Callable[[Progress], None] = lambda progress: None
    ) -> None:
        self.out = out
        self.workers = workers
        self._on_progress = on_progress
        self._began = perf_counter()
        (out / "pieces").mkdir(parents=True, exist_ok=True)
        busy = RookeryError(f"another program is at work in {out}; wait for it, or name another folder")
        self._held = durable.open_alone(out / "pieces", busy)

    def close(self) -> None:
        os.close(self._held)

    def __enter__(self) -> Desk:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def do(self, stage: str, pieces: Mapping[str, Piece]) -> dict[str, Any]:
        """The results of all pieces of a stage by name; those kept from before are not done again."""
        results = {name: self._kept(stage, name, piece) for name, piece in pieces.items()}
        missing = {name: piece for name, piece in pieces.items() if results[name] is None}
        tell = self._counter(stage, len(pieces), len(pieces) - len(missing))
        if self.workers and len(missing) > 1:
            self._do_aside(stage, missing, tell)
        else:
            for name, piece in missing.items():
                self._keep(stage, name, piece, *_timed(piece))
                tell()
        return {name: self._kept(stage, name, piece)["result"] for name, piece in pieces.items()}

    @property
    def seconds(self) -> float:
        """The time that all pieces took, each by itself, in all sittings."""
        kept = (self._read(path) for path in self.out.glob("pieces/*/*.json"))
        return sum(piece["seconds"] for piece in kept if piece)

    @property
    def sitting(self) -> float:
        """The seconds since this sitting began."""
        return perf_counter() - self._began

    def _do_aside(self, stage: str, missing: Mapping[str, Piece], tell: Callable[[], None]) -> None:
        with deaf():
            pool = ProcessPoolExecutor(
                min(self.workers, len(missing)), mp_context=get_context("spawn"), initializer=_begin
            )
        try:
            with deaf():
                running: dict[Future[Any], str] = {
                    pool.submit(_timed, piece): name for name, piece in missing.items()
                }
            while running:
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
        durable.write(path, json.dumps({"asked": piece.asked, "seconds": seconds, "result": result}))


def _begin() -> None:
    leave_it_to_parent()
    leave_with_parent()


def _timed(piece: Piece) -> tuple[Any, float]:
    began = perf_counter()
    return piece.work(**piece.arguments), perf_counter() - began
