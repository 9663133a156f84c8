"""What is said of the players that come with Rookery: a folder of the zoo with a card.toml describes one.

A card with `knowledge` is of weights that lie beside it, or beside another card, and adds their name to the
players' names; one without is of a player that needs none. What is read here are the fields of `Card`,
`MeasuredLevels` and `Ratings`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

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
    """For people, with {} for the rating."""

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
    return Ratings(games, option, lowest, highest, step, words)


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
