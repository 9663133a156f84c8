"""The end of a game at a table where a count is agreed on: what is marked as dead, and who agrees."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from rookery.api import Cells, Ending, Move, Seat, State


@dataclass(frozen=True)
class Marking:
    """What is marked now."""

    proposed: Cells
    dead: Cells
    number: int = 0
    """Incremented by every change, so that nobody agrees to what they have not seen."""
    agreed: frozenset[Seat] = field(default_factory=frozenset)

    def tapped(self, ending: Ending, state: State, cell: Move) -> Marking:
        """The same with a piece and its like turned; whoever agreed must look again."""
        dead = ending.toggle(state, self.dead, cell)
        return replace(self, dead=dead, number=self.number + 1, agreed=frozenset())

    def write(self) -> str:
        return json.dumps([sorted(self.proposed), sorted(self.dead), self.number, sorted(self.agreed)])

    @staticmethod
    def read(text: str) -> Marking:
        proposed, dead, number, agreed = json.loads(text)
        return Marking(frozenset(proposed), frozenset(dead), number, frozenset(agreed))
