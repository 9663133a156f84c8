"""UCT: its twin's visits, its bounds, and what any of its reports must hold."""

import threading

import pytest
import uct_twin
from places import OPEN, places

from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import BadOption, UnsupportedGame
from walks import walk

CHESS = games.get("chess")
GO5 = games.get("go5")
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"


def uct(state, *, c=1.0, threads=1, seed=1, nodes=1000, only=()):
    return state.native.uct(c, threads, seed, nodes, 0.0, list(only), native.Stop(), None)


def shape(report):
    return [(b.move, b.visits, b.value, tuple(b.line)) for b in report.moves]


@pytest.mark.parametrize(("size", "plies", "simulations"), [(3, 0, 600), (3, 5, 300), (5, 8, 200)])
def test_same_visits_as_the_twin(size, plies, simulations):
    from rookery.games.go import Go

    *_, state = walk(Go(size), 7, plies)
    root = uct_twin.grow(state, 1.0, 3, simulations)
    twin = {node.move: (node.visits, node.points) for node in root.children}
    ours = {
        b.move: (b.visits, round((1 + b.value) * b.visits))
        for b in uct(state, seed=3, nodes=simulations).moves
    }
    assert ours == twin


@pytest.mark.parametrize("name", OPEN)
def test_what_every_report_holds(name):
    for state in places(name, 2):
        report = uct(state, nodes=150)
        assert sorted(b.move for b in report.moves) == list(state.moves())
        assert report.nodes == 150 == sum(b.visits for b in report.moves)
        assert [b.visits for b in report.moves] == sorted((b.visits for b in report.moves), reverse=True)
        for branch in report.moves:
            assert -1 <= branch.value <= 1
            assert branch.line[0] == branch.move
            after = state
            for move in branch.line:
                after = after.play(move)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_same_every_time_under_a_bound_of_nodes(threads):
    state = GO5.start()
    once, again, other = (uct(state, threads=threads, seed=seed, nodes=1001) for seed in (1, 1, 2))
    assert shape(once) == shape(again) != shape(other)
    assert once.nodes == 1001


def test_threads_sum_what_trees_of_their_own_find():
    """The first of two trees is that of one thread alone with half the nodes."""
    state = GO5.start()
    alone = {b.move: b.visits for b in uct(state, nodes=500).moves}
    both = {b.move: b.visits for b in uct(state, threads=2, nodes=1000).moves}
    assert all(both[move] >= visits for move, visits in alone.items())
    assert sum(both.values()) == 2 * sum(alone.values())


def test_golden_visits():
    """The tree of a fixed seed: it changes when the search does, and never otherwise."""
    found = {
        name: [(b.move, b.visits) for b in uct(games.get(name).start(), c=0.3, nodes=5000).moves[:3]]
        for name in ("go5", "go9", "chess")
    }
    assert found == {
        "go5": [(8, 1105), (7, 825), (12, 797)],
        "go9": [(42, 730), (39, 221), (73, 206)],
        "chess": [(1999, 464), (1804, 396), (1487, 346)],
    }


def test_mates_are_found_for_either_side_and_every_value_is_its_sides():
    for fen, seat, mate in [
        (MATE_IN_ONE, 0, "a1a8"),
        ("r5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", 1, "a8a1"),
    ]:
        state = CHESS.start(fen)
        result = players.make("uct:nodes=2000", CHESS).think(state.view(seat), Limit())
        assert state.text(result.move) == mate
        assert result.value[seat] == 1.0 and sum(result.value) == 0.0
        assert result.policy[result.move] == max(result.policy.values())
        assert sum(result.policy.values()) == pytest.approx(1.0)


def test_partners_share_results_in_duchess():
    """Where a seat's side is far stronger its moves do well, though three other seats move in between."""
    game = games.get("duchess4")
    text = "4 t1 q0 | K1c1 Q1c2 F1d1 R1a1 | K2c1 | K4c1 Q4c2 F4d1 R4a1 | K5c1"
    for seat in (0, 2):
        state = game.start(text.replace("t1", f"t{seat + 1}"))
        report = uct(state, nodes=60)
        assert sum(b.value * b.visits for b in report.moves) > 0


def test_a_repetition_draws_inside_the_tree():
    # White, two queens down, has one move, and it brings the first position for the third time.
    state = CHESS.start("1q5k/8/8/8/8/8/q7/6K1 b - - 0 1")
    for text in ("h8g8", "g1h1", "g8h8", "h1g1", "h8g8", "g1h1", "g8h8"):
        state = state.play(state.parse(text))
    report = uct(state, nodes=100)
    # Only the first visit to the move does not know it: random games know no past.
    assert abs(report.moves[0].value) <= 1 / 100


def test_only_the_moves_asked_for():
    state = CHESS.start(MATE_IN_ONE)
    only = state.moves()[:3]
    assert sorted(b.move for b in uct(state, only=only).moves) == list(only)
    result = players.make("uct:nodes=50", CHESS).think(state.view(0), Limit(only=tuple(only)))
    assert result.move in only


def test_it_stops_when_told_and_when_time_is_up():
    player = players.make("uct", CHESS)
    timer = threading.Timer(0.1, player.stop)
    timer.start()
    # It would go on for ever if it did not listen.
    result = player.think(CHESS.start().view(0), Limit(nodes=10**12))
    assert result.nodes < 10**12
    assert player.think(CHESS.start().view(0), Limit(time=0.01)).nodes > 0


def test_lines_are_reported_best_first():
    heard = []
    result = players.make("uct:nodes=1000", GO5).think(GO5.start().view(0), Limit(lines=3), heard.append)
    last = heard[-3:]
    assert [info.rank for info in last] == [1, 2, 3]
    assert last[0].pv == result.pv and last[0].nodes == result.nodes == 1000
    assert len({info.pv[0] for info in last}) == 3


def test_unsuitable_games_and_options_are_refused_with_a_sentence():
    with pytest.raises(UnsupportedGame, match="uct needs to see the whole board"):
        players.make("uct", games.get("kriegspiel"))
    for name in ("uct:c=-1", "uct:threads=0"):
        with pytest.raises(BadOption, match="must be"):
            players.make(name, CHESS)
