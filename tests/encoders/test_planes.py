"""Plain planes: what each number means, checked against the positions themselves."""

from __future__ import annotations

import numpy as np
import pytest

from rookery import games
from rookery.encoders import encoders, get
from rookery.encoders.planes import planes_for
from rookery.errors import UnknownName
from rookery.games.duchess import squares
from walks import walk


@pytest.mark.parametrize("name", games.names())
def test_every_view_of_every_game_is_encoded(name: str) -> None:
    game = games.get(name)
    encoder = planes_for(game)
    for state in walk(game, seed=1, plies=40):
        for seat in range(game.spec.seats):
            planes = encoder.encode(state.view(seat))
            assert planes.shape == encoder.shape(game) and planes.dtype == np.float32
            assert planes.min() >= 0 and planes.max() <= 1


@pytest.mark.parametrize("name", sorted(set(games.names()) - {"kriegspiel"}))
def test_positions_that_differ_in_their_men_have_other_planes(name: str) -> None:
    game = games.get(name)
    encoder = planes_for(game)
    states = {
        str(state).split()[0]: state
        for state in walk(game, seed=2, plies=30)
        if game.spec.name != "kriegspiel"
    }
    seen = {encoder.encode(state.view(0)).tobytes() for state in states.values()}
    assert len(seen) >= len(states)


def test_names_end_in_a_version() -> None:
    assert all(name.rpartition("-")[2].isdecimal() for name in encoders())
    assert get("chess-planes-1") is encoders()["chess-planes-1"]
    with pytest.raises(UnknownName, match="chess-planes-1"):
        get("chess-planes-0")


def test_chess() -> None:
    state = games.get("chess").start("4k2r/8/8/3pP3/8/8/8/4K3 w k d6 7 20")
    white, black = (planes_for(games.get("chess")).encode(state.view(seat)) for seat in (0, 1))
    assert white[0, 4, 4] == white[6, 4, 3] == white[5, 0, 4] == white[11, 7, 4] == white[9, 7, 7] == 1
    assert white[:12].sum() == black[:12].sum() == 5
    assert black[6, 4, 4] == black[0, 4, 3] == 1
    assert white[12].all() and white[13].all() and not black[12].any() and not black[13].any()
    assert [white[plane, 0, 0] for plane in (14, 15, 16, 17)] == [0, 0, 1, 0]
    assert [black[plane, 0, 0] for plane in (14, 15, 16, 17)] == [1, 0, 0, 0]
    assert white[18].sum() == white[18, 5, 3] == 1
    assert white[19, 3, 3] == pytest.approx(0.07)


def test_go() -> None:
    state = games.get("go5").start("...../.XO../X.XO./.XO../..... w")
    state = state.play(state.parse("B3"))  # Takes C3, where Black may not play at once.
    black, white = (planes_for(games.get("go5")).encode(state.view(seat)) for seat in (0, 1))
    assert black[0].sum() == 3 and black[1].sum() == 4 and black[1, 2, 1] == 1
    assert np.array_equal(black[0], white[1]) and np.array_equal(black[1], white[0])
    assert black[2].sum() == black[2, 2, 2] == 1
    assert black[3].all() and black[4].all() and not black[5].any()
    passed = planes_for(games.get("go5")).encode(state.play(25).view(0))
    assert passed[5].all() and not passed[4].any()


def test_duchess() -> None:
    game = games.get("duchess4")
    state = game.start()
    own, left = (planes_for(game).encode(state.view(seat)) for seat in (0, 1))
    place = [square.name for square in squares(4)].index("1c1")
    assert own[0, place] == 1 and left[36, place] == 1  # The first seat comes last for the second.
    assert own[:9].sum() == own[36:45].sum() and own[9].all() and left[36 + 9].all()
    assert own[10].sum() == own[11].sum() == own[-1].sum() == 0


def test_kriegspiel_hears() -> None:
    game = games.get("kriegspiel")
    encoder = planes_for(game)
    state = game.start()
    for text in ("e2e4", "d7d5", "e4d5"):
        state = state.play(state.parse(text))
    white, black = (encoder.encode(state.view(seat)) for seat in (0, 1))
    assert white[14].sum() == white[14, 4, 3] == black[15].sum() == black[15, 4, 3] == 1
    assert white[:6].sum() == 16 and black[:6].sum() == 15
    assert black[7].all() and not white[7].any()
    state = state.play(state.view(1).parse("d8d5")).play(state.view(0).parse("a1a3"))
    refused = encoder.encode(state.view(0))
    assert refused[16].sum() == refused[16, 0, 0] == refused[17, 2, 0] == 1
    assert refused[7].all()
