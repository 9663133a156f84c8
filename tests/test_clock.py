from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from rookery import games
from rookery.api import Clock, Info, Limit, SearchResult, View
from rookery.clock import Budget, ByoYomi, Pace, TurnTime, budget, rest
from rookery.thinker import SearchPlayer


def report(depth: int | None, seconds: float, move: int = 1, value: float = 0.0) -> Info:
    return Info(depth, 1000, seconds, (value, -value), (move,))


def pace(soft: float = 1.0, hard: float = 5.0, choices: int = 20, side: int = 0) -> Pace:
    return Pace(Budget(soft, hard), choices, side)


@pytest.mark.parametrize(
    ("left", "increment"), [(10.0, 0.1), (1.0, 0.1), (60.0, 0.0), (0.2, 0.08), (300.0, 3.0)]
)
def test_worst_search_never_loses_on_time(left: float, increment: float) -> None:
    """A search that always runs into its hard bound, on a machine where every move is late."""
    rng = np.random.default_rng(1)
    overhead = 0.05
    for _ in range(400 if increment else 60):
        spent = budget(Clock(left, increment), overhead).hard + rng.uniform(0, overhead)
        assert spent < left
        left += increment - spent


@pytest.mark.parametrize("moves", [1, 2, 3, 10, 40, 200])
def test_time_lasts_until_more_is_given(moves: int) -> None:
    left = 20.0
    for to_go in range(moves, 0, -1):
        spent = budget(Clock(left, moves=to_go), 0.05).hard + 0.04
        assert spent < left
        left -= spent


def test_a_game_spends_most_of_its_time() -> None:
    """Sixty moves, each of which ends at its soft bound."""
    left = 10.0
    for _ in range(60):
        left += 0.1 - budget(Clock(left, 0.1)).soft
    assert 1.0 < left < 4.0


def test_last_move_before_more_time_spends_nearly_all_of_it() -> None:
    assert budget(Clock(5.0, moves=1), 0.05).hard > 4.0


@pytest.mark.parametrize("left", [-3.0, 0.0, 0.01, 0.05])
def test_no_time_left_means_a_move_at_once(left: float) -> None:
    assert budget(Clock(left, 0.1), 0.05).hard <= 0.002


def test_bounds_are_in_order() -> None:
    for left in (0.0, 0.06, 0.5, 7.0, 100.0):
        for increment in (0.0, 0.1, 10.0):
            for moves in (None, 1, 2, 30):
                found = budget(Clock(left, increment, moves))
                assert 0 <= found.soft <= found.hard <= max(left, 0.001)


def test_no_deeper_look_is_begun_past_the_soft_bound() -> None:
    clock = pace()
    assert not clock.enough(report(5, 0.4))
    assert clock.enough(report(6, 1.1))


def test_a_look_that_cannot_fit_is_not_begun() -> None:
    clock = pace(soft=4.0, hard=5.0)
    assert not clock.enough(report(7, 0.5))
    assert clock.enough(report(8, 3.0))  # It took 2.5 s; as much again would be 5.5.


def test_new_best_move_and_falling_value_get_more_time() -> None:
    settled, torn, falling, rising = (pace() for _ in range(4))
    for clock in (settled, torn, falling, rising):
        clock.enough(report(5, 0.2))
    assert settled.enough(report(6, 1.1))
    assert not torn.enough(report(6, 1.1, move=2))
    assert not falling.enough(report(6, 1.1, value=-0.3))
    assert rising.enough(report(6, 1.1, value=0.3))


def test_falling_is_seen_from_the_side_that_chooses() -> None:
    clock = pace(side=1)
    clock.enough(report(5, 0.2))
    assert not clock.enough(report(6, 1.1, value=0.3))


def test_a_move_long_best_is_played_sooner() -> None:
    clock = pace()
    assert not any(clock.enough(report(depth, 0.01 * depth)) for depth in range(1, 8))
    assert clock.enough(report(8, 0.75))


def test_the_only_move_is_played_at_once() -> None:
    assert pace(choices=1).enough(report(1, 0.001))
    assert pace(choices=1).enough(report(None, 0.001))


