"""Who plays what is declared: what is declared can be built and plays, all else is refused by name."""

import builtins
import io
import json
import os
from dataclasses import replace
from functools import wraps
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from rookery import cli, games, players, roster
from rookery.api import Limit
from rookery.errors import BadOption, UnknownName, UnsupportedGame
from rookery.interfaces.web import catalogue
from rookery.names import KnowledgeName, PlayerName
from sticks import Sticks

EVERYBODY = [
    PlayerName(word, (), KnowledgeName(known) if known else None)
    for word, known in product(roster.searches(), [None, *roster.knowledge()])
]
QUICK = {"rollouts": (("games", "1"), ("plies", "2"))}


@pytest.mark.parametrize("game", games.names())
def test_what_is_declared_plays_and_all_else_is_refused(game: str) -> None:
    rules = games.get(game)
    state = rules.start()
    brief = Limit(nodes=2, depth=1)
    few = replace(brief, only=tuple(state.moves()[:2]))  # networks on large boards are slow
    played = 0
    for name in EVERYBODY:
        if not roster.plays(name, rules):
            with pytest.raises((UnsupportedGame, BadOption)):
                players.make(str(name), rules)
            continue
        player = players.make(str(PlayerName(name.word, QUICK.get(name.word, ()), name.knowledge)), rules)
        assert player.choose(state.view(state.seat), few if name.knowledge else brief) in state.moves(), name
        played += 1
    assert played >= len(roster.for_game(rules))


def test_refusals_say_why() -> None:
    chess = games.get("chess")
    for name, told in (
        ("topk+classical", "topk needs a policy evaluator; classical is not"),
        ("greedy+go/zero", "go/zero knows go5, go7, go9, go13, go19, not chess"),
        ("gojen", "not chess"),
        ("greedy", "greedy needs an evaluation: write greedy+NAME, one of pieces, classical, chess/"),
        (
            "classical@runs/mine",
            "'classical' does not play alone, and needs a search: SEARCH+classical, like greedy+",
        ),
        (
            "kriegspiel-model@x",
            "'kriegspiel-model' does not play alone, and needs a search: SEARCH+kriegspiel-model, like",
        ),
        ("fairymax", "external engines are uci:PROGRAM, xboard:PROGRAM, gtp:PROGRAM"),
        ("uct+classical", "leave out '+classical'"),
        ("alphabeta+td@x", "td knows go5 only"),
        ("gtp:gnugo", "gtp programs play Go"),
    ):
        with pytest.raises((UnsupportedGame, BadOption, UnknownName), match=told.replace("+", r"\+")):
            roster.check(PlayerName.parse(name), chess)
    with pytest.raises(UnknownName, match="did you mean greedy"):
        roster.check(PlayerName.parse("gredy+classical"), chess)


def test_where_no_card_speaks_a_search_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    assert roster.default(Sticks()) == "random"  # its rules are Python, and the other two want native ones
    monkeypatch.setattr(roster, "cards", dict)
    assert roster.default(games.get("go9")) == "uct"
    assert roster.default(games.get("kriegspiel")) == "random"


def test_knowledge_that_is_not_installed_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    go = games.get("go9")
    assert "puct:fpu=0.2,nodes=400+go/zero" in [entry.name for entry in roster.for_game(go)]
    monkeypatch.setattr("rookery.nets.backend.find_spec", lambda name: None)
    assert not [entry.name for entry in roster.for_game(go) if "zero" in entry.name]
    assert roster.default(go) == "uct"
    with pytest.raises(BadOption, match="zero needs onnxruntime"):
        players.make("puct+go/zero", go)


@pytest.fixture
def nothing_built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Building anything fails; gives the files that are opened."""
    for kind in {*roster.searches().values(), *roster.kinds().values(), *roster.engines().values()}:
        made: Any = kind.__init__  # type: ignore[misc]
        monkeypatch.setattr(kind, "__init__", wraps(made)(lambda *args, **more: pytest.fail("it was built")))
    opened: list[str] = []
    for module, name in ((builtins, "open"), (io, "open"), (os, "open")):
        usual = getattr(module, name)

        def watched(file: object, *args: object, usual: object = usual, **more: object) -> object:
            opened.append(str(file))
            return usual(file, *args, **more)  # type: ignore[operator]

        monkeypatch.setattr(module, name, watched)
    return opened


def weights(opened: list[str]) -> list[str]:
    return [file for file in opened if file.endswith((".safetensors", ".onnx"))]


def test_the_trap_shuts(nothing_built: list[str]) -> None:
    with pytest.raises(pytest.fail.Exception, match="it was built"):
        players.make("random", games.get("chess"))
    Path(os.devnull).read_bytes()
    assert nothing_built[-1] == os.devnull


def test_listing_builds_nothing_and_loads_no_network(nothing_built: list[str]) -> None:
    listed = CliRunner().invoke(cli.app, ["players", "--json"])
    assert listed.exit_code == 0, listed.output
    assert len(json.loads(listed.stdout)["players"]) > 30
    for name in games.names():
        catalogue._players.__wrapped__(name)
        roster.default(games.get(name))
    assert len(catalogue._games.__wrapped__()) == len(games.names())
    assert not weights(nothing_built)
