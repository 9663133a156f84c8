"""The features of a Duchess position by name, as native/evaluators/duchess_features.hpp numbers them.

Players are counted from the one to move: P1 moves now, P2 next, P3 is P1's partner.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property, partial
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.api import State
from rookery.evaluators.features import LinearGame, require_blocks
from rookery.games import duchess
from rookery.games.duchess import DuchessState

KINDS = ("King", "Wizard", "Queen", "Duchess", "Fortress", "Knight", "Rook", "Bishop", "Pawn")
SPLIT = ("Queen like a Rook", "Duchess like a Knight", "Fortress like a Knight")
"""The kinds that attack in two ways, in the way that has a weight of its own."""
BLOCKS = ("material", "pawns", "attacks", "squares", "modes", "kings")
"""What a recipe may ask for. material: pieces, pairs of Wizards, check, mate and the bias; pawns: on which
square each stands; attacks: who attacks or defends whom; squares: where all other pieces stand; modes: in
which of its two ways a piece attacks; kings: in the ending, how far each piece is from the enemies' Kings."""
_REACHES = 8

_KING, _WIZARD, _QUEEN, _DUCHESS, _FORTRESS, _PAWN = 0, 1, 2, 3, 4, 8


class Features:
    """The weights of one team for 4 or 6 players, seen as arrays."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.squares = duchess.squares(players)
        self._at = native.duchess_features(players)
        self.count: int = (native.Duchess4Linear if players == 4 else native.Duchess6Linear).features

    # --- views of a row of weights: writing to them changes it ---------------------------------------

    def material(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """[kind]"""
        return self._block(row, "material", len(KINDS))

    def wizards(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """[2 on the board, 3 on the board]"""
        return self._block(row, "wizards", self.players // 2 - 1)

    def check(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """[player]"""
        return self._block(row, "check", self.players)

    def mate(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """[player]"""
        return self._block(row, "mate", self.players)

    def attacks(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """[player, kind, player, kind]: who attacks or defends whom."""
        return self._block(row, "attack", *(self.players, len(KINDS)) * 2)

    def stands(self, row: NDArray[np.float32]) -> NDArray[np.float32]:
        """[player, kind, square]"""
        return self._block(row, "square", self.players, len(KINDS), len(self.squares))

    def _block(self, row: NDArray[np.float32], name: str, *shape: int) -> NDArray[np.float32]:
        first = self._at[name]
        return row[first : first + int(np.prod(shape))].reshape(shape)

    # --- what a learner begins with ------------------------------------------------------------------

    def initial(self, seed: int = 0) -> NDArray[np.float32]:
        """[team, feature]: the weights with which Real and Blair begin stage 1, whatever the seed."""
        rows = np.zeros((2, self.count), np.float32)
        for row in rows:
            material = self.material(row)
            material[_WIZARD:] = 0.05
            material[[_QUEEN, _DUCHESS, _FORTRESS]] = 0.10
            self.wizards(row)[:] = 0.05
            for player in range(self.players):
                enemy = 1 if player % 2 else -1
                self.check(row)[player] = 0.05 * enemy
                self.mate(row)[player] = 0.25 * enemy
                for at, square in enumerate(self.squares):
                    self.stands(row)[player, _PAWN, at] = -enemy * (0.04 - 0.01 * square.distance)
        return rows

    def learns(self, blocks: Collection[str]) -> NDArray[np.bool_]:
        """For each feature, whether it belongs to one of these blocks.

        Raises:
            BadOption: there is no such block.
        """
        require_blocks(blocks, BLOCKS)
        mask = np.zeros(self.count, bool)
        mask[: self._at["attack"]] = "material" in blocks
        # The King is never taken: his weight would be a second bias that cancels out.
        mask[self._at["material"] + _KING] = False
        mask[self._at["attack"] : self._at["square"]] = "attacks" in blocks
        mask[self._at["mode"] : self._at["near_king"]] = "modes" in blocks
        mask[self._at["near_king"] :] = "kings" in blocks
        first, each = self._at["square"], len(self.squares)
        for piece in range(self.players * len(KINDS)):
            block = "pawns" if piece % len(KINDS) == _PAWN else "squares"
            mask[first + piece * each : first + (piece + 1) * each] = block in blocks
        return mask

    # --- names ---------------------------------------------------------------------------------------

    def name(self, feature: int) -> str:
        """What people call a feature."""
        return self._names[feature]

    @cached_property
    def _names(self) -> list[str]:
        players = [f"P{n + 1}" for n in range(self.players)]
        names = ["bias", *(f"{kind}s, ours less theirs" for kind in KINDS)]
        names += [f"{number} Wizards on the board" for number in ("two", "three")[: self.players // 2 - 1]]
        names += [f"{player} in check" for player in players]
        names += [f"{player} in checkmate" for player in players]
        pieces = [f"{player}'s {kind}" for player in players for kind in KINDS]
        names += [f"{piece} {_verb(piece, other)} {other}" for piece in pieces for other in pieces]
        names += [f"{piece} on {square.name}" for piece in pieces for square in self.squares]
        split = [f"{player}'s {way}" for player in players for way in SPLIT]
        names += [f"{piece} {_verb(piece, other)} {other}" for piece in split for other in pieces]
        names += [
            f"{piece} {steps} steps from {player}'s King"
            for piece in pieces
            for player in players
            for steps in (*map(str, range(1, _REACHES)), f"{_REACHES} or more")
        ]
        return names


def _verb(piece: str, other: str) -> str:
    """Players whose numbers differ by an even number are partners."""
    return "attacks" if (int(piece[1]) - int(other[1])) % 2 else "defends"


def extra_depth(state: State) -> int:
    """As the paper's program, so that games end."""
    pieces, seats = len(cast(DuchessState, state).men()), state.spec.seats
    return 4 if pieces < 2 * seats else 2 if pieces < 5 * seats else 0


LINEAR = {
    "duchess4": LinearGame(
        partial(Features, 4),
        native.Duchess4Linear,
        native.Duchess4TreeStrap,
        rows=(2, 6),
        extra_depth=extra_depth,
        of_the_paper=True,
    ),
    "duchess6": LinearGame(
        partial(Features, 6),
        native.Duchess6Linear,
        native.Duchess6TreeStrap,
        rows=(2, 6),
        extra_depth=extra_depth,
    ),
}
