"""What a seat of Kriegspiel believes by matrices within exact masks: Ciancarini and Favini, AIJ 174 (2010),
section 4. The belief is native/belief/belief.hpp; this gives it to everybody who asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from rookery import native
from rookery.api import Belief, BeliefValue, Believer, OpponentModel, View
from rookery.errors import UnsupportedGame
from rookery.evaluators.kriegspiel_network import KriegspielNetwork
from rookery.evaluators.opponent_model import Placements
from rookery.games.kriegspiel import KriegspielView

from .masks import KINDS, SQUARES


def believed(
    view: KriegspielView,
    mode: str = "corrected",
    model: Placements | None = None,
    network: KriegspielNetwork | None = None,
    constants: Sequence[tuple[str, float]] = (),
) -> Belief:
    """From what the view says alone. mode: corrected, or paper; model: of the opponent; network: by which
    the belief is corrected; constants: of the belief, where they are not the usual ones."""
    known = native.KriegspielBelief(
        view.native,
        mode,
        model.native if model else None,
        constants=list(constants),
        network=network.native if network else None,
    )
    masks = np.array(known.masks)
    possible = (masks[:, None] >> np.arange(len(KINDS)) & 1).astype(np.bool_)
    return Belief(SQUARES, KINDS, np.clip(known.kinds, 0.0, 1.0), possible)


class Believing(Believer):
    """A search that believes by the matrices; a player of Kriegspiel derives from it.

    One that sets `model` believes by that model of its opponent, one that sets `network` as it corrects;
    `tuned` are constants of the belief.
    """

    mode: str = "corrected"
    model: Placements | None = None
    network: KriegspielNetwork | None = None
    tuned: Sequence[tuple[str, float]] = ()

    def learn(self, knowledge: OpponentModel | BeliefValue | None) -> None:
        """Believe by what was learnt from games, where a player's name says so."""
        if isinstance(knowledge, Placements):
            self.model = knowledge
        elif isinstance(knowledge, KriegspielNetwork):
            self.network = knowledge
        elif knowledge is not None:
            raise UnsupportedGame(
                "searches of Kriegspiel run kriegspiel-model and kriegspiel-network natively, and no other "
                f"knowledge (got {type(knowledge).__name__})"
            )

    def belief(self, view: View) -> Belief:
        return believed(cast(KriegspielView, view), self.mode, self.model, self.network, self.tuned)
