"""The TD learner of 5x5 Go against its twin, and against itself broken off and taken up again."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from td_twin import Twin

from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import BadOption, CheckpointMismatch, UnknownName
from rookery.games.go import Go
from rookery.learners.td import NETS, TdLearner
from rookery.runs import Recipe, Run

START = Go(5).start()


def make(representation: str = "koten", seed: int = 1, **options) -> native.TdLearner:
    return native.TdLearner(START.native, representation, seed, **options)


def same(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> bool:
    return a.keys() == b.keys() and all(a[name].tobytes() == b[name].tobytes() for name in a)


def close(twin: Twin, layers: dict[str, np.ndarray], within: float) -> None:
    assert np.abs(twin.board() - layers["board"]).max() < within
    assert np.abs(twin.weights[-1] - layers["output"]).max() < within
    if "middle" in layers:
        assert np.abs(twin.weights[1] - layers["middle"]).max() < within
    if twin.biased:
        assert np.abs(twin.biases[0] - layers["board_bias"]).max() < within
        assert np.abs(twin.biases[-1] - layers["output_bias"]).max() < within


# --- learning ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("representation", "options"),
    [
        ("koten", {}),
        ("katatsugi", {}),
        ("roban", {}),
        ("koten", {"bias": True}),
        ("roban", {"bias": True}),
        ("katatsugi", {"target": "best"}),
        ("koten", {"eta": 0.05, "eta_input": 0.003}),
        ("katatsugi", {"tie_reward": 0.0}),
        *[("koten", {"selection": "epsilon", "epsilon": 0.3, "skip": skip})
          for skip in ("t+1|t+2", "t+2", "t|t+2", "any", "none")],
        *[("koten", {"difference": difference, "selection": "epsilon", "epsilon": 0.3, "skip": skip})
          for difference in ("t+1", "t+1 mover") for skip in ("t+1|t+2", "t|t+2", "none")],
        ("roban", {"difference": "t+1", "rewards": "last"}),
        ("koten", {"rewards": "last", "bias": True}),
        ("katatsugi", {"center": 0.4, "neighbor": 0.15}),
    ],
)  # fmt: skip
def test_games_are_learnt_as_by_the_twin(representation: str, options: dict) -> None:
    learner = make(representation, seed=len(str(options)), **options)
    twin = Twin(representation, learner.weights(), (options.get("center", 0.2), options.get("neighbor", 0.2)))
    keys = ("skip", "target", "tie_reward", "difference", "rewards", "eta", "eta_input")
    for _ in range(3):
        moves, random = learner.watch()
        twin.learn(START, moves, random, **{key: options[key] for key in keys if key in options})
        close(twin, learner.weights(), 1e-5)


@pytest.mark.parametrize("options", ["area", "benson", "area benson"])
def test_games_are_scored_as_asked(options: str) -> None:
    game = Go(
        5,
        scoring="area" if "area" in options else "territory",
        dead_stones="benson" if "benson" in options else "none",
    )
    start = game.start()
    learner = native.TdLearner(start.native, "koten", 4)
    twin = Twin("koten", learner.weights())
    for _ in range(3):
        twin.learn(start, *learner.watch())
        close(twin, learner.weights(), 1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("representation", ["koten", "katatsugi", "roban"])
def test_a_hundred_thousand_steps_stay_by_the_twin(representation: str) -> None:
    """Given the same moves: others, chosen for a difference in the last digit, would make another net."""
    learner = make(representation)
    twin = Twin(representation, learner.weights())
    steps = 0
    while steps < 100_000:
        moves, random = learner.watch()
        twin.learn(START, moves, random)
        steps += len(moves)
    layers = learner.weights()
    scale = np.abs(layers["board"]).max()
    close(twin, layers, 1e-4 * scale)


def test_a_capped_game_is_scored_as_it_stands() -> None:
    learner = make(ply_cap=7)
    twin = Twin("koten", learner.weights())
    moves, random = learner.watch()
    assert len(moves) <= 7
    twin.learn(START, moves, random)
    close(twin, learner.weights(), 1e-5)
    counts = make(ply_cap=7).play(50)
    assert counts.capped > 25
    assert counts.plies <= 7 * 50


@pytest.mark.parametrize(
    ("skip", "share"), [("t+1|t+2", 0.0975), ("t+2", 0.05), ("t|t+2", 0.0975), ("any", 0.1426), ("none", 0)]
)
def test_how_much_is_skipped(skip: str, share: float) -> None:
    learner = make(selection="epsilon", epsilon=0.05, skip=skip)
    counts = learner.play(2000)
    # The last two boards of a game learn from its end whatever happened.
    assert counts.updates + counts.skipped == counts.plies
    assert counts.skipped / (counts.plies - 2 * counts.games) == pytest.approx(share, abs=0.006)


# --- choosing ----------------------------------------------------------------------------------------


def choices(learner: native.TdLearner, net: native.TdNet, games: int) -> list[tuple[float, float, bool]]:
    """Value, best value and chance of every move played; eta must be 0, so that the network stays."""
    told = []
    for _ in range(games):
        state = START
        for move, random in zip(*learner.watch(), strict=True):
            values = dict(zip(state.moves(), net.values(state.native), strict=True))
            told.append((values[move], max(values.values()), random))
            state = state.play(move)
    return told


def test_creative_moves_are_near_the_best() -> None:
    learner = make(eta=0.0, eta_input=0.0, creativity=0.3, seed=3)
    net = native.TdNet("koten", learner.weights())
    told = choices(learner, net, 40)
    assert any(best > 0 for _, best, _ in told) and any(value < best for value, best, _ in told)
    for value, best, random in told:
        assert value >= 0.7 * best - 1e-6 if best > 0 else value == best
        assert not random


def test_creativity_ends_where_the_best_is_not_above_zero() -> None:
    learner = make(eta=0.0, eta_input=0.0, creativity=0.9)
    weights = learner.weights()
    learner.set_weights({**weights, "output": -np.abs(weights["output"])})
    net = native.TdNet("koten", learner.weights())
    for value, best, _ in choices(learner, net, 10):
        assert best < 0
        assert value == best


def test_epsilon_is_how_often_moves_are_random() -> None:
    learner = make(eta=0.0, eta_input=0.0, selection="epsilon", epsilon=0.2)
    told = choices(learner, native.TdNet("koten", learner.weights()), 60)
    assert all(value == best for value, best, random in told if not random)
    assert np.mean([random for *_, random in told]) == pytest.approx(0.2, abs=0.05)


# --- going on ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("representation", ["koten", "katatsugi", "roban"])
def test_games_may_be_played_in_parts(representation: str) -> None:
    whole, parts = make(representation, bias=True), make(representation, bias=True)
    whole.play(50)
    parts.play(20)
    other = make(representation, seed=99, bias=True)
    other.set_weights(parts.weights())
    other.generator = parts.generator
    other.play(30)
    assert same(whole.weights(), other.weights())
    assert whole.generator == other.generator


def small(**changes) -> TdLearner.Options:
    said = {"games": 250, "evaluate_every": 100, "evaluation_games": 20, "opponents": ("random", "naive")}
    return TdLearner.Options(**{**said, **changes})


def test_saved_and_loaded_it_goes_on_bit_for_bit(tmp_path: Path) -> None:
    whole, begun, again = (TdLearner(small(), 7) for _ in range(3))
    told = [whole.step() for _ in range(whole.steps)]
    begun.step()
    begun.save(tmp_path)
    again.load(tmp_path)
    for before in told[1:]:
        after = again.step()
        assert {k: v for k, v in before.items() if k != "games_per_second"} == {
            k: v for k, v in after.items() if k != "games_per_second"
        }
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole.save(tmp_path / "a")
    again.save(tmp_path / "b")
    for file in (
        "weights.safetensors",
        "state.json",
        *(f"{NETS}/{n:09}.safetensors" for n in (100, 200, 250)),
    ):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
    assert json.loads((tmp_path / "a/state.json").read_text())["games"] == 250


def test_measuring_does_not_disturb_learning() -> None:
    quiet, measured = TdLearner(small(evaluation_games=0), 7), TdLearner(small(), 7)
    assert "strength" not in quiet.step()
    assert set(measured.step()) >= {"strength", "strength_random", "strength_naive"}
    assert same(quiet._learner.weights(), measured._learner.weights())


def test_nets_are_measured_ever_more_seldom_and_learn_the_same() -> None:
    early, plain = TdLearner(small(evaluate_from=30), 7), TdLearner(small(), 7)
    assert [early.step()["games"] for _ in range(early.steps)] == [30, 60, 100, 200, 250]
    for _ in range(plain.steps):
        plain.step()
    assert same(early._learner.weights(), plain._learner.weights())
    assert TdLearner(small(evaluate_from=300), 7).steps == 3


def test_other_weights_are_refused(tmp_path: Path) -> None:
    TdLearner(small(), 1).save(tmp_path)
    with pytest.raises(CheckpointMismatch, match="holds koten, and the recipe says roban"):
        TdLearner(small(representation="roban"), 1).load(tmp_path)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        ({"epsilon": 1.5}, BadOption, "epsilon must be between 0 and 1 (got 1.5)"),
        ({"ply_cap": 1}, BadOption, "ply_cap must be between 2 and 200 (got 1)"),
        ({"opponents": ("gnugo",)}, BadOption, "'gnugo' is not offered"),
        ({"opponents": ("gojen:noize=3",)}, UnknownName, "did you mean noise"),
    ],
)
def test_what_is_wrong_with_a_recipe_is_said(change: dict, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        TdLearner.Options(**change)


def test_a_run_and_the_player_that_it_raises(tmp_path: Path) -> None:
    run = Run.create(
        tmp_path / "run", Recipe("td", 3, small(opponents=("gojen:noise=40,escape=no", "random")))
    )
    learner = run.train()
    game = games.get("go5")
    named = players.make(f"creative:c=0+td@{tmp_path / 'run'}", game)
    state = game.start()
    assert named.choose(state.view(0), Limit()) == learner.player().choose(state.view(0), Limit())
    assert run.metrics()[-1]["games"] == 250


@pytest.mark.slow
def test_strength_rises() -> None:
    learner = TdLearner(TdLearner.Options(games=200_000, evaluate_every=100_000, opponents=("random",)), 1)
    before = native.td_duel(learner._net(), native.Random(), START.native, 1000, 1)
    after = [learner.step()["strength"] for _ in range(learner.steps)]
    assert after[-1] > sum(before.wins) / 1000 + 0.2
