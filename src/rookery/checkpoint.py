"""A checkpoint: a folder with all that a learner needs to go on, and a file that tells whether it is whole.

`run.json` says where the run stood and all that it had told, how long each other file is with its SHA-256,
and the SHA-256 of what it says itself. So what a disk lost or changed is found out before anything is learnt
from it. Checkpoints of older versions have no sums; they count as whole if they can be read.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rookery.errors import RookeryError

PROGRESS = "run.json"
_FILES, _SUM = "files", "sha256"
_OLDER = {"step", "seconds", "metrics_bytes"}
"""What it said before there were sums."""


class Damaged(RookeryError):
    """A checkpoint is not as it was written."""


@dataclass(frozen=True)
class Mark:
    """Where a run stood at a checkpoint."""

    step: int = 0
    seconds: float = 0.0
    metrics: str | None = ""
    """All lines told so far; None where an older version did not keep them."""


def seal(folder: Path, mark: Mark) -> None:
    """Write down where the run stood and what all files of the folder are; none may change afterwards."""
    files = {
        path.relative_to(folder).as_posix(): {"bytes": path.stat().st_size, _SUM: _sum(path)}
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    said: dict[str, Any] = {**asdict(mark), _FILES: files}
    (folder / PROGRESS).write_text(json.dumps({**said, _SUM: _sum_of(said)}))


def read(folder: Path) -> Mark:
    """Where the run stood.

    Raises:
        Damaged: that cannot be told.
    """
    return _read(folder)[0]


def check(folder: Path, only: str | None = None) -> bool:
    """Whether the folder has sums; if it has, they are right, of all its files or of one.

    Raises:
        Damaged: they are not.
    """
    files = _read(folder)[1]
    for name, said in (files or {}).items():
        if only not in (None, name):
            continue
        path = folder / name
        try:
            size = path.stat().st_size
            if size != said["bytes"]:
                raise Damaged(f"{name} has {size:,} bytes and not {said['bytes']:,}")
            if _sum(path) != said[_SUM]:
                raise Damaged(f"{name} has changed since it was written")
        except FileNotFoundError:
            raise Damaged(f"{name} is missing") from None
        except OSError as error:
            raise Damaged(f"{name}: {error.strerror}") from None
    return files is not None


def _read(folder: Path) -> tuple[Mark, dict[str, Any] | None]:
    try:
        said = json.loads((folder / PROGRESS).read_bytes())
        if said.keys() == _OLDER:
            mark, files = Mark(said["step"], said["seconds"], None), None
            whole = type(mark.step) is int and mark.step > 0 and isinstance(mark.seconds, int | float)
        else:
            mark, files = Mark(said["step"], said["seconds"], said["metrics"]), said[_FILES]
            whole = said.pop(_SUM) == _sum_of(said)
        if not whole:
            raise ValueError
    except FileNotFoundError:
        raise Damaged(f"{PROGRESS} is missing") from None
    except OSError as error:
        raise Damaged(f"{PROGRESS}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Damaged(f"{PROGRESS} has changed since it was written") from None
    return mark, files


def _sum_of(said: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
