"""Kriegspiel: belief by matrices within exact masks, and what follows from each line of the referee."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from rookery.api import Belief, Deduction, View
from rookery.evaluators.opponent_model import Placements
from rookery.games.kriegspiel import KRIEGSPIEL, KriegspielView
from rookery.games.kriegspiel_conclusions import conclusions
from rookery.searches.kriegspiel.belief import believed


class KriegspielDeduction(Deduction):
    def belief(self, view: View, model: str | None = None) -> Belief:
        known = Placements(KRIEGSPIEL, model) if model is not None else None
        return believed(cast(KriegspielView, view), model=known)

    def conclusions(self, view: View, first: int = 0) -> Sequence[Sequence[str]]:
        return conclusions(cast(KriegspielView, view), first)


DEDUCTIONS = {"kriegspiel": KriegspielDeduction()}
