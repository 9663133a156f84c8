"""Strengths of a pool from its results."""

import numpy as np
import pytest

from rookery.arena.ladder import climb, errors, information, ladder
from rookery.arena.rating import elo


def play_out(strengths, games, rng):
    """A round robin of players with these natural logarithms of strength."""
    n = len(strengths)
    points = np.zeros((n, n))
    for i in range(n):
        for j in range(i):
            points[i, j] = rng.binomial(games, 1 / (1 + np.exp(strengths[j] - strengths[i])))
            points[j, i] = games - points[i, j]
    return points


def test_recovers_known_strengths_and_knows_its_error():
    rng = np.random.default_rng(3)
    off = []
    for _ in range(40):
        strengths = rng.normal(size=8)
        strengths -= strengths.mean()
        points = play_out(strengths, 60, rng)
        found = climb(points)
        off.append((found - strengths) / errors(points, found))
    spread = np.array(off).std()
    assert 0.85 < spread < 1.15, "errors must be as large as they say"


def test_stands_on_the_summit():
    """No change of any strength makes the results likelier: the slope there is flat."""
    points = play_out(np.array([1.0, 0.2, -0.3, -0.9]), 30, np.random.default_rng(0))
    found = climb(points)

    def likelihood(logs):
        shares = 1 / (1 + np.exp(logs[None, :] - logs[:, None]))
        alone = 1 / (1 + np.exp(-logs))
        return (points * np.log(shares)).sum() + 0.5 * (np.log(alone) + np.log(1 - alone)).sum()

    # The imagined opponent fixes the level, which the result leaves out: find it again.
    best = max(np.linspace(-1, 1, 2001), key=lambda shift: likelihood(found + shift))
    for place in range(4):
        step = np.zeros(4)
        step[place] = 1e-4
        slope = (likelihood(found + best + step) - likelihood(found + best - step)) / 2e-4
        assert abs(slope) < 5e-3


def test_two_players_stand_as_far_apart_as_their_score_says():
    rungs = ladder([[0, 750], [250, 0]])
    assert rungs[0].elo - rungs[1].elo == pytest.approx(elo(0.75), abs=1)
    assert rungs[0].elo == pytest.approx(-rungs[1].elo)
    assert (rungs[0].points, rungs[0].games) == (750, 1000)


def test_perfect_scores_and_strangers_stay_finite():
    perfect = ladder([[0, 50, 50], [0, 0, 50], [0, 0, 0]])
    assert [rung.entrant for rung in perfect] == [0, 1, 2]
    assert all(np.isfinite([rung.elo, rung.error]).all() for rung in perfect)
    strangers = ladder([[0, 10, 0, 0], [0, 0, 0, 0], [0, 0, 0, 10], [0, 0, 0, 0]])
    assert all(np.isfinite([rung.elo, rung.error]).all() for rung in strangers)
    assert ladder([[0, 0], [0, 0]])[0].elo == 0


def test_more_games_mean_less_error():
    few, many = ladder([[0, 6], [4, 0]]), ladder([[0, 600], [400, 0]])
    assert many[0].error < few[0].error / 5


def test_information_is_the_curvature():
    points = play_out(np.array([0.5, 0.0, -0.5]), 20, np.random.default_rng(1))
    matrix = information(points, climb(points))
    assert np.allclose(matrix, matrix.T) and (np.linalg.eigvalsh(matrix) > 0).all()
