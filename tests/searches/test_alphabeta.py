"""Alpha-beta against plain minimax: the same value and one of the best moves, whatever it leaves out."""

import minimax
import numpy as np
import pytest

from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import BadOption, UnsupportedGame
from rookery.evaluators import duchess_features
from rookery.seeds import generator
from walks import walk

CHESS = games.get("chess")
FENS = [
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 96 60",
]


def exact(quiescence=False, table=0):
    """A search without anything that may change a value."""
    return native.alphabeta(native.ChessPieces(), native.AlphaBetaOptions(qdepth=60 * quiescence, hash=table))


def positions():
    for fen in FENS:
        yield CHESS.start(fen)
    for seed in range(6):
        *_, state = walk(CHESS, seed, 40 + 10 * seed)
        if not state.outcome():
            yield state


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_same_value_and_move_as_minimax(depth):
    def evaluate(state):
        return native.ChessPieces().values([state.native])[0]

    for state in positions():
        expected = minimax.values(state, depth, evaluate)
        best = max(expected.values())
        report = exact().search(state.native, depth, 0, 0.0, [], 1, None)
        assert report.lines[0].value == best, state
        assert expected[report.lines[0].moves[0]] == best, state


@pytest.mark.parametrize("windows", native.Windows)
@pytest.mark.parametrize("killers", [0, 1, 2])
def test_windows_and_killers_change_no_value(windows: native.Windows, killers: int):
    options = native.AlphaBetaOptions(qdepth=0, hash=0, windows=windows, killers=killers, history=False)
    search = native.alphabeta(native.ChessPieces(), options)
    nodes = [0, 0]
    for state in positions():
        usual, found = (each.search(state.native, 3, 0, 0.0, [], 1, None) for each in (exact(), search))
        assert found.lines[0].value == usual.lines[0].value
        nodes = [nodes[0] + usual.nodes, nodes[1] + found.nodes]
    assert windows != native.Windows.open or nodes[1] > 2 * nodes[0], "minimax prunes nothing"


def test_lines_come_best_first_and_only_asked_moves_are_seen():
    state = CHESS.start(FENS[0])
    expected = minimax.values(state, 2, lambda s: native.ChessPieces().values([s.native])[0])
    report = exact().search(state.native, 2, 0, 0.0, [], 4, None)
    assert [line.value for line in report.lines] == sorted(expected.values(), reverse=True)[:4]
    assert len({line.moves[0] for line in report.lines}) == 4
    only = sorted(expected, key=expected.get)[:2]
    assert exact().search(state.native, 2, 0, 0.0, only, 1, None).lines[0].moves[0] in only


def test_any_evaluator_fits():
    """A Python evaluator at each leaf gives what the native one gives."""

    def ask(leaf):
        return native.ChessPieces().values([leaf])[0]

    for state in positions():
        asked = native.alphabeta(native.Asked(ask), native.AlphaBetaOptions(qdepth=60, hash=0))
        ours, theirs = (
            s.search(root, 2, 0, 0.0, [], 1, None)
            for s, root in ((exact(quiescence=True), state.native), (asked, state.native.any()))
        )
        assert (ours.lines[0].value, ours.lines[0].moves, ours.nodes) == (
            theirs.lines[0].value,
            theirs.lines[0].moves,
            theirs.nodes,
        )


@pytest.mark.parametrize("players", [4, 6])
def test_duchess_is_pruned_alike_for_python_and_native_knowledge(players):
    """How boldly a search passes over late moves belongs to the game, wherever its evaluator is written."""
    game = games.get(f"duchess{players}")
    rows = duchess_features.Features(players).initial()
    knowledge = getattr(native, f"Duchess{players}Linear")(rows)
    options = native.AlphaBetaOptions(qdepth=0, null_move=True, late_moves=True, hash=1)
    known = native.alphabeta(knowledge, options)
    asked = native.alphabeta(native.Asked(lambda leaf: knowledge.values([leaf])[0]), options)
    *_, state = walk(game, 3, 60)
    ours, theirs = (engine.search(state.native, 4, 0, 0.0, [], 1, None) for engine in (known, asked))
    assert ours.nodes == theirs.nodes > 100
    assert (ours.lines[0].value, ours.lines[0].moves) == (theirs.lines[0].value, theirs.lines[0].moves)


