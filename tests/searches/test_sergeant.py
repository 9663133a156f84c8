"""The sergeant's rules of thumb, each in a position where it must show."""

import numpy as np
import pytest

from rookery import games, players
from rookery.api import Limit
from rookery.errors import UnsupportedGame
from rookery.games.kriegspiel import KRIEGSPIEL


def choices(state, tries=20):
    player = players.make("sergeant", KRIEGSPIEL)
    texts = set()
    for seed in range(tries):
        player.start(KRIEGSPIEL.spec, state.seat, seed)
        texts.add(state.text(player.choose(state.view(state.seat), Limit())))
    return texts


def played(fen, *texts):
    state = KRIEGSPIEL.start(fen)
    for text in texts:
        state = state.play(state.parse(text))
    return state


def test_takes_back():
    state = played("4k3/8/8/3q4/8/8/3R4/3RK3 b - - 0 1", "d5d2")
    assert choices(state) == {"d1d2", "e1d2"}


def test_uses_pawn_tries():
    state = played("4k3/8/8/3p4/8/8/4P3/4K3 b - - 0 1", "d5d4")
    assert choices(state) - {"e2d3", "e2f3"}, "no tries: anything goes"
    state = played("4k3/8/8/8/3p4/8/4P3/4K3 b - - 0 1", "d4d3")
    assert choices(state) == {"e2d3", "e2f3"}
    assert choices(state.play(state.parse("e2f3"))) == {"e2d3"}


def test_promotes_to_queens():
    assert "a7a8q" in choices(KRIEGSPIEL.start("2k5/P7/8/8/8/8/8/K7 w - - 0 1"), 60)
    assert not {"a7a8n", "a7a8r"} & choices(KRIEGSPIEL.start("2k5/P7/8/8/8/8/8/K7 w - - 0 1"), 60)


def test_beats_random_play():
    sergeant, random = players.make("sergeant", KRIEGSPIEL), players.make("random", KRIEGSPIEL)
    material = []
    for game in range(10):
        seats = [sergeant, random] if game % 2 == 0 else [random, sergeant]
        for seat, player in enumerate(seats):
            player.start(KRIEGSPIEL.spec, seat, game)
        state = KRIEGSPIEL.start()
        while not state.outcome() and len(state.history()) < 120:
            state = state.play(seats[state.seat].choose(state.view(state.seat), Limit()))
        men = [len([c for c in state.view(seat).men if c.isalpha()]) for seat in (0, 1)]
        material.append(men[game % 2] - men[1 - game % 2])
    assert np.mean(material) > 0.5


def test_plays_kriegspiel_only():
    with pytest.raises(UnsupportedGame, match="kriegspiel only"):
        players.make("sergeant", games.get("chess"))
