"""What knowledge and searches can do is declared by their classes; nothing is built to find out."""

import ast
import inspect
from pathlib import Path

import pytest

import rookery
from rookery import games, roster
from rookery.api import (
    BeliefValue,
    Believer,
    Comparator,
    EndgameDepth,
    Evaluator,
    Explainer,
    MoveEvaluator,
    NamedKnowledge,
    NamedSearch,
    OpponentModel,
    PolicyEvaluator,
    Searcher,
)
from rookery.errors import UnsupportedGame

CAPABILITIES = (
    *(Evaluator, PolicyEvaluator, MoveEvaluator, Explainer, Comparator, EndgameDepth),
    *(OpponentModel, BeliefValue),
)


@pytest.mark.parametrize("name", roster.kinds())
def test_knowledge_derives_from_what_it_keeps(name: str) -> None:
    kind = roster.kinds()[name]
    assert NamedKnowledge in kind.__mro__ and kind.title
    keeps = {each for each in CAPABILITIES if issubclass(kind, each)}
    assert keeps and keeps <= set(kind.__mro__), "it keeps a protocol that it does not derive from"


@pytest.mark.parametrize("name", roster.searches())
def test_searches_derive_from_what_they_keep(name: str) -> None:
    search = roster.searches()[name]
    assert NamedSearch in search.__mro__ and search.title
    assert bool(search.takes) == ("knowledge" in inspect.signature(search).parameters)
    assert issubclass(search, Believer) == (Believer in search.__mro__)


def test_the_zoo_can_do_what_its_kind_can() -> None:
    assert issubclass(roster.knowledge()["go/zero"].kind, PolicyEvaluator)
    assert not issubclass(roster.knowledge()["duchess/best"].kind, PolicyEvaluator)
    assert issubclass(roster.knowledge()["duchess/best"].kind, Explainer)


def test_who_fits_a_game_is_known_before_anything_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    everybody = {**roster.searches(), **roster.kinds()}
    for kind in everybody.values():
        monkeypatch.setattr(kind, "__init__", lambda *args, **more: pytest.fail("built"))

    def fits(game: str) -> set[str]:
        found = set()
        for name, kind in everybody.items():
            try:
                kind.check_game(games.get(game))
            except UnsupportedGame:
                continue
            found.add(name)
        return found

    here = fits("kriegspiel")
    assert here >= {"sergeant", "random", "kriegspiel-minimax"}
    assert all(name in {"sergeant", "random"} or name.startswith("kriegspiel-") for name in here)
    assert fits("chess") >= {"alphabeta", "greedy", "classical", "linear", "random"}
    assert not fits("chess") & {"sergeant", "gojen", "td", "zero"}
    assert fits("go7") >= {"gojen", "zero", "puct"} and not fits("go7") & {"td", "classical"}


def test_a_searcher_needs_no_more_than_three_methods() -> None:
    members = {name for name in vars(Searcher) if not name.startswith("_")}
    assert members == {"search", "forget", "stop"}


ALLOWED = {
    ("cli.py", "param"): "Click sets it on some of its errors only",
    ("cli.py", "opts"): "Click sets it on some of its parameters only",
    ("doctor.py", "sched_getaffinity"): "not every system has it",
    ("interfaces/web/play.py", "seat"): "messages of the page, some of which have a seat",
}


def test_nobody_is_felt_for_attributes() -> None:
    root = Path(rookery.__file__).parent
    found = set()
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                probed = node.args[1] if len(node.args) > 1 else None
                if node.func.id in ("hasattr", "getattr") and isinstance(probed, ast.Constant):
                    found.add((path.relative_to(root).as_posix(), probed.value))
    assert found == set(ALLOWED)
