"""What no caller should hand to native code is refused by it, in one line."""

import numpy as np
import pytest

from rookery import games, native
from rookery.errors import BadOption, EvaluationError, IllegalMove, RookeryError

CHESS = native.ChessState()
STATES = [games.get(name).start().native for name in games.names()]
NAN = float("nan")


@pytest.mark.parametrize("state", STATES, ids=games.names())
def test_games(state):
    for depth in (-1, 65, 2**31 - 1):
        with pytest.raises(BadOption, match=r"^depth must be between 0 and 64 \(got "):
            state.perft(depth)
    with pytest.raises(BadOption, match="games must be 0 or more"):
        state.playouts(-1, 1)
    for move in (-1, 10**6, -(2**31)):
        with pytest.raises(IllegalMove):
            state.text(move)
        with pytest.raises(IllegalMove):
            state.play(move)
    for c, threads, nodes, seconds in [
        (NAN, 1, 1, 0.0),
        (-1.0, 1, 1, 0.0),
        (0.3, 0, 1, 0.0),
        (0.3, 10**6, 1, 0.0),
        (0.3, 1, -1, 0.0),
        (0.3, 1, 1, NAN),
    ]:
        with pytest.raises(BadOption):
            state.uct(c, threads, 1, nodes, seconds, [], native.Stop(), None)


def test_halves_of_characters_are_no_text():
    for name in games.names():
        game = games.get(name)
        for read in (game.start, game.start().parse):
            with pytest.raises(RookeryError):
                read("\ud800")


def test_kriegspiel():
    state = native.KriegspielState()
    for seat in (-1, 2):
        with pytest.raises(BadOption, match="seat must be between 0 and 1"):
            state.view(seat)
    with pytest.raises(IllegalMove):
        state.accepts(10**9)


def test_searches():
    for quiescence, megabytes, threads in [(-1, 1, 1), (0, 2**43, 1), (0, 1, 0), (0, 1, 10**6)]:
        with pytest.raises(BadOption, match=" must be "):
            native.alphabeta(
                native.ChessClassical(),
                native.AlphaBetaOptions(
                    qdepth=quiescence, null_move=True, late_moves=True, hash=megabytes, threads=threads
                ),
            )
    deep = native.alphabeta(
        native.ChessClassical(),
        native.AlphaBetaOptions(qdepth=10**6, null_move=True, late_moves=True, hash=1),
    )
    assert deep.search(CHESS, 3, 0, 0.0, [], 10**6, None).lines


def test_evaluations_of_none():
    for evaluate in (native.ChessPieces().values, native.ChessClassical().values, linear().values):
        with pytest.raises(TypeError):
            evaluate([None])
        assert evaluate([]) == []
    with pytest.raises(TypeError):
        linear().weigh_moves([None], True)


def linear():
    return native.ChessLinear(np.zeros((1, native.ChessLinear.features), np.float32))


def test_solver():
    with pytest.raises(BadOption, match="megabytes must be between 0 and 65536"):
        native.GoSolver(2**43)
    with pytest.raises(BadOption):
        native.GoSolver(1).ask(5, 1, 1, 0, -1, 0, 1, 1, 1, 1, False, False)
    for board in [(0, 0, 7, -1), (0, 0, 0, 25), (1, 1, 0, -1)]:
        with pytest.raises(BadOption):
            native.solver_moves(*board)
    with pytest.raises(IllegalMove):
        native.solver_play(0, 0, 0, -1, 26)


def test_puct():
    root = CHESS.any()
    for c, reduction in [(NAN, None), (-1.0, None), (float("inf"), None), (1.0, NAN)]:
        with pytest.raises(BadOption):
            native.PuctTree(root, [], c, reduction)
    tree = native.PuctTree(root, [], 1.0)
    assert tree.collect(-1, 10) == []
    assert len(tree.collect(1, 1)) == 1
    values = np.zeros((1, 2), np.float32)
    shares = np.ones(20, np.float32)
    for offsets, wrong in [
        ([0, 5], shares[:5]),
        ([0, 20], shares[:19]),
        ([0, 20], np.ones(21, np.float32)),
        ([0, 20, 40], np.ones(40, np.float32)),
        ([], shares),
        ([0], shares),
        ([1, 21], np.ones(21, np.float32)),
        ([0, -1], shares),
        ([0, 2**62], shares),
        ([0, 20], np.full(20, np.nan, np.float32)),
    ]:
        with pytest.raises(EvaluationError):
            tree.absorb(values, (np.array(offsets, np.int64), wrong))
    with pytest.raises(TypeError):
        tree.absorb(np.zeros((1, 3), np.float32), None)
    tree.absorb(values, (np.array([0, 20]), np.ones(40, np.float32)[::2]))
    with pytest.raises(BadOption):
        tree.mix_priors([0.5], NAN)


def test_probability():
    tree = native.ProbabilityTree(CHESS.any(), [])
    for threshold in (NAN, -1.0, 2.0):
        with pytest.raises(BadOption):
            tree.expand(None, threshold)
    with pytest.raises(EvaluationError):
        tree.expand((np.array([0, 5]), np.ones(5, np.float32)), 0.5)
    tree.close()
    assert [str(leaf) for leaf in tree.leaves(2**63)] == [str(CHESS)]
    tree.settle(np.full((1, 2), -3e38, np.float32))
    assert tree.solve().moves == []


def test_self_play():
    settings = native.SelfPlaySettings()
    for name, values in {"simulations": (0, -1, 2**20), "max_considered": (0, -5)}.items():
        for value in values:
            search = native.GumbelSettings()
            setattr(search, name, value)
            settings.search = search
            with pytest.raises(BadOption, match=f"{name} must be between"):
                native.GoSelfPlay5(settings, native.GoSelfPlaySettings(), 1)
    settings = native.SelfPlaySettings()
    settings.games = -1
    with pytest.raises(BadOption):
        native.GoSelfPlay5(settings, native.GoSelfPlaySettings(), 1)


def test_networks():
    for threads in (0, -1, 10**6):
        with pytest.raises(BadOption, match="threads must be between"):
            native.Workers(threads)


def test_rivals():
    for noise, attack in [(NAN, 3), (-1.0, 3), (12.0, 0), (12.0, 99)]:
        with pytest.raises(BadOption):
            native.Gojen(noise, attack, True)
    start = games.get("go5").start().native
    with pytest.raises(BadOption):
        native.duel(native.Random(), native.Random(), start, -1, 1)
    with pytest.raises(BadOption):
        native.duchess_features(5)


def test_a_layer_has_as_many_biases_as_units():
    layers = [(np.zeros((2, 4), np.float32), np.zeros(3, np.float32))]
    ranges = np.ones(1, np.float32)
    with pytest.raises(BadOption, match="a layer of embed has 2 units and 3 biases"):
        native.DeepChess(layers, ranges, layers, ranges, layers, ranges)
