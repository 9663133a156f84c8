"""The rules of Go by the names that people know, and handicaps. docs/games/go.md has the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rookery import registry
from rookery.errors import BadOption, UnknownName, quote
from rookery.games.go import Go

if TYPE_CHECKING:
    from rookery.games.go import GoState


@dataclass(frozen=True)
class Rules:
    """What a name stands for."""

    name: str
    title: str
    """For people, and in SGF."""
    words: str
    """One line that tells them apart."""
    scoring: str
    ko: str
    dead_stones: str
    komi: float
    """What White usually gets."""

    def usual_komi(self, size: int, handicap: int = 0) -> float:
        """A handicap stands in for Black's first move, and on a tiny board nothing is known to be fair."""
        return self.komi and (0.5 if handicap or size < 7 else self.komi)

    def board(self, size: int, komi: float | None = None, handicap: int = 0) -> Go:
        """The game on a board; the usual komi if none is said.

        Raises:
            UnknownName: there is no such board, komi or handicap.
        """
        given = self.usual_komi(size, handicap) if komi is None else komi
        return Go(size, self.scoring, self.ko, given, self.dead_stones, handicap)


RULES = {
    rules.name: rules
    for rules in (
        Rules("chinese", "Chinese", "stones and territory count; dead stones are agreed on",
              "area", "simple", "agreed", 7.5),
        Rules("japanese", "Japanese", "territory and prisoners count; dead stones are agreed on",
              "territory", "simple", "agreed", 6.5),
        Rules("tromp-taylor", "Tromp-Taylor",
              "stones and territory count; every stone is alive; no board comes again",
              "area", "psk", "none", 7.5),
        Rules("mayer", "Mayer", "territory and prisoners count, every stone is alive",
              "territory", "simple", "none", 0.0),
    )
}  # fmt: skip
USUAL = "chinese"
"""What people play by unless they say otherwise."""
MOST_STONES = 9
"""That people give as a handicap."""


def get(name: str) -> Rules:
    """The rules of that name.

    Raises:
        UnknownName: there are none.
    """
    if name.lower() not in RULES:
        raise UnknownName(f"no rules of Go are called {name!r}; {registry.hint(name, RULES)}")
    return RULES[name.lower()]


def board(size: int, options: Mapping[str, str]) -> Go:
    """The game by `rules`, `komi` and `handicap` as people say them.

    >>> board(9, {"rules": "japanese", "handicap": "2"}).start().komi
    0.5

    Raises:
        BadOption: there is no such option or number.
        UnknownName: there are no such rules, komi or handicap.
    """
    for name in options:
        if name not in ("rules", "komi", "handicap"):
            raise BadOption(f"Go has no option {quote(name)}; it has rules, komi and handicap")
    komi = _number("komi", options["komi"]) if "komi" in options else None
    handicap = _number("handicap", options.get("handicap", "0"))
    if not (handicap.is_integer() and 0 <= handicap <= MOST_STONES):
        raise BadOption(f"handicap must be between 0 and {MOST_STONES} stones (got {handicap:g})")
    return get(options.get("rules", USUAL)).board(size, komi, int(handicap))


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise BadOption(f"{name} must be a number (got {quote(text)})") from None


def of(state: GoState) -> Rules | None:
    """The name under which a position's options are known."""
    options = (state.scoring, state.ko_rule, state.dead_stones)
    return next((r for r in RULES.values() if (r.scoring, r.ko, r.dead_stones) == options), None)


def describe(state: GoState) -> str:
    """Komi, handicap and rules for people.

    >>> describe(get("japanese").board(9, handicap=2).start())
    'komi 0.5 · handicap 2 · Japanese rules'
    """
    rules = of(state)
    handicap = [f"handicap {state.handicap}"] if state.handicap else []
    named = f"{rules.title} rules" if rules else f"options: {state.options or 'none'}"
    return " · ".join([f"komi {state.komi:g}", *handicap, named])