def test_mates_are_found_at_their_distance():
    player = players.make("alphabeta:depth=4+classical", CHESS)
    for fen, plies in [
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3),
    ]:
        heard = []
        player.think(CHESS.start(fen).view(0), Limit(), heard.append)
        assert heard[-1].wins_in == plies
        assert heard[-1].value == (1.0, -1.0)


def test_same_nodes_every_time():
    player = players.make("alphabeta:nodes=20000+classical", CHESS)
    results = []
    for _ in range(2):
        player.start(CHESS.spec, 0, 1)
        state = CHESS.start()
        for _ in range(4):
            result = player.think(state.view(state.seat), Limit())
            results.append((result.move, result.nodes, result.value))
            state = state.play(result.move)
    assert results[:4] == results[4:]


def test_node_limit_is_kept():
    player = players.make("alphabeta+pieces", CHESS)
    for nodes in (500, 5000, 50_000):
        assert player.think(CHESS.start().view(0), Limit(nodes=nodes)).nodes <= nodes + 1


def test_threads_and_stop():
    import threading

    player = players.make("alphabeta:threads=2+classical", CHESS)
    timer = threading.Timer(0.2, player.stop)
    timer.start()
    result = player.think(CHESS.start().view(0), Limit(depth=60))
    assert result.move in CHESS.start().moves()


def test_unsuitable_games_and_options_are_refused_with_a_sentence():
    with pytest.raises(UnsupportedGame, match="alphabeta needs to see the whole board"):
        players.make("alphabeta+classical", games.get("kriegspiel"))
    with pytest.raises(BadOption, match="hash"):
        players.make("alphabeta:hash=-1+classical", CHESS)
    with pytest.raises(BadOption, match="threads"):
        players.make("alphabeta:threads=0+classical", CHESS)
    with pytest.raises(BadOption, match="killers must be between 0 and 2"):
        players.make("alphabeta:killers=3+classical", CHESS)
    with pytest.raises(BadOption, match="windows must be one of null, plain, open"):
        players.make("alphabeta:windows=wide+classical", CHESS)


def test_beats_random_play():
    strong, weak = players.make("alphabeta:depth=2+pieces", CHESS), players.make("random", CHESS)
    won = 0
    for game in range(4):
        state = CHESS.start()
        seats = [strong, weak] if game % 2 == 0 else [weak, strong]
        for seat, player in enumerate(seats):
            player.start(CHESS.spec, seat, game)
        while not state.outcome():
            state = state.play(seats[state.seat].choose(state.view(state.seat), Limit()))
        won += state.outcome().values[game % 2] > 0
    assert won >= 3


def test_evaluations_are_antisymmetric():
    """Turning the board and the colours round changes nothing for the side to move."""
    for state in walk(CHESS, 4, 60):
        board = state.board()
        mirrored = CHESS.start(board.mirror().fen())
        for evaluate in (native.ChessPieces().values, native.ChessClassical().values):
            assert evaluate([state.native]) == evaluate([mirrored.native])


def test_incremental_values_are_those_from_nothing():
    """A one-ply search carries its sums through the move; the leaf's own evaluation starts afresh."""
    rng = generator(1, "moves")
    for state in walk(CHESS, 9, 120):
        if not state.moves():
            break
        move = state.moves()[rng.integers(len(state.moves()))]
        after = state.play(move)
        if after.outcome() or after.native.occurrences() > 1:
            continue
        report = exact().search(state.native, 1, 0, 0.0, [move], 1, None)
        assert report.lines[0].value == -native.ChessPieces().values([after.native])[0]
    assert np.isfinite(report.lines[0].value)
