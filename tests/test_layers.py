"""Imports and includes point downward only: a file knows the folders before its own, and none after it."""

import ast
import re
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
    "renamed",
    "seeds",
    "native",
    "api",
    "clock",
    "games",
    "records",
    "solve",
    "encoders",
    "cards",
    "strength",
    "weights",
    "nets",
    "evaluators",
    "searches",
    "engines",
    "options",
    "roster",
    "levels",
    "thinker",
    "players",
    "examine",
    "opponents",
    "endings",
    "deductions",
    "arena",
    "learners",
    "runs",
    "papers",
    "interfaces",
    "bench",
    "signature",
    "doctor",
    "cli",
    "job",
]
NATIVE_ORDER = [
    "core",
    "games",
    "encoders",
    "records",
    "nets",
    "search",
    "solve",
    "evaluators",
    "belief",
    "learn",
    "rivals",
    "bind",
]
# A game may build on another one.
BUILDS_ON = {"kriegspiel": {"chess"}}
ROOT = Path(rookery.__file__).parent
MODULES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")
NATIVE = Path(__file__).parents[1] / "native"
NATIVE_FILES = sorted(path.relative_to(NATIVE) for path in NATIVE.rglob("*.[ch]pp"))


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


def included(path: Path) -> Iterator[tuple[str, ...]]:
    """The files of ours that a native file includes, as parts of their paths."""
    for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', (NATIVE / path).read_text(), re.MULTILINE):
        yield Path(name).parts


@pytest.mark.parametrize("path", NATIVE_FILES, ids=str)
def test_includes_point_downward(path: Path) -> None:
    folder = path.parts[0]
    assert folder in NATIVE_ORDER, f"say in NATIVE_ORDER where {folder} belongs"
    allowed = NATIVE_ORDER[: NATIVE_ORDER.index(folder) + 1]
    upward = {"/".join(other) for other in included(path) if other[0] not in allowed}
    assert not upward, f"{path} includes {upward}"


@pytest.mark.parametrize("path", [p for p in NATIVE_FILES if p.parts[0] == "games"], ids=str)
def test_games_know_of_no_other_game(path: Path) -> None:
    games = {part.name for part in (NATIVE / "games").iterdir() if part.is_dir()}
    own = path.parts[1]
    others = {other[1] for other in included(path) if other[0] == "games"} & games
    assert others <= {own} | BUILDS_ON.get(own, set()), f"{path} includes {others}"
