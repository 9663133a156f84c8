"""Players as people speak of them: a title, a sentence, and how strong they are where it has been measured.

>>> from rookery import games
>>> meet("alphabeta:level=4+classical", games.get("chess")).title
'Rookery level 4'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from rookery import games, players, roster, strength
from rookery.api import Game
from rookery.errors import RookeryError
from rookery.names import PlayerName

HOUSE = "Rookery"
"""What the player is called whom people meet unless they name another."""
_PROGRAMS = {"stockfish": "Stockfish", "fairymax": "Fairy-Max", "gnugo": "GNU Go", "pachi": "Pachi"}


@dataclass(frozen=True)
class Opponent:
    """What people are told of a player."""

    title: str
    description: str
    """A sentence."""
    strength: str
    """What has been measured, in words; else that nothing has."""
    measured: bool = False


def meet(name: str, game: Game) -> Opponent:
    """Who the player of that name is. A name that means nothing here stands for itself."""
    try:
        said = PlayerName.parse(name)
        return _program(said) if said.external else _player(said, game)
    except RookeryError:
        return Opponent(name, "", strength.UNMEASURED)


def _program(said: PlayerName) -> Opponent:
    word = (said.program or "").rsplit("/")[-1]
    title = _PROGRAMS.get(word, word) + _told(said.options)
    return Opponent(title, "A program of somebody else, as it is installed here.", strength.UNMEASURED)


def _player(said: PlayerName, game: Game) -> Opponent:
    level = players.settings(str(said)).get("level")
    best = PlayerName.parse(players.vary(str(said), {"level": None} if level is not None else {}))
    title = HOUSE if str(best) == house(game.spec.name) else _title(best)
    if level is not None:
        title += f" level {level}"
    if like := _like_people(best):
        return like
    measured = strength.words(game.spec.name, said, level or 0)
    return Opponent(title, _describe(best), measured or _unmeasured(said, game), measured is not None)


def _like_people(said: PlayerName) -> Opponent | None:
    """Who plays like people of a rating, in the way that its card has it."""
    card = roster.card(said)
    if card is None or card.ratings is None or said.knowledge is None or said.word != card.player.word:
        return None
    options = {**dict(card.told), **dict(said.knowledge.options)}
    elo = options.pop(card.ratings.option)
    if str(said) == players.rated(str(card.player), int(elo)):
        told = card.ratings.told(int(elo))
        return Opponent(f"{card.title} rated {elo}", card.description, told, measured=True)
    others = [each for each in options.items() if each not in card.told]
    return Opponent(
        f"{card.title} rated {elo}" + _told([*others, *said.options]), card.description, strength.UNMEASURED
    )


@cache
def house(game: str) -> str:
    """The name of whom people meet in a game unless they name another; found once."""
    return players.vary(roster.default(games.get(game)), {})


def _title(best: PlayerName) -> str:
    card = roster.card(best)
    if card and str(best) == players.vary(str(card.player), {}):
        return card.title
    title = roster.search(best).title
    if best.knowledge:
        title += f", {roster.known(best.knowledge).title}"
        title += f" of {best.source}" if best.source else ""
        title += _told(best.knowledge.options)
    return title + _told(best.options)


def _told(settings: Iterable[tuple[str, str]]) -> str:
    text = ", ".join(f"{key} {value}".strip() for key, value in settings)
    return f" ({text})" if text else ""


def _describe(best: PlayerName) -> str:
    card = roster.card(best)
    if card:
        return card.description
    description = roster.first_line(roster.search(best))
    return f"{description} {roster.known(best.knowledge).description}" if best.knowledge else description


def _unmeasured(said: PlayerName, game: Game) -> str:
    card = roster.card(said)
    untrained = card is not None and game.spec.name not in card.trained
    return strength.UNMEASURED + ("; the network was not trained on this size" if untrained else "")
