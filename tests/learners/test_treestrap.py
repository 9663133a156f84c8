"""TreeStrap and its two forerunners, held to their equations and to themselves."""

from pathlib import Path
from time import perf_counter

import numpy as np
import pytest
from treestrap_twin import Tree

from rookery import games, native, players
from rookery.errors import BadOption
from rookery.evaluators import linear
from rookery.evaluators.chess_features import ChessFeatures
from rookery.evaluators.duchess_features import Features
from rookery.learners.treestrap import TreeStrapLearner, TreeStrapOptions

START = games.get("duchess4").start()
FEATURES = Features(4)


def any_weights(seed: int = 1) -> linear.Weights:
    return np.random.default_rng(seed).normal(0, 0.02, (2, FEATURES.count)).astype(np.float32)


def config(**changes):
    settings = {
        "method": native.Method.treestrap,
        "depth": 1,
        "learning_rate": 0.001,
        "final_factor": 1.0,
        "discount": 1 / 3,
        "max_update": 1.0,
        "lambda_": 0.7,
        "squared_error": True,
        "windows": native.Windows.null,
        "killers": 2,
        "history": True,
        "quiescence": False,
        "selective": False,
        "quiet_only": False,
        "exact_only": False,
        "random_moves": 4,
        "max_plies": 5,
        "megabytes": 0,
        "round_nodes": 1000,
        "mean": False,
    }
    return native.TreeStrapConfig(**settings | changes)


def learner_of(weights: linear.Weights, threads: int = 1, games: int = 1, side_by_side: int = 1, **changes):
    everything = [True] * FEATURES.count
    return native.Duchess4TreeStrap(
        START.native, weights, config(**changes), everything, 7, games, side_by_side, threads
    )


def sigma(u: float) -> float:
    return float(1 / (1 + np.exp(-u)))


def states_of(moves: list[int]) -> list:
    states = [START]
    for move in moves:
        states.append(states[-1].play(move))
    return states


def gradient(weights: linear.Weights, state) -> np.ndarray:
    """What a state shows, in the row of the team to move."""
    row, shown = native.Duchess4Linear(weights).shows(state.native)
    phi = np.zeros_like(weights, dtype=float)
    for feature, count in shown:
        phi[row, feature] += count
    return phi


def values(weights: linear.Weights, states) -> list[float]:
    return native.Duchess4Linear(weights).values([state.native for state in states])


@pytest.mark.parametrize("slope", [True, False])
def test_one_search_of_one_ply_moves_the_root_towards_its_value(slope: bool):
    weights = any_weights()
    learner = learner_of(weights, squared_error=slope)
    (root,) = states_of(learner.unfinished()[0].moves)[-1:]
    best = max(-value for value in values(weights, [root.play(move) for move in root.moves()]))
    value = sigma(values(weights, [root])[0])
    factor = 0.001 * (sigma(best) - value) * (value * (1 - value) if slope else 1)
    told = learner.play(1)
    assert (told.games, told.searches, told.samples) == (1, 1, 1)
    change = learner.weights().astype(float) - weights
    assert change == pytest.approx(factor * gradient(weights, root), abs=1e-8)
    assert abs(factor) > 1e-6, "a change too small to be seen"


def test_nodes_below_the_root_teach_too():
    weights = any_weights()
    everything = learner_of(weights, depth=2, discount=1.0)
    root_only = learner_of(weights, depth=2, method=native.Method.rootstrap)
    told = everything.play(1)
    assert told.samples > 1
    assert root_only.play(1).samples == 1
    # Nodes that count nothing leave the root's lesson alone.
    nothing_below = learner_of(weights, depth=2, discount=0.0)
    nothing_below.play(1)
    assert np.array_equal(nothing_below.weights(), root_only.weights())
    assert not np.array_equal(everything.weights(), root_only.weights())


AGAINST_A_MATED_PLAYER = games.get("duchess4").start(
    "4 t1 q0 | K1c1 R2e1 R2e2 P1a3 | K2a1 | K4c1 P4a3 | K5c1 P5c3"
)
FAR_APART = games.get("duchess4").start(
    "4 t1 q0 | K1c1 P1a2 P1c3 | K2a1 P2b2 P2d3 | K4e1 P4a3 P4b3 | K5c1 P5c3 P5e2"
)
"""Kings and Pawns, and nothing can be taken for some plies: the twin knows the order of their moves."""


