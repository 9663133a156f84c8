"""Knowledge and thought make a player; the one place that says what players' names mean.

The grammar of names is in `rookery.names`; here it is said what they mean: `random`, `rollouts:games=40`,
`alphabeta:depth=5+duchess/stage3`. What may stand there is found, not listed: see `rookery.searches` and
`rookery.evaluators`. External programs play too, `uci:stockfish,nodes=1000`: see `rookery.engines`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from rookery import registry
from rookery.api import Game, Limit
from rookery.errors import BadOption, UnknownName, UnsupportedGame, clip, quote
from rookery.levels import count as count_levels
from rookery.levels import hold_back
from rookery.names import KnowledgeName, PlayerName, Setting
from rookery.searches.uniform import Uniform
from rookery.thinker import SearchPlayer, Thinker
from rookery.weights import Card, zoo

_PREFERRED = (
    "alphabeta+classical",
    "puct:reduction=0.2,nodes=400+go/zero",
    "alphabeta:quiescence=no+duchess/best",
    "alphabeta:quiescence=no+duchess6/best",
    "sergeant",
    "uct",
    "rollouts",
    "random",
)
"""Whom people meet unless they name somebody, best first: the first that fits the game."""
_MOST = 2**63 - 1
"""The largest whole number that native code can be given."""


# --- what there is -----------------------------------------------------------------------------------


@cache
def searches() -> Mapping[str, Any]:
    """Every search by name."""
    return registry.found("rookery.searches", "SEARCHES")


@cache
def knowledge() -> Mapping[str, Any]:
    """Everything that makes knowledge, by name: kinds of it, and those in the zoo."""
    kinds = registry.found("rookery.evaluators", "KNOWLEDGE")
    return kinds | {name: _from_zoo(card, kinds[card.knowledge]) for name, card in zoo().items()}


def _from_zoo(card: Card, kind: Any) -> Callable[[Game], Any]:
    def make(game: Game) -> Any:
        if game.spec.name not in card.games:
            raise UnsupportedGame(f"{card.name} knows {', '.join(card.games)}, not {game.spec.name}")
        return kind(game, card.name)

    make.__doc__ = card.description
    make.has_policy = getattr(kind, "has_policy", False)  # type: ignore[attr-defined]
    return make


@cache
def engines() -> Mapping[str, Any]:
    """Every protocol that external programs may speak."""
    return registry.found("rookery.engines", "ENGINES")


@dataclass(frozen=True)
class Option:
    """One `key=value` that a player's name may have."""

    name: str
    kind: type
    required: bool
    default: Any


def options(search: Any) -> dict[str, Option]:
    """What may be set in a player's name for this search: its keywords, the limits that it obeys, a level."""
    found = {}
    for parameter in inspect.signature(search, eval_str=True).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            required = parameter.default is parameter.empty
            default = None if required else parameter.default
            found[parameter.name] = Option(parameter.name, _kind(parameter.annotation), required, default)
    for name in search.limits:
        found[name] = Option(name, float if name == "time" else int, False, None)
    if _has_levels(search):
        found["level"] = Option("level", int, False, None)
    return found


def _has_levels(search: Any) -> bool:
    """Whether our levels fit it: it has none of its own, and is not chance already."""
    return search is not Uniform and "level" not in inspect.signature(search).parameters


def _weighs_moves(search: Any, knowledge: Any) -> bool:
    """Whether its results share its belief among all moves by what the knowledge thinks of them."""
    return getattr(search, "weighs_moves", False) and getattr(knowledge, "has_policy", False)


def _kind(annotation: Any) -> Any:
    """int of `int`, and of `int | None`."""
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    return next(kind for kind in kinds if kind is not NoneType)


def _knowledge_parameter(search: Any) -> inspect.Parameter | None:
    return inspect.signature(search).parameters.get("knowledge")


# --- names to players --------------------------------------------------------------------------------