def test_searches_without_depth_stop_at_the_soft_bound() -> None:
    assert not pace().enough(report(None, 0.9))
    assert pace().enough(report(None, 1.0))


def test_main_time_is_followed_by_periods() -> None:
    clocks = ByoYomi(10, 30, 2)
    assert clocks.clock(0) == clocks.clock(1) == Clock(10, 15.0)
    clocks.spend(0, 4)
    assert clocks.clock(0) == Clock(6, 15.0) and clocks.clock(1) == Clock(10, 15.0)
    clocks.spend(0, 7)
    assert clocks.clock(0) == Clock(30, moves=2)
    clocks.spend(0, 20)
    assert clocks.clock(0) == Clock(10, moves=1)
    clocks.spend(0, 5)
    assert clocks.clock(0) == Clock(30, moves=2)


def test_a_clock_without_periods_runs_out() -> None:
    clocks = ByoYomi(10, 0, 0)
    clocks.spend(1, 12)
    assert clocks.clock(1) == Clock(-2) and clocks.clock(0) == Clock(10)


def test_periods_from_the_start_and_what_the_referee_says() -> None:
    clocks = ByoYomi(0, 5, 1)
    assert clocks.clock(0) == Clock(5, moves=1)
    clocks.set(0, 3, 1)
    assert clocks.clock(0) == Clock(3, moves=1)
    clocks.set(0, 40, 0)
    assert clocks.clock(0) == Clock(40, 5.0)


@pytest.mark.parametrize("left", [2.0, 60.0])
def test_the_tries_of_a_turn_cost_what_one_move_may(left: float) -> None:
    """Each try runs into its soft bound and is refused: together they take hardly more than one would."""
    whole = budget(Clock(left, 1.0))
    spent = 0.0
    for _ in range(20):
        spent += budget(Clock(left - spent, 1.0), spent=spent).soft
    assert whole.soft <= spent < whole.soft + 0.03
    rest = budget(Clock(left - 0.01, 1.0), spent=0.01)
    assert (rest.soft, rest.hard) == pytest.approx((whole.soft - 0.01, whole.hard - 0.01))


class Noted:
    """A search that plays at once and keeps the limits that it was given."""

    def __init__(self) -> None:
        self.seen: list[Limit] = []

    def search(
        self, view: View, limit: Limit, rng: np.random.Generator, on_info: Callable[[Info], None]
    ) -> SearchResult:
        self.seen.append(limit)
        return SearchResult(view.moves()[0], (0.0, 0.0), 1)

    def forget(self) -> None: ...
    def stop(self) -> None: ...


def test_a_search_that_does_not_report_is_given_what_a_move_should_take() -> None:
    kriegspiel = games.get("kriegspiel")
    clock = Limit(clocks=(Clock(60.0, 1.0),) * 2)
    for paced, expected in ((True, budget(Clock(60.0, 1.0)).hard), (False, budget(Clock(60.0, 1.0)).soft)):
        search = Noted()
        SearchPlayer("noted", kriegspiel, search, Limit(), paced=paced).choose(
            kriegspiel.start().view(0), clock
        )
        assert [limit.time for limit in search.seen] == [expected]


def test_the_time_in_a_name_belongs_to_the_turn_too() -> None:
    """A search that is asked for every try of a turn sees what is left of what its player's name allows."""
    kriegspiel = games.get("kriegspiel")
    search = Noted()
    seen = search.seen
    player = SearchPlayer("slow:time=2", kriegspiel, search, Limit(time=2.0))
    view = kriegspiel.start().view(0)
    turn = TurnTime()
    for seconds, stood in ((0.5, False), (0.5, False), (0.5, True), (0.5, True)):
        player.choose(view, turn.left(Limit()))
        turn.tried(seconds, stood)
    assert [limit.time for limit in seen] == [2.0, 1.5, 1.0, 2.0]
    player.choose(view, Limit(clocks=(Clock(60.0, 1.0),) * 2))
    player.choose(view, rest(Limit(clocks=(Clock(59.0, 1.0),) * 2), 1.0))
    assert seen[-1].time == pytest.approx(min(2.0, budget(Clock(60.0, 1.0)).hard) - 1.0)
