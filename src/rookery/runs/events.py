"""The metrics of a run for TensorBoard. metrics.jsonl is the truth; these files are made from it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import time
from types import TracebackType
from typing import Any


class Events:
    """A folder of TensorBoard scalars; without TensorBoard it stays away and does nothing."""

    def __init__(self, folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
        """lines: what was told before. Old files may hold steps that a resumed run tells again: they go."""
        shutil.rmtree(folder, ignore_errors=True)
        self._writer: Any = None
        try:
            from tensorboard.summary.writer.event_file_writer import EventFileWriter
        except ImportError:
            return
        self._writer = EventFileWriter(str(folder))
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
        self._writer.add_event(Event(step=line["step"], wall_time=time(), summary=Summary(value=values)))

    def __enter__(self) -> Events:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.close()
