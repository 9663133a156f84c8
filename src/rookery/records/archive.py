"""Files of games as archives hand them out: plain, or packed by gzip, bzip2 or Zstandard.

What the file begins with tells, not its name.
"""

from __future__ import annotations

import bz2
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import zstandard

from rookery.errors import RookeryError

_READ = 16 << 10
"""Bytes that are read at a time: so many unpacked cannot fill the memory, whoever packed them."""
_CHUNK = 1 << 20
"""Bytes that are handed on at a time, if there are so many."""


class BadArchive(RookeryError):
    """A packed file cannot be unpacked."""


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


_PACKERS: dict[bytes, Callable[[], _Unpacker]] = {
    b"\x1f\x8b": lambda: zlib.decompressobj(wbits=31),
    b"BZh": bz2.BZ2Decompressor,
    b"\x28\xb5\x2f\xfd": lambda: zstandard.ZstdDecompressor(max_window_size=1 << 31).decompressobj(),
}


def chunks(path: Path, skip: int, tell: Callable[[bytes], None]) -> Iterator[bytes]:
    """What a file holds, unpacked, but for the first `skip` bytes of that.

    tell: is called with all bytes of the file itself, as they are read.

    Raises:
        BadArchive: it ends too early, or was packed otherwise.
    """
    waiting, size = [], 0
    for piece in _unpacked(path, tell):
        if skip >= len(piece):
            skip -= len(piece)
            continue
        waiting.append(piece[skip:])
        size += len(piece) - skip
        skip = 0
        if size >= _CHUNK:
            yield b"".join(waiting)
            waiting, size = [], 0
    if size:
        yield b"".join(waiting)


def _unpacked(path: Path, tell: Callable[[bytes], None]) -> Iterator[bytes]:
    with path.open("rb") as file:
        data = file.read(_READ)
        make = next((make for magic, make in _PACKERS.items() if data.startswith(magic)), None)
        unpacker = make() if make else None
        while data:
            tell(data)
            if make is None:
                yield data
            # One file may be several that were packed one after the other.
            while make and data:
                if unpacker is None or unpacker.eof:
                    unpacker = make()
                try:
                    yield unpacker.decompress(data)
                except (OSError, ValueError, EOFError, zlib.error, zstandard.ZstdError):
                    raise BadArchive(f"{path} is damaged; get it again") from None
                data = unpacker.unused_data if unpacker.eof else b""
            data = file.read(_READ)
    if unpacker and not unpacker.eof:
        raise BadArchive(f"{path} ends too early; get the rest of it, and the same command goes on")
