from __future__ import annotations

import pytest

from rookery import games, roster
from rookery.api import Info
from rookery.interfaces.uci import _options
from rookery.interfaces.uci_lines import Option, info_line, read_go, read_setoption, win_draw_loss

START = games.get("chess").start()


def report(**changes: object) -> Info:
    e4 = START.parse("e2e4")
    e5 = START.play(e4).parse("e7e5")
    given = {"depth": 3, "nodes": 5000, "seconds": 0.5, "value": (0.2, -0.2), "pv": (e4, e5), "score": 81.4}
    return Info(**{**given, **changes})  # type: ignore[arg-type]


def test_a_report_has_every_field_that_programs_read() -> None:
    line = info_line(report(deepest=9, rank=2), START, wdl=True)
    assert line == (
        "info depth 3 seldepth 9 multipv 2 score cp 81 wdl 360 480 160 "
        "nodes 5000 nps 10000 time 500 pv e2e4 e7e5"
    )


@pytest.mark.parametrize(("plies", "said"), [(1, "1"), (3, "2"), (4, "2"), (-2, "-1"), (-4, "-2")])
def test_mates_are_counted_in_moves(plies: int, said: str) -> None:
    assert f" score mate {said} " in info_line(report(wins_in=plies), START, wdl=False)


def test_values_without_a_unit_become_centipawns() -> None:
    assert " score cp 220 " in info_line(report(score=None, value=(0.5, -0.5)), START, wdl=False)
    assert " score cp 5665 " in info_line(report(score=None, value=(1.0, -1.0)), START, wdl=False)
    black = START.play(START.parse("e2e4"))
    assert " score cp -220 " in info_line(report(score=None, value=(0.5, -0.5), pv=()), black, wdl=False)


def test_a_line_is_told_as_far_as_it_can_be_played() -> None:
    e4 = START.parse("e2e4")
    assert info_line(report(pv=(e4, e4)), START, wdl=False).endswith(" pv e2e4")
    assert " pv" not in info_line(report(pv=()), START, wdl=False)


@pytest.mark.parametrize("value", [-1.0, -0.7, -0.01, 0.0, 0.3, 0.999, 1.0])
def test_wins_draws_and_losses_have_the_mean_of_the_value(value: float) -> None:
    win, draw, loss = win_draw_loss(value)
    assert win + draw + loss == 1000 and min(win, draw, loss) >= 0
    assert abs((win - loss) / 1000 - value) < 0.002


def test_go_reads_everything() -> None:
    numbers = {"wtime": -5, "btime": 2, "winc": 3, "binc": 4, "movestogo": 5}
    numbers |= {"depth": 6, "nodes": 7, "mate": 8, "movetime": 9}
    words = [word for name, number in numbers.items() for word in (name, str(number))]
    go = read_go(["ponder", *words, "searchmoves", "e2e4", "d2d4", "infinite"])
    assert go.numbers == numbers
    assert (go.searchmoves, go.infinite, go.ponder, go.mistakes) == (["e2e4", "d2d4"], True, True, [])


@pytest.mark.parametrize(
    "wrong", ["depth", "depth 0", "depth -1", "nodes x", "winc -1", "nonsense", "depth 1e3"]
)
def test_go_leaves_out_what_it_cannot_read(wrong: str) -> None:
    go = read_go([*wrong.split(), "movetime", "10"][-4:])
    assert go.mistakes and (go.numbers == {"movetime": 10} or wrong == "depth")


def test_setoption() -> None:
    assert read_setoption(["name", "Clear", "Hash"]) == ("Clear Hash", "")
    assert read_setoption(["NAME", "UCI_ShowWDL", "VALUE", "true"]) == ("UCI_ShowWDL", "true")
    assert read_setoption(["value", "3"]) is None


def test_option_refuses_what_is_out_of_range() -> None:
    option = Option("Hash", "spin", 16, 1, 64)
    assert option.set("65") and option.set("x") and option.set("") and option.value == 16
    assert option.set("64") is None and option.value == 64
    check = Option("Ponder", "check")
    assert check.set("maybe") and check.set("True") is None and check.value == 1


def test_declared_defaults_are_those_of_the_search() -> None:
    declared = {option.name: option.default for option in _options("alphabeta+classical")}
    offered = roster.search_options(roster.searches()["alphabeta"])
    assert declared["Hash"] == offered["hash"].default
    assert declared["Threads"] == offered["threads"].default


def test_declared_defaults_follow_the_name() -> None:
    declared = {option.name: option.default for option in _options("alphabeta:hash=2,level=3+classical")}
    assert (declared["Hash"], declared["Level"]) == (2, 3)
