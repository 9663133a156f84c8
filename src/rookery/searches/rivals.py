"""Go by rules of thumb: the opponents of Mayer's "Board representations for neural Go players", section III.

They live in native/rivals; docs/go.md says what each of them does and how strong it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from rookery import native
from rookery.api import Game, Info, Limit, NamedSearch, SearchResult, View
from rookery.errors import BadOption, UnsupportedGame
from rookery.games.go import Go


class _Rival(NamedSearch):
    @classmethod
    def check_game(cls, game: Game) -> None:
        if not isinstance(game, Go):
            raise UnsupportedGame(f"{cls.__name__.lower()} plays Go only, not {game.spec.name}")

    def __init__(self, game: Game, rival: native.Naive | native.Gojen | native.Wally) -> None:
        self.check_game(game)
        self._rival = rival

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        if limit.only:
            raise UnsupportedGame(
                f"{type(self).__name__.lower()} chooses among all moves; it cannot be asked for one of a few"
            )
        state: Any = view.state()
        return SearchResult(self._rival.choose(state.native, int(rng.integers(2**63))), (0.0, 0.0), 1)

    def forget(self) -> None: ...

    def stop(self) -> None: ...


class Naive(_Rival):
    """Captures, saves what is in atari and not lost, helps weak chains, and else plays at random."""

    title = "Naive (rule-based)"

    def __init__(self, game: Game) -> None:
        super().__init__(game, native.Naive())


class Gojen(_Rival):
    """Attacks, defends and plays by 32 shapes: our reconstruction of Mayer's strongest opponent."""

    title = "Gojen (rule-based)"
    bench = ("", "noise=0", "attack=1,escape=no")

    def __init__(self, game: Game, *, noise: float = 12.0, attack: int = 3, escape: bool = True) -> None:
        """noise: the random part of each value; attack: the most liberties of a chain that it attacks;
        escape: whether it sees that a chain cannot run away."""
        if not 0 <= noise <= 1000:
            raise BadOption(f"gojen: noise must be between 0 and 1000 (got {noise:g})")
        if not 1 <= attack <= 3:
            raise BadOption(f"gojen: attack must be between 1 and 3 (got {attack})")
        super().__init__(game, native.Gojen(noise=noise, attack=attack, escape=escape))


class Wally(_Rival):
    """Captures, saves, attacks what has two liberties, and else plays next to the other's stones."""

    title = "Wally (rule-based)"

    def __init__(self, game: Game) -> None:
        super().__init__(game, native.Wally())


SEARCHES = {"naive": Naive, "gojen": Gojen, "wally": Wally}
