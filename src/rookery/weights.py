"""Where weights lie: in a file, in a run's newest checkpoint, or in the zoo that comes with Rookery."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.errors import CheckpointMismatch

ZOO = Path(__file__).parent / "zoo"
FILE = "weights.safetensors"

Arrays = Mapping[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Card:
    """What the zoo says of one of its players."""

    name: str
    """The name of its knowledge in players' names: `go5/koten`."""
    knowledge: str
    """The kind of knowledge that reads its weights: `td`."""
    player: str
    """The player that people should meet: `greedy+go5/koten`."""
    games: tuple[str, ...]
    title: str
    """One line for people."""


@cache
def zoo() -> Mapping[str, Card]:
    """Everything in the zoo by name. A folder with a card.toml is in it."""
    cards = {}
    for path in sorted(ZOO.rglob("card.toml")):
        said = tomllib.loads(path.read_text())
        name = path.parent.relative_to(ZOO).as_posix()
        cards[name] = Card(name, said["knowledge"], said["player"], tuple(said["games"]), said["title"])
    return cards


def find(source: str, file: str = FILE) -> Path:
    """The file of weights that a name means: the file itself, a folder with it, a run, one of the zoo.

    Raises:
        CheckpointMismatch: there are none.
    """
    if source in zoo():
        return ZOO / source / file
    path = Path(source)
    if path.is_file():
        return path
    if (path / file).is_file():
        return path / file
    checkpoints = sorted(path.glob("checkpoints/[0-9]*"))
    if checkpoints and (checkpoints[-1] / file).is_file():
        return checkpoints[-1] / file
    if (path / "config.toml").is_file():
        raise CheckpointMismatch(f"{source} is a run that has no {file} yet; wait for its first checkpoint")
    raise CheckpointMismatch(f"no {file} at {source!r}: it is neither a file, nor a run, nor in the zoo")


def write(path: Path, kind: str, version: int, facts: Mapping[str, Any], arrays: Arrays) -> None:
    """A file of arrays that says what kind of weights they are, in which version, and some facts more."""
    from safetensors.numpy import save_file

    # One entry: the library keeps several in no order, and equal weights shall make equal files.
    said = json.dumps({"kind": kind, "version": version, **facts})
    save_file({name: np.ascontiguousarray(arrays[name]) for name in sorted(arrays)}, path, {"rookery": said})


def read(path: Path, kind: str, version: int) -> tuple[Mapping[str, Any], Arrays]:
    """The facts and the arrays that `write` wrote.

    Raises:
        CheckpointMismatch: the file holds none of that kind and version.
    """
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "numpy") as file:
            facts = json.loads((file.metadata() or {}).get("rookery", "{}"))
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118, it is no dict
    except (OSError, SafetensorError) as error:
        raise CheckpointMismatch(f"{path} cannot be read as weights: {error}") from None
    if (facts.get("kind"), facts.get("version")) != (kind, version):
        said = f"{facts.get('kind', 'nothing')} {facts.get('version', '')}".strip()
        raise CheckpointMismatch(f"{path} says that it holds {said}; {kind} {version} would do")
    return facts, arrays