def make(name: str, game: Game) -> Thinker:
    """The player of that name, for that game.

    >>> from rookery import games
    >>> make("rollouts:games=8", games.get("chess")).name
    'rollouts:games=8'

    Raises:
        UnknownName: no search, knowledge or option is called so.
        BadOption: an option's value cannot be read or is out of range, or one is missing.
        UnsupportedGame: it does not play that game.
    """
    said = PlayerName.parse(name)
    if said.program is not None:
        player: Thinker = engines()[said.word](name, game, said.program, dict(said.options))
        return player
    word, known = said.word, said.knowledge
    search = registry.get(searches(), word, "player")
    offered = options(search)
    given = _read_options(word, said.options, offered)
    limit = Limit(**{key: value for key, value in given.items() if key in search.limits})
    level = given.get("level") if _has_levels(search) else None
    ours = (*search.limits, *(["level"] if level is not None else []))
    keywords = {key: value for key, value in given.items() if key not in ours}
    arguments = _make_knowledge(word, search, known, game) if known else _no_knowledge(word, search)
    searcher = search(game, *arguments, **keywords)
    if level is not None:
        known_by = arguments[0] if arguments else None
        searcher = hold_back(
            searcher,
            game.spec,
            level,
            counts_nodes="nodes" in search.limits,
            weighs_moves=_weighs_moves(search, known_by),
            small=getattr(known_by, "small", 1.0),
        )
    return SearchPlayer(str(_spell(said, given, offered)), game, searcher, limit)


def settings(name: str) -> dict[str, Any]:
    """The options that a name sets for its search, each read as what it is.

    >>> settings("gojen:noise=40,escape=no")
    {'noise': 40.0, 'escape': False}

    Raises:
        UnknownName: there is no such search, or it has no such option.
        BadOption: a value cannot be read.
    """
    said = PlayerName.parse(name)
    return _read_options(said.word, said.options, options(registry.get(searches(), said.word, "player")))


def bounds(name: str) -> tuple[str, ...]:
    """The bounds of a `Limit` that the player of this name heeds.

    >>> bounds("rollouts:games=8")
    ('nodes', 'time')

    Raises:
        UnknownName: no player is called so.
    """
    limits: tuple[str, ...] = registry.get(
        {**searches(), **engines()}, PlayerName.parse(name).word, "player"
    ).limits
    return limits


def levels(name: str) -> int:
    """How many levels the player of this name has; 0: none.

    >>> levels("alphabeta+classical"), levels("random")
    (10, 0)

    Raises:
        UnknownName: no player is called so.
    """
    said = PlayerName.parse(name)
    search = registry.get(searches(), said.word, "player")
    weighs = _weighs_moves(search, knowledge().get(said.knowledge.name) if said.knowledge else None)
    return count_levels("nodes" in search.limits, weighs) if _has_levels(search) else 0


def vary(name: str, changes: Mapping[str, Any]) -> str:
    """The name of the same player with other options; None takes one back to what it is if nobody sets it.

    >>> vary("alphabeta:depth=3+classical", {"hash": 64})
    'alphabeta:hash=64,depth=3+classical'

    Raises:
        UnknownName: its search has no such option.
        BadOption: the name is none.
    """
    said = PlayerName.parse(name)
    offered = options(registry.get(searches(), said.word, "player"))
    for key in changes:
        if key not in offered:
            hint = registry.hint(key, offered, "it has")
            raise UnknownName(f"{said.word} has no option {quote(key)}; {hint}")
    given = {**_read_options(said.word, said.options, offered), **changes}
    return str(_spell(said, {key: value for key, value in given.items() if value is not None}, offered))


def _read_options(word: str, said: Iterable[Setting], offered: Mapping[str, Option]) -> dict[str, Any]:
    bare = next((option.name for option in offered.values() if option.required), None)
    given: dict[str, Any] = {}
    for key, text in said:
        if not key and not bare:
            raise BadOption(
                f"{word}: {quote(text)} is no option; write it as key=value, like {_example(offered)}"
            )
        key = key or str(bare)
        if key not in offered:
            raise UnknownName(f"{word} has no option {quote(key)}; {registry.hint(key, offered, 'it has')}")
        if key in given:
            raise BadOption(f"{word}: {key} is given twice")
        given[key] = _read_value(word, offered[key], text)
    for option in offered.values():
        if option.required and option.name not in given:
            raise BadOption(f"{word} needs its {option.name}: {word}:{option.name.upper()}")
    return given


