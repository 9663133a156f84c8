"""What is written for every game names none: facts of a game live with the game.

A module that is about one game is listed here with its game; all others may not know games by name, by the
classes of their states, or by the libraries that read their formats. Documentation and doctests may.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rookery
from rookery import games

ROOT = Path(rookery.__file__).parent
NATIVE = Path(__file__).parents[1] / "native"
NAMES = {*games.names(), *(name.rstrip("0123456789") for name in games.names())}
CLASSES = re.compile(r"(Chess|Kriegspiel|Duchess|Go)(?![a-z])\w*")
LIBRARIES = {"chess", "sgfmill"}
RULES = {path.stem for path in (ROOT / "games").glob("*.py")} - {"__init__", "state"}
# A number or a learner's word behind the name of a game, as in go5-koten, hides it from nobody.
QUOTED = re.compile(rf"""["'`/]({"|".join(sorted(NAMES))})(-[\w-]+)?["'`/]""")
NATIVE_NAMES = "|".join(sorted(path.name for path in (NATIVE / "games").iterdir() if path.is_dir()))
CPP = re.compile(
    rf"""\b({NATIVE_NAMES})::|namespace .*\b({NATIVE_NAMES})\b"""
    rf"""|"(\w+/)+({NATIVE_NAMES})[/_.]|"({NATIVE_NAMES})\""""
)

SPECIFIC = {
    "games/": "the rules themselves",
    "examine/": "stores hold games of chess",
    "papers/": "each reproduces results in a game",
    "bench/deepchess.py": "chess",
    "bench/duchess_linear.py": "Duchess",
    "bench/go_td.py": "Go",
    "bench/kriegspiel.py": "Kriegspiel",
    "bench/trees.py": "self-play of Go",
    "solve.py": "Go",
    "endings/go.py": "Go",
    "deductions/kriegspiel.py": "Kriegspiel",
    "encoders/chess_planes.py": "chess",
    "encoders/duchess_planes.py": "Duchess",
    "encoders/go_planes.py": "Go",
    "encoders/kriegspiel_planes.py": "Kriegspiel",
    "encoders/zero.py": "Go",
    "engines/chess.py": "chess programs",
    "engines/gtp.py": "Go programs",
    "evaluators/chess_features.py": "chess",
    "evaluators/deepchess.py": "chess",
    "evaluators/duchess_features.py": "Duchess",
    "evaluators/handmade.py": "chess",
    "evaluators/kriegspiel_network.py": "Kriegspiel",
    "evaluators/opponent_model.py": "Kriegspiel",
    "evaluators/policy.py": "chess",
    "evaluators/td.py": "Go",
    "evaluators/zero.py": "Go",
    "learners/deepchess.py": "chess",
    "learners/kriegspiel_model.py": "Kriegspiel",
    "learners/kriegspiel_network.py": "Kriegspiel",
    "learners/policy.py": "chess",
    "learners/policy_rival.py": "chess",
    "learners/policy_selfplay.py": "chess",
    "learners/policy_starts.py": "chess",
    "learners/td.py": "Go",
    "learners/zero.py": "Go",
    "nets/deepchess.py": "chess",
    "nets/kriegspiel.py": "Kriegspiel",
    "nets/policy.py": "chess",
    "nets/policy_selfplay.py": "chess",
    "records/pgn.py": "the format of chess and Kriegspiel",
    "records/sgf.py": "the format of Go",
    "records/store.py": "stores hold games of chess",
    "searches/kriegspiel/": "Kriegspiel",
    "searches/rivals.py": "Go",
    "searches/sergeant.py": "Kriegspiel",
    "interfaces/examine.py": "stores hold games of chess",
    "interfaces/engine_config.py": "chess and Go programs",
    "interfaces/goban.py": "Go",
    "interfaces/gtp.py": "Go",
    "interfaces/judging.py": "Go",
    "interfaces/solving.py": "Go",
    "interfaces/uci.py": "chess",
    "interfaces/uci_lines.py": "chess",
    "interfaces/web/faces/chess_pieces.py": "how chess pieces look",
    "interfaces/web/faces/chessboard.py": "how chess and Kriegspiel look",
    "interfaces/web/faces/duchess_pieces.py": "how pieces of Duchess look",
    "interfaces/web/faces/goban.py": "how Go looks",
    "interfaces/web/faces/rose.py": "how Duchess looks",
}
"""Modules, or whole folders, that are about one game or one protocol of it."""

NATIVE_SPECIFIC = {
    "belief/": "Kriegspiel",
    "bind/belief_": "Kriegspiel",
    "bind/deepchess.cpp": "chess",
    "bind/guided_games.cpp": "any game, and chess, whose networks get planes straight from native code",
    "bind/learn.cpp": "self-play of Go",
    "bind/linear.cpp": "features of chess and of Duchess",
    "bind/probe.cpp": "knowledge of chess that counts what is asked of it, for tests",
    "bind/records.cpp": "stores hold games of chess",
    "bind/rivals.cpp": "Go",
    "bind/solve.cpp": "Go",
    "bind/td.cpp": "Go",
    "evaluators/deepchess.hpp": "chess",
    "evaluators/td.hpp": "Go",
    "learn/lookahead.hpp": "Go",
    "learn/td.hpp": "Go",
    "nets/deepchess.hpp": "chess",
    "records/": "stores hold games of chess",
    "rivals/": "Go",
    "search/tuning.hpp": "what matches of Duchess found; no file of a game may know of searches",
    "solve/": "Go",
}
"""The same of native files, where their own names do not begin with a game."""

MODULES = sorted(str(path.relative_to(ROOT)) for suffix in ("py", "js") for path in ROOT.rglob(f"*.{suffix}"))
GENERIC = [path for path in MODULES if not any(path.startswith(part) for part in SPECIFIC)]
NATIVE_FILES = sorted(str(path.relative_to(NATIVE)) for path in NATIVE.rglob("*.[ch]pp"))
NATIVE_GENERIC = [
    path
    for path in NATIVE_FILES
    if not any(path.startswith(part) for part in NATIVE_SPECIFIC)
    and not re.search(rf"(^|/)({NATIVE_NAMES})[/_.]", path)
]


def named_in_python(source: str) -> Iterator[tuple[int, str]]:
    """Where Python code names a game, and how."""
    tree = ast.parse(source)
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in NAMES and id(node) not in told:
            yield node.lineno, repr(node.value)
        elif isinstance(node, ast.Name) and CLASSES.fullmatch(node.id):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and CLASSES.fullmatch(node.attr):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Import | ast.ImportFrom):
            start = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            for name in (".".join([*start, alias.name]) for alias in node.names):
                parts = name.split(".")
                if parts[0] in LIBRARIES or (parts[:2] == ["rookery", "games"] and {*parts[2:3]} & RULES):
                    yield node.lineno, f"import {name}"


