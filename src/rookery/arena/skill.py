"""Skill at games of more than two seats, by the Weng-Lin model of the openskill package.

It takes the seats of a side as a team, so that it also rates players who were mixed within a side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

from rookery.api import GameSpec, Outcome


@dataclass(frozen=True)
class Skill:
    """A belief about one entrant: a normal distribution, 25 and 25/3 before the first game."""

    mu: float
    sigma: float


def skills(spec: GameSpec, games: Iterable[tuple[Sequence[int], Outcome]], entrants: int) -> list[Skill]:
    """The skill of each entrant after games in this order; each game says who sat in which seat."""
    model = PlackettLuce()
    beliefs = [model.rating() for _ in range(entrants)]
    for seats, outcome in games:
        sides = [[s for s in range(spec.seats) if spec.side_of[s] == side] for side in range(spec.sides)]
        teams = [[beliefs[seats[seat]] for seat in side] for side in sides]
        after = model.rate(teams, ranks=[-value for value in outcome.values])
        for side, team in zip(sides, after, strict=True):
            for entrant in {seats[seat] for seat in side}:
                # One who held several seats of the side is one player still: its beliefs are averaged.
                same = [belief for seat, belief in zip(side, team, strict=True) if seats[seat] == entrant]
                mu = sum(belief.mu for belief in same) / len(same)
                sigma = sum(belief.sigma for belief in same) / len(same)
                beliefs[entrant] = model.rating(mu=mu, sigma=sigma)
    return [Skill(belief.mu, belief.sigma) for belief in beliefs]
