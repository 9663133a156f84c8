"""Who there is, and who plays what: all of it declared by searches, knowledge, protocols and cards.

Nothing is built here and no file of weights is opened; `rookery.players` makes players by what this says.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from rookery import options, registry
from rookery.api import Game, NamedKnowledge, NamedSearch, PolicyEvaluator
from rookery.cards import Card, cards, zoo
from rookery.errors import BadOption, UnknownName, UnsupportedGame, quote
from rookery.names import KnowledgeName, PlayerName
from rookery.options import Option

# --- what there is -----------------------------------------------------------------------------------


@cache
def searches() -> Mapping[str, type[NamedSearch]]:
    """Every search by name."""
    return registry.found("rookery.searches", "SEARCHES")


@cache
def kinds() -> Mapping[str, type[NamedKnowledge]]:
    """Every kind of knowledge by name."""
    return registry.found("rookery.evaluators", "KNOWLEDGE")


@cache
def engines() -> Mapping[str, Any]:
    """Every protocol that external programs may speak, and the class that speaks it."""
    return registry.found("rookery.engines", "ENGINES")


@dataclass(frozen=True)
class Knowledge:
    """Something that a search may know positions by: a kind of knowledge, or weights of the zoo."""

    name: str
    kind: type[NamedKnowledge]
    card: Card | None = None
    """Of weights."""

    @property
    def title(self) -> str:
        return self.card.title if self.card else self.kind.title

    @property
    def description(self) -> str:
        return self.card.description if self.card else first_line(self.kind)

    def options(self) -> dict[str, Option]:
        return options.declared(self.kind)

    @property
    def takes_source(self) -> bool:
        """Whether people may name weights or a run, `name@source`."""
        return self.card is None and "source" in inspect.signature(self.kind).parameters

    @property
    def needs_source(self) -> bool:
        return self.takes_source and _is_required(self.kind, "source")

    def check(self, game: Game, source: str | None) -> None:
        """Nothing where it knows this game, from this source.

        Raises:
            UnsupportedGame: it knows another game.
            BadOption: it has no sources, or needs one; or what it needs is not installed.
        """
        if self.card and game.spec.name not in self.card.games:
            raise UnsupportedGame(f"{self.name} knows {', '.join(self.card.games)}, not {game.spec.name}")
        self.kind.check_game(game)
        if source is not None and not self.takes_source:
            raise BadOption(f"{self.name} takes no weights; leave out {quote('@' + source)}")
        if source is None and self.needs_source:
            raise BadOption(
                f"{self.name} needs weights: {self.name}@FILE, or {self.name}@DIR with the folder of a run"
            )
        self.kind.check_installed()


def knowledge() -> dict[str, Knowledge]:
    """All knowledge by name: every kind of it, and the weights of the zoo."""
    found = {name: Knowledge(name, kind) for name, kind in kinds().items()}
    for name, card in zoo().items():
        found[name] = Knowledge(name, registry.get(kinds(), card.knowledge or "", "evaluation"), card)
    return found


def search(name: PlayerName) -> type[NamedSearch]:
    """The search that a player's name names.

    Raises:
        UnknownName: there is none.
    """
    if name.word not in searches():
        word = KnowledgeName.parse(name.word).name
        if word in knowledge():
            raise UnknownName(f"{quote(word)} does not play alone{_thought_for(word)}")
        programs = ", ".join(f"{protocol}:PROGRAM" for protocol in engines())
        told = registry.hint(name.word, searches())
        others = "" if told.endswith("?") else f"; external engines are {programs}"
        raise UnknownName(f"no player is called {quote(name.word)}; {told}{others}")
    return searches()[name.word]


def _thought_for(knows: str) -> str:
    """How knowledge becomes a player, for who forgot the search."""
    kind = knowledge()[knows].kind
    fitting = [word for word, thinks in searches().items() if thinks.takes and issubclass(kind, thinks.takes)]
    if not fitting:
        return " that no search takes; no player has it in its name"
    like = "greedy" if "greedy" in fitting else fitting[0]
    return f", and needs a search: SEARCH+{knows}, like {like}+{knows}"


def known(name: KnowledgeName) -> Knowledge:
    """The knowledge that a name names.

    Raises:
        UnknownName: there is none.
    """
    return registry.get(knowledge(), name.name, "evaluation")


def card(name: PlayerName) -> Card | None:
    """Of the weights that a player uses, if they come along.

    Raises:
        UnknownName: there is no such knowledge.
    """
    return known(name.knowledge).card if name.knowledge and not name.external else None


# --- what they can be told ---------------------------------------------------------------------------


def search_options(search: type[NamedSearch]) -> dict[str, Option]:
    """What may be set in a player's name for this search: its keywords, the limits that it obeys, a level."""
    found = options.declared(search, search.renamed)
    for name in search.limits:
        found[name] = Option(name, float if name == "time" else int, False, None)
    if has_levels(search):
        found["level"] = Option("level", int, False, None)
    return found


