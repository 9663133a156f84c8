"""Files that survive: written aside, brought to the disk and only then renamed; held by one program at once.

Whatever kills the program, at any instant, a file written here is the old one or the new one, never half of
either. Every error of the system names its file.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rookery.errors import RookeryError

ASIDE = ".part"
"""What the name of a file ends in while it is being written."""


def write(path: Path, content: str | bytes) -> None:
    """Put a file there, or in the place of the one that is there. Its folder must exist.

    Two must not write one file at a time; `open_alone` keeps other programs away.

    Raises:
        OSError: it could not be written; what was there before is still there.
    """
    aside = path.with_name(path.name + ASIDE)
    with naming(path):
        try:
            with aside.open("wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except BaseException:
            with suppress(OSError):
                aside.unlink()  # on a full disk half a file is only in the way
            raise
        bring_to_disk(path.parent)


def bring_to_disk(path: Path) -> None:
    """A file's content, or the names in a folder, survive a power cut once this returns."""
    with naming(path):
        file = os.open(path, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)


def open_alone(path: Path, busy: RookeryError, flags: int = os.O_RDONLY) -> int:
    """Open a file or a folder that no other program holds; to close it is to let it go, and so is any death.

    Raises:
        RookeryError: `busy`, since another program holds it.
    """
    while True:
        with naming(path):
            file = os.open(path, flags, 0o644)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                # Whoever held it may have put another file in its place; then this one is nobody's.
                if _is_there(path, file):
                    return file
            except BlockingIOError:
                os.close(file)
                raise busy from None
            except BaseException:
                os.close(file)
                raise
        os.close(file)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Errors of the system from here say which file they are about, as those of write and fsync do not."""
    try:
        yield
    except OSError as error:
        if error.filename is not None or error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_there(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False