@pytest.mark.parametrize(
    ("root", "depth", "windows"),
    [
        (START, 2, "open"),
        (AGAINST_A_MATED_PLAYER, 3, "open"),
        *((FAR_APART, depth, windows) for depth in (3, 4) for windows in ("null", "plain")),
        (FAR_APART, 4, "open"),
    ],
)
def test_a_tree_teaches_what_its_slow_twin_teaches(root, depth: int, windows: str):
    weights = any_weights()
    tree = Tree(native.Duchess4Linear(weights), root, depth, windows)
    asked = config(
        depth=depth if root is START else depth - 2,  # with few pieces searches look two plies deeper
        windows=native.Windows[windows],
        killers=0,
        history=False,
        random_moves=0,
        max_plies=1,
    )
    learner = native.Duchess4TreeStrap(root.native, weights, asked, [True] * FEATURES.count, 7, 1, 1, 1)
    learner.play(1)
    expected = tree.lesson(weights, rate=0.001, discount=1 / 3)
    assert np.abs(expected).max() > 1e-5, "a change too small to be seen"
    assert learner.weights().astype(float) - weights == pytest.approx(expected, abs=1e-8)
    bounds = [sum(not getattr(node, end) for node in tree.nodes) for end in ("least", "most")]
    assert not any(bounds) if windows == "open" else all(bounds)


def test_a_tree_of_more_samples_than_are_kept_at_a_time_teaches_them_all():
    weights = any_weights()
    tree = Tree(native.Duchess4Linear(weights), FAR_APART, 5, "open")
    windows = native.Windows.open
    asked = config(depth=3, windows=windows, killers=0, history=False, random_moves=0, max_plies=1)
    learner = native.Duchess4TreeStrap(FAR_APART.native, weights, asked, [True] * FEATURES.count, 7, 1, 1, 1)
    assert learner.play(1).samples > 3 * 1024
    expected = tree.lesson(weights, rate=0.001, discount=1 / 3)
    assert learner.weights().astype(float) - weights == pytest.approx(expected, abs=1e-8)


def test_a_selective_search_teaches_from_fewer_nodes_of_the_same_depth():
    told = [learner_of(any_weights(), selective=yes, depth=4).play(1) for yes in (True, False)]
    assert 0 < 2 * told[0].nodes < told[1].nodes


@pytest.mark.parametrize(("men", "samples"), [("3q4/4P3", 0), ("2q5/4P3", 1)])
def test_a_position_whose_best_move_takes_something_does_not_teach_the_quiet(men: str, samples: int):
    root = games.get("chess").start(f"k7/8/8/{men}/8/8/K7 w - - 0 1").native
    weights = np.zeros((1, ChessFeatures.count), np.float32)
    weights[0, :6] = 0.02, 0.01, 0.03, 0.03, 0.05, 0.09
    everything = [True] * ChessFeatures.count
    for quiet, taught in ((False, 1), (True, samples)):
        asked = config(quiet_only=quiet, random_moves=0, max_plies=1)
        assert native.ChessTreeStrap(root, weights, asked, everything, 7, 1, 1, 1).play(1).samples == taught


def test_bounds_do_not_teach_the_exact():
    weights = any_weights()
    samples = {
        exact: learner_of(weights, depth=3, exact_only=exact).play(1).samples for exact in (False, True)
    }
    assert 1 < samples[True] < samples[False] / 2, "the best line teaches, but hardly the rest of the tree"


def test_an_opening_that_ends_the_game_gives_way_to_another():
    chess = games.get("chess").start().native
    weights = np.zeros((1, ChessFeatures.count), np.float32)
    asked = config(random_moves=100, max_plies=101)
    learner = native.ChessTreeStrap(chess, weights, asked, [True] * ChessFeatures.count, 7, 60, 1, 1)
    told = learner.play(60)
    assert (told.games, told.searches, learner.begun) == (60, 60, 60)


def test_the_rate_falls_with_the_games():
    second = []
    for final in (1.0, 0.5):
        learner = learner_of(any_weights(), games=2, final_factor=final)
        learner.play(1)
        before = learner.weights().astype(float)
        learner.play(1)
        second.append(learner.weights() - before)
    assert np.abs(second[0]).max() > 1e-6
    assert second[1] == pytest.approx(0.75 * second[0], abs=1e-8)


