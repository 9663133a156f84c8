"""The features of a chess position by name, as native/evaluators/chess_linear.hpp numbers them.

They are those of Real and Blair's table for chess, to hold TreeStrap to what is known of that game. All is
told in the view of the side to move, Black's board turned over.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from rookery import native
from rookery.evaluators.features import LinearGame, require_blocks
from rookery.seeds import generator

KINDS = ("Pawn", "Knight", "Bishop", "Rook", "Queen", "King")
BLOCKS = ("material", "attacks", "squares")
_MATERIAL, _CHECK, _ATTACK = 1, 1 + len(KINDS), 2 + len(KINDS)
_SQUARE = _ATTACK + (2 * len(KINDS)) ** 2
_NOISE = 0.001


class ChessFeatures:
    """One set of weights, for both sides."""

    count: int = native.ChessLinear.features

    def initial(self, seed: int) -> NDArray[np.float32]:
        """[1, feature]: next to nothing, so that all has to be learnt."""
        return generator(seed, "linear", "chess").normal(0, _NOISE, (1, self.count)).astype(np.float32)

    def learns(self, blocks: Collection[str]) -> NDArray[np.bool_]:
        """For each feature, whether it belongs to one of these blocks.

        Raises:
            BadOption: there is no such block.
        """
        require_blocks(blocks, BLOCKS)
        mask = np.zeros(self.count, bool)
        mask[:_ATTACK] = "material" in blocks
        mask[_CHECK - 1] = False  # Kings are never taken
        mask[_ATTACK:_SQUARE] = "attacks" in blocks
        mask[_SQUARE:] = "squares" in blocks
        return mask

    def name(self, feature: int) -> str:
        """What people call a feature.

        >>> [ChessFeatures().name(at) for at in (1, 7, 14, 152)]
        ['Pawns, ours less theirs', 'in check', 'our Pawn attacks their Pawn', 'our Pawn on a1']
        """
        if feature < _MATERIAL:
            return "bias"
        if feature < _CHECK:
            return f"{KINDS[feature - _MATERIAL]}s, ours less theirs"
        if feature < _ATTACK:
            return "in check"
        pieces = [f"{whose} {kind}" for whose in ("our", "their") for kind in KINDS]
        if feature < _SQUARE:
            piece, other = divmod(feature - _ATTACK, len(pieces))
            friends = (piece < len(KINDS)) == (other < len(KINDS))
            return f"{pieces[piece]} {'defends' if friends else 'attacks'} {pieces[other]}"
        piece, square = divmod(feature - _SQUARE, 64)
        return f"{pieces[piece]} on {'abcdefgh'[square % 8]}{square // 8 + 1}"


LINEAR = {"chess": LinearGame(ChessFeatures, native.ChessLinear, native.ChessTreeStrap, rows=(1,))}
