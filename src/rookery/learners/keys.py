"""What a recipe may say to a learner, for people: each key with its kind, its range and its meaning.

All of it is read from the learner's `Options`: the types, the strings below the fields, and `RANGES`.
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass, fields
from functools import cache
from textwrap import dedent
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from rookery.learners import learners


@dataclass(frozen=True)
class Key:
    """One key of a recipe."""

    name: str
    kind: Literal["whole", "number", "truth", "choice", "text", "list"]
    default: Any
    choices: tuple[Any, ...] = ()
    low: float | None = None
    high: float | None = None
    """The least and the most that it may be, where that is bounded."""
    meaning: str = ""


@cache
def keys(learner: str) -> tuple[Key, ...]:
    """The keys of a learner, in its own order.

    >>> keys("td")[0].name, keys("td")[0].choices
    ('representation', ('koten', 'katatsugi', 'roban'))
    """
    options = learners()[learner].Options
    hints, meanings = get_type_hints(options), _meanings(options)
    bounds = {name: (low, high) for name, low, high in options.RANGES}
    found = []
    for field in fields(options):
        hint = _bare(hints[field.name])
        choices = get_args(hint) if get_origin(hint) is Literal else ()
        low, high = bounds.get(field.name, (None, None))
        meaning = meanings.get(field.name, "")
        found.append(Key(field.name, _kind(hint), field.default, choices, low, high, meaning))
    return tuple(found)


def _bare(hint: Any) -> Any:
    """int of `int | None`."""
    if get_origin(hint) in (Union, UnionType):
        return next(each for each in get_args(hint) if each is not NoneType)
    return hint


def _kind(hint: Any) -> Literal["whole", "number", "truth", "choice", "text", "list"]:
    if get_origin(hint) is Literal:
        return "choice"
    if get_origin(hint) is tuple:
        return "list"
    kinds: dict[Any, Literal["whole", "number", "truth", "text"]] = {
        int: "whole",
        float: "number",
        bool: "truth",
        str: "text",
    }
    return kinds[hint]


def _meanings(options: type) -> dict[str, str]:
    """The strings that stand below the fields of a class."""
    (body,) = ast.parse(dedent(inspect.getsource(options))).body
    assert isinstance(body, ast.ClassDef)
    found = {}
    for pair in zip(body.body, body.body[1:], strict=False):
        match pair:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                found[name] = inspect.cleandoc(text).replace("\n", " ")
    return found
