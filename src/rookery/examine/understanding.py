"""Static understanding: pairs of chess positions that differ in one thing, and which of the two is better.

A file has a line for each pair, with fields between bars: kind (material or positional), theme, the position
that is better for White, the position that is worse, each as FEN. Lines that begin with # are remarks. Those
that come along (understanding.txt) are ours; the paper has such positions too, and says only that its network
understands them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rookery import games
from rookery.api import State
from rookery.errors import RookeryError, describe, quote
from rookery.examine.judges import Judge
from rookery.examine.positions import WORTH, Positions

OURS = Path(__file__).parent / "understanding.txt"
KINDS = ("material", "positional")


@dataclass(frozen=True)
class Pair:
    """Two positions, of which the first is better for White."""

    kind: str
    theme: str
    better: State
    worse: State


@dataclass(frozen=True)
class Told:
    """What somebody says of a pair."""

    pair: Pair
    right: float
    """1; a half, if it holds both for equal; 0."""
    logit: float
    """That the better one is."""


def read(path: Path = OURS) -> list[Pair]:
    """The pairs of a file.

    Raises:
        RookeryError: it cannot be read, or has something else.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise RookeryError(f"{quote(path)} cannot be read as pairs: {describe(error)}") from None
    chess, found = games.get("chess"), []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in line.split("|")]
        try:
            if len(fields) != 4 or fields[0] not in KINDS:
                raise ValueError("it must be 'material | theme | FEN | FEN', or the same with positional")
            pair = Pair(fields[0], fields[1], chess.start(fields[2]), chess.start(fields[3]))
            if pair.better == pair.worse:
                raise ValueError("both positions are the same")
        except ValueError as error:
            raise RookeryError(f"{path}, line {number}: {describe(error)}") from None
        found.append(pair)
    if not found:
        raise RookeryError(f"{path} has no pairs")
    return found


def judge(pairs: Sequence[Pair], by: Judge) -> list[Told]:
    """What somebody says of each pair."""
    states = tuple(state for pair in pairs for state in (pair.better, pair.worse))
    places = np.arange(len(states))
    positions = Positions(
        places.astype(np.uint32),
        np.zeros(len(states), np.uint16),
        states,
        np.array([_balance(state) for state in states]),
    )
    by.prepare(positions, lambda count: None)
    logits = by.prefers(places[::2], places[1::2])
    return [
        Told(pair, float(x > 0) + 0.5 * float(x == 0), float(x))
        for pair, x in zip(pairs, logits, strict=True)
    ]


def _balance(state: State) -> int:
    men = [letter for letter in str(state).split()[0] if letter.isalpha()]
    return sum(int(WORTH["PNBRQK".index(man.upper())]) * (1 if man.isupper() else -1) for man in men)
