"""Elo and its interval: exact where that can be computed, simulated where it cannot."""

from math import inf, isclose, log10

import numpy as np
import pytest
from pairs import POINTS, distribution, true_elo

from rookery.arena.rating import elo, expected, rate, spread


def test_elo_and_score_are_inverse():
    for difference in (-700, -3, 0, 120, 512):
        assert isclose(elo(expected(difference)), difference, abs_tol=1e-9)
    assert elo(0.0) == -inf and elo(1.0) == inf


def test_a_known_interval():
    """50 pairs of which 10 gave 1/2, 20 gave 1, 20 gave 3/2: worked by hand."""
    counts = [0, 10, 20, 20, 0]
    score = (10 * 0.25 + 20 * 0.5 + 20 * 0.75) / 50
    squares = 10 * (0.25 - score) ** 2 + 20 * (0.5 - score) ** 2 + 20 * (0.75 - score) ** 2
    share = (squares + 0.25) / (49 * score * (1 - score) + 0.25)
    n, z = 50 / share, 1.959963984540054
    middle = (score + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * (score * (1 - score) / n + z * z / (4 * n * n)) ** 0.5
    found = rate(score, 100, counts)
    assert isclose(found.elo, -400 * log10(1 / score - 1))
    assert isclose(found.low, -400 * log10(1 / (middle - reach) - 1))
    assert isclose(found.high, -400 * log10(1 / (middle + reach) - 1))


@pytest.mark.parametrize("pairs", [1, 4, 50])
def test_a_perfect_score_has_a_finite_bound_on_one_side(pairs):
    won = rate(1.0, 2 * pairs, [0, 0, 0, 0, pairs])
    lost = rate(0.0, 2 * pairs, [pairs, 0, 0, 0, 0])
    assert won.elo == won.high == inf and -inf < won.low < inf
    assert lost.elo == lost.low == -inf and isclose(lost.high, -won.low)
    assert str(won) == f"above {won.low:+.0f}"


def test_more_perfect_games_mean_a_higher_bound():
    bounds = [rate(1.0, 2 * pairs, [0, 0, 0, 0, pairs]).low for pairs in (1, 2, 5, 20, 100)]
    assert bounds == sorted(bounds)


def test_no_games_say_nothing():
    nothing = rate(0.5, 0, [0] * 5)
    assert (nothing.elo, nothing.low, nothing.high) == (0, -inf, inf)


def test_games_without_a_pair_are_counted_singly():
    one = rate(0.5, 1, [0, 1, 0])
    assert one.elo == 0 and one.low < -200 and one.high > 200


@pytest.mark.parametrize("pairs", [10, 25, 100])
@pytest.mark.parametrize("gap, draws, bias", [(0, 100, 100), (150, 0, 0), (300, 200, 300), (500, 100, 100)])
def test_the_interval_holds_the_truth_as_often_as_it_says(gap, draws, bias, pairs):
    """95 of 100 times; with few pairs more often, never much less."""
    rng = np.random.default_rng([gap, draws, bias, pairs])
    shares = distribution(gap, draws, bias)
    truth = true_elo(shares)
    times = 1000
    held = 0
    for counts in rng.multinomial(pairs, shares, size=times).tolist():
        found = rate(float(np.dot(counts, POINTS)) / pairs, 2 * pairs, counts)
        held += found.low <= truth <= found.high
    assert held / times > 0.93
    assert pairs < 100 or held / times < 0.98


def test_pairs_vary_less_than_their_games_would():
    """Openings that favour one side make a pair's games cancel: the reason for playing pairs at all."""
    rng = np.random.default_rng(1)
    for bias in (0, 200, 400):
        counts = rng.multinomial(20000, distribution(30, 100, bias)).tolist()
        score = float(np.dot(counts, POINTS)) / sum(counts)
        by_pairs = spread(score, counts)
        won, lost = _games_of(rng, counts, 30, 100, bias)
        by_games = spread(score, [lost, 2 * sum(counts) - won - lost, won]) / 2
        assert by_pairs <= by_games * 1.02
        if bias == 400:
            assert by_pairs < by_games * 0.8


def _games_of(rng, counts, gap, draws, bias):
    """Wins and losses of as many games with the same chances, each from a fresh opening."""
    won = lost = 0.0
    for luck in (-bias, bias):
        won += sum(counts) * expected(gap + luck - draws)
        lost += sum(counts) * expected(-gap - luck - draws)
    return round(won), round(lost)