def has_levels(search: type[NamedSearch]) -> bool:
    """Whether our levels fit it: it has none of its own, and can play worse than it does."""
    return search.has_levels and "level" not in inspect.signature(search).parameters


def weighs_moves(search: type[NamedSearch], name: KnowledgeName | None) -> bool:
    """Whether its results give each move a share, by what the knowledge thinks of them."""
    return search.weighs_moves and name is not None and issubclass(known(name).kind, PolicyEvaluator)


# --- who plays what ----------------------------------------------------------------------------------


def check(name: PlayerName, game: Game) -> None:
    """Nothing where the player of that name is declared for this game.

    Raises:
        UnknownName: no search or knowledge is called so.
        UnsupportedGame: it does not play that game, or its knowledge does not suit its search.
        BadOption: its knowledge is missing, or one too many; or what it needs is not installed.
    """
    if name.external:
        engines()[name.word].check_game(game)
        return
    thinks, word = search(name), name.word
    if name.knowledge is None:
        if _is_required(thinks, "knowledge"):
            names = (PlayerName(word, knowledge=KnowledgeName(each)) for each in knowledge())
            fitting = [str(each.knowledge) for each in names if plays(each, game)]
            raise BadOption(
                f"{word} needs an evaluation: write {word}+NAME, one of {', '.join(fitting) or 'none yet'}"
            )
        thinks.check_alone(game)
        return
    if not thinks.takes:
        raise BadOption(f"{word} uses no evaluation; leave out {quote(f'+{name.knowledge}')}")
    knows = known(name.knowledge)
    thinks.check_game(game)
    knows.check(game, name.source)
    if not issubclass(knows.kind, thinks.takes):
        wanted = " or ".join(_in_words(protocol) for protocol in thinks.takes)
        raise UnsupportedGame(f"{word} needs {wanted}; {knows.name} is not one")


def plays(name: PlayerName, game: Game) -> bool:
    """Whether the player of that name is declared for this game."""
    try:
        check(name, game)
    except (UnsupportedGame, BadOption):
        return False
    return True


@dataclass(frozen=True)
class Entry:
    """A player of a game by its name, described for people."""

    name: str
    description: str
    options: tuple[Option, ...] = ()


def for_game(game: Game) -> list[Entry]:
    """Everybody who plays this game, by name. Options that must be given keep a player off this list."""
    return [
        Entry(str(name), description, tuple(search_options(search(name)).values()))
        for name, description in _everybody()
        if plays(name, game)
    ]


def _everybody() -> Iterator[tuple[PlayerName, str]]:
    for word, thinks in searches().items():
        if any(option.required for option in search_options(thinks).values()):
            continue
        yield PlayerName(word), first_line(thinks)
        for name, kind in kinds().items() if thinks.takes else ():
            about = f"{first_line(thinks)} Evaluation: {first_line(kind)}"
            yield PlayerName(word, (), KnowledgeName(name)), about
    for card in zoo().values():
        # Any search may use what the zoo knows; people are shown the one that suits it.
        yield card.player, card.description


def default(game: Game) -> str:
    """The name of the player whom people meet in this game unless they name another."""
    preferred = [card.player for card in cards().values() if game.spec.name in card.default_for]
    ranked = sorted((each.fallback, word) for word, each in searches().items() if each.fallback)
    others = [PlayerName(word) for _, word in reversed(ranked)]
    return str(next(name for name in (*preferred, *others) if plays(name, game)))


def like_people(game: Game) -> Card | None:
    """The card of who plays this game like people of a rating; None: nobody does, or it is not installed."""
    for card in zoo().values():
        if card.ratings and game.spec.name in card.ratings.games and plays(card.player, game):
            return card
    return None


def first_line(thing: Any) -> str:
    """Of what its documentation says."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def _is_required(maker: Any, parameter: str) -> bool:
    found = inspect.signature(maker).parameters.get(parameter)
    return found is not None and found.default is found.empty


def _in_words(protocol: type) -> str:
    """
    >>> _in_words(PolicyEvaluator)
    'a policy evaluator'
    """
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", protocol.__name__).lower()
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"