def named_in_javascript(source: str) -> Iterator[tuple[int, str]]:
    """The same for JavaScript: in quotes, or as a part of an address."""
    for number, line in enumerate(source.splitlines(), 1):
        for found in QUOTED.finditer(line.partition("// ")[0]):
            yield number, found[0]


def named_in_cpp(source: str) -> Iterator[tuple[int, str]]:
    """The same for C++: a game's namespace, a file of it that is included, or its name in quotes."""
    for number, line in enumerate(source.splitlines(), 1):
        for found in CPP.finditer(line.partition("//")[0]):
            yield number, found[0]


def named(path: str) -> list[tuple[int, str]]:
    read = named_in_python if path.endswith(".py") else named_in_javascript
    return list(read((ROOT / path).read_text()))


@pytest.mark.parametrize("path", GENERIC)
def test_generic_modules_name_no_game(path: str) -> None:
    assert not named(path), f"{path} is for every game; move what is peculiar to one to its own files"


@pytest.mark.parametrize("path", NATIVE_GENERIC)
def test_generic_native_files_name_no_game(path: str) -> None:
    found = list(named_in_cpp((NATIVE / path).read_text()))
    assert not found, f"{path} is for every game; move what is peculiar to one to its own files"


@pytest.mark.parametrize("path", SPECIFIC)
def test_what_is_said_to_be_about_a_game_exists(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("path", NATIVE_SPECIFIC)
def test_native_files_that_are_said_to_be_about_a_game_are(path: str) -> None:
    files = [each for each in NATIVE_FILES if each.startswith(path)]
    assert any(list(named_in_cpp((NATIVE / each).read_text())) for each in files)


def test_the_eye_sees() -> None:
    source = 'from rookery.games.go import GoState\nimport chess\nif game == "duchess4":\n  """chess"""\n'
    assert [number for number, _ in named_in_python(source)] == [1, 2, 3]
    assert list(named_in_python('"""About chess."""\n# chess\nname = "chess960"')) == []
    assert list(
        named_in_cpp('#include "games/go/board.hpp"\nusing chess::Move;  // duchess::\n"chess960"')
    ) == [
        (1, '"games/go/'),
        (2, "chess::"),
    ]
    assert list(named_in_javascript('if (kind === "go") x;  // "chess"')) == [(1, '"go"')]
