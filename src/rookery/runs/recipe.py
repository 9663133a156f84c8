"""Recipes: TOML files that say what a learner shall do, read strictly.

    learner = "td"
    seed = 1
    representation = "koten"

Besides `learner` and `seed` the keys are those of the learner's `Options`. A key or a value that is none of
them is an error, never ignored. A table `[data]`, which runs write, has hashes of what the learner reads.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, field, fields, replace
from math import isfinite
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rookery import registry, renamed
from rookery.api import Learner
from rookery.errors import BadOption, CheckpointMismatch, RookeryError, UnknownName, describe, quote, warn
from rookery.learners import learners
from rookery.learners import renamed as learners_renamed

FOLDER = Path(__file__).parent.parent / "recipes"
"""Those that come with Rookery."""


@dataclass(frozen=True)
class Recipe:
    """A learner by name, its seed and its options."""

    learner: str
    seed: int
    options: Any
    data: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Hashes of the data that it is bound to; empty: whatever lies where the options say."""

    @classmethod
    def read(cls, text: str, where: str, changes: Sequence[str] = ()) -> Recipe:
        """The recipe of a TOML text, with `key=value` changes on top; `where` names it in errors.

        Raises:
            UnknownName: a key or the learner is none that there is.
            BadOption: the text is no TOML, or a value is not as it should be.
        """
        try:
            said = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadOption(f"{where} cannot be read: {describe(error)}") from None
        changed = [_read_change(change) for change in changes]
        name = dict(changed).get("learner", said.get("learner"))
        if isinstance(name, str) and name in learners():
            said = _renamed(where, name, said)
            for change in changed:
                said |= _renamed(where, name, dict([change]))
        else:
            said |= dict(changed)
        data = said.pop("data", {})
        if not isinstance(data, dict) or not all(isinstance(each, str) for each in data.values()):
            raise BadOption(f"{where}: data must be a table of hashes (got {_show(data)})")
        name = said.pop("learner", None)
        if not isinstance(name, str):
            raise BadOption(f'{where} names no learner; write learner = "{next(iter(learners()))}"')
        if name not in learners():
            raise UnknownName(
                f"{where}: no learner is called {quote(name)}; {registry.hint(name, learners())}"
            )
        hints = get_type_hints(learners()[name].Options)
        kinds = {"seed": int, **{each.name: hints[each.name] for each in fields(learners()[name].Options)}}
        for key, value in said.items():
            if key not in kinds:
                hint = registry.hint(key, kinds, "it has")
                raise UnknownName(f"{where}: {name} has no key {quote(key)}; {hint}")
            said[key] = _check(where, key, value, kinds[key])
        seed = said.pop("seed", 0)
        if seed < 0:
            raise BadOption(f"{where}: seed must be 0 or more (got {seed})")
        for each in fields(learners()[name].Options):
            if each.default is each.default_factory is MISSING and each.name not in said:
                raise BadOption(f"{where} does not say {each.name}, which {name} must know")
        try:
            return cls(name, seed, learners()[name].Options(**said), data)
        except RookeryError as error:
            raise BadOption(f"{where}: {error}") from None

    def make(self) -> Learner:
        learner: Learner = learners()[self.learner](self.options, self.seed)
        return learner

    def bound(self) -> Recipe:
        """The same, bound to the data that there are.

        Raises:
            CheckpointMismatch: they are not those that it is bound to.
        """
        found = dict(learners()[self.learner].data(self.options))
        for name in self.data.keys() | found.keys():
            if self.data and self.data.get(name) != found.get(name):
                was, now = self.data.get(name, "nothing"), found.get(name, "nothing")
                raise CheckpointMismatch(
                    f"{name} is not what it was trained with: it was {was}, and is {now}"
                )
        return replace(self, data=found)

    def with_seed(self, seed: int) -> Recipe:
        return replace(self, seed=seed)

    def toml(self) -> str:
        """The recipe with every key said; `read` gives it back."""
        said = {"learner": self.learner, "seed": self.seed, **asdict(self.options)}
        lines = [f"{key} = {_spell(value)}\n" for key, value in said.items() if value is not None]
        if self.data:
            lines += [
                "\n[data]\n",
                *(f"{_spell(name)} = {_spell(sum_)}\n" for name, sum_ in self.data.items()),
            ]
        return "".join(lines)


