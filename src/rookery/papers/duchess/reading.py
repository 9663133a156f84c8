"""Numbers read off the weights of Duchess: of each seed, and their mean with its error."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.evaluators.duchess_features import KINDS, Features
from rookery.papers.measure import Measured, mean

Weights = NDArray[np.floating[Any]]
Read = Callable[[Weights], float]
"""Some number of the weights of one team."""
FEATURES = Features(4)
INITIAL = FEATURES.initial()
NAMES = [square.name for square in FEATURES.squares]
CENTRE = [square.name for square in FEATURES.squares if square.distance <= 2]
"""The Vortex and what lies within two King's moves of it."""
OWN_FLAP, PARTNERS_FLAP = "1", "4"
"""Of the odd team's player to move, as squares are named."""


def of(rows: Sequence[Weights], read: Read) -> list[float]:
    """A number of each seed's weights: the mean of the two teams."""
    return [fmean(float(read(row)) for row in each) for each in rows]


def over(rows: Sequence[Weights], read: Read) -> Measured:
    return mean(of(rows, read))


def of_odd(rows: Sequence[Weights], read: Read) -> Measured:
    """Of the odd team alone, whose squares these are."""
    return mean([float(read(each[0])) for each in rows])


def material(kind: str) -> Read:
    return lambda row: float(FEATURES.material(row)[KINDS.index(kind)])


def wizards(row: Weights) -> float:
    return float(FEATURES.wizards(row)[0])


def check(player: int) -> Read:
    return lambda row: float(FEATURES.check(row)[player])


def mate(player: int) -> Read:
    return lambda row: float(FEATURES.mate(row)[player])


def bias(row: Weights) -> float:
    return float(row[0])


def meets(
    who: Collection[int],
    whom: Collection[int],
    by: Collection[str] = KINDS,
    on: Collection[str] = KINDS,
) -> Read:
    """The mean weight of some players' pieces attacking or defending others', of pairs that ever met."""

    def read(row: Weights) -> float:
        kinds = [KINDS.index(kind) for kind in by], [KINDS.index(kind) for kind in on]
        block = FEATURES.attacks(row)[np.ix_(list(who), kinds[0], list(whom), kinds[1])]
        used = block[block != 0]
        return float(used.mean()) if used.size else 0.0

    return read


def defends(players: Collection[int], by: Collection[str] = KINDS, on: Collection[str] = KINDS) -> Read:
    """The mean weight of players' pieces defending their own, as it is good for each of these players."""

    def read(row: Weights) -> float:
        return fmean((-1 if player % 2 else 1) * meets([player], [player], by, on)(row) for player in players)

    return read


def partners(players: tuple[int, int]) -> Read:
    """The mean weight of two partners defending each other's pieces."""
    one, other = players
    return lambda row: (meets([one], [other])(row) + meets([other], [one])(row)) / 2


def stands(kinds: Collection[str], squares: Collection[str]) -> Read:
    """The mean weight of the player to move for standing there."""

    def read(row: Weights) -> float:
        block = FEATURES.stands(row)[0]
        return float(
            block[
                np.ix_([KINDS.index(kind) for kind in kinds], [NAMES.index(name) for name in squares])
            ].mean()
        )

    return read


def flap(sector: str) -> list[str]:
    """The squares of a flap."""
    return [name for name in NAMES if name[0] == sector and name[-1] in "1234"]


def beside_vortex() -> list[str]:
    return [name for name in NAMES if name[1:] in ("c6", "d6")]


def fine(measured: Measured) -> str:
    """With five digits, for weights that are small."""
    return f"{measured.value:+.5f} ± " + (f"{measured.error:.5f}" if measured.error < np.inf else "?")
