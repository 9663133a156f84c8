"""Imports point downward only: a module knows those before it in this order, and none after it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import rookery

ORDER = [
    "errors",
    "registry",
    "durable",
    "checkpoint",
    "names",
    "seeds",
    "native",
    "api",
    "clock",
    "games",
    "solve",
    "encoders",
    "weights",
    "nets",
    "evaluators",
    "searches",
    "engines",
    "levels",
    "thinker",
    "players",
    "opponents",
    "ending",
    "arena",
    "data",
    "learners",
    "runs",
    "papers",
    "interfaces",
    "bench",
    "doctor",
    "cli",
    "job",
]
ROOT = Path(rookery.__file__).parent
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def imported(path: Path) -> Iterator[str]:
    """The parts of Rookery that a module imports, wherever in it the import stands."""
    package = ("rookery", *path.parent.parts)
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            start = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{start}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "rookery" and parts[1] in ORDER:
                yield parts[1]


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_imports_point_downward(path: Path) -> None:
    part = path.parts[0].removesuffix(".py")
    assert part in ORDER, f"say in ORDER where {part} belongs"
    upward = {other for other in imported(path) if ORDER.index(other) > ORDER.index(part)}
    assert not upward, f"{path} imports {upward}"
