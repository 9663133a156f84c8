"""Knowledge and thought make a player; the one place that says what players' names mean.

The grammar of names is in `rookery.names`; here it is said what they mean: `random`, `rollouts:games=40`,
`alphabeta:depth=5+duchess/stage3`. What may stand there, and for which games, is declared: see
`rookery.roster`. External programs play too, `uci:stockfish,nodes=1000`: see `rookery.engines`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rookery import options, registry, roster
from rookery.api import Believer, Game, Limit, Slack, Thinker
from rookery.errors import BadOption, quote
from rookery.levels import count, hold_back
from rookery.names import KnowledgeName, PlayerName
from rookery.thinker import SearchPlayer


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
        player: Thinker = roster.engines()[said.word](name, game, said.program, dict(said.options))
        return player
    search: Any = roster.search(said)
    offered = roster.search_options(search)
    given = options.read(said.word, said.options, offered)
    roster.check(said, game)
    knowledge = _know(said.knowledge, game) if said.knowledge else None
    limit = Limit(**{key: value for key, value in given.items() if key in search.limits})
    level = given.get("level") if roster.has_levels(search) else None
    ours = {*search.limits, *(["level"] if level is not None else [])}
    keywords = {key: value for key, value in given.items() if key not in ours}
    searcher = search(game, *([knowledge] if said.knowledge else []), **keywords)
    believer = searcher if isinstance(searcher, Believer) else None
    if level is not None:
        try:
            searcher = hold_back(
                searcher,
                game.spec,
                level,
                counts_nodes="nodes" in search.limits,
                weighs_moves=roster.weighs_moves(search, said.knowledge),
                slack=knowledge.level_slack if isinstance(knowledge, Slack) else 1.0,
            )
        except BadOption as error:
            raise BadOption(f"{said.word}: {error}") from None
    return SearchPlayer(str(_spell(said, given)), game, searcher, limit, believer, paced=search.paced)


def know(name: str, game: Game) -> Any:
    """The knowledge of that name, `NAME[@source][:key=value,...]`, about that game.

    Raises:
        UnknownName: none is called so, or it has no such option.
        BadOption: an option's value cannot be read or is out of range; a source is named, and it has none.
        UnsupportedGame: it knows another game.
    """
    return _know(KnowledgeName.parse(name), game)


def _know(said: KnowledgeName, game: Game) -> Any:
    known = roster.known(said)
    given = options.read(said.name, said.options, known.options())
    known.check(game, said.source)
    kind: Any = known.kind
    source = known.card.name if known.card else said.source
    if known.card:
        given = {**options.read(said.name, known.card.told, known.options()), **given}
    return kind(game, source, **given) if source is not None else kind(game, **given)


def settings(name: str) -> dict[str, Any]:
    """The options that a name sets for its search, each read as what it is.

    >>> settings("gojen:noise=40,escape=no")
    {'noise': 40.0, 'escape': False}

    Raises:
        UnknownName: there is no such search, or it has no such option.
        BadOption: a value cannot be read.
    """
    said = PlayerName.parse(name)
    return options.read(said.word, said.options, roster.search_options(roster.search(said)))


def bounds(name: str) -> tuple[str, ...]:
    """The bounds of a `Limit` that the player of this name heeds.

    >>> bounds("rollouts:games=8")
    ('nodes', 'time')

    Raises:
        UnknownName: no player is called so.
    """
    everybody: Mapping[str, Any] = {**roster.searches(), **roster.engines()}
    limits: tuple[str, ...] = registry.get(everybody, PlayerName.parse(name).word, "player").limits
    return limits


def levels(name: str) -> int:
    """How many levels the player of this name has; 0: none.

    >>> levels("alphabeta+classical"), levels("random")
    (10, 0)

    Raises:
        UnknownName: no player is called so.
    """
    said = PlayerName.parse(name)
    search = roster.search(said)
    if not roster.has_levels(search):
        return 0
    return count("nodes" in search.limits, roster.weighs_moves(search, said.knowledge))


def rated(name: str, elo: int) -> str:
    """The name of a player that plays like people, at a rating, or the nearest that it can play at.

    The card says how the player that people meet does so; what a name says itself stays as it is. Others that
    use its knowledge are told the rating and nothing else.

    >>> rated("sample+chess/human:temperature=0.8", 1300)
    'sample+chess/human:temperature=0.8,elo=1300'

    Raises:
        BadOption: it does not play like people of a rating.
    """
    said = PlayerName.parse(name)
    card = roster.card(said)
    if said.knowledge is None or card is None or card.ratings is None:
        raise BadOption(f"{quote(name)} cannot imitate people of a rating")
    rating = card.ratings.bounded(elo)
    knows, thinks = dict(said.knowledge.options), dict(said.options)
    if said.word == card.player.word:
        like = card.ratings.at(rating)
        thinks = {"kl": str(like.kl), "nodes": str(like.nodes)} | thinks
    knows[card.ratings.option] = str(rating)
    known = replace(said.knowledge, options=tuple(knows.items()))
    return vary(str(replace(said, options=tuple(thinks.items()), knowledge=known)), {})


def imitates(name: str) -> bool:
    """Whether the player of that name can be `rated`."""
    card = roster.card(PlayerName.parse(name))
    return card is not None and card.ratings is not None


def told(knowledge: str, elo: int) -> str:
    """The name of knowledge that predicts people, told their rating as far as it can be; of other knowledge
    the same name.

    >>> told("chess/human", 1700), told("chess/human:elo=1500,temperature=0.5", 0), told("pieces", 1700)
    ('chess/human:elo=1700', 'chess/human:elo=1500,temperature=0.5', 'pieces')
    """
    said = KnowledgeName.parse(knowledge)
    card = roster.known(said).card
    if card is None or card.ratings is None or elo <= 0:
        return knowledge
    options = {**dict(said.options), card.ratings.option: str(card.ratings.bounded(elo))}
    return str(replace(said, options=tuple(options.items())))


def vary(name: str, changes: Mapping[str, Any]) -> str:
    """The name of the same player with other options; None takes one back to what it is if nobody sets it.

    >>> vary("alphabeta:depth=3+classical", {"hash": 64})
    'alphabeta:hash=64,depth=3+classical'

    Raises:
        UnknownName: its search has no such option.
        BadOption: the name is none.
    """
    said = PlayerName.parse(name)
    offered = roster.search_options(roster.search(said))
    for key in changes:
        options.require(said.word, key, offered)
    given = {**options.read(said.word, said.options, offered), **changes}
    return str(_spell(said, {key: value for key, value in given.items() if value is not None}))


def _spell(said: PlayerName, given: Mapping[str, Any]) -> PlayerName:
    """The one spelling of a name with these options: in the order in which they are declared."""
    known = said.knowledge
    if known is not None and known.options:
        offered = roster.known(known).options()
        read = options.read(known.name, known.options, offered)
        known = replace(known, options=options.spell(read, offered))
    offered = roster.search_options(roster.search(said))
    return replace(said, options=options.spell(given, offered), knowledge=known)
