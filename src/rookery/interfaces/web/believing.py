"""A belief as the page reads it."""

from __future__ import annotations

from rookery.api import Belief

_LEAST = 0.0005
"""Chances below it are not worth a word."""

Chances = dict[str, float]
"""By square; squares without a chance are left out."""


def chances(belief: Belief) -> Chances:
    """Of any enemy piece."""
    return _likely(belief.occupied)


def kinds(belief: Belief) -> dict[str, Chances]:
    """Of each kind of enemy piece."""
    columns = belief.probability.T.tolist()
    return {
        kind: _likely(dict(zip(belief.squares, column, strict=True)))
        for kind, column in zip(belief.kinds, columns, strict=True)
    }


def _likely(all_chances: Chances) -> Chances:
    return {square: round(chance, 4) for square, chance in all_chances.items() if chance >= _LEAST}
