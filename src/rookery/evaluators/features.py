"""What a game must declare to have linear evaluations: the features of its positions, and native classes.

A module beside this one with a dict `LINEAR` declares it for the games that it names.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rookery import registry
from rookery.api import Game, State
from rookery.errors import BadOption, UnsupportedGame, quote


class Features(Protocol):
    """The features of the positions of one game, by number and by name."""

    count: int

    def initial(self, seed: int) -> NDArray[np.float32]:
        """[row, feature]: weights to begin with."""
        ...

    def learns(self, blocks: Collection[str]) -> NDArray[np.bool_]:
        """For each feature, whether it belongs to one of these blocks.

        Raises:
            BadOption: there is no such block.
        """
        ...

    def name(self, feature: int) -> str: ...


def require_blocks(blocks: Collection[str], known: Collection[str]) -> None:
    """
    Raises:
        BadOption: one of the blocks is none that is known.
    """
    for block in blocks:
        if block not in known:
            raise BadOption(f"features: {quote(block)} is none; choose from {', '.join(known)}")


@dataclass(frozen=True)
class LinearGame:
    """Linear evaluations of one game."""

    features: Callable[[], Features]
    evaluation: Any
    """The native class of such knowledge, made from weights."""
    treestrap: Any
    """The native class that learns it."""
    rows: tuple[int, ...]
    """How many rows weights may have."""
    extra_depth: Callable[[State], int] = lambda state: 0
    """Plies by which searches of such a position shall go beyond their depth."""
    of_the_paper: bool = False
    """Whether it is the game that TreeStrap's recipes mean unless they name another."""


@cache
def linear_games() -> Mapping[str, LinearGame]:
    """All of them, by game."""
    return registry.found(__package__, "LINEAR")


def linear_game(game: Game) -> LinearGame:
    """What is declared for a game.

    Raises:
        UnsupportedGame: nothing.
    """
    if game.spec.name not in linear_games():
        raise UnsupportedGame(f"linear knows {', '.join(linear_games())} only, not {game.spec.name}")
    return linear_games()[game.spec.name]
