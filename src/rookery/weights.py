"""Where weights lie: in a file, in a run's newest checkpoint, or in the zoo that comes with Rookery."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery import cards, checkpoint
from rookery.errors import CheckpointMismatch, describe, quote, warn

FILE = "weights.safetensors"
LARGEST = 1e30
"""Beyond it no weight means anything, and a sum of some thousands may be infinite."""

Arrays = Mapping[str, NDArray[np.float32]]


def find(source: str, file: str = FILE) -> Path:
    """The file of weights that a name means: the file itself, a folder with it, a run, one of the zoo.

    Raises:
        CheckpointMismatch: there are none.
    """
    if card := cards.zoo().get(source):
        return cards.ZOO / (card.weights or source) / file
    path = Path(source)
    try:
        if path.is_file():
            return path
        if (path / file).is_file():
            return path / file
        damaged: list[str] = []
        for folder in sorted(path.glob("checkpoints/[0-9]*"), reverse=True):
            if (folder / file).is_file():
                if (why := _damage(folder, file)) is None:
                    for each in damaged:
                        warn(f"{each}; the weights of {folder.name} are taken")
                    return folder / file
                damaged.append(why)
        if damaged:
            raise CheckpointMismatch("; ".join(damaged))
        if (path / "config.toml").is_file():
            raise CheckpointMismatch(
                f"{source} is a run that has no {file} yet; wait for its first checkpoint"
            )
    except (OSError, ValueError) as error:  # a name too long, or with what no file's name may have
        raise CheckpointMismatch(f"no {file} at {quote(source)}: {describe(error)}") from None
    raise CheckpointMismatch(f"no {file} at {quote(source)}: it is neither a file, nor a run, nor in the zoo")


def _damage(folder: Path, file: str) -> str | None:
    """What is wrong with a file of a checkpoint; nothing, where nobody wrote down what it should be."""
    if not (folder / checkpoint.PROGRESS).exists():
        return None
    try:
        checkpoint.check(folder, file)
    except checkpoint.Damaged as error:
        return f"{folder} is damaged: {error}"
    return None


def hash_of(path: Path) -> str:
    """What a file holds, in a few letters."""
    return f"sha256:{sha256(path.read_bytes()).hexdigest()}"


def write(path: Path, kind: str, version: int, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """A file of arrays that says what kind of weights they are, in which version, and some facts more."""
    from safetensors.numpy import save

    # One entry: the library keeps several in no order, and equal weights shall make equal files.
    said = json.dumps({"kind": kind, "version": version, **facts})
    ordered = {name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}
    # Not written by the library, whose errors would not say what the disk said.
    path.write_bytes(save(ordered, {"rookery": said}))


def read(path: Path, kind: str, version: int) -> tuple[Mapping[str, Any], Arrays]:
    """The facts and the arrays that `write` wrote: plain numbers, none of them beyond all use.

    Raises:
        CheckpointMismatch: the file holds none of that kind and version.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "numpy") as file:
            said = (file.metadata() or {}).get("rookery", "{}")
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no dict
    except (OSError, SafetensorError, TypeError, ValueError, MemoryError) as error:
        raise CheckpointMismatch(f"{path} cannot be read as weights: {describe(error)}") from None
    facts = _read_facts(path, said)
    if (facts.get("kind"), facts.get("version")) != (kind, version):
        found = f"{facts.get('kind', 'nothing')} {facts.get('version', '')}".strip()
        raise CheckpointMismatch(f"{path} holds {quote(found)}, not weights of {kind} (version {version})")
    for name, array in arrays.items():
        if array.dtype != np.float32:
            raise CheckpointMismatch(f"{path}: {quote(name)} must be float32 (got {array.dtype})")
        if not (np.abs(array) <= LARGEST).all():  # NaN is not
            raise CheckpointMismatch(f"{path}: {quote(name)} holds NaN or numbers beyond {LARGEST:g}")
    return facts, arrays


def _read_facts(path: Path, said: str) -> Mapping[str, Any]:
    try:
        facts = json.loads(said)
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict):
        raise CheckpointMismatch(f"{path} does not say what it holds: its metadata is {quote(said)}")
    return facts
