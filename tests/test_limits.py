"""Bounds of searches: what is out of range is refused where it is made."""

import pytest

from rookery import games, native, players
from rookery.api import Clock, Limit
from rookery.errors import BadOption

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    "bad",
    [
        {"lines": 0},
        {"lines": -1},
        {"lines": 2**40},
        {"lines": None},
        {"depth": 0},
        {"depth": -3},
        {"depth": 2**31},
        {"depth": 2.5},
        {"nodes": 0},
        {"nodes": -1},
        {"nodes": 2**63},
        {"nodes": "many"},
        {"time": -0.1},
        {"time": NAN},
        {"time": "long"},
        {"only": (-1,)},
        {"only": (2**31,)},
        {"only": ("e2e4",)},
    ],
)
def test_out_of_range(bad):
    with pytest.raises(BadOption, match=f"^{next(iter(bad))} must be .*got") as error:
        Limit(**bad)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("bad", [{"left": NAN}, {"left": 1.0, "increment": -1}, {"left": 1.0, "moves": 0}])
def test_clocks_out_of_range(bad):
    with pytest.raises(BadOption):
        Clock(**bad)


def test_within_range():
    Limit(depth=1, nodes=1, time=0, only=(0,), lines=1, clocks=(Clock(-0.5), Clock(INF, 0.0, 1)))
    Limit(time=INF)


@pytest.mark.parametrize(
    "name", ["alphabeta+classical", "comparison+pieces", "uct", "puct+pieces", "rollouts"]
)
def test_no_time_at_all_is_enough_for_a_move(name):
    game = games.get("chess")
    view = game.start().view(0)
    assert players.make(name, game).choose(view, Limit(time=0)) in view.moves()


@pytest.mark.parametrize(
    ("bounds", "name"),
    [
        ((0, 0, 0.0, [], 1), "depth"),
        ((-1, 0, 0.0, [], 1), "depth"),
        ((1, -1, 0.0, [], 1), "nodes"),
        ((1, 0, -1.0, [], 1), "seconds"),
        ((1, 0, NAN, [], 1), "seconds"),
        ((1, 0, 0.0, [], 0), "lines"),
        ((1, 0, 0.0, [], -5), "lines"),
    ],
)
def test_native_searches_refuse_them_too(bounds, name):
    state = games.get("chess").start().native
    for search in (
        native.alphabeta(
            native.ChessClassical(),
            native.AlphaBetaOptions(qdepth=60, null_move=True, late_moves=True, hash=1),
        ),
        native.comparison(native.ChessPieces(), native.ComparisonOptions()),
    ):
        with pytest.raises(BadOption, match=f"^{name} must be"):
            search.search(state, *bounds, None)


@pytest.mark.parametrize("option", ["hash", "threads", "depth", "nodes", "beyond"])
def test_numbers_beyond_all_counting(option):
    with pytest.raises(BadOption):
        players.make(f"alphabeta:{option}={10**30}+classical", games.get("chess"))
