"""The end of a game of Go at a table: which stones are marked as dead, and who agrees."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace

from rookery.api import Seat
from rookery.games.go import GoState
from rookery.games.go_scoring import Dead, toggle


@dataclass(frozen=True)
class Marking:
    """What is marked now."""

    proposed: Dead
    dead: Dead
    number: int = 0
    """Incremented by every change, so that nobody agrees to what they have not seen."""
    agreed: frozenset[Seat] = field(default_factory=frozenset)

    def tapped(self, state: GoState, point: int) -> Marking:
        """The same with a stone and its like turned; whoever agreed must look again."""
        return replace(self, dead=toggle(state, self.dead, point), number=self.number + 1, agreed=frozenset())

    def write(self) -> str:
        return json.dumps([sorted(self.proposed), sorted(self.dead), self.number, sorted(self.agreed)])

    @staticmethod
    def read(text: str) -> Marking:
        proposed, dead, number, agreed = json.loads(text)
        return Marking(frozenset(proposed), frozenset(dead), number, frozenset(agreed))