def test_no_weight_moves_further_than_the_limit():
    weights = any_weights()
    learner = learner_of(weights, learning_rate=100.0, max_update=0.001, max_plies=5, depth=2)
    learner.play(1)
    change = np.abs(learner.weights() - weights)
    assert change.max() == pytest.approx(0.001, abs=1e-6)


def test_td_leaf_follows_its_equation():
    weights = any_weights()
    learner = learner_of(weights, method=native.Method.tdleaf, max_plies=6, round_nodes=10**9)
    opening = learner.unfinished()[0].moves
    assert learner.play(1).searches == 2
    # Make the two searches of one ply again: a leaf is the position after the best move.
    state, leaves, worth = states_of(opening)[-1], [], []
    for _ in range(2):
        after = {move: state.play(move) for move in state.moves()}
        found = dict(zip(after, values(weights, list(after.values())), strict=True))
        best = min(sorted(found), key=lambda move: found[move])
        leaf = after[best]
        leaves.append(leaf)
        value = sigma(found[best])
        worth.append(value if leaf.seat % 2 == 0 else 1 - value)
        state = leaf
    last = (0.5 - worth[1]) + 0.7 * 0
    first = (worth[1] - worth[0]) + 0.7 * last
    expected = np.zeros_like(weights, dtype=float)
    for leaf, value, error in zip(leaves, worth, (first, last), strict=True):
        sign = 1 if leaf.seat % 2 == 0 else -1
        expected += 0.001 * sign * error * value * (1 - value) * gradient(weights, leaf)
    assert learner.weights().astype(float) - weights == pytest.approx(expected, abs=1e-8)


FORCED = games.get("chess").start("rr6/6k1/8/8/4b3/8/8/K1N4R w - - 0 1")
"""White must put the Knight between; then the Rook is taken."""


def taught_by_tdleaf(root, weights: linear.Weights, **changes) -> np.ndarray:
    asked = config(method=native.Method.tdleaf, random_moves=0, max_plies=1, **changes)
    everything = [True] * ChessFeatures.count
    learner = native.ChessTreeStrap(root.native, weights, asked, everything, 7, 1, 1, 1)
    learner.play(1)
    return learner.weights().astype(float) - weights


def chess_weights() -> linear.Weights:
    weights = np.zeros((1, ChessFeatures.count), np.float32)
    weights[0, :6] = 0.02, 0.01, 0.03, 0.03, 0.05, 0.09
    return weights


def test_the_leaf_of_td_leaf_is_the_end_of_quiescence():
    weights = chess_weights()
    leaf = FORCED.play(FORCED.parse("Na2")).play(FORCED.play(FORCED.parse("Na2")).parse("Bxh1"))
    knowledge = native.ChessLinear(weights)
    value = sigma(knowledge.values([leaf.native])[0])
    _, shown = knowledge.shows(leaf.native)
    expected = np.zeros_like(weights, dtype=float)
    for feature, count in shown:
        expected[0, feature] += 0.001 * (0.5 - value) * value * (1 - value) * count
    assert np.abs(expected).max() > 1e-6
    assert taught_by_tdleaf(FORCED, weights, quiescence=True) == pytest.approx(expected, abs=1e-8)


def test_a_leaf_that_is_not_quiet_does_not_teach_the_quiet():
    weights = chess_weights()
    assert taught_by_tdleaf(FORCED, weights, quiet_only=False).any()
    assert not taught_by_tdleaf(FORCED, weights, quiet_only=True).any()
    assert taught_by_tdleaf(FORCED, weights, quiet_only=True, quiescence=True).any()


def test_quiescence_is_not_searched_where_nobody_asks_for_it():
    """Of so many Queens it takes a second; what is learnt is the same without it."""
    queens = games.get("chess").start("2q4k/Qq2QQ2/1Q5q/Q4Q2/5qq1/1q3Q2/2q2Q2/KQ2qq2 w - - 0 1")
    began = perf_counter()
    taught_by_tdleaf(queens, chess_weights())
    without = perf_counter() - began
    taught_by_tdleaf(queens, chess_weights(), quiet_only=True)
    assert without < (perf_counter() - began - without) / 10


def test_a_leaf_whose_worth_the_rules_say_does_not_learn():
    mate = games.get("chess").start("k7/8/1K6/8/8/8/8/7R w - - 0 1")
    assert not taught_by_tdleaf(mate, chess_weights(), quiescence=True).any()