def _renamed(where: str, learner: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the names that its keys have now.

    Raises:
        BadOption: one is there by its old name and by its new one.
    """
    found: dict[str, Any] = {}
    old_names = learners_renamed().get(learner, {})
    for key, value in said.items():
        now = renamed.current(learner, key, old_names)
        if now in found:
            raise BadOption(f"{where}: {now} is said twice, once by its old name; leave one out")
        found[now] = value
    return found


def names() -> list[str]:
    """The recipes that come with Rookery."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def about(name: str) -> str:
    """What one of them says of itself in its first line."""
    return (FOLDER / f"{name}.toml").read_text().partition("\n")[0].removeprefix("#").strip()


def is_first(name: str) -> bool:
    """Whether one of them says that it is the one to begin with."""
    return "\n# Begin with this one.\n" in (FOLDER / f"{name}.toml").read_text()


def catalogue() -> list[tuple[str, Recipe, str]]:
    """All of them by name, with what they say of themselves; one that is damaged is named and left out."""
    found = []
    for name in names():
        try:
            found.append((name, find(name), about(name)))
        except RookeryError as error:
            warn(f"the recipe {FOLDER / name}.toml is left out: {error}")
    return found


def find(name: str, changes: Sequence[str] = ()) -> Recipe:
    """The recipe of that name, or in the file of that name.

    Raises:
        UnknownName: there is neither, or it has an unknown key.
        BadOption: a value in it is not as it should be.
    """
    path = FOLDER / f"{name}.toml" if name in names() else Path(name)
    try:
        if not path.is_file():
            raise UnknownName(
                f"no recipe is called {quote(name)}, nor a file; {registry.hint(name, names())}"
            )
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadOption(f"{quote(name)} cannot be read as a recipe: {describe(error)}") from None
    return Recipe.read(text, name, changes)


def _read_change(change: str) -> tuple[str, Any]:
    key, equals, value = change.partition("=")
    if not equals:
        raise BadOption(f"a setting must be written as KEY=VALUE (got {quote(change)})")
    try:
        said = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        said = {}
    # What is no TOML is a bare word, and what is more than one value too.
    return key.strip(), said["value"] if list(said) == ["value"] else value.strip()


def _check(where: str, key: str, value: Any, kind: Any) -> Any:
    """The value as that kind, or an error that says which kind it should be."""
    if get_origin(kind) in (Union, UnionType):
        kind = next(each for each in get_args(kind) if each is not NoneType)
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple):
            value = [value]
        return tuple(_check(where, key, each, get_args(kind)[0]) for each in value)
    if kind is float and type(value) is int and abs(value) <= 2**63:
        return float(value)
    if get_origin(kind) is Literal:
        wanted = " or ".join(map(_spell, get_args(kind)))
        fits = any(type(value) is type(choice) and value == choice for choice in get_args(kind))
    else:
        if kind not in _WANTED:
            raise BadOption(f"{where}: {key} cannot be set in a recipe; leave it out")
        wanted = _WANTED[kind]
        fits = type(value) is kind and _can_be_kept(value)
    if not fits:
        raise BadOption(f"{where}: {key} must be {wanted} (got {_show(value)})")
    return value


_WANTED: Mapping[Any, str] = {
    int: "a whole number of 64 bits",
    float: "a finite number",
    bool: "true or false",
    str: "some text",
}


def _can_be_kept(value: str | float) -> bool:
    """Whether every reader of TOML reads back what we write."""
    if isinstance(value, str):
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    return -(2**63) <= value < 2**63 if isinstance(value, int) else isfinite(value)


def _spell(value: Any) -> str:
    """A value as TOML. Numbers, truth values and lists are spelled alike in JSON; text nearly so."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _show(value: Any) -> str:
    """What somebody gave, on one line, but no more of it than people will read."""
    try:
        text = json.dumps(value) if isinstance(value, str | bool) else str(value)
    except ValueError:  # Python does not spell numbers of thousands of digits
        text = "a number that is too large"
    return text if len(text) <= 80 else text[:76] + "..."
