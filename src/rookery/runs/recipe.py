"""Recipes: TOML files that say what a learner shall do, read strictly.

    learner = "td"
    seed = 1
    representation = "koten"

Besides `learner` and `seed` the keys are those of the learner's `Options`. A key or a value that is none of
them is an error, never ignored.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from difflib import get_close_matches
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rookery.api import Learner
from rookery.errors import BadOption, UnknownName
from rookery.learners import learners

FOLDER = Path(__file__).parent.parent / "recipes"
"""Those that come with Rookery."""


@dataclass(frozen=True)
class Recipe:
    """A learner by name, its seed and its options."""

    learner: str
    seed: int
    options: Any

    @classmethod
    def read(cls, text: str, where: str, changes: Sequence[str] = ()) -> Recipe:
        """The recipe of a TOML text, with `key=value` changes on top; `where` names it in errors.

        Raises:
            UnknownName: a key or the learner is none that there is.
            BadOption: the text is no TOML, or a value is not as it should be.
        """
        try:
            said = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BadOption(f"{where} cannot be read: {error}") from None
        said |= dict(_read_change(change) for change in changes)
        name = said.pop("learner", None)
        if not isinstance(name, str):
            raise BadOption(f'{where} names no learner; learner = "{next(iter(learners()))}" would do')
        if name not in learners():
            raise UnknownName(f"{where}: no learner is called {name!r}; {_nearest(name, list(learners()))}")
        kinds = {"seed": int, **get_type_hints(learners()[name].Options)}
        for key, value in said.items():
            if key not in kinds:
                raise UnknownName(f"{where}: {name} has no key {key!r}; {_nearest(key, list(kinds))}")
            said[key] = _check(where, key, value, kinds[key])
        seed = said.pop("seed", 0)
        if seed < 0:
            raise BadOption(f"{where}: seed = {seed} does not do; 0 or more would")
        for each in fields(learners()[name].Options):
            if each.default is each.default_factory is MISSING and each.name not in said:
                raise BadOption(f"{where} does not say {each.name}, which {name} must know")
        try:
            return cls(name, seed, learners()[name].Options(**said))
        except BadOption as error:
            raise BadOption(f"{where}: {error}") from None

    def make(self) -> Learner:
        learner: Learner = learners()[self.learner](self.options, self.seed)
        return learner

    def with_seed(self, seed: int) -> Recipe:
        return replace(self, seed=seed)

    def toml(self) -> str:
        """The recipe with every key said; `read` gives it back."""
        said = {"learner": self.learner, "seed": self.seed, **asdict(self.options)}
        # Numbers, truth values, strings and lists are spelled alike in JSON and in TOML.
        return "".join(f"{key} = {json.dumps(value)}\n" for key, value in said.items() if value is not None)


def names() -> list[str]:
    """The recipes that come with Rookery."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def about(name: str) -> str:
    """What one of them says of itself in its first line."""
    return (FOLDER / f"{name}.toml").read_text().partition("\n")[0].removeprefix("#").strip()


def find(name: str, changes: Sequence[str] = ()) -> Recipe:
    """The recipe of that name, or in the file of that name.

    Raises:
        UnknownName: there is neither, or it has an unknown key.
        BadOption: a value in it is not as it should be.
    """
    path = FOLDER / f"{name}.toml" if name in names() else Path(name)
    if not path.is_file():
        raise UnknownName(f"no recipe is called {name!r}, nor a file; {_nearest(name, names())}")
    return Recipe.read(path.read_text(), name, changes)


def _nearest(name: str, known: list[str]) -> str:
    near = get_close_matches(name, known, 1)
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(known) or 'none'}"


def _read_change(change: str) -> tuple[str, Any]:
    key, equals, value = change.partition("=")
    if not equals:
        raise BadOption(f"{change!r} changes nothing; write it as key=value")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()  # a bare word


def _check(where: str, key: str, value: Any, kind: Any) -> Any:
    """The value as that kind, or an error that says which kind it should be."""
    if get_origin(kind) in (Union, UnionType):
        kind = next(each for each in get_args(kind) if each is not NoneType)
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise BadOption(f"{where}: {key} = {json.dumps(value)} does not do; {_or(get_args(kind))} would")
        return value
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            value = [value]
        return tuple(_check(where, key, each, get_args(kind)[0]) for each in value)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        what: Mapping[Any, str] = {
            int: "a whole number",
            float: "a number",
            bool: "true or false",
            str: "some text",
        }
        raise BadOption(f"{where}: {key} = {json.dumps(value, default=str)} does not do; it is {what[kind]}")
    return value


def _or(choices: Sequence[Any]) -> str:
    return " or ".join(json.dumps(choice) for choice in choices)