def test_games_in_parallel_share_the_sum_or_the_mean():
    weights = any_weights()
    asked = {"games": 2, "max_plies": 5, "depth": 2}
    total = learner_of(weights, side_by_side=2, mean=False, **asked)
    half = learner_of(weights, side_by_side=2, mean=True, **asked)
    for learner in (total, half):
        learner.play(2)
    change = total.weights().astype(float) - weights
    assert np.abs(change).max() > 1e-6
    assert 2 * (half.weights().astype(float) - weights) == pytest.approx(change, abs=1e-8)


def test_games_that_are_broken_off_are_counted():
    assert learner_of(any_weights(), max_plies=5).play(1).cut == 1


def test_threads_change_nothing_but_the_time():
    weights = any_weights()
    results = []
    for threads in (1, 3):
        learner = learner_of(
            weights,
            threads,
            6,
            4,
            depth=2,
            max_plies=12,
            learning_rate=0.01,
            max_update=0.001,
            megabytes=1,
            round_nodes=500,
        )
        learner.play(6)
        results.append(learner.weights())
    assert np.array_equal(*results)


@pytest.mark.parametrize("method", ["treestrap", "tdleaf"])
def test_a_run_taken_up_again_ends_as_one_that_went_on(tmp_path: Path, method: str):
    options = TreeStrapOptions(
        method=method,
        depth=1,
        games=6,
        step=1,
        parallel_games=3,
        max_plies=30,
        sync_nodes=1,
        hash=1,
        features=("material",),
    )
    whole = TreeStrapLearner(options, 5)
    for _ in range(whole.steps):
        whole.step()
    broken = TreeStrapLearner(options, 5)
    for number in range(broken.steps):
        broken.step()
        (folder := tmp_path / str(number)).mkdir()
        broken.save(folder)
        broken = TreeStrapLearner(options, 5)
        broken.load(folder)
    (tmp_path / "a").mkdir(), (tmp_path / "b").mkdir()
    whole.save(tmp_path / "a")
    broken.save(tmp_path / "b")
    for name in ("weights.safetensors", "state.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_only_the_blocks_of_the_recipe_learn(tmp_path: Path):
    learner = TreeStrapLearner(
        TreeStrapOptions(depth=2, games=1, max_plies=12, features=("attacks",), learning_rate=0.01), 1
    )
    learner.step()
    learner.save(tmp_path)
    rows = linear.read(tmp_path / "weights.safetensors", "duchess4")
    changed = np.any(rows != FEATURES.initial(), axis=0)
    assert changed.any() and not changed[~FEATURES.learns(["attacks"])].any()


def test_each_phase_goes_on_from_what_was_learnt_of_all(tmp_path: Path):
    options = TreeStrapOptions(phases=3, depth=1, games=1, max_plies=8)
    learner = TreeStrapLearner(options, 1)
    learner.step()
    learner.save(tmp_path)
    rows = linear.read(tmp_path / "weights.safetensors", "duchess4")
    assert rows.shape == (6, FEATURES.count)
    assert not np.array_equal(rows[0], FEATURES.initial()[0])  # eight plies are an opening
    assert np.array_equal(rows[2:], np.tile(FEATURES.initial(), (2, 1)))


def test_what_it_learnt_plays(tmp_path: Path):
    learner = TreeStrapLearner(TreeStrapOptions(game="duchess6", depth=1, games=1, max_plies=8), 1)
    learner.step()
    learner.save(tmp_path)
    game = games.get("duchess6")
    state = game.start()
    player = players.make(f"alphabeta:depth=2+linear@{tmp_path}", game)
    for made in (player, learner.player()):
        assert made.choose(state.view(0), players.Limit(depth=2)) in state.moves()


def test_says_what_is_wrong_with_an_option():
    with pytest.raises(BadOption, match=r"depth must be between 1 and 32 \(got 0\)"):
        TreeStrapOptions(depth=0)
    with pytest.raises(BadOption, match="'squarez' is none"):
        TreeStrapOptions(features=("squarez",))


def test_tables_that_would_take_all_memory_are_refused():
    with pytest.raises(
        BadOption, match=r"tables would take 6.0 GB of memory, more than 1; lower hash or parallel_games"
    ):
        TreeStrapOptions(hash=128, parallel_games=48)


@pytest.mark.parametrize(
    "name", ["learning_rate", "final_rate_factor", "discount", "max_update", "td_lambda"]
)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_numbers_that_are_none_are_refused(name, value):
    with pytest.raises(BadOption, match=f"{name} must be between"):
        TreeStrapOptions(**{name: value})
