"""The rule of verdicts: errors of both sides, ties open, nothing that cannot fail."""

from math import inf

import pytest

from rookery.papers.measure import Measured, as_ours, mean, printed
from rookery.papers.verdict import (
    Finding,
    agreement,
    ahead,
    alike,
    answers,
    count,
    every,
    figure,
    flat,
    greater,
)


@pytest.mark.parametrize(
    ("ours", "paper", "verdict"), [(0.60, 0.62, "met"), (0.60, 0.65, "missed"), (0.70, 0.65, "missed")]
)
def test_a_figure_is_met_within_two_errors_of_both(ours, paper, verdict):
    assert agreement(Measured(ours, 0.01), Measured(paper, 0.01)) == verdict


def test_each_side_brings_its_error():
    assert agreement(Measured(0.6, 0.01), Measured(0.65, 0.03)) == "met"
    assert agreement(Measured(0.6, 0.03), Measured(0.65, 0.01)) == "met"
    assert agreement(Measured(0.6, 0.01), Measured(0.65, 0.01)) == "missed"


def test_a_printed_figure_has_at_least_the_error_of_its_rounding():
    with pytest.raises(ValueError, match="how well the paper's figure is known"):
        figure("x", Measured(0.5), Measured(0.5, 0.1))
    assert printed(0.5, 2).error == pytest.approx(0.01 / 12**0.5)
    assert printed(0.5, 2, 100).error > 0.05


def test_a_paper_that_tells_no_spread_is_taken_to_vary_as_ours_does():
    runs = [0.1, 0.3, 0.5]
    assert as_ours(printed(0.4, 2), runs).error == pytest.approx(0.2 * 4.53 / 2)  # by Student's t for two
    assert as_ours(printed(0.4, 2), runs, runs=4).error == pytest.approx(0.1 * 4.53 / 2)
    assert as_ours(printed(0.4, 2), [0.3]) == printed(0.4, 2)


def test_both_sides_are_widened_alike():
    """As many trainings of both: the error of the difference is that of two equal means."""
    runs = [0.50, 0.52, 0.54]
    assert as_ours(printed(0.5, 3), runs, runs=3).error == pytest.approx(mean(runs).error)


def test_one_training_decides_nothing():
    assert agreement(mean([0.4]), Measured(0.4, 0.01)) == "open"
    assert greater(mean([0.9]), mean([0.1, 0.1001])) == "open"


def test_what_most_values_would_meet_is_open():
    wide = Measured(0.4, 0.1)
    assert agreement(wide, Measured(0.5, 0.1), between=(0, 1)) == "open"  # from 0.22 to 0.78
    assert agreement(wide, Measured(0.5, 0.1)) == "met"
    assert agreement(Measured(0.4, 0.08), Measured(0.5, 0.08), between=(0, 1)) == "met"  # 0.27 to 0.73
    # Only possible values count: of 0.72 to 1.28 a quarter is possible.
    assert agreement(Measured(0.95, 0.1), Measured(1.0, 0.1), between=(0, 1)) == "met"
    assert agreement(Measured(0.1, 0.15), Measured(1.0, 0.25), between=(0, 1)) == "open"
    assert agreement(Measured(0.1, 0.1), Measured(1.0, 0.1), between=(0, 1)) == "missed"


@pytest.mark.parametrize(
    ("change", "verdict"),
    [((0.01, 0.01), "holds"), ((0.045, 0.025), "open"), ((0.1, 0.01), "fails"), ((-0.2, 0.05), "holds")],
)
def test_nothing_has_grown_only_where_it_surely_has_not_grown_much(change, verdict):
    assert flat(Measured(*change)) == verdict


def test_what_met_the_figure_before_training_is_shown():
    met = figure("x", Measured(0.5, 0.01), Measured(0.51, 0.01), before=Measured(0.5))
    assert met.before == "0.500" and "before training too" in met.told
    moved = figure("x", Measured(0.5, 0.01), Measured(0.51, 0.01), before=Measured(0.9))
    assert moved.before == "0.900" and "before training" not in moved.told
    lost = figure("x", Measured(0.5, 0.01), Measured(0.9, 0.01), before=Measured(0.5))
    assert lost.told.endswith("(met before training)")


@pytest.mark.parametrize(("a", "verdict"), [(0.6, "holds"), (0.4, "fails"), (0.51, "open"), (0.5, "open")])
def test_a_claim_needs_more_than_two_errors(a, verdict):
    assert greater(Measured(a, 0.01), Measured(0.5, 0.01)) == verdict


def test_without_an_error_nothing_is_claimed():
    assert greater(Measured(0.9), Measured(0.1)) == "open"
    assert flat(Measured(0.0, inf)) == flat(Measured(0.0)) == "open"
    assert [alike(Measured(change), 0.05) for change in (0.0, -0.2)] == ["open", "open"]


def test_ties_are_open():
    level = {"a": Measured(0.6, 0.01), "b": Measured(0.6, 0.01), "c": Measured(0.3, 0.01)}
    assert ahead(["a"], level) == "open"
    assert ahead(["a", "b"], level) == "holds"
    assert ahead(["c"], level) == "fails"
    assert every([]) == "open"


def test_counting():
    verdicts = ("met", "holds", "missed", "fails", "open")
    found = [Finding("x", "", "", verdict) for verdict in verdicts]
    assert count(found) == "2 of 5 figures and claims reproduced, 2 differ, 1 inconclusive"
    assert answers(found) == "2 answered yes, 2 no, 1 open"
