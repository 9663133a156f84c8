"""Knowledge and thought make a player; the one place that says what players' names mean.

The grammar of names is in `rookery.names`; here it is said what they mean: `random`, `rollouts:games=40`,
`alphabeta:depth=5+duchess/stage3`. What may stand there is found, not listed: see `rookery.searches` and
`rookery.evaluators`. External programs play too, `uci:stockfish,nodes=1000`: see `rookery.engines`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rookery import options as name_options
from rookery import registry
from rookery.api import Believer, Game, Limit, PolicyEvaluator, Slack, Thinker
from rookery.cards import Card, cards, zoo
from rookery.errors import BadOption, UnsupportedGame, quote
from rookery.levels import count as count_levels
from rookery.levels import hold_back
from rookery.names import KnowledgeName, PlayerName
from rookery.options import Offered, Option
from rookery.searches.uniform import Uniform
from rookery.thinker import SearchPlayer

# --- what there is -----------------------------------------------------------------------------------


@cache
def searches() -> Mapping[str, Any]:
    """Every search by name."""
    return registry.found("rookery.searches", "SEARCHES")


@cache
def knowledge() -> Mapping[str, Any]:
    """Everything that makes knowledge, by name: kinds of it, and those in the zoo."""
    kinds = registry.found("rookery.evaluators", "KNOWLEDGE")
    return kinds | {name: _from_zoo(card, kinds[card.knowledge or ""]) for name, card in zoo().items()}


def _from_zoo(card: Card, kind: Any) -> Callable[[Game], Any]:
    def make(game: Game, **given: Any) -> Any:
        if game.spec.name not in card.games:
            raise UnsupportedGame(f"{card.name} knows {', '.join(card.games)}, not {game.spec.name}")
        return kind(game, card.name, **given)

    takes = [
        each for each in inspect.signature(kind, eval_str=True).parameters.values() if each.name != "source"
    ]
    make.__signature__ = inspect.Signature(takes)  # type: ignore[attr-defined]
    make.__doc__ = card.description
    return make


def kind(name: str) -> Any:
    """The class of the knowledge of that name, which declares what it can do: see `rookery.api`.

    Raises:
        UnknownName: none is called so.
    """
    card = zoo().get(name)
    return registry.get(knowledge(), (card and card.knowledge) or name, "knowledge")


@cache
def engines() -> Mapping[str, Any]:
    """Every protocol that external programs may speak."""
    return registry.found("rookery.engines", "ENGINES")


def options(search: Any) -> dict[str, Option]:
    """What may be set in a player's name for this search: its keywords, the limits that it obeys, a level."""
    found = name_options.declared(search)
    for name in search.limits:
        found[name] = Option(name, float if name == "time" else int, False, None)
    if _has_levels(search):
        found["level"] = Option("level", int, False, None)
    return found


def _has_levels(search: Any) -> bool:
    """Whether our levels fit it: it has none of its own, and is not chance already."""
    return search is not Uniform and "level" not in inspect.signature(search).parameters


def _weighs_moves(search: Any, known: KnowledgeName | None) -> bool:
    """Whether its results give each move a share, by what the knowledge thinks of them."""
    return bool(search.weighs_moves) and known is not None and issubclass(kind(known.name), PolicyEvaluator)


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
    given = name_options.read(word, said.options, offered)
    limit = Limit(**{key: value for key, value in given.items() if key in search.limits})
    level = given.get("level") if _has_levels(search) else None
    ours = (*search.limits, *(["level"] if level is not None else []))
    keywords = {key: value for key, value in given.items() if key not in ours}
    arguments = _make_knowledge(word, search, known, game) if known else _no_knowledge(word, search)
    searcher = search(game, *arguments, **keywords)
    believer = searcher if isinstance(searcher, Believer) else None
    if level is not None:
        known_by = arguments[0] if arguments else None
        searcher = hold_back(
            searcher,
            game.spec,
            level,
            counts_nodes="nodes" in search.limits,
            weighs_moves=_weighs_moves(search, known),
            slack=known_by.level_slack if isinstance(known_by, Slack) else 1.0,
        )
    return SearchPlayer(str(_spell(said, given, offered)), game, searcher, limit, believer)


def settings(name: str) -> dict[str, Any]:
    """The options that a name sets for its search, each read as what it is.

    >>> settings("gojen:noise=40,escape=no")
    {'noise': 40.0, 'escape': False}

    Raises:
        UnknownName: there is no such search, or it has no such option.
        BadOption: a value cannot be read.
    """
    said = PlayerName.parse(name)
    return name_options.read(said.word, said.options, options(registry.get(searches(), said.word, "player")))


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
    weighs = _weighs_moves(search, said.knowledge)
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
        name_options.require(said.word, key, offered)
    given = {**name_options.read(said.word, said.options, offered), **changes}
    return str(_spell(said, {key: value for key, value in given.items() if value is not None}, offered))


def know(name: str, game: Game) -> Any:
    """The knowledge of that name, `NAME[@source][:key=value,...]`, about that game.

    Raises:
        UnknownName: none is called so, or it has no such option.
        BadOption: an option's value cannot be read or is out of range; a source is named, and it has none.
        UnsupportedGame: it knows another game.
    """
    return _know(KnowledgeName.parse(name), game)


def _know(said: KnowledgeName, game: Game) -> Any:
    maker = registry.get(knowledge(), said.name, "knowledge")
    given = name_options.read(said.name, said.options, name_options.declared(maker))
    if "source" in inspect.signature(maker).parameters:
        return maker(game, said.source, **given)
    if said.source is not None:
        raise BadOption(f"{said.name} is always the same knowledge; leave out {quote('@' + said.source)}")
    return maker(game, **given)


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


def _spell(said: PlayerName, given: Mapping[str, Any], offered: Offered) -> PlayerName:
    """The name with the options that were given, in the order in which they are declared."""
    return replace(
        said, options=name_options.spell(given, offered), knowledge=_spell_knowledge(said.knowledge)
    )


def _spell_knowledge(said: KnowledgeName | None) -> KnowledgeName | None:
    if said is None or not said.options:
        return said
    offered = name_options.declared(registry.get(knowledge(), said.name, "knowledge"))
    return replace(
        said, options=name_options.spell(name_options.read(said.name, said.options, offered), offered)
    )


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
        search = searches()[card.player.word]
        entries.append(Entry(str(card.player), card.description, tuple(options(search).values())))
    return [entry for entry in entries if _plays(entry.name, game)]


def default(game: Game) -> str:
    """The name of the player whom people meet in this game unless they name another."""
    preferred = [str(card.player) for card in cards().values() if game.spec.name in card.default_for]
    ranked = [(search.fallback, word) for word, search in searches().items()]
    others = [word for rank, word in sorted(ranked, reverse=True) if rank]
    return next(name for name in (*preferred, *others) if _plays(name, game))


def _describe(thing: Any) -> str:
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _plays(name: str, game: Game) -> bool:
    try:
        make(name, game)
    except (UnsupportedGame, BadOption):
        return False
    return True
