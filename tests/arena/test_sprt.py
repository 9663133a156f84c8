"""The sequential test against published figures and its own promise."""

from math import isclose, log

import numpy as np
import pytest
from pairs import distribution, true_elo

from rookery.arena.sprt import Sprt, _tilt
from rookery.errors import BadOption


def test_published_trinomial():
    """W 4307, L 4063, D 8620 between 0 and 3 Elo: published as 2.99."""
    assert round(Sprt(0, 3).llr([4063, 8620, 4307]), 2) == 2.99


@pytest.mark.parametrize(
    "counts, bounds, published",
    [
        ([424, 2948, 5832, 3045, 460], (-1, 3), 2.94),
        ([665, 4806, 9333, 4893, 747], (-0.5, 1.5), 2.95),
        ([253, 4282, 17604, 4431, 286], (-0.25, 1.25), 2.94),
        ([133, 1751, 5094, 1849, 165], (-0.5, 1.5), 2.94),
        ([328, 4564, 15580, 4789, 371], (0.25, 1.75), 2.98),
        ([58, 3302, 33130, 3518, 84], (0.25, 1.25), 2.97),
        ([491, 7345, 29693, 7670, 465], (-0.25, 1.25), 2.96),
    ],
)
def test_published_pentanomials(counts, bounds, published):
    """Tests of Stockfish from 2020, whose bounds were logistic Elo, as its developers announced them."""
    assert round(Sprt(*bounds).llr(counts), 2) == published


def test_bounds():
    assert isclose(Sprt(0, 5).upper, log(19)) and isclose(Sprt(0, 5).lower, -log(19))
    assert Sprt(0, 5, alpha=0.01, beta=0.1).upper == log(0.9 / 0.01)


def test_the_sign_says_which_fits_better():
    assert Sprt(0, 10).llr([0, 0, 10, 10, 0]) > 0 > Sprt(0, 10).llr([0, 10, 10, 0, 0])
    assert Sprt(-10, 10).llr([1, 2, 5, 2, 1]) == pytest.approx(0, abs=1e-9)
    assert Sprt(0, 10).llr([0] * 5) == 0


def test_decisions():
    test = Sprt(0, 5)
    assert test.decide(2.95) == "H1" and test.decide(-2.95) == "H0" and test.decide(2.94) is None


@pytest.mark.parametrize("text", ["5", "5,0", "0,0", "a,b", "0,5,9", ""])
def test_bad_bounds_are_refused(text):
    with pytest.raises(BadOption):
        Sprt.read(text)


def test_the_tilted_distribution_is_the_likeliest_with_its_mean():
    """It has the mean, sums to 1, and no other distribution with that mean that we try is likelier."""
    rng = np.random.default_rng(0)
    for _ in range(50):
        seen = rng.integers(1, 40, size=5).astype(float).tolist()
        mean = rng.uniform(0.1, 0.9)
        best = np.array(_tilt(seen, mean))
        points = np.arange(5) / 4
        assert best.sum() == pytest.approx(1) and best @ points == pytest.approx(mean)
        likelihood = np.dot(seen, np.log(best))
        for _ in range(20):
            # A step that changes neither the sum nor the mean.
            free = rng.normal(size=5)
            basis, _ = np.linalg.qr(np.stack([np.ones(5), points], axis=1))
            step = free - basis @ (basis.T @ free)
            other = best + 0.1 * best.min() * step / np.abs(step).max()
            assert np.dot(seen, np.log(other)) <= likelihood + 1e-9


@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_error_rates(truth):
    """A player worth exactly E0 passes, and one worth exactly E1 fails, in about 5 of 100 matches."""
    rng = np.random.default_rng(7)
    shares = distribution(80, 100, 100)
    gap = true_elo(shares)
    test = Sprt(0, gap) if truth == "H1" else Sprt(gap, 2 * gap)
    times, wrong = 200, 0
    for _ in range(times):
        counts, decision = [0] * 5, None
        while decision is None:
            counts[rng.choice(5, p=shares)] += 1
            decision = test.decide(test.llr(counts))
        wrong += decision != truth
    assert wrong / times < 0.09
