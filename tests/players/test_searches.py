"""The two players that know nothing: one picks, one counts random games."""

import numpy as np
import pytest

from rookery import games, players
from rookery.api import Limit
from rookery.seeds import generator

CHESS = games.get("chess")
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"
BLACK_MATES = "r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1"


def play(game, names: tuple[str, ...], seed: int):
    """One game; the moves and the outcome."""
    seated = [players.make(name, game) for name in names]
    for seat, player in enumerate(seated):
        player.start(game.spec, seat, seed)
    state = game.start()
    while (outcome := state.outcome()) is None:
        state = state.play(seated[state.seat].choose(state.view(state.seat), Limit()))
    return state.history(), outcome


@pytest.mark.parametrize("name", games.names())
def test_random_plays_every_game_to_its_end_the_same_for_the_same_seed(name):
    game = games.get(name)
    names = ("random",) * game.spec.seats
    once = play(game, names, 5)
    assert once == play(game, names, 5)
    assert once[0] != play(game, names, 6)[0]


def test_random_picks_each_move_about_as_often():
    player = players.make("random", CHESS)
    player.start(CHESS.spec, 0, 1)
    view = CHESS.start().view(0)
    counts = np.unique([player.choose(view, Limit()) for _ in range(2000)], return_counts=True)[1]
    assert len(counts) == 20 and counts.min() > 60 and counts.max() < 145


def test_seats_and_seeds_draw_independently():
    draws = {
        tuple(generator(seed, "player", seat).integers(2**32, size=4)) for seed in (1, 2) for seat in (0, 1)
    }
    assert len(draws) == 4
    assert generator(1, "player", 0).integers(2**32) != generator(1, "match", 0).integers(2**32)


@pytest.mark.parametrize(("fen", "seat", "mate"), [(MATE_IN_ONE, 0, "a1a8"), (BLACK_MATES, 1, "a8a1")])
def test_rollouts_sees_a_mate_and_gives_each_side_its_value(fen, seat, mate):
    state = CHESS.start(fen)
    player = players.make("rollouts:games=5", CHESS)
    player.start(CHESS.spec, seat, 1)
    result = player.think(state.view(seat), Limit())
    assert state.text(result.move) == mate
    assert result.value[seat] == 1.0 and sum(result.value) == 0.0
    assert result.pv == (result.move,)


def test_rollouts_knows_that_a_repetition_draws():
    # White, two queens down, has one move, and it brings the first position for the third time.
    state = CHESS.start("1q5k/8/8/8/8/8/q7/6K1 b - - 0 1")
    for text in ("h8g8", "g1h1", "g8h8", "h1g1", "h8g8", "g1h1", "g8h8"):
        state = state.play(state.parse(text))
    result = players.make("rollouts:games=20", CHESS).think(state.view(0), Limit())
    assert state.play(result.move).outcome().winner is None
    assert result.value == (0.0, 0.0)


def test_rollouts_policy_is_a_share_of_belief():
    state = CHESS.start()
    result = players.make("rollouts:games=4", CHESS).think(state.view(0), Limit())
    assert sorted(result.policy) == list(state.moves())
    assert sum(result.policy.values()) == pytest.approx(1.0)
    assert max(result.policy, key=result.policy.get) == result.move


def test_rollouts_stops_at_its_nodes():
    view = CHESS.start().view(0)
    few = players.make("rollouts", CHESS).think(view, Limit(nodes=2000))
    more = players.make("rollouts:nodes=20000", CHESS).think(view, Limit())
    assert 2000 <= few.nodes < 3500 and 20000 <= more.nodes < 21500


def test_rollouts_stops_at_its_time():
    # It would go on for ever if it did not look at the clock.
    result = players.make("rollouts:time=0.01", CHESS).think(CHESS.start().view(0), Limit())
    assert result.move in CHESS.start().moves()


def test_rollouts_reports_as_it_goes():
    heard = []
    result = players.make("rollouts:games=8", CHESS).think(CHESS.start().view(0), Limit(), heard.append)
    assert len(heard) == 4
    assert [info.nodes for info in heard] == sorted(info.nodes for info in heard)
    assert heard[-1].nodes == result.nodes and heard[-1].value == result.value and heard[-1].pv == result.pv


def test_rollouts_chooses_the_same_for_the_same_seed():
    assert play(CHESS, ("rollouts:games=1", "random"), 3) == play(CHESS, ("rollouts:games=1", "random"), 3)


def test_rollouts_beats_random_clearly():
    points = 0.0
    for seed in range(2):
        points += play(CHESS, ("rollouts:games=5", "random"), seed)[1].values[0]
        points += play(CHESS, ("random", "rollouts:games=5"), seed)[1].values[1]
    assert points >= 3, f"{points} of 4"
