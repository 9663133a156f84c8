"""A Kriegspiel player by rules of thumb: somebody to sit opposite until there is thought."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

import numpy as np

from rookery import native
from rookery.api import Game, Info, Limit, Move, NamedSearch, SearchResult, View
from rookery.errors import UnsupportedGame
from rookery.games.kriegspiel import Heard, KriegspielView


class Sergeant(NamedSearch):
    """Recaptures, uses pawn tries, promotes to Queens, mates a lone King, and else moves at random."""

    title = "Sergeant (rule-based)"

    @classmethod
    def check_game(cls, game: Game) -> None:
        if game.spec.name != "kriegspiel":
            raise UnsupportedGame(f"sergeant plays kriegspiel only, not {game.spec.name}")

    def __init__(self, game: Game) -> None:
        self.check_game(game)

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        known = cast(KriegspielView, view)
        moves = list(limit.only or view.moves())
        rules = (_hunt, _retakes, _pawn_captures, _sensible)
        best = next((found for rule in rules if (found := rule(known, moves))), moves)
        return SearchResult(best[int(rng.integers(len(best)))], (0.0, 0.0), 0)

    def forget(self) -> None:
        pass

    def stop(self) -> None:
        pass


def _hunt(view: KriegspielView, moves: list[Move]) -> list[Move]:
    """The move that presses a King who is alone hardest."""
    quarry = native.KriegspielLoneKing.of(view.native)
    if not (quarry and quarry.can_mate):
        return []
    return [move for move, _ in quarry.tries() if move in moves][:1]


def _retakes(view: KriegspielView, moves: list[Move]) -> list[Move]:
    """Moves to the square where the other side has just taken one of ours."""
    heard = map(Heard.read, reversed(view.events))
    taken = next((line for line in heard if not line.refused), Heard())
    if taken.move or not taken.captured:
        return []
    return [move for move in moves if view.text(move)[2:4] == taken.square]


def _pawn_captures(view: KriegspielView, moves: list[Move]) -> list[Move]:
    """Diagonal pawn moves, which are only among the moves while the referee has announced tries."""
    texts = {move: view.text(move) for move in moves}
    pawns = _pawn_squares(view)
    return [move for move, text in texts.items() if text[:2] in pawns and text[0] != text[2]]


def _sensible(view: KriegspielView, moves: list[Move]) -> list[Move]:
    """All moves but promotions to less than a Queen."""
    return [move for move in moves if view.text(move)[4:] in ("", "q")]


def _pawn_squares(view: KriegspielView) -> set[str]:
    squares, rank = set(), 8
    for row in view.men.split("/"):
        file = 0
        for mark in row:
            if mark in "Pp":
                squares.add(f"{'abcdefgh'[file]}{rank}")
            file += int(mark) if mark.isdigit() else 1
        rank -= 1
    return squares


SEARCHES = {"sergeant": Sergeant}
