"""The grammar of players' names; nobody else takes a name apart.

    SEARCH[:key=value,...][+KNOWLEDGE[@SOURCE]]     alphabeta:depth=5+linear@runs/first
    PROTOCOL:PROGRAM[,key=value,...]                uci:stockfish,nodes=1000

The first setting of a search may be a bare value: what it means, the search says. A source is the rest of the
name, whatever it holds. `:` in the name of knowledge is kept free for options of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rookery.errors import BadOption, quote

PROTOCOLS = frozenset({"gtp", "uci", "xboard"})
"""The words before a colon that mean a program of other people; `rookery.engines` speaks them."""
LONGEST = 2000
"""Characters of a name, sources that are paths included."""

Setting = tuple[str, str]
"""A key and its value, as text; the key of a bare value is empty."""


@dataclass(frozen=True)
class KnowledgeName:
    """`NAME[@SOURCE]`."""

    name: str
    source: str | None = None
    """A file, a run or one of the zoo."""

    def __post_init__(self) -> None:
        _require(self.name, ":", f"knowledge {quote(self.name)} takes no options; leave out ':'")
        _require(self.name, "@", f"no knowledge is called {quote(self.name)}")
        if self.source == "":
            raise BadOption(f"{quote(self.name + '@')} names no source; leave out '@', or say which")
        _bound(str(self))

    @classmethod
    def parse(cls, text: str) -> KnowledgeName:
        """
        >>> KnowledgeName.parse("td@runs/first")
        KnowledgeName(name='td', source='runs/first')

        Raises:
            BadOption: the text breaks the grammar.
        """
        _bound(text)
        name, at, source = text.partition("@")
        return cls(name, source if at else None)

    def __str__(self) -> str:
        return self.name if self.source is None else f"{self.name}@{self.source}"


@dataclass(frozen=True)
class PlayerName:
    """A player's name, taken apart: `PlayerName.parse(str(name)) == name`."""

    word: str
    """The search, or the protocol of a program."""
    options: tuple[Setting, ...] = ()
    """In the order in which they were written."""
    knowledge: KnowledgeName | None = None
    program: str | None = None
    """Of other people; None: a search of ours thinks."""

    def __post_init__(self) -> None:
        ours = self.program is None
        if not ours and (not self.program or self.word not in PROTOCOLS or self.knowledge is not None):
            raise BadOption(f"{quote(str(self))} lacks its program; write {self.word}:PROGRAM,key=value")
        if ours and self.word in PROTOCOLS and self.options:
            raise BadOption(f"{quote(str(self))} lacks its program; write {self.word}:PROGRAM,key=value")
        _require(self.word, ":+", f"no player is called {quote(self.word)}")
        _require(self.program or "", ",=", f"no program is called {quote(self.program or '')}")
        seen = set()
        for place, (key, value) in enumerate(self.options):
            text = f"{key}={value}" if key else value
            bare = ours and place == 0 and value and "=" not in value
            if (
                (not key and not bare)
                or set(key) & set(",=" + "+" * ours)
                or set(value) & set("," + "+" * ours)
            ):
                raise BadOption(f"{quote(self.word)}: {quote(text)} is no option; write it as key=value")
            if key in seen:
                raise BadOption(f"{quote(str(self))}: {key} is given twice")
            seen.add(key)
        _bound(str(self))

    @classmethod
    def parse(cls, text: str) -> PlayerName:
        """
        >>> PlayerName.parse("epsilon:0.1,level=3+td@first").options
        (('', '0.1'), ('level', '3'))

        Raises:
            BadOption: the text breaks the grammar.
        """
        _bound(text)
        word, colon, rest = text.partition(":")
        if colon and word in PROTOCOLS:
            program, *settings = rest.split(",")
            if not program or "=" in program:
                raise BadOption(f"{quote(text)} lacks its program; write {word}:PROGRAM,key=value")
            return cls(word, tuple(_setting(word, setting) for setting in settings), None, program)
        thought, plus, known = text.partition("+")
        word, _, rest = thought.partition(":")
        options = tuple(_setting(word, setting) for setting in rest.split(",")) if rest else ()
        return cls(word, options, KnowledgeName.parse(known) if plus else None)

    def __str__(self) -> str:
        settings = ",".join(f"{key}={value}" if key else value for key, value in self.options)
        if self.program is not None:
            return f"{self.word}:{self.program}" + (f",{settings}" if self.options else "")
        thought = f"{self.word}:{settings}" if self.options else self.word
        return thought if self.knowledge is None else f"{thought}+{self.knowledge}"

    @property
    def external(self) -> bool:
        """Whether a program of other people plays."""
        return self.program is not None

    @property
    def source(self) -> str | None:
        """Where its weights come from, if the name says so."""
        return self.knowledge.source if self.knowledge else None

    def option(self, key: str) -> str | None:
        """What an option is set to; None: nothing."""
        return dict(self.options).get(key)

    def without_options(self) -> PlayerName:
        return replace(self, options=())

    def without_knowledge(self) -> PlayerName:
        return replace(self, knowledge=None)


def _setting(word: str, text: str) -> Setting:
    key, equals, value = text.partition("=")
    if equals and not key:
        raise BadOption(f"{quote(word)}: {quote(text)} is no option; write it as key=value")
    return (key, value) if equals else ("", key)


def _require(text: str, free_of: str, otherwise: str) -> None:
    if set(text) & set(free_of):
        raise BadOption(otherwise)


def _bound(text: str) -> None:
    if len(text) > LONGEST:
        raise BadOption(f"{quote(text)} is too long for a name: {len(text)} characters, at most {LONGEST}")
    if not text.isprintable():
        raise BadOption(f"{quote(text)} has characters that no name has; use letters, digits and marks")
