"""A window of samples: the newest that self-play has made, as a ring in the device's memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


@dataclass(frozen=True)
class Field:
    """One part of a sample."""

    kind: torch.dtype
    shape: tuple[int, ...] = ()
    unit: int = 0
    """Samples come as whole numbers, 16 bits each, of which so many make 1; 0: they come as they are kept."""


class Window:
    """The newest samples of one kind."""

    def __init__(self, fields: Mapping[str, Field], capacity: int, device: torch.device) -> None:
        self.capacity = capacity
        self.total = 0
        """Rows ever added."""
        self._fields = dict(fields)
        self._device = device
        self._stream = torch.cuda.Stream() if device.type == "cuda" else None
        self.rows = {
            name: torch.zeros((capacity, *field.shape), dtype=field.kind, device=device)
            for name, field in fields.items()
        }

    def add(self, samples: Mapping[str, NDArray[Any]]) -> int:
        """Samples as native self-play gives them: an array a field, a row a sample."""
        count = min(_length(samples), self.capacity)
        if count == 0:
            return 0
        places = self._places(self.total, count)
        for name, rows in self.rows.items():
            array = samples[name][-count:]
            if unit := self._fields[name].unit:
                array = (array / np.float32(unit)).astype(np.float16)
            rows[places] = self._upload(np.ascontiguousarray(array))
        self.total += count
        return count

    def restart(self, samples: Mapping[str, NDArray[Any]]) -> None:
        """Hold these alone, out of a checkpoint.

        Raises:
            ValueError: they are no samples of this kind.
        """
        count = _length(samples)
        for name, rows in self.rows.items():
            if samples[name].shape != (count, *rows.shape[1:]) or samples[name].dtype.kind not in "iuf":
                raise ValueError(f"{name} is no array of such samples")
        self.total = 0
        self.add(samples)

    def newest(self, count: int) -> dict[str, NDArray[Any]]:
        """The newest rows, oldest first, as `add` takes them."""
        count = min(count, self.total, self.capacity)
        places = self._places(self.total - count, count)
        found = {name: rows[places].cpu().numpy() for name, rows in self.rows.items()}
        for name, field in self._fields.items():
            if field.unit:
                found[name] = np.rint(found[name].astype(np.float32) * field.unit).astype(np.uint16)
        return found

    def draw(self, rng: np.random.Generator, count: int, span: int) -> NDArray[np.int64]:
        """Places of random rows among the newest `span`."""
        back = rng.integers(1, min(span, self.total, self.capacity) + 1, count)
        return (self.total - back) % self.capacity

    def _places(self, first: int, count: int) -> Tensor:
        return (torch.arange(count, device=self._device) + first) % self.capacity

    def _upload(self, array: NDArray[Any]) -> Tensor:
        """A copy on the device. There it has a stream of its own, or it would wait for all work under way."""
        if self._stream is None:
            return torch.from_numpy(array)
        with torch.cuda.stream(self._stream):
            copy = torch.from_numpy(array).to(self._device)
        copy.record_stream(torch.cuda.current_stream())
        return copy


def span(total: int, first: int) -> float:
    """How many of so many samples are learnt from: all up to `first`, then by KataGo's power law.

    Wu 2019, section 4.
    """
    if total <= first:
        return total
    return first * (1 + 0.4 * ((total / first) ** 0.75 - 1) / 0.75)


def _length(samples: Mapping[str, NDArray[Any]]) -> int:
    return len(next(iter(samples.values())))
