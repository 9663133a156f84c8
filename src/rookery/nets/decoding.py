"""What comes out of networks, as policies and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.api import Policy
from rookery.errors import CheckpointMismatch


def policy(
    logits: NDArray[np.float32], actions: Sequence[Sequence[int] | NDArray[Any]], temperature: float
) -> Policy:
    """The softmax of logits over the legal moves alone.

    actions: for each state the columns of its moves, in the order of `State.moves()`.
    """
    logits = logits / np.float32(temperature)
    shares = []
    for row, legal in enumerate(actions):
        own = logits[row, legal]
        likely = np.exp(own - own.max(initial=-np.inf))
        shares.append(likely / likely.sum())
    return Policy.joined(shares)


def value(wdl: NDArray[np.float32]) -> NDArray[np.float32]:
    """[B]: to the mover, of logits that the mover wins, draws or loses."""
    likely = np.exp(wdl - wdl.max(axis=1, keepdims=True))
    won, _, lost = (likely / likely.sum(axis=1, keepdims=True)).T
    return np.asarray(won - lost, np.float32)


def require(found: NDArray[Any], name: str, shape: tuple[int, ...]) -> NDArray[Any]:
    """Refuse what is not of the shape that was asked for, or not all finite numbers.

    Raises:
        CheckpointMismatch: it is not.
    """
    if found.shape != shape:
        raise CheckpointMismatch(f"the network gives {name} of the shape {found.shape}, not {shape}")
    if not np.isfinite(found).all():
        raise CheckpointMismatch("the network gives NaN or infinity; its weights are beyond use")
    return found
