"""The bench's judgements and its table, on made-up samples: nothing is measured here."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from contestant import Sample
from judge import Result, Spread, disagreement
from rows import ROWS, Row, Target, choose
from table import HEADINGS, cells, markdown, short


def sample(units: int, seconds: float = 1.0, games: int = 1) -> Sample:
    return Sample(units, games, seconds)


def row(target: Target | None, unit: str = "plies", peer: str | None = "peer") -> Row:
    task = "play" if unit == "calls" else "playouts"
    return Row("chess-it", "chess it", "chess", task, unit, peer, target)


def against(target: Target | None, ours: list[int], peers: list[int]) -> Result:
    return Result(row(target), [sample(n) for n in ours], [sample(n) for n in peers])


def test_the_ratio_is_of_rounds_side_by_side():
    # The machine was twice as slow in the second round: that must not show in the ratio.
    result = against(Target("ratio", 10), [2000, 1000, 2000], [100, 50, 100])
    assert result.ratio == Spread(20, 20, 20)
    assert Spread.of([3, 1, 2]) == Spread(2, 1, 3)


def test_rates_are_per_second_not_per_round():
    result = Result(row(None), [sample(100, 2.0)], [sample(100, 0.5)])
    assert result.ratio == Spread(0.25, 0.25, 0.25)


@pytest.mark.parametrize(
    ("ours", "verdict"), [([100], "met"), ([99], "MISSED by 1 %"), ([50], "MISSED by 50 %"), ([200], "met")]
)
def test_a_ratio_is_met_from_its_bound_on(ours, verdict):
    assert against(Target("ratio", 10), ours, [10]).verdict == verdict


def test_the_median_judges():
    assert against(Target("ratio", 10), [90, 100, 400], [10] * 3).met is True
    assert against(Target("ratio", 10), [90, 90, 400], [10] * 3).met is False


@pytest.mark.parametrize(("games", "met"), [(300_000, True), (299_999, False)])
def test_a_rate_of_games_counts_games(games, met):
    result = Result(row(Target("rate", 300_000), "games", None), [sample(10**9, games=games)])
    assert result.met is met


@pytest.mark.parametrize(
    ("calls", "verdict"), [(500_001, "met"), (500_000, "MISSED by 0 %"), (250_000, "MISSED by 100 %")]
)
def test_a_time_must_stay_below_its_bound(calls, verdict):
    result = Result(row(Target("time", 2), "calls", None), [sample(calls)])
    assert result.verdict == verdict


def test_a_time_spreads_the_other_way_round():
    result = Result(row(Target("time", 2), "calls", None), [sample(n) for n in (10**6, 2 * 10**6, 4 * 10**6)])
    assert result.judged == Spread(0.5, 0.25, 1)


def test_what_was_not_measured_is_never_met():
    result = Result(row(Target("ratio", 10)), instead="not measured: no wheel")
    assert result.met is None
    assert result.verdict == "not measured: no wheel"
    assert against(Target("ratio", 10), [100], []).met is None
    assert against(None, [100], [10]).verdict == "no target"


def test_different_trees_are_not_compared():
    assert disagreement(Sample(8, 1, 1, 400), Sample(9, 1, 1, 400)) == ""
    assert disagreement(Sample(8, 1, 1, 400), Sample(9, 1, 1, 8902)) == (
        "the trees differ, 400 leaves against 8,902"
    )


@pytest.mark.parametrize(
    ("number", "text"),
    [(0.5, "0.50"), (9.876, "9.88"), (98.76, "98.8"), (987.6, "988"), (1234, "1.23 k"), (5.843e8, "584 M")],
)
def test_numbers_keep_three_figures(number, text):
    assert short(number) == text


def test_cells():
    result = Result(
        row(Target("ratio", 50)),
        [Sample(12_000_000, 35_000, 1.0), Sample(11_000_000, 32_000, 1.0)],
        [Sample(100_000, 300, 1.0), Sample(100_000, 300, 1.0)],
    )
    assert cells(result) == (
        "chess it",
        "11.5 M plies/s, 33.5 k games/s",
        "peer: 100 k plies/s, 300 games/s",
        "115x (110 to 120)",
        ">= 50x",
        "met",
    )
    assert cells(Result(row(Target("time", 2), "calls", None), instead="not here")) == (
        "chess it",
        "-",
        "",
        "",
        "< 2 us",
        "not here",
    )


def test_a_limit_stands_beside_what_was_reached():
    limited = Row("go5-td", "go5 td", "go5", "td", "games", None, None, {}, limit=100_000)
    result = Result(limited, [Sample(1, games, 1.0) for games in (40_000, 50_000, 60_000)])
    assert result.share == Spread(0.5, 0.4, 0.6)
    assert cells(result) == (
        "go5 td",
        "50.0 k games/s (40.0 k to 60.0 k)",
        "arithmetic: 100 k games/s",
        "0.50x (0.40 to 0.60)",
        "",
        "no target",
    )
    assert cells(Result(limited, instead="not here"))[2:4] == ("arithmetic: 100 k games/s", "")
    assert result.record()["limit_per_second"] == 100_000


def test_markdown_is_a_table():
    lines = markdown([against(None, [100], [10])]).splitlines()
    assert len(lines) == 3
    assert {line.count("|") for line in lines} == {len(HEADINGS) + 1}


def test_the_record_is_json_and_complete():
    record = json.loads(json.dumps(against(Target("ratio", 10), [100], [10]).record()))
    assert record["ratio"] == {"median": 10, "low": 10, "high": 10}
    assert (record["met"], record["verdict"], record["target"]) == (True, "met", ">= 10x")


def test_rows_are_chosen_by_any_part_of_their_names():
    assert choose([]) == list(ROWS)
    assert [row.name for row in choose(["stockfish", "go5-playouts"])] == [
        "chess-perft-stockfish",
        "go5-playouts",
    ]
    assert len({row.name for row in ROWS}) == len(ROWS)
    with pytest.raises(ValueError, match="no row is called 'chequers'"):
        choose(["chequers"])
