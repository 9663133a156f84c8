"""Levels hold a player back: they see less, and do not always take the best of it."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from rookery import cards, games, players, roster, strength
from rookery.api import Belief, Info, Limit, SearchResult, View
from rookery.errors import BadOption, UnknownName
from rookery.levels import (
    DISTRACTION,
    HASTY,
    NARROW,
    Hasty,
    Hurried,
    Weakened,
    hold_back,
)
from rookery.searches.sergeant import Sergeant

CHESS = games.get("chess")
START = CHESS.start()
KRIEGSPIEL = games.get("kriegspiel")
FREE_QUEEN = CHESS.start("rnb1kbnr/pppppppp/8/8/6q1/7N/PPPPPPPP/RNBQKB1R w KQkq - 0 1")


class Three:
    """Reports four lines, then three of known value: only those count."""

    def search(self, view, limit, rng, on_info):
        self.limit = limit
        for depth, first, values in ((1, 11, (0.5, 0.5, 0.5, 0.5)), (2, 1, (0.5, 0.4, -0.9))):
            for place, value in enumerate(values):
                on_info(Info(depth, 10, 0.1, (value, -value), (first + place,), rank=1 + place))
        return SearchResult(1, (0.5, -0.5), 10, pv=(1,))

    def forget(self):
        self.forgot = True

    def stop(self):
        self.stopped = True


def choices(level: int, games: int = 400) -> Counter[int]:
    searcher = Weakened(Three(), CHESS.spec, NARROW[level - 1])
    rng = np.random.default_rng(1)
    view = START.view(0)
    return Counter(searcher.search(view, Limit(), rng, lambda info: None).move for _ in range(games))


def test_levels_rise() -> None:
    assert all(len(ladder) >= 5 for ladder in (NARROW, HASTY, DISTRACTION))
    for low, high in pairwise(NARROW):
        assert low.nodes < high.nodes and low.slack >= high.slack
    for lower, higher in pairwise(HASTY):
        assert lower.nodes <= higher.nodes and lower.temperature >= higher.temperature and lower != higher
    assert list(DISTRACTION) == sorted(set(DISTRACTION), reverse=True)


def test_low_levels_err_in_proportion_and_high_ones_never() -> None:
    low, high = choices(1), choices(len(NARROW))
    assert set(high) == {1}
    assert set(low) == {1, 2, 3} and low[1] > low[2] > low[3] > 0
    # A move worse by the slack is played e times less often: here 0.1 of 0.3.
    assert 0.55 < low[2] / low[1] < 0.9


def test_nodes_are_bounded_and_lines_asked_for() -> None:
    inner = Three()
    heard: list[Info] = []
    Weakened(inner, CHESS.spec, NARROW[0]).search(
        START.view(0), Limit(), np.random.default_rng(1), heard.append
    )
    assert inner.limit.nodes == NARROW[0].nodes and inner.limit.lines > 1
    assert {info.rank for info in heard} == {1}  # What nobody asked for is not told.
    Weakened(inner, CHESS.spec, NARROW[0]).search(
        START.view(0), Limit(nodes=7, lines=2), np.random.default_rng(1), heard.append
    )
    assert inner.limit.nodes == 7 and {info.rank for info in heard} == {1, 2}


def test_the_rest_is_passed_on() -> None:
    inner = Three()
    weakened = Weakened(inner, CHESS.spec, NARROW[1])
    weakened.forget()
    weakened.stop()
    assert inner.forgot and inner.stopped


class Sees(Sergeant):
    """Believes in a pawn on e4."""

    def belief(self, view: View) -> Belief:
        return Belief(("e4",), ("pawn",), np.array([[0.5]], np.float32), np.array([[True]]))


def test_a_level_believes_what_its_player_believes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(roster.searches(), "sees", Sees)  # type: ignore[arg-type]
    for name in ("sees", "sees:level=2"):
        believer = players.make(name, KRIEGSPIEL).believer
        assert believer is not None
        assert believer.belief(KRIEGSPIEL.start().view(0)).occupied == {"e4": 0.5}
    assert players.make("sergeant:level=2", KRIEGSPIEL).believer is None


class Sure:
    """Believes in move 7 four times as much as in move 8, whatever it is asked."""

    def search(self, view, limit, rng, on_info):
        self.limit = limit
        return SearchResult(7, (0.5, -0.5), 1, policy={7: 0.8, 8: 0.2}, pv=(7, 9))

    def forget(self): ...

    def stop(self): ...


def test_who_weighs_moves_draws_one_by_its_belief() -> None:
    rng, view = np.random.default_rng(1), START.view(0)

    def drawn(temperature: float) -> Counter[int]:
        hurried = Hurried(Sure(), Hasty(1, temperature))
        return Counter(hurried.search(view, Limit(), rng, lambda info: None).move for _ in range(2000))

    assert set(drawn(0.0)) == {7}
    assert 0.77 < drawn(1.0)[7] / 2000 < 0.83
    assert 0.63 < drawn(2.0)[7] / 2000 < 0.70  # a ratio of 4 has become 2
    inner = Sure()
    result = Hurried(inner, Hasty(5, 100.0)).search(view, Limit(nodes=400), rng, lambda info: None)
    assert inner.limit.nodes == 5
    assert result.pv == ((7, 9) if result.move == 7 else (8,))


def test_knowledge_of_moves_has_levels_of_its_own() -> None:
    go = games.get("go5")
    first = players.make("puct:level=1,nodes=400+go/zero", go).think(go.start().view(0), Limit())
    assert first.nodes == HASTY[0].nodes and len(first.policy) == len(go.start().moves())
    last = players.make(f"puct:level={len(HASTY)}+go/zero", go).think(go.start().view(0), Limit())
    assert last.nodes == HASTY[-1].nodes
    # No opinion on moves: levels as for any search that counts.
    other = players.make("puct:level=1+classical", CHESS).think(START.view(0), Limit())
    assert other.nodes == NARROW[0].nodes


@pytest.mark.parametrize(
    ("game", "player", "ladder"),
    [
        ("chess", "alphabeta+classical", NARROW),
        ("chess", "puct+classical", NARROW),
        ("go5", "puct:fpu=0.2+go/zero", HASTY),
        ("kriegspiel", "sergeant", DISTRACTION),
    ],
)
def test_every_level_can_be_had_and_no_more(game: str, player: str, ladder: tuple[object, ...]) -> None:
    rules, most = games.get(game), players.levels(player)
    assert most == len(ladder)
    for level in range(1, most + 1):
        players.make(players.vary(player, {"level": level}), rules)
    with pytest.raises(BadOption, match=f"between 1 and {most} "):
        players.make(players.vary(player, {"level": most + 1}), rules)


def test_a_level_is_a_part_of_the_name() -> None:
    player = players.make("alphabeta:level=2+classical", CHESS)
    assert player.name == "alphabeta:level=2+classical"
    result = player.think(FREE_QUEEN.view(0), Limit())  # type: ignore[attr-defined]
    assert result.nodes < 5000 and result.move in FREE_QUEEN.moves()


def test_the_same_seed_errs_alike() -> None:
    def moves(seed: int) -> list[int]:
        player = players.make("alphabeta:level=1+classical", CHESS)
        player.start(CHESS.spec, 0, seed)
        return [player.choose(START.view(0), Limit()) for _ in range(12)]

    assert moves(5) == moves(5) != moves(6)


@pytest.mark.parametrize("level", ["0", "11", "-1"])
def test_levels_that_are_none(level: str) -> None:
    with pytest.raises(BadOption, match="between 1 and 10 "):
        players.make(f"alphabeta:level={level}+classical", CHESS)


def test_who_counts_no_nodes_is_distracted_in_proportion() -> None:
    inner = Three()
    searcher = hold_back(inner, CHESS.spec, 2, counts_nodes=False)
    rng, view = np.random.default_rng(1), START.view(0)
    moves = Counter(searcher.search(view, Limit(), rng, lambda info: None).move for _ in range(2000))
    assert set(moves) == {1, *START.moves()}
    # Of its own choice is move 1, which is none of the legal ones.
    assert abs(1 - moves[1] / 2000 - DISTRACTION[1]) < 0.04
    only = START.moves()[:2]
    held = {searcher.search(view, Limit(only=tuple(only)), rng, lambda info: None).move for _ in range(50)}
    assert held == {1, *only}
    searcher.forget()
    searcher.stop()
    assert inner.forgot and inner.stopped


def test_rules_of_thumb_have_levels_too() -> None:
    kriegspiel = games.get("kriegspiel")
    assert players.make("sergeant:level=3", kriegspiel).name == "sergeant:level=3"


def test_measured_levels_rise() -> None:
    for card in cards.cards().values():
        for game, measured in card.levels.items():
            players.make(str(card.player), games.get(game))
            assert 5 <= len(measured.elo) <= players.levels(str(card.player)), (game, card.name)
            assert list(measured.elo) == sorted(set(measured.elo)), (game, card.name)
            assert min(measured.error) > 0 and measured.scale in strength.SCALES, (game, card.name)
            assert measured.games >= 30 and str(card.player) in measured.command, (game, card.name)
            assert strength.elo(game, str(card.player)) == measured.elo


def test_chance_has_no_levels() -> None:
    with pytest.raises(UnknownName):
        players.make("random:level=1", CHESS)


def test_names_are_varied() -> None:
    name = "alphabeta:depth=3+classical"
    assert players.vary(name, {"hash": 64}) == "alphabeta:hash=64,depth=3+classical"
    assert players.vary(name, {"depth": None}) == "alphabeta+classical"
    assert players.vary(name, {}) == name
    with pytest.raises(UnknownName, match="no option 'width'"):
        players.vary(name, {"width": 1})
