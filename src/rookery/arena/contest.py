"""Which games are to be played: every entrant against every other, in pairs that swap sides.

A contest holds all that decides its games and nothing else, so that a game of it is the same whenever and
wherever it is played. A match is a contest of two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import combinations
from typing import Any

from rookery import games, players
from rookery.api import Clock, Game, Limit
from rookery.arena.openings import Openings, read
from rookery.errors import BadOption, RecordMismatch, UnsupportedGame, describe
from rookery.seeds import generator


@dataclass(frozen=True)
class ScheduledGame:
    """One game of a contest, before it is played."""

    pair: int
    """Both games of a pair have the same two entrants and the same opening."""
    sides: tuple[int, int]
    """The entrant that plays each side, in all its seats."""
    seed: int
    start: str | None
    opening: tuple[str, ...]

    @property
    def key(self) -> tuple[int, tuple[int, int]]:
        """What no other game of the contest has."""
        return self.pair, self.sides

    @property
    def pairing(self) -> tuple[int, int]:
        """The two entrants, the first one first."""
        a, b = self.sides
        return (a, b) if a < b else (b, a)


def enter(game: str, names: Sequence[str]) -> tuple[str, ...]:
    """The one spelling of each entrant; finds out before the first game whether everybody can play.

    Raises:
        RookeryError: a name, an option or an external program is not as it should be.
    """
    rules = games.get(game)
    spelled = {}
    for name in dict.fromkeys(names):
        player = players.make(name, rules)
        try:
            player.start(rules.spec, 0, 0)
        finally:
            player.close()
        spelled[name] = player.name
    return tuple(spelled[name] for name in names)


@dataclass(frozen=True)
class Contest:
    """Entrants by name, and the conditions under which they meet."""

    game: str
    entrants: tuple[str, ...]
    games: int
    """For each two entrants."""
    limit: Limit = field(default_factory=Limit)
    seed: int = 0
    openings: str | None = None
    max_plies: int | None = None
    sprt: tuple[float, float] | None = None
    """The two Elo differences between which a match decides; see `sprt`."""

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise BadOption(f"a tournament needs two players or more (got {len(self.entrants)})")
        if self.games < 1:
            raise BadOption(f"games must be 2 or more (got {self.games})")
        if self.rules.spec.sides != 2:
            raise UnsupportedGame(f"a match needs two sides; {self.game} has {self.rules.spec.sides}")

    def __reduce__(self) -> tuple[Any, ...]:
        # What is found out from the fields is found out again in the process that gets them.
        return Contest, tuple(getattr(self, each.name) for each in fields(self))

    @cached_property
    def rules(self) -> Game:
        return games.get(self.game)

    @cached_property
    def starts(self) -> Openings:
        return read(self.openings, self.rules, self.seed)

    def schedule(self) -> Iterator[ScheduledGame]:
        """All games in the order in which they count. More games per pair only add to the end."""
        for pair in range((self.games + 1) // 2):
            opening = self.starts.draw(pair)
            for a, b in combinations(range(len(self.entrants)), 2):
                for leg, sides in enumerate(((a, b), (b, a))):
                    if 2 * pair + leg < self.games:
                        seed = generator(self.seed, "game", a, b, pair, leg).integers(2**53)
                        yield ScheduledGame(pair, sides, int(seed), opening.start, opening.moves)

    @property
    def total(self) -> int:
        """How many games there are in all."""
        entrants = len(self.entrants)
        return self.games * entrants * (entrants - 1) // 2

    @classmethod
    def recorded(cls, identity: dict[str, Any], games: int) -> Contest:
        """The contest of a record, to read what it says; its openings are known by name alone.

        Raises:
            RecordMismatch: it says what no contest can be.
        """
        try:
            return cls(
                game=identity["game"],
                entrants=tuple(identity["entrants"]),
                games=games,
                limit=_read_limit(identity["limit"]),
                seed=identity["seed"],
                openings=identity["openings"],
                max_plies=identity["max_plies"],
                sprt=tuple(identity["sprt"]) if identity["sprt"] else None,
            )
        except (KeyError, TypeError) as error:
            raise RecordMismatch(
                f"the record is of no contest that there can be: {describe(error)}"
            ) from None

    def identity(self) -> dict[str, Any]:
        """What makes it this contest and no other. It may grow: the number of games is not part of it."""
        return {
            "game": self.game,
            "version": self.rules.spec.version,
            "entrants": list(self.entrants),
            "seed": self.seed,
            "limit": _write_limit(self.limit),
            "openings": self.starts.name,
            "max_plies": self.max_plies,
            "sprt": list(self.sprt) if self.sprt else None,
        }


def _write_limit(limit: Limit) -> dict[str, Any]:
    bounds = {bound: getattr(limit, bound) for bound in ("depth", "nodes", "time")}
    clocks = [[clock.left, clock.increment] for clock in limit.clocks]
    return bounds | ({"clocks": clocks} if clocks else {})


def _read_limit(written: dict[str, Any]) -> Limit:
    clocks = tuple(Clock(*clock) for clock in written.get("clocks", ()))
    return Limit(**{**written, "clocks": clocks})
