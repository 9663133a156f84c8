"""Metaposition search: what it must find, what it keeps to, and that it never loses sight of the truth."""

import numpy as np
import pytest

from rookery import games, native, players
from rookery.api import Believer, Limit
from rookery.errors import IllegalMove, UnsupportedGame
from rookery.games.kriegspiel import KRIEGSPIEL

KINDS = "pnbrqk"


def chosen(state, name="kriegspiel-minimax:setups=no", nodes=500, seed=1):
    player = players.make(name, KRIEGSPIEL)
    player.start(KRIEGSPIEL.spec, state.seat, seed)
    return state.text(player.choose(state.view(state.seat), Limit(nodes=nodes)))


def played(fen, *texts):
    state = KRIEGSPIEL.start(fen)
    for text in texts:
        state = state.play(state.parse(text))
    return state


def truth(state, seat):
    """[squares, kinds] of the enemy."""
    found = np.zeros((64, 6), np.bool_)
    for row, line in enumerate(state.native.fen.split(" ")[0].split("/")):
        file = 0
        for mark in line:
            if mark.isdigit():
                file += int(mark)
                continue
            if mark.islower() == (seat == 0):
                found[8 * (7 - row) + file, KINDS.index(mark.lower())] = True
            file += 1
    return found


def game(seats, seed, start=None):
    for seat, player in enumerate(seats):
        player.start(KRIEGSPIEL.spec, seat, seed)
    state = KRIEGSPIEL.start(start)
    yield state
    while not state.outcome():
        state = state.play(seats[state.seat].choose(state.view(state.seat), Limit(nodes=200)))
        yield state


def test_takes_back_with_the_cheapest():
    state = played("4k3/8/8/8/3q4/8/4N3/3QK3 b - - 0 1", "d4d1")
    assert chosen(state) == "e1d1"
    state = played("3rk3/8/8/8/3P4/4P3/8/2Q1K3 b - - 0 1", "d8d4")
    assert chosen(state) == "e3d4"


def test_uses_pawn_tries():
    state = played("4k3/1r6/8/8/8/8/2P5/4K2R b - - 0 1", "b7b3")
    assert chosen(state) == "c2b3"


def test_promotes():
    assert chosen(KRIEGSPIEL.start("8/P5k1/8/8/8/8/6p1/6K1 w - - 0 1")) == "a7a8q"


def test_mates_a_lone_king_it_does_not_see():
    white, black = players.make("kriegspiel-minimax", KRIEGSPIEL), players.make("random", KRIEGSPIEL)
    start = "8/8/3k4/8/8/8/8/K6Q w - - 0 1 material"
    *_, end = game([white, black], 3, start)
    assert end.outcome().reason == "checkmate"


def test_many_queens_mate_too():
    white, black = players.make("kriegspiel-minimax", KRIEGSPIEL), players.make("random", KRIEGSPIEL)
    *_, end = game([white, black], 3, "8/8/7k/8/8/2Q5/PQQ5/KQQ5 b - - 0 1 material")
    assert end.outcome().reason == "checkmate"


def test_a_refused_try_is_not_tried_again():
    state = played("4k3/8/8/8/8/3n4/8/R3K3 w - - 0 1 material")
    player = players.make("kriegspiel-minimax", KRIEGSPIEL)
    player.start(KRIEGSPIEL.spec, 0, 1)
    tried = []
    while state.seat == 0:
        move = player.choose(state.view(0), Limit(nodes=300))
        assert move not in tried
        tried.append(move)
        state = state.play(move)


def test_after_a_refusal_it_thinks_a_quarter_as_long():
    player = players.make("kriegspiel-minimax:setups=no", KRIEGSPIEL)
    player.start(KRIEGSPIEL.spec, 0, 1)
    state = KRIEGSPIEL.start("r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w KQkq - 0 1 material")
    first = player.think(state.view(0), Limit(nodes=8000))
    state = state.play(state.parse("a1a2") if first.move != state.parse("a1a2") else state.parse("h1h2"))
    assert not state.stood
    again = player.think(state.view(0), Limit(nodes=8000))
    assert again.nodes <= 2000 + 60 < first.nodes <= 8000


def test_obeys_its_bounds():
    player = players.make("kriegspiel-minimax:setups=no", KRIEGSPIEL)
    player.start(KRIEGSPIEL.spec, 0, 1)
    view = KRIEGSPIEL.start().view(0)
    told = []
    shallow = player.think(view, Limit(depth=1), told.append)
    assert told[-1].depth == 1 and shallow.nodes <= len(view.moves())
    assert player.think(view, Limit(nodes=3000)).nodes <= 3000
    few = tuple(view.moves()[:2])
    assert player.think(view, Limit(nodes=100, only=few)).move in few


def test_the_same_seed_gives_the_same_game():
    def moves(seed):
        seats = [players.make("kriegspiel-minimax", KRIEGSPIEL), players.make("sergeant", KRIEGSPIEL)]
        *_, end = game(seats, seed)
        return end.history()

    assert moves(5) == moves(5) != moves(6)


def test_setups_are_drawn_and_mirrored():
    firsts = {chosen(KRIEGSPIEL.start(), "kriegspiel-minimax", 50, seed) for seed in range(60)}
    assert len(firsts) > 3
    black = KRIEGSPIEL.start().play(native.read_uci("a2a3"))
    mirrored = {text.translate(str.maketrans("12345678", "87654321")) for text in firsts}
    assert {chosen(black, "kriegspiel-minimax", 50, seed) for seed in range(60)} == mirrored


@pytest.mark.parametrize("other", ["random", "sergeant", "kriegspiel-minimax"])
def test_the_truth_is_always_possible_in_its_games(other):
    seats = [players.make("kriegspiel-minimax", KRIEGSPIEL), players.make(other, KRIEGSPIEL)]
    for seed in range(2):
        for state in game(seats, seed):
            for seat in (0, 1):
                belief = seats[0].believer.belief(state.view(seat))
                assert np.all(belief.possible | ~truth(state, seat)), str(state)


def test_its_belief_adds_up():
    player = players.make("kriegspiel-minimax", KRIEGSPIEL)
    assert isinstance(player.believer, Believer)
    belief = player.believer.belief(KRIEGSPIEL.start().view(0))
    assert belief.occupied["e8"] == pytest.approx(1) and belief.occupied["e5"] == 0
    assert belief.probability[60, 5] == pytest.approx(1)


def test_plays_kriegspiel_alone():
    with pytest.raises(UnsupportedGame, match="plays kriegspiel only, not chess"):
        players.make("kriegspiel-minimax", games.get("chess"))


def test_a_seat_that_is_not_asked_has_no_move():
    view = KRIEGSPIEL.start().view(1)
    with pytest.raises(IllegalMove, match="not this seat's turn"):
        native.kriegspiel_minimax(view.native, 4, 100, 0.0, [], native.Stop(), [])


@pytest.mark.timeout(60)
def test_a_bound_of_time_ends_it():
    """However short; no other bound would."""
    state = KRIEGSPIEL.start()
    player = players.make("kriegspiel-minimax:setups=no", KRIEGSPIEL)
    player.start(KRIEGSPIEL.spec, 0, 1)
    assert player.choose(state.view(0), Limit(time=0.02)) in state.moves()
