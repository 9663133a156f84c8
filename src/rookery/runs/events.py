"""The metrics of a run for TensorBoard. metrics.jsonl is the truth; these files are made from it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from socket import gethostname
from time import time
from types import TracebackType
from typing import Any

from rookery import durable
from rookery.errors import describe, warn


class Events:
    """A folder of TensorBoard scalars; without TensorBoard it stays away and does nothing.

    A disk that is full ends it with a warning: the run does not depend on it. (TensorBoard's own writer has a
    thread, whose errors nobody hears.)
    """

    def __init__(self, folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
        """lines: what was told before. Old files may hold steps that a resumed run tells again: they go."""
        shutil.rmtree(folder, ignore_errors=True)
        self._writer: Any = None
        try:
            from tensorboard.compat.proto.event_pb2 import Event
            from tensorboard.summary.writer.record_writer import RecordWriter
        except ImportError:
            return
        self._path = folder / f"events.out.tfevents.{time():010.0f}.{gethostname()}.{os.getpid()}"
        try:
            folder.mkdir()
            self._writer = RecordWriter(self._path.open("wb", buffering=0))
        except OSError as error:
            self._give_up(error)
        self._write(Event(wall_time=time(), file_version="brain.Event:2"))
        for line in lines:
            self.add(line)

    def add(self, line: Mapping[str, Any]) -> None:
        """One line of metrics.jsonl."""
        if self._writer is None:
            return
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        numbers = {
            key: value for key, value in line.items() if isinstance(value, int | float) and key != "step"
        }
        values = [Summary.Value(tag=key, simple_value=value) for key, value in numbers.items()]
        self._write(Event(step=line["step"], wall_time=time(), summary=Summary(value=values)))

    def _write(self, event: Any) -> None:
        if self._writer is None:
            return
        try:
            with durable.naming(self._path):
                self._writer.write(event.SerializeToString())
                self._writer.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        self._writer = None
        warn(f"{describe(error)}; TensorBoard hears no more of this sitting")

    def __enter__(self) -> Events:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.close()
