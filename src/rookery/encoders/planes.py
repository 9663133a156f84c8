"""The plainest encoders: a plane of zeros and ones for each kind of piece and each side, seen by one seat.

Pieces are the seat's own first; boards are never turned. What belongs to no square fills its whole plane. A
module beside this one with a dict `PLANES` gives such an encoder to the games that it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rookery import registry
from rookery.api import Game
from rookery.encoders import Encoder
from rookery.errors import UnsupportedGame

Planes = NDArray[np.float32]


@cache
def _planes() -> Mapping[str, Encoder]:
    return registry.found("rookery.encoders", "PLANES")


def planes_for(game: Game) -> Encoder:
    """The one of these that encodes a game.

    Raises:
        UnsupportedGame: none does.
    """
    if game.spec.name not in _planes():
        raise UnsupportedGame(f"no encoder of planes fits {game.spec.name}")
    return _planes()[game.spec.name]
