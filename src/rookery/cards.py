"""What is said of the players that come with Rookery: a folder of the zoo with a card.toml describes one.

A card with `knowledge` is of weights that lie beside it, or beside another card, and adds their name to the
players' names; one without is of a player that needs none. What is read here are the fields of `Card`,
`MeasuredLevels`, `Ratings` and `Strength`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from rookery.errors import RookeryError, describe, warn
from rookery.names import PlayerName, Setting

ZOO = Path(__file__).parent / "zoo"


@dataclass(frozen=True)
class MeasuredLevels:
    """How strong the levels of a player were measured to be in one game, and under which conditions."""

    elo: tuple[int, ...]
    """From level 1 on; perhaps not of all levels."""
    error: tuple[int, ...]
    """Of each, to either side, with 95 % confidence."""
    scale: str
    """Whose Elo it is: one of `rookery.strength.SCALES`."""
    games: int
    """Played by each two levels that met."""
    conditions: str
    """What else was so when they met."""
    command: str
    """What measured it."""


@dataclass(frozen=True)
class Strength:
    """How the search of a player that imitates people is set for a rating (`searches/pikl.py`)."""

    elo: int
    kl: float
    nodes: int
    measured: int
    """Its Elo in matches, on the scale that the card's words name."""


@dataclass(frozen=True)
class Ratings:
    """That a player plays like people of a rating, which an option of its knowledge says."""

    games: tuple[str, ...]
    """In which people meet it, at the rating that they ask for, unless they name another player."""
    option: str
    lowest: int
    highest: int
    step: int
    """Between the ratings that people are offered."""
    words: str
    """For people, with {elo} for the rating and {measured} for its Elo in matches."""
    strengths: tuple[Strength, ...]
    """By ascending rating; between two of them all is interpolated, `kl` and `nodes` by their logarithms."""

    def at(self, elo: int) -> Strength:
        """How it plays at a rating.

        >>> own = (Strength(1000, 0.4, 1000, 900), Strength(2000, 0.1, 100_000, 1500))
        >>> Ratings((), "elo", 1000, 2200, 100, "", own).at(1500)
        Strength(elo=1500, kl=0.2, nodes=10000, measured=1200)
        """
        known = [each.elo for each in self.strengths]
        kl = np.exp(np.interp(elo, known, [np.log(each.kl) for each in self.strengths]))
        nodes = np.exp(np.interp(elo, known, [np.log(each.nodes) for each in self.strengths]))
        measured = np.interp(elo, known, [each.measured for each in self.strengths])
        return Strength(elo, round(float(kl), 3), round(nodes), 10 * round(float(measured) / 10))

    def told(self, elo: int) -> str:
        """Its words for a rating."""
        return self.words.format(elo=elo, measured=self.at(elo).measured)

    def bounded(self, elo: int) -> int:
        """The nearest rating that it can play at."""
        return min(max(elo, self.lowest), self.highest)

    def offered(self) -> range:
        return range(self.lowest, self.highest + 1, self.step)


@dataclass(frozen=True)
class Card:
    """What is said of one player."""

    name: str
    """Its folder, and the name of its weights in players' names: `go5/koten`."""
    player: PlayerName
    """The player that people should meet: `greedy+go5/koten`."""
    games: tuple[str, ...]
    default_for: tuple[str, ...] = ()
    """The games in which people meet it unless they name another."""
    levels: Mapping[str, MeasuredLevels] = field(default_factory=dict)
    """By game."""
    knowledge: str | None = None
    """The kind of knowledge that reads its weights: `td`; None: it has no weights."""
    title: str = ""
    """Of weights: a few words for people."""
    description: str = ""
    """Of weights: a sentence for people."""
    trained: tuple[str, ...] = ()
    """Of weights: the games among them that it was trained on."""
    slow: bool = False
    """Of weights: whether they take milliseconds to evaluate a position."""
    weights: str = ""
    """Of weights: the card beside which they lie, if it is not this one."""
    told: tuple[Setting, ...] = ()
    """Of weights: what the knowledge is told unless a player's name says otherwise."""
    ratings: Ratings | None = None


@cache
def cards() -> Mapping[str, Card]:
    """Every card by the name of its folder."""
    found = {}
    for path in sorted(ZOO.rglob("card.toml")):
        name = path.parent.relative_to(ZOO).as_posix()
        try:
            found[name] = _read(name, tomllib.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, RookeryError) as error:
            warn(f"{path} cannot be read, and is left out: {describe(error)}")
    return found


def zoo() -> Mapping[str, Card]:
    """Every card of weights, by their name."""
    return {name: card for name, card in cards().items() if card.knowledge is not None}


def measured(game: str, player: PlayerName) -> MeasuredLevels | None:
    """What is known of a player's levels in a game, however its search is set; None: nothing."""
    plain = player.without_options()
    for card in cards().values():
        if game in card.levels and card.player.without_options() == plain:
            return card.levels[game]
    return None


def _read(name: str, said: Mapping[str, Any]) -> Card:
    about = {
        key: _text(said[key])
        for key in (("knowledge", "title", "description") if "knowledge" in said else ())
    }
    return Card(
        name=name,
        player=PlayerName.parse(_text(said["player"])),
        games=_texts(said["games"]),
        default_for=_texts(said.get("default_for", [])),
        levels={game: _read_levels(levels) for game, levels in dict(said.get("levels", {})).items()},
        trained=_texts(said.get("trained", said["games"])),
        slow=said.get("slow", False) is True,
        weights=_text(said.get("weights", "")),
        told=tuple((key, str(value)) for key, value in dict(said.get("told", {})).items()),
        ratings=_read_ratings(said["ratings"]) if "ratings" in said else None,
        **about,
    )


def _read_ratings(said: Mapping[str, Any]) -> Ratings:
    lowest, highest, step = _numbers([said["lowest"], said["highest"], said["step"]])
    if not (lowest <= highest and step > 0):
        raise ValueError("its ratings are no range")
    games, option, words = _texts(said["games"]), _text(said["option"]), _text(said["words"])
    strengths = tuple(
        Strength(int(each["elo"]), float(each["kl"]), int(each["nodes"]), int(each["measured"]))
        for each in said["strength"]
    )
    if not strengths or any(low.elo >= high.elo for low, high in pairwise(strengths)):
        raise ValueError("its ratings do not ascend")
    if any(each.kl <= 0 or each.nodes <= 0 for each in strengths):
        raise ValueError("its settings are no numbers above 0")
    return Ratings(games, option, lowest, highest, step, words, strengths)


def _read_levels(said: Mapping[str, Any]) -> MeasuredLevels:
    levels = MeasuredLevels(
        elo=_numbers(said["elo"]),
        error=_numbers(said["error"]),
        scale=_text(said["scale"]),
        games=_numbers([said["games"]])[0],
        conditions=_text(said["conditions"]),
        command=_text(said["command"]),
    )
    if len(levels.elo) != len(levels.error):
        raise ValueError("its levels have not an error each")
    return levels


def _text(said: object) -> str:
    if not isinstance(said, str):
        raise ValueError("its words are no text")
    return said


def _texts(said: object) -> tuple[str, ...]:
    if not isinstance(said, list):
        raise ValueError("its words are no text")
    return tuple(map(_text, said))


def _numbers(said: list[object]) -> tuple[int, ...]:
    if not all(isinstance(each, int) for each in said):
        raise ValueError("its levels are no whole numbers")
    return tuple(said)  # type: ignore[arg-type]
