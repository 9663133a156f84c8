"""A belief from exact masks alone: enemy pieces of each kind, spread evenly over the squares where they can
stand."""

from __future__ import annotations

import numpy as np

from rookery import native
from rookery.api import Belief
from rookery.games.kriegspiel import KriegspielView

SQUARES = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
KINDS = ("pawn", "knight", "bishop", "rook", "queen", "king")
_USUAL = np.array([0, 2, 2, 2, 1, 0]) / 7
"""What share of the pieces that are no pawns is of each kind, in an ordinary set."""


def possible(view: KriegspielView) -> np.ndarray:
    """[squares, kinds]: whether an enemy piece of the kind can stand there."""
    masks = np.array(native.Possible(view.native).masks)
    return (masks[:, None] >> np.arange(len(KINDS)) & 1).astype(np.bool_)


def believed(view: KriegspielView) -> Belief:
    known = native.Possible(view.native)
    here = possible(view)
    left = known.pieces_left * _USUAL
    left[0], left[-1] = known.pawns_left, 1
    squares = np.maximum(here.sum(axis=0), 1)
    probability = here * np.minimum(left / squares, 1.0)
    crowded = np.maximum(probability.sum(axis=1, keepdims=True), 1.0)
    return Belief(SQUARES, KINDS, (probability / crowded).astype(np.float32), here)
