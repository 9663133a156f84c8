"""Comparison alpha-beta with a comparator made from an evaluator: the moves of alpha-beta with the latter."""

import numpy as np
import pytest
from places import OPEN, Numbers, places

from rookery import games, native, players
from rookery.api import Evaluation, Limit
from rookery.errors import UnsupportedGame
from rookery.evaluators.comparing import Comparing
from rookery.searches.alphabeta import AlphaBeta
from rookery.searches.comparison import Comparison
from rookery.seeds import generator
from walks import walk

CHESS = games.get("chess")
FENS = [
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 96 60",
    "8/8/8/8/8/5k2/5p2/4K3 w - - 0 1",
]


def positions(count):
    yield from map(CHESS.start, FENS)
    for seed in range(count):
        *_, state = walk(CHESS, seed, seed * 9 % 130)
        if not state.outcome():
            yield state


@pytest.mark.parametrize("quiescence", [False, True])
@pytest.mark.parametrize("knowledge", [native.ChessPieces, native.ChessClassical])
@pytest.mark.parametrize(("depth", "count"), [(1, 60), (2, 60), (3, 40), (4, 12)])
def test_same_moves_as_alphabeta(knowledge, quiescence, depth, count):
    for state in positions(count):
        numbers = native.alphabeta(knowledge(), native.AlphaBetaOptions(qdepth=60 * quiescence, hash=0))
        compared = native.comparison(knowledge(), native.ComparisonOptions(quiescence=quiescence))
        ours, theirs = (
            s.search(state.native, depth, 0, 0.0, [], 1, None).lines[0] for s in (compared, numbers)
        )
        assert (ours.moves[0], ours.value) == (theirs.moves[0], theirs.value), state


@pytest.mark.parametrize("name", OPEN)
def test_same_moves_with_a_python_comparator_in_every_game(name):
    game = games.get(name)
    for state in places(name, 8):
        depth = 2 if len(state.moves()) <= 40 else 1
        results = [
            search.search(state.view(state.seat), Limit(depth=depth), generator(1), lambda info: None)
            for search in (
                Comparison(game, Comparing(Numbers(game)), quiescence=False),
                AlphaBeta(game, Numbers(game), hash=0, pruning=False, quiescence=False),
            )
        ]
        assert results[0].move == results[1].move, state
        assert results[0].value == pytest.approx(results[1].value, abs=1e-6)


def test_a_comparator_of_an_evaluator_keeps_its_word():
    """Turned round it is 1 less the same, and the least lead counts."""
    states = list(walk(CHESS, 3, 40))
    comparator = Comparing(Numbers(CHESS))
    for side in (0, 1):
        forth = comparator.prefer(states[:-1], states[1:], side)
        back = comparator.prefer(states[1:], states[:-1], side)
        np.testing.assert_allclose(forth + back, 1, atol=1e-6)
        assert set(np.sign(forth - 0.5)) == {-1.0, 1.0}
        assert (comparator.prefer(states, states, side) == 0.5).all()
        np.testing.assert_allclose(
            comparator.prefer_to_draw(states, side),
            1 - comparator.prefer_to_draw(states, 1 - side),
            atol=1e-6,
        )

    class Close:
        """Two states that differ by less than a probability can tell."""

        def evaluate(self, asked):
            value = np.array([[1e-9 * (state is states[0]), 0.0] for state in asked], np.float32)
            return Evaluation(value)

    assert Comparing(Close()).prefer([states[0]], [states[1]], 0)[0] > 0.5
    assert Comparing(Close()).prefer([states[1]], [states[0]], 0)[0] < 0.5
    assert Comparing(Close()).prefer_to_draw([states[0]], 0)[0] > 0.5


def test_a_comparator_that_goes_in_circles_still_gives_a_move():
    """Better than each other in a ring: no order exists, and the search must come to an end all the same."""

    class Ring:
        def prefer(self, a, b, side):
            lead = [(hash(x) - hash(y)) % 7 - 3 for x, y in zip(a, b, strict=True)]
            return 0.5 + np.array(lead, np.float32) * (0.1 if side == 0 else -0.1)

        def prefer_to_draw(self, a, side):
            return np.full(len(a), 0.5, np.float32)

    for seed in range(3):
        *_, state = walk(CHESS, seed, 30)
        search = Comparison(CHESS, Ring())
        result = search.search(state.view(state.seat), Limit(depth=2), generator(1), lambda info: None)
        assert result.move in state.moves()


@pytest.mark.parametrize(
    ("hash", "golden"), [(0, [2250, 2269, 30, 425, 1346, 93]), (1, [2192, 1451, 30, 425, 1345, 93])]
)
def test_golden_nodes(hash, golden):
    """They change when the search does, and never otherwise."""
    nodes = [
        native.comparison(native.ChessPieces(), native.ComparisonOptions(hash=hash))
        .search(state.native, 4, 0, 0.0, [], 1, None)
        .nodes
        for state in map(CHESS.start, [None, *FENS])
    ]
    assert nodes == golden


def test_the_table_changes_no_move_and_is_forgotten():
    state = CHESS.start(FENS[0])
    searches = [
        native.comparison(native.ChessPieces(), native.ComparisonOptions(hash=hash)) for hash in (0, 1, 1)
    ]
    reports = [search.search(state.native, 6, 0, 0.0, [], 1, None) for search in searches]
    assert len({(report.lines[0].moves[0], report.lines[0].value) for report in reports}) == 1
    assert reports[1].nodes == reports[2].nodes < reports[0].nodes
    searches[1].forget()
    again = [search.search(state.native, 6, 0, 0.0, [], 1, None).nodes for search in searches[1:]]
    assert again[0] == reports[1].nodes > again[1], "what it remembers makes a second search shorter"


def test_bounds_are_kept_and_lines_come_best_first():
    player = players.make("comparison+pieces", CHESS)
    for nodes in (500, 5000):
        assert player.think(CHESS.start().view(0), Limit(nodes=nodes)).nodes <= nodes + 1
    report = native.comparison(native.ChessPieces(), native.ComparisonOptions(quiescence=False)).search(
        CHESS.start(FENS[0]).native, 2, 0, 0.0, [], 4, None
    )
    assert [line.value for line in report.lines] == sorted(
        (line.value for line in report.lines), reverse=True
    )
    assert len({line.moves[0] for line in report.lines}) == 4


def test_mates_are_found_at_their_distance():
    heard = []
    players.make("comparison:depth=4+pieces", CHESS).think(
        CHESS.start(FENS[2]).view(0), Limit(), heard.append
    )
    assert heard[-1].wins_in == 3 and heard[-1].value == (1.0, -1.0)


def test_hidden_games_are_refused_with_a_sentence():
    with pytest.raises(UnsupportedGame, match="comparison needs to see the whole board"):
        Comparison(games.get("kriegspiel"), Numbers(CHESS))
