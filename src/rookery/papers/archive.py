"""A study in one file, so that its work can be checked or gone on with on another machine.

The file is a tar of xz with all that the pieces of the study gave and wrote, and what people noted on it: not
the report, which the same command writes again, not the data that it was lent, and no logs.
"""

from __future__ import annotations

import io
import lzma
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from rookery import durable
from rookery.errors import RookeryError, describe
from rookery.papers.report import NOTES

_NOT_KEPT = frozenset(("data", "events"))
"""Folders of data from elsewhere, and of logs for TensorBoard."""
_LARGEST = 1 << 30
"""Bytes that an archive may hold, headers and all: more is no study of ours."""
_HEADER = 1 << 15
"""Bytes that are read between two files, at most: padding, a header with its names, and some ahead."""


def pack(folder: Path, archive: Path) -> None:
    """Put what the study in a folder has finished into an archive. The same work gives the same bytes.

    Raises:
        RookeryError: it is more than `unpack` takes.
    """
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz") as tar:
        for path in sorted(_work(folder)):
            member = tarfile.TarInfo(path.relative_to(folder).as_posix())
            member.size = path.stat().st_size
            if tar.offset + len(member.tobuf()) + member.size > _LARGEST:
                raise RookeryError(
                    f"{folder} holds more than {_LARGEST >> 20} MiB, which no archive of a study may"
                )
            with path.open("rb") as file:
                tar.addfile(member, file)
    durable.write(archive, content.getvalue())


def unpack(archive: Path, folder: Path) -> int:
    """Put the files of an archive into a study's folder, but those that are there; how many were put.

    Raises:
        RookeryError: it is no archive of a study. What was put before that showed is whole.
    """
    put = 0
    try:
        with _Unpacked(archive) as content, tarfile.open(fileobj=content, mode="r|") as tar:
            for member in tar:
                place = _place(folder, member)
                if member.offset_data + member.size > _LARGEST:
                    raise ValueError(f"it holds more than {_LARGEST >> 20} MiB")
                content.left = member.size + _HEADER
                source = tar.extractfile(member)
                if place.exists() or source is None:
                    continue
                place.parent.mkdir(parents=True, exist_ok=True)
                durable.write(place, source.read())
                put += 1
    except (tarfile.TarError, lzma.LZMAError, EOFError, ValueError) as error:
        raise RookeryError(f"{archive} is no archive of a study: {describe(error)[:200]}") from None
    return put


class _Unpacked(lzma.LZMAFile):
    """The bytes of the tar, so many at a time: `tarfile` reads a header whole, of whatever size it says."""

    left = _HEADER

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.left -= len(data)
        if self.left < 0:
            raise ValueError("no file of a study has a header so long")
        return data


def _work(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        parts = path.relative_to(folder).parts
        of_study = len(parts) > 1 or parts == (NOTES,)
        kept = of_study and not _NOT_KEPT & set(parts) and path.suffix != durable.ASIDE
        if kept and path.is_file() and not path.is_symlink():
            yield path


def _place(folder: Path, member: tarfile.TarInfo) -> Path:
    """Where a member goes: below the folder, and never into what was lent to the study.

    Raises:
        ValueError: it is nothing that `pack` writes.
    """
    name = PurePosixPath(member.name)
    at_top = len(name.parts) < 2 and name.parts != (NOTES,)
    strange = name.is_absolute() or at_top or {"..", *_NOT_KEPT} & set(name.parts)
    # A sparse file holds less than it says, so it would count for less than it takes.
    if strange or not member.isreg() or member.issparse() or member.size < 0:
        raise ValueError(f"{member.name[:100]!a} is no file of a study")
    return folder / name
