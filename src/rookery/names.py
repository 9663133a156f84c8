"""The grammar of players' names; nobody else takes a name apart.

    SEARCH[:key=value,...][+KNOWLEDGE[@SOURCE][:key=value,...]]     puct:nodes=64+zero@runs/one:temperature=2
    PROTOCOL:PROGRAM[,key=value,...]                                uci:stockfish,nodes=1000

The first setting of a search may be a bare value: what it means, the search says. A source is the rest of the
name, whatever it holds, up to the options at its end. One that itself ends like options, or in a colon, is
followed by one colon more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rookery.errors import BadOption, quote

PROTOCOLS = frozenset({"gtp", "uci", "xboard"})
"""The words before a colon that mean a program of other people; `rookery.engines` speaks them."""
LONGEST = 2000
"""Characters of a name, sources that are paths included."""

Setting = tuple[str, str]
"""A key and its value, as text; the key of a bare value is empty."""

_OPTION = r"[A-Za-z_][A-Za-z0-9_-]*=[^,=:@/\\]*"
"""An option of knowledge. It has none of the marks of a path: of `runs/lr:a=1/last` all is source."""
_OPTIONS_AT_THE_END = re.compile(rf"(?P<source>.*):(?P<options>{_OPTION}(,{_OPTION})*)?")


@dataclass(frozen=True)
class KnowledgeName:
    """`NAME[@SOURCE][:key=value,...]`."""

    name: str
    source: str | None = None
    """A file, a run or one of the zoo."""
    options: tuple[Setting, ...] = ()
    """In the order in which they were written."""

    def __post_init__(self) -> None:
        _require(self.name, ":", f"the options of {quote(self.name)} come last: NAME@SOURCE:key=value")
        _require(self.name, "@", f"no evaluation is called {quote(self.name)}")
        if self.source == "":
            raise BadOption(f"{quote(self.name + '@')} names no source; leave out '@', or say which")
        for setting in self.options:
            if not re.fullmatch(_OPTION, text := _write([setting])):
                raise BadOption(f"{quote(self.name)}: {quote(text)} is no option; write it as key=value")
        _require_once(str(self), self.options)
        _bound(str(self))

    @classmethod
    def parse(cls, text: str) -> KnowledgeName:
        """
        >>> KnowledgeName.parse("zero@runs/first:temperature=2")
        KnowledgeName(name='zero', source='runs/first', options=(('temperature', '2'),))

        Raises:
            BadOption: the text breaks the grammar.
        """
        _bound(text)
        name, at, source = text.partition("@")
        if not at:
            name, _, options = text.partition(":")
            return cls(name, None, _read(name, options))
        if ends := _OPTIONS_AT_THE_END.fullmatch(source):
            return cls(name, ends["source"], _read(name, ends["options"] or ""))
        return cls(name, source)

    def __str__(self) -> str:
        text = self.name if self.source is None else f"{self.name}@{self.source}"
        if self.options:
            return f"{text}:{_write(self.options)}"
        return f"{text}:" if _OPTIONS_AT_THE_END.fullmatch(self.source or "") else text

    def option(self, key: str) -> str | None:
        """What an option is set to; None: nothing."""
        return dict(self.options).get(key)


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
        for place, (key, value) in enumerate(self.options):
            text = _write([(key, value)])
            bare = ours and place == 0 and value and "=" not in value
            if (
                (not key and not bare)
                or set(key) & set(",=" + "+" * ours)
                or set(value) & set("," + "+" * ours)
            ):
                raise BadOption(f"{quote(self.word)}: {quote(text)} is no option; write it as key=value")
        _require_once(str(self), self.options)
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
        return cls(word, _read(word, rest), KnowledgeName.parse(known) if plus else None)

    def __str__(self) -> str:
        settings = _write(self.options)
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

    def without_source(self) -> str:
        """Its search and knowledge alone, for people who know where the weights come from.

        >>> PlayerName.parse("puct:nodes=64+zero@runs/one").without_source()
        'puct:nodes=64+zero'
        """
        return str(replace(self, knowledge=replace(self.knowledge, source=None)) if self.knowledge else self)

    def without_options(self) -> PlayerName:
        """With the search as it is if nobody sets anything; what its knowledge is told stays."""
        return replace(self, options=())


def _read(word: str, text: str) -> tuple[Setting, ...]:
    return tuple(_setting(word, setting) for setting in text.split(",")) if text else ()


def _write(settings: Iterable[Setting]) -> str:
    return ",".join(f"{key}={value}" if key else value for key, value in settings)


def _setting(word: str, text: str) -> Setting:
    key, equals, value = text.partition("=")
    if equals and not key:
        raise BadOption(f"{quote(word)}: {quote(text)} is no option; write it as key=value")
    return (key, value) if equals else ("", key)


def _require(text: str, free_of: str, otherwise: str) -> None:
    if set(text) & set(free_of):
        raise BadOption(otherwise)


def _require_once(name: str, settings: Iterable[Setting]) -> None:
    seen = set()
    for key, _ in settings:
        if key in seen:
            raise BadOption(f"{quote(name)}: {key} is given twice")
        seen.add(key)


def _bound(text: str) -> None:
    if len(text) > LONGEST:
        raise BadOption(f"{quote(text)} is too long for a name: {len(text)} characters, at most {LONGEST}")
    if not text.isprintable():
        raise BadOption(f"{quote(text)} has characters that no name has; use letters, digits and marks")
