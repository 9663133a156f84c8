"""Which games are to be played."""

from dataclasses import replace

import pytest

from rookery.api import Clock, Limit
from rookery.arena.contest import Contest, enter
from rookery.errors import BadOption, UnknownName

MATCH = Contest("chess", ("random", "rollouts"), games=6, seed=3)


def test_a_pair_swaps_sides_and_keeps_its_opening():
    plan = list(MATCH.schedule())
    assert [scheduled.sides for scheduled in plan] == [(0, 1), (1, 0)] * 3
    assert [scheduled.pair for scheduled in plan] == [0, 0, 1, 1, 2, 2]
    for one, two in zip(plan[::2], plan[1::2], strict=True):
        assert one.opening == two.opening and one.seed != two.seed
    assert len({scheduled.opening for scheduled in plan}) == 3
    assert len({scheduled.seed for scheduled in plan}) == 6


def test_everybody_meets_everybody_from_the_same_openings():
    contest = Contest("chess", ("random",) * 4, games=4)
    plan = list(contest.schedule())
    assert len(plan) == contest.total == 24
    assert len({scheduled.key for scheduled in plan}) == 24
    for pair in range(2):
        games = [scheduled for scheduled in plan if scheduled.pair == pair]
        assert {scheduled.sides for scheduled in games} == {
            (a, b) for a in range(4) for b in range(4) if a != b
        }
        assert len({scheduled.opening for scheduled in games}) == 1


def test_more_games_only_add_to_the_end():
    for games in (1, 3, 4, 5):
        few, many = list(replace(MATCH, games=games).schedule()), list(replace(MATCH, games=9).schedule())
        assert few == many[: len(few)] and len(few) == games


def test_the_seed_decides():
    assert list(MATCH.schedule()) == list(replace(MATCH).schedule())
    assert list(MATCH.schedule()) != list(replace(MATCH, seed=4).schedule())


def test_identity():
    assert MATCH.identity() == replace(MATCH, games=100).identity()
    others = [
        replace(MATCH, seed=4),
        replace(MATCH, limit=Limit(depth=1)),
        replace(MATCH, limit=Limit(clocks=(Clock(10.0, 0.1),) * 2)),
        replace(MATCH, openings="random:2"),
        replace(MATCH, max_plies=5),
        replace(MATCH, entrants=("rollouts", "random")),
        replace(MATCH, game="kriegspiel", entrants=("random", "random")),
        replace(MATCH, sprt=(0, 5)),
    ]
    assert all(other.identity() != MATCH.identity() for other in others)


def test_the_identity_gives_the_limit_back():
    for limit in (Limit(depth=3, time=0.5), Limit(clocks=(Clock(10.0, 0.1),) * 2)):
        contest = replace(MATCH, limit=limit)
        assert Contest.recorded(contest.identity(), contest.games).limit == limit


def test_entering():
    assert enter("chess", ["rollouts:games=08", "random"]) == ("rollouts:games=8", "random")
    with pytest.raises(UnknownName, match="did you mean random"):
        enter("chess", ["random", "randm"])


@pytest.mark.parametrize("change", [{"entrants": ("random",)}, {"games": 0}])
def test_nonsense_is_refused(change):
    with pytest.raises(BadOption):
        replace(MATCH, **change)
