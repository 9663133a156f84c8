"""What may be set in a player's name, `key=value`: declared by keyword, read from text, spelled in one way.

The options of a search, or of knowledge, are the keywords of what makes it:
`def __init__(self, game, source, *, temperature: float = 1.0)`. Their types are int, float, str or bool,
perhaps with None.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from rookery import registry, renamed
from rookery.api import Limit
from rookery.errors import BadOption, UnknownName, clip, quote
from rookery.names import Setting


@dataclass(frozen=True)
class Option:
    """One `key=value` that a player's name may have."""

    name: str
    kind: type
    required: bool
    default: Any
    formerly: tuple[str, ...] = ()
    """Names that it had before, and by which it is still read."""


Offered = Mapping[str, Option]
"""Options by name, in the order in which a name spells them."""


def declared(maker: Any, old_names: Mapping[str, str] | None = None) -> dict[str, Option]:
    """The options of what makes a search or knowledge: its keywords. old_names: those of today by them."""
    found = {}
    for parameter in inspect.signature(maker, eval_str=True).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            required = parameter.default is parameter.empty
            default = None if required else parameter.default
            formerly = tuple(old for old, new in (old_names or {}).items() if new == parameter.name)
            found[parameter.name] = Option(
                parameter.name, _kind(parameter.annotation), required, default, formerly
            )
    return found


def _kind(annotation: Any) -> Any:
    """int of `int`, and of `int | None`."""
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    return next(kind for kind in kinds if kind is not NoneType)


def read(word: str, settings: Iterable[Setting], offered: Offered) -> dict[str, Any]:
    """The values that a name sets for the search, or the knowledge, of that word.

    Raises:
        UnknownName: it has no such option.
        BadOption: a value cannot be read, or one is missing.
    """
    bare = next((option.name for option in offered.values() if option.required), None)
    old_names = {old: option.name for option in offered.values() for old in option.formerly}
    given: dict[str, Any] = {}
    for key, text in settings:
        if not key and not bare:
            raise BadOption(
                f"{word}: {quote(text)} is no option; write it as key=value, like {_example(offered)}"
            )
        key = renamed.current(word, key or str(bare), old_names)
        require(word, key, offered)
        if key in given:
            raise BadOption(f"{word}: {key} is given twice")
        given[key] = _read_value(word, offered[key], text)
    for option in offered.values():
        if option.required and option.name not in given:
            raise BadOption(f"{word} needs its {option.name}: {word}:{option.name.upper()}")
    return given


def require(word: str, key: str, offered: Offered) -> None:
    """
    Raises:
        UnknownName: there is no such option.
    """
    if key not in offered:
        raise UnknownName(f"{word} has no option {quote(key)}; {registry.hint(key, offered, 'it has')}")


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
        return value
    except (KeyError, ValueError):
        what = {bool: "yes or no", int: "a whole number", float: "a number", str: "some text"}[option.kind]
        what += " above 0" if limit else ""
        raise BadOption(f"{word}: {option.name} must be {what} (got {clip(text, 24)})") from None


def _example(offered: Offered) -> str:
    samples = {bool: "yes", int: "40", float: "0.5", str: "name"}
    return next((f"{o.name}={samples[o.kind]}" for o in offered.values()), "nothing, for it has none")


def spell(given: Mapping[str, Any], offered: Offered) -> tuple[Setting, ...]:
    """Values as a name spells them: in the order in which they are offered, a required one bare."""
    return tuple(
        ("" if option.required else option.name, text(given[option.name]))
        for option in offered.values()
        if option.name in given
    )


def text(value: object) -> str:
    """The one spelling of an option's value.

    >>> text(True), text(0.50), text(1 / 3)
    ('yes', '0.5', '0.3333333333333333')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)
