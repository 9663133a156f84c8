from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from rookery import games
from rookery.api import GameSpec, Info, Limit, SearchResult, Seat, View
from rookery.clock import Budget
from rookery.errors import BadPosition, IllegalMove
from rookery.interfaces.session import FOREVER, Listener, Session, make_thinker

CHESS = games.get("chess")
LONG = 60.0


class Dreamer:
    """Thinks until it is stopped, and reports when it is told to."""

    name = "dreamer"

    def __init__(self, slow_start: bool = False) -> None:
        self.may_begin, self.stopped, self.began = Event(), Event(), Event()
        self.stops = 0
        if not slow_start:
            self.may_begin.set()

    def start(self, spec: GameSpec, seat: Seat, seed: int) -> None:
        self.seed = seed

    def think(self, view: View, limit: Limit, on_info: Callable[[Info], None]) -> SearchResult:
        assert self.may_begin.wait(LONG)
        self.stopped.clear()  # As a search does that begins anew.
        self.began.set()
        self.report = on_info
        assert self.stopped.wait(LONG)
        return SearchResult(view.moves()[0], (0.0, 0.0), 1)

    def stop(self) -> None:
        self.stops += 1
        self.stopped.set()


class Ears:
    def __init__(self) -> None:
        self.infos: list[Info] = []
        self.ends: list[Any] = []
        self.ended = Event()

    def end(self, what: Any) -> None:
        self.ends.append(what)
        self.ended.set()

    def listener(self) -> Listener:
        return Listener(self.infos.append, self.end, self.end)


@pytest.fixture
def dreamer() -> Dreamer:
    return Dreamer()


@pytest.fixture
def ears() -> Ears:
    return Ears()


def test_go_returns_while_the_player_thinks_and_stop_brings_the_move(dreamer: Dreamer, ears: Ears) -> None:
    session = Session(CHESS, dreamer)
    session.go(Limit(), ears.listener())
    assert dreamer.began.wait(LONG) and session.thinking and not ears.ends
    session.stop()
    assert session.wait(LONG) and not session.thinking
    assert [type(end) for end in ears.ends] == [SearchResult]


def test_a_stop_before_the_search_has_begun_is_not_forgotten(ears: Ears) -> None:
    dreamer = Dreamer(slow_start=True)
    session = Session(CHESS, dreamer)
    session.go(Limit(), ears.listener())
    session.stop()
    dreamer.may_begin.set()
    assert session.wait(LONG) and len(ears.ends) == 1


def test_the_hard_bound_ends_a_player_that_knows_no_time(dreamer: Dreamer, ears: Ears) -> None:
    session = Session(CHESS, dreamer)
    session.go(Limit(), ears.listener(), Budget(0.01, 0.02))
    assert session.wait(LONG) and len(ears.ends) == 1


def test_a_report_past_the_soft_bound_ends_the_search(dreamer: Dreamer, ears: Ears) -> None:
    session = Session(CHESS, dreamer)
    session.go(Limit(), ears.listener(), Budget(1.0, FOREVER))
    assert dreamer.began.wait(LONG)
    dreamer.report(Info(3, 10, 0.5, (0.0, 0.0), (1,)))
    assert not dreamer.stops
    dreamer.report(Info(4, 10, 2.0, (0.0, 0.0), (1,)))
    assert dreamer.stops and session.wait(LONG) and len(ears.infos) == 2


def test_a_held_move_waits_for_release_and_then_for_the_clock(dreamer: Dreamer, ears: Ears) -> None:
    session = Session(CHESS, dreamer)
    session.go(Limit(), ears.listener(), Budget(1.0, FOREVER), hold=True)
    assert dreamer.began.wait(LONG) and session.held
    dreamer.report(Info(4, 10, 0.5, (0.0, 0.0), (1,)))
    session.release()
    assert not session.held and session.thinking
    dreamer.report(Info(5, 10, 2.0, (0.0, 0.0), (1,)))
    assert session.wait(LONG) and len(ears.ends) == 1


def test_what_was_thought_out_while_held_is_told_on_release(dreamer: Dreamer, ears: Ears) -> None:
    session = Session(CHESS, dreamer)
    session.go(Limit(), ears.listener(), Budget(1.0, FOREVER), hold=True)
    assert dreamer.began.wait(LONG)
    dreamer.report(Info(9, 10, 7.0, (0.0, 0.0), (1,)))
    assert not dreamer.stops and not ears.ends
    session.release()
    assert session.wait(LONG) and len(ears.ends) == 1


def test_a_search_that_ends_while_held_keeps_its_move_back(ears: Ears) -> None:
    session = Session(CHESS, make_thinker("random", CHESS))
    session.go(Limit(), ears.listener(), hold=True)
    assert not ears.ended.wait(0.1) and session.held
    session.stop()
    assert session.wait(LONG) and len(ears.ends) == 1


def test_the_next_go_waits_for_the_last_and_is_not_stopped_with_it(dreamer: Dreamer, ears: Ears) -> None:
    session = Session(CHESS, dreamer)
    session.go(Limit(), ears.listener())
    session.go(Limit(), ears.listener())
    assert len(ears.ends) == 1 and session.thinking
    session.stop()
    assert session.wait(LONG) and len(ears.ends) == 2


def test_a_player_that_fails_is_heard_and_the_table_stays(ears: Ears) -> None:
    class Broken(Dreamer):
        def think(self, view: View, limit: Limit, on_info: Callable[[Info], None]) -> SearchResult:
            raise RuntimeError("no idea")

    session = Session(CHESS, Broken())
    session.go(Limit(), ears.listener())
    assert session.wait(LONG) and [str(end) for end in ears.ends] == ["no idea"]
    session.player = make_thinker("random", CHESS)
    session.go(Limit(), ears.listener())
    assert session.wait(LONG) and isinstance(ears.ends[1], SearchResult)


def test_a_refused_position_changes_nothing() -> None:
    session = Session(CHESS, Dreamer())
    session.position(None, ["e2e4"])
    before = session.state
    with pytest.raises(IllegalMove):
        session.position(None, ["d2d4", "e2e4"])
    with pytest.raises(BadPosition):
        session.position("rubbish", [])
    assert session.state == before


def test_a_new_game_starts_the_player_anew(dreamer: Dreamer) -> None:
    session = Session(CHESS, dreamer)
    session.new_game(seed=7)
    assert dreamer.seed == 7
