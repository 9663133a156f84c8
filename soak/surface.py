"""What of the native module Python can call, read from its stub."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

STUB = Path(__file__).parents[1] / "src/rookery/native/__init__.pyi"


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: str
    """Its annotation, as it stands."""
    position: bool
    """Whether it can be given by position only."""


@dataclass(frozen=True)
class Callable:
    owner: str
    """The class; empty for functions."""
    name: str
    how: str
    """init, method, static, get, set or function."""
    parameters: tuple[Parameter, ...]
    gives: str

    @property
    def title(self) -> str:
        return f"{self.owner}.{self.name}".removeprefix(".").removesuffix(".__init__")


@dataclass(frozen=True)
class Surface:
    classes: tuple[str, ...]
    callables: tuple[Callable, ...]


def read(stub: Path = STUB) -> Surface:
    tree = ast.parse(stub.read_text())
    classes, callables = [], []
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            classes.append(node.name)
            callables += [
                _callable(node.name, part) for part in node.body if isinstance(part, ast.FunctionDef)
            ]
        elif isinstance(node, ast.FunctionDef):
            callables.append(_callable("", node))
    return Surface(tuple(classes), tuple(callables))


def _callable(owner: str, node: ast.FunctionDef) -> Callable:
    marks = {ast.unparse(mark) for mark in node.decorator_list}
    if "property" in marks:
        how = "get"
    elif any(mark.endswith(".setter") for mark in marks):
        how = "set"
    elif "staticmethod" in marks:
        how = "static"
    elif node.name == "__init__":
        how = "init"
    else:
        how = "method" if owner else "function"
    spoken = node.args
    given = [(each, True) for each in spoken.posonlyargs] + [
        (each, False) for each in spoken.args + spoken.kwonlyargs
    ]
    parameters = [
        Parameter(each.arg, ast.unparse(each.annotation) if each.annotation else "object", position)
        for each, position in given
        if each.arg != "self"
    ]
    return Callable(
        owner, node.name, how, tuple(parameters), ast.unparse(node.returns) if node.returns else ""
    )
