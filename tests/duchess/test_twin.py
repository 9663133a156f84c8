"""The native rules against the twin, ply for ply: moves as text, checks, mates, outcomes."""

import pytest
from duchess_games import compare_games

CHUNK = 250


def test_games_agree():
    seen = compare_games(range(60))
    for event in ("teleports", "promotions", "mates", "releases", "checkmate", "stagnation", "mated passes"):
        assert seen[event] > 0, seen


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(40))
def test_ten_thousand_games_agree(chunk):
    seen = compare_games(range(chunk * CHUNK, (chunk + 1) * CHUNK))
    assert seen["games"] == CHUNK
    for event in ("teleports", "promotions", "mates", "releases", "checkmate", "stagnation", "mated passes"):
        assert seen[event] > 0, seen
    assert seen["stalemated passes"] + seen["Pawns left on the Vortex"] > 0, seen
