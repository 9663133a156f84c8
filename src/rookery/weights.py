"""Where weights lie: in a file, in a run's newest checkpoint, or in the zoo that comes with Rookery."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rookery.errors import CheckpointMismatch

ZOO = Path(__file__).parent / "zoo"
FILE = "weights.safetensors"


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
