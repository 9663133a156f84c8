"""Learning that diverges ends with a sentence; nothing hangs, and nothing is chosen by what is no number."""

from pathlib import Path

import numpy as np
import pytest

from alone import run_alone
from rookery import games, native
from rookery.errors import Diverged
from rookery.learners.td import TdLearner
from rookery.learners.treestrap import TreeStrapLearner, TreeStrapOptions
from rookery.runs import Recipe, Run

WILD = TdLearner.Options(
    games=2000, evaluate_every=1000, evaluation_games=20, learning_rate=10, bias=True, init=100
)


def test_a_run_that_diverges_says_which_weights_and_what_to_lower(tmp_path: Path) -> None:
    """In a process of its own, for it never ended."""
    changes = [
        "games=2000",
        "evaluate_every=1000",
        "evaluation_games=20",
        "learning_rate=10",
        "bias=true",
        "init=100",
    ]
    words = ["rookery", "train", "go5-koten", "--run", str(tmp_path / "run")]
    words += [word for change in changes for word in ("--set", change)]
    done = run_alone(f"import sys; sys.argv = {words!r}; from rookery.cli import main; main()")
    assert done.returncode == 1
    line = done.stderr.splitlines()[-1]
    assert (
        "training diverged in step 1: " in line
        and "lower learning_rate (it is 10) or init (it is 100)" in line
    )
    assert not Run.open(tmp_path / "run").checkpoints()


@pytest.mark.parametrize("representation", ["koten", "roban"])
def test_td_that_diverges_goes_back_to_where_it_was(representation: str) -> None:
    learner = TdLearner(TdLearner.Options(**{**WILD.__dict__, "representation": representation}), 1)
    before = {name: rows.tobytes() for name, rows in learner._learner.weights().items()}
    with pytest.raises(Diverged, match="beyond 1e"):
        learner.step()
    assert {name: rows.tobytes() for name, rows in learner._learner.weights().items()} == before


class Spoilt:
    """A native learner after a step too far."""

    max_weight = 1000.0
    begun = ended = 0

    def weights(self) -> np.ndarray:
        rows = np.zeros((1, native.ChessLinear.features), np.float32)
        rows[0, [1, 5]] = np.nan, -1001
        return rows

    def unfinished(self) -> list[native.UnfinishedGame]:
        return []

    def play(self, games: int, stop: object) -> None:
        raise Diverged("a weight is beyond what an evaluation can mean")


def test_treestrap_that_diverges_names_features(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = TreeStrapOptions(game="chess", features=("material",), learning_rate=10, max_update=1)
    learner = TreeStrapLearner(options, 1)
    learner._learner = Spoilt()
    monkeypatch.setattr(Recipe, "make", lambda recipe: learner)
    run = Run.create(tmp_path / "run", Recipe("treestrap", 1, options))
    with pytest.raises(Diverged) as error:
        run.train()
    names = f"{learner._features.name(1)}, {learner._features.name(5)}"
    told = f"weights ({names}) went beyond 1000; lower learning_rate (it is 10) or max_update (it is 1)"
    assert str(error.value) == f"{run.folder}: training diverged in step 1: {told}"
    assert not run.checkpoints()


def net(value: float) -> native.TdNet:
    layers = {"board": np.full((25, 25), value, np.float32), "output": np.full((1, 25), value, np.float32)}
    layers["output"][0, ::2] *= -1
    return native.TdNet("koten", layers)


def test_nets_of_what_is_no_number_are_refused() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="must be finite numbers"):
            net(value)


def test_nets_whose_values_overflow_do_not_play() -> None:
    start = games.get("go5").start().native
    huge = net(3e38)
    for depth in (1, 2, 3):
        with pytest.raises(Diverged, match="not finite"):
            native.td_duel(huge, native.Random(), start, 10, 1, depth=depth)
        with pytest.raises(Diverged, match="not finite"):
            huge.look(start, depth, False)


def test_a_learner_with_such_a_net_does_not_play() -> None:
    learner = native.TdLearner(games.get("go5").start().native, "koten", 1)
    layers = learner.weights()
    layers["board"][:], layers["output"][:] = 3e38, 3e38
    learner.set_weights(layers)
    with pytest.raises(Diverged):
        learner.play(10)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", ["logits", "values"])
def test_self_play_takes_finite_evaluations_only(wrong: float, where: str) -> None:
    settings = native.SelfPlaySettings()
    settings.games = 4
    go = native.GoSelfPlaySettings()
    go.cap = 40
    pool = native.GoSelfPlay5(settings, go, 1)
    workers = native.Workers(2)
    planes = np.zeros((pool.capacity, 14 * 25), np.uint8)
    logits, values = np.zeros((pool.capacity, 26), np.float32), np.zeros(pool.capacity, np.float32)
    count = pool.step(logits, values, planes, workers)
    (logits if where == "logits" else values)[count - 1] = wrong
    with pytest.raises(Diverged, match="not finite"):
        pool.step(logits, values, planes, workers)
    logits[:], values[:] = 0, 0
    assert pool.step(logits, values, planes, workers) > 0  # nothing was taken, so it can go on
