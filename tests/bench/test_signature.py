"""The signature covers what games and searches do, and is the same twice."""

import json
import sys
from functools import cache
from pathlib import Path

import pytest

from rookery import games, players, roster, signature

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import sign

SOME = ["go5", "kriegspiel"]
SIGNED = json.loads(sign.TARGET.read_text())


@pytest.fixture(scope="module", autouse=True)
def known_once():
    """Each network is loaded once for all searches: that takes most of the time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(players, "_know", cache(players._know))
        yield


@pytest.mark.parametrize("game", games.names())
def test_all_behaves_as_when_it_was_signed(game):
    """By what was found, not by what it is called: names may change."""
    found, before = sign.signed(game), SIGNED[game]
    others = [subject for subject, mark in found.items() if mark not in before.values()]
    gone = [subject for subject, mark in before.items() if mark not in found.values()]
    assert not others and not gone, "if that is meant, run tools/sign.py, and end the commit with `Bench: N`"


@pytest.fixture(scope="module")
def found() -> list[signature.Part]:
    return list(signature.parts(SOME))


@pytest.fixture(scope="module")
def works() -> dict[tuple[str, str], signature.Work]:
    return {(name, work.subject): work for name in games.names() for work in signature.works(name)}


def test_it_is_the_same_twice(found):
    assert list(signature.parts(SOME)) == found


def test_every_search_and_all_knowledge_is_in_it(works):
    assert {subject.partition("+")[0] for _, subject in works} == set(roster.searches())
    known = {subject.partition("+")[2] for _, subject in works}
    for name in roster.knowledge():
        words = ("greedy", "kriegspiel-mcts")  # every kind of knowledge serves one of them
        fits = any(
            signature._make(word, "", name, games.get(game)) for game in games.names() for word in words
        )
        assert fits == (name in known), name


def test_every_search_thinks_about_thirty_positions_of_every_game_that_it_plays(works):
    for name in games.names():
        for word in roster.searches():
            sizes = [
                len(w.states) for (game, s), w in works.items() if (game, s.split("+")[0]) == (name, word)
            ]
            assert not sizes or max(sizes) >= 30
    for game in ("chess", "duchess4", "duchess6", "go9"):
        for word in ("alphabeta", "comparison", "probability", "puct"):
            assert len(works[game, f"{word}+numbers"].states) >= 30
        assert len(works[game, "uct"].states) >= 30 and len(works[game, "rollouts"].states) >= 30
    assert len(works["kriegspiel", "sergeant"].states) >= 30


def test_its_parts_are_all_works(found, works):
    wanted = [(name, "rules") for name in SOME] + [key for key in works if key[0] in SOME]
    assert sorted((part.game, part.subject) for part in found) == sorted(wanted)
    assert all(part.nodes for part in found if part.search in ("alphabeta", "uct", "puct", "probability"))


def test_every_option_that_a_search_names_fits_somewhere():
    for word, search in roster.searches().items():
        assert search.bench
        for said in search.bench:
            assert any(
                signature._make_own(word, said, game) or signature._make(word, said, known, game)
                for game in map(games.get, games.names())
                for known in (None, *roster.knowledge())
            ), f"{word}:{said}"


def test_the_positions_differ_and_none_is_over():
    for name in games.names():
        states = signature.positions(name)
        assert len(set(map(str, states))) >= 30
        assert all(state.moves() for state in states)


@pytest.mark.parametrize("option", ["selective", "quiescence", "history", "hash"])
def test_it_sees_what_an_option_changes(monkeypatch, option):
    """As a broken search would: with null moves, reductions or quiescence gone, other nodes are counted."""
    search = roster.searches()["alphabeta"]

    def part():
        return next(p for p in signature.parts(["chess"]) if p.subject == "alphabeta+pieces")

    monkeypatch.setattr(search, "bench", ("nodes=400,hash=1",))
    before = part()
    monkeypatch.setattr(
        search, "bench", (f"nodes=400,hash=1,{option}=no".replace("hash=1,hash=no", "hash=0"),)
    )
    assert part().mark != before.mark


def test_it_sees_another_text_of_a_move(monkeypatch):
    before = next(iter(signature.parts(["chess"])))
    monkeypatch.setattr("rookery.games.chess.ChessState.text", lambda state, move: str(move))
    assert next(iter(signature.parts(["chess"]))).mark != before.mark


def test_names_of_parts_do_not_count(found):
    from dataclasses import replace

    assert signature.total([replace(part, subject="x") for part in found]) == signature.total(found)
    one = [replace(found[0], mark=found[0].mark ^ 1), *found[1:]]
    assert signature.total(one) != signature.total(found)
    changed = signature.by_game(one).items() - signature.by_game(found).items()
    assert [game for game, _ in changed] == [found[0].game]
