"""The board in the terminal."""

import re

import pytest

from rookery import games
from rookery.games.duchess import sector, squares
from walks import walk


@pytest.mark.parametrize("name", ["duchess4", "duchess6"])
def test_every_square_and_man_is_there_once(name):
    game = games.get(name)
    names = [s.name for s in squares(game.spec.seats)]
    for seed in range(3):
        for state in walk(game, seed, 60):
            picture = state.picture(seed)
            assert max(map(len, picture.splitlines())) <= 100
            assert sorted(re.findall(r"\b[1-6][a-e][1-6]\b|\bV\b", picture)) == sorted(names)
            men = {(square, man) for man, square in re.findall(r"\[(..)\](V|[1-6][a-e][1-6])", picture)}
            own = game.spec.seat_names
            assert men == {(m.square, own[m.seat][0].lower() + m.kind) for m in state.men()}


@pytest.mark.parametrize("name", ["duchess4", "duchess6"])
def test_own_flap_is_at_the_bottom(name):
    game = games.get(name)
    for seat in range(game.spec.seats):
        lines = game.start().view(seat).picture().split("\n\n")[0].splitlines()
        home = sector(game.spec.seats, seat)
        assert re.fullmatch(rf" +\[.R\]{home}a1 +\*?{game.spec.seat_names[seat]} +\[.R\]{home}e1", lines[-1])
        assert f"[{game.spec.seat_names[seat][0].lower()}K]{home}c1" in lines[-3]


def test_caption_tells_what_matters():
    game = games.get("duchess4")
    text = "4 t2 q0 | K1e1 Q2b2 R2b4 | K2a1 P2e3 | K4e1 {} | K5a1 N5e3"
    running = game.start(text.format("Q5b2")).picture()
    assert "Green (*) to move; 0 quiet plies." in running
    assert "In check: Green (mated), Blue." in running
    assert "*Green#" in running
    assert "Blue+" in running
    assert "Red and Yellow have won: checkmate." in game.start(text.format("Q5b2 R5b4")).picture()
    drawn = game.start("4 t1 q200 | K1c1 | K2c1 | K4c1 | K5c1").picture()
    assert "drawn: stagnation." in drawn
