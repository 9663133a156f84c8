"""A little of `soak.masks`: recorded games are held against the truth like those that are played for it."""

import pytest

from rookery.arena.contest import Contest
from rookery.arena.match import match
from rookery.arena.record import Record
from soak import masks


@pytest.fixture
def record(tmp_path):
    contest = Contest("kriegspiel", ("random", "sergeant"), 2, seed=3)
    path = tmp_path / "games.jsonl"
    with Record(contest, path) as kept:
        match(contest, kept, 0)
    return path


def test_recorded_games_are_held_against_the_truth(record):
    for game in masks.recorded(record):
        assert masks.replayed(game) == (len(game.moves), "")
    assert len(list(masks.recorded(record))) == 2


def test_a_truth_that_is_excluded_is_found_in_them(record, monkeypatch):
    truth = masks.truth

    def otherwise(state, seat):
        bits = truth(state, seat)
        if len(state.view(seat).events) > 8:
            bits[bits > 0] ^= 1  # a pawn wherever there is none
        return bits

    monkeypatch.setattr(masks, "truth", otherwise)
    for game in masks.recorded(record):
        events, wrong = masks.replayed(game)
        assert "exclude" in wrong and 4 < events < 20
        assert masks.row("both", [(events, wrong), (3, "")]) == ("both", 2, events + 3, 1, wrong)