def _read_value(word: str, option: Option, text: str) -> Any:
    limit = option.name in Limit.__dataclass_fields__
    try:
        if option.kind is bool:
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[
                text.lower()
            ]
        if not text:
            raise ValueError
        value = option.kind(text)
        if option.kind is int and abs(value) >= 2**62:  # beyond what native code, or anybody, can count
            raise ValueError
        if option.kind is float and not abs(value) < float("inf"):
            raise ValueError
        if limit and value <= 0:
            raise ValueError
        if option.kind is int and not -_MOST <= value <= _MOST:
            raise BadOption(f"{word}: {option.name} must be below 2^63 (got {clip(text, 24)})")
        return value
    except (KeyError, ValueError):
        what = {bool: "yes or no", int: "a whole number", float: "a number", str: "some text"}[option.kind]
        what += " above 0" if limit else ""
        raise BadOption(f"{word}: {option.name} must be {what} (got {clip(text, 24)})") from None


def _example(offered: Mapping[str, Option]) -> str:
    samples = {bool: "yes", int: "40", float: "0.5", str: "name"}
    return next((f"{o.name}={samples[o.kind]}" for o in offered.values()), "nothing, for it has none")


def know(name: str, game: Game) -> Any:
    """The knowledge of that name, `NAME[@source]`, about that game.

    Raises:
        UnknownName: none is called so.
        BadOption: it has no sources, and one is named.
        UnsupportedGame: it knows another game.
    """
    return _know(KnowledgeName.parse(name), game)


def _know(said: KnowledgeName, game: Game) -> Any:
    maker = registry.get(knowledge(), said.name, "knowledge")
    if len(inspect.signature(maker).parameters) > 1:
        return maker(game, said.source)
    if said.source is not None:
        raise BadOption(f"{said.name} is always the same knowledge; leave out {quote('@' + said.source)}")
    return maker(game)


def _make_knowledge(word: str, search: Any, known: KnowledgeName, game: Game) -> list[Any]:
    if _knowledge_parameter(search) is None:
        raise BadOption(f"{word} thinks without knowledge; leave out {quote(f'+{known}')}")
    return [_know(known, game)]


def _no_knowledge(word: str, search: Any) -> list[Any]:
    parameter = _knowledge_parameter(search)
    if parameter is not None and parameter.default is parameter.empty:
        raise BadOption(
            f"{word} needs knowledge: {word}+NAME, NAME being {' or '.join(knowledge()) or 'none yet'}"
        )
    return []


def _spell(said: PlayerName, given: Mapping[str, Any], offered: Mapping[str, Option]) -> PlayerName:
    """The name with the options that were given, in the order in which the search declares them."""
    parts = []
    for option in offered.values():
        if option.name in given:
            value = given[option.name]
            text = (
                ("no", "yes")[value]
                if option.kind is bool
                else f"{value:g}"
                if option.kind is float
                else value
            )
            parts.append(("" if option.required else option.name, str(text)))
    return replace(said, options=tuple(parts))


# --- who plays what ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A name that `make` accepts for a game, described for people."""

    name: str
    description: str
    options: tuple[Option, ...] = ()


def for_game(game: Game) -> list[Entry]:
    """Everybody who plays this game, by name. Options that must be given keep a player off this list."""
    entries = []
    for word, search in searches().items():
        entry = Entry(word, _describe(search), tuple(options(search).values()))
        parameter = _knowledge_parameter(search)
        if parameter is None or parameter.default is not parameter.empty:
            entries.append(entry)
        if parameter is not None:
            for known, maker in knowledge().items():
                text = f"{entry.description} Evaluation: {_describe(maker)}"
                if known not in zoo():
                    entries.append(replace(entry, name=f"{word}+{known}", description=text))
    for card in zoo().values():
        # Any search may use what the zoo knows; people are shown the one that suits it.
        search = searches()[PlayerName.parse(card.player).word]
        entries.append(Entry(card.player, card.description, tuple(options(search).values())))
    return [entry for entry in entries if _plays(entry.name, game)]


def default(game: Game) -> str:
    """The name of the player whom people meet in this game unless they name another."""
    return next(name for name in _PREFERRED if _plays(name, game))


def _describe(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _plays(name: str, game: Game) -> bool:
    try:
        make(name, game)
    except (UnsupportedGame, BadOption):
        return False
    return True
