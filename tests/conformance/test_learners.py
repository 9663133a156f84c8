"""Every learner keeps the promise that it declares; each is found by itself."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import small_kriegspiel
import small_policy
import small_store
from safetensors.numpy import load_file

from rookery import games
from rookery.api import Limit, Promise
from rookery.learners import learners

SMALL: Mapping[str, list[dict[str, Any]]] = {
    "deepchess": [
        {"store": small_store.folder(), "net": "small", "first_ply": 8, "epochs": 4, "pairs": 512,
         "batch": 128, "pretrain_epochs": 0, "scalar_epochs": 1, "evaluation_pairs": 100, "threads": 1,
         "device": "cpu"},
        {"store": small_store.folder(), "net": "small", "first_ply": 8, "pretrain_epochs": 4, "pairs": 512,
         "batch": 128, "schedule": "paper", "evaluation_pairs": 100, "threads": 1, "device": "cpu"},
    ],
    "policy": [
        {"stores": (small_store.folder(),), "blocks": 1, "channels": 8, "batch": 16, "batches": 24,
         "rounds": 3, "evaluation_positions": 50, "threads": 1, "device": "cpu"},
        {"stores": (small_store.folder(),), "encoder": "chess-squares-1", "head": "pairs", "squeeze": 4,
         "loss": "cross-entropy", "sampling": "bands", "blocks": 1, "channels": 8, "batch": 16, "batches": 24,
         "rounds": 3, "schedule": "cosine", "average": 0.9, "clip": 1.0, "evaluation_positions": 50,
         "threads": 1, "device": "cpu"},
    ],
    "policy-selfplay": [
        {"start": small_policy.folder(), "stores": (small_store.folder(),), "positions": 20, "games": 24,
         "rounds": 3, "parallel_games": 4, "update_games": 4, "max_plies": 12, "batch": 32, "burn_in": 8,
         "evaluation_games": 4, "threads": 1, "device": "cpu"},
        {"start": small_policy.folder(), "positions": 5, "random_plies": 6, "head": "kept", "labels": "own",
         "kl": 0.1, "clip": 1.0, "games": 12, "rounds": 3, "parallel_games": 3, "update_games": 2,
         "max_plies": 8, "batch": 16, "evaluation_games": 2, "rival_games": 2, "threads": 1,
         "device": "cpu"},
    ],
    "kriegspiel-model": [
        {"games": 5, "step_games": 2},
        {"players": ("random",), "opponent": "random", "games": 3, "step_games": 1, "smoothing": 0.0},
    ],
    "kriegspiel-network": [
        {"records": (small_kriegspiel.file(),), "positions": 6, "held_out": 4, "epochs": 3, "batch": 16,
         "device": "cpu"},
    ],
    "td": [
        {"games": 300, "evaluate_every": 100, "evaluation_games": 10},
        {"representation": "roban", "selection": "epsilon", "games": 250, "evaluate_every": 100,
         "evaluation_games": 0, "bias": True},
    ],
    "treestrap": [
        {"game": "chess", "features": ("material", "attacks"), "depth": 2, "games": 6, "step": 2,
         "parallel_games": 3, "sync_nodes": 500, "max_plies": 30, "learning_rate": 0.1, "max_update": 1.0},
        {"game": "duchess4", "depth": 1, "games": 3, "step": 1, "parallel_games": 2, "sync_nodes": 300,
         "max_plies": 20},
        {"game": "chess", "features": ("material",), "method": "tdleaf", "depth": 2, "games": 4, "step": 2,
         "parallel_games": 2, "sync_nodes": 300, "max_plies": 20},
    ],
    "zero": [
        {"sizes": (5,), "games": (8,), "blocks": 1, "channels": 8, "simulations": 2, "max_considered": 2,
         "batch": 16, "step_samples": 150, "capacity": 2000, "threads": 1, "device": "cpu",
         "measure_every": 1e9},
    ],
}  # fmt: skip
"""Options by which a run of each takes a second; a new learner says its own here."""
CASES = [(name, options) for name, several in SMALL.items() for options in several]


def of(promise: Promise) -> list[Any]:
    return [
        pytest.param(name, options, id=f"{name}-{number}")
        for number, (name, options) in enumerate(CASES)
        if learners()[name].promise == promise
    ]


def make(name: str, options: Mapping[str, Any], **changes: Any) -> Any:
    learner = learners()[name]
    return learner(learner.Options(**{**options, **changes}), 7)


def saved(learner: Any, folder: Path) -> dict[str, bytes]:
    folder.mkdir()
    learner.save(folder)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def told(metrics: Mapping[str, float]) -> dict[str, float]:
    """All but speeds."""
    return {name: value for name, value in metrics.items() if "per_second" not in name}


def test_every_learner_promises_something_and_is_tested_for_it() -> None:
    assert set(SMALL) == set(learners()), "say in SMALL how to make a run of it that takes a second"
    assert {learner.promise for learner in learners().values()} <= set(get_args(Promise))


@pytest.mark.parametrize(("name", "options"), of("exact"))
def test_an_exact_learner_broken_off_after_every_step_ends_with_the_same_bytes(
    name: str, options: Mapping[str, Any], tmp_path: Path
) -> None:
    whole = make(name, options)
    heard = [told(whole.step()) for _ in range(whole.steps)]
    again, broken = [], make(name, options)
    for number in range(whole.steps):
        again.append(told(broken.step()))
        saved(broken, tmp_path / str(number))
        broken = make(name, options)
        broken.load(tmp_path / str(number))
    assert again == heard and len(heard) > 1
    assert saved(broken, tmp_path / "broken") == saved(whole, tmp_path / "whole")


@pytest.mark.parametrize(("name", "options"), [case for case in of("exact") if "treestrap" in case.id])
def test_threads_change_nothing_of_what_an_exact_learner_learns(
    name: str, options: Mapping[str, Any], tmp_path: Path
) -> None:
    ends = []
    for threads in (1, 3):
        learner = make(name, options, threads=threads)
        for _ in range(learner.steps):
            learner.step()
        ends.append(saved(learner, tmp_path / str(threads)))
    assert ends[0] == ends[1]


@pytest.mark.parametrize(("name", "options"), of("statistical"))
def test_a_statistical_learner_loses_nothing_that_it_saved_and_goes_on_from_there(
    name: str, options: Mapping[str, Any], tmp_path: Path
) -> None:
    """What was learnt, the optimiser, the samples and the counters come back; only the games begin anew."""
    pytest.importorskip("torch").set_num_threads(1)
    learner = make(name, options)
    before = [learner.step() for _ in range(2)][-1]
    first = saved(learner, tmp_path / "first")
    other = make(name, options)
    other.load(tmp_path / "first")
    second = saved(other, tmp_path / "second")
    assert first.keys() == second.keys()
    for file in first:
        read = {".npz": np.load, ".safetensors": load_file}.get(Path(file).suffix)
        if read:
            ours, theirs = (dict(read(tmp_path / each / file)) for each in ("first", "second"))
            assert ours.keys() == theirs.keys() and all((ours[key] == theirs[key]).all() for key in ours)
        elif file == "state.json":
            ours, theirs = json.loads(first[file]), json.loads(second[file])
            assert {key for key in ours if ours[key] != theirs[key]} <= {"sitting"}
        else:
            assert first[file] == second[file], file
    after = other.step()
    assert after["training_steps"] > before["training_steps"]
    assert after.keys() == before.keys() and all(np.isfinite(list(after.values())))


@pytest.mark.parametrize(("name", "options"), CASES)
def test_what_was_learnt_plays_without_files_of_its_own(
    name: str, options: Mapping[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player asked for a thousand times must not fill the disk."""
    learner = make(name, options)
    learner.step()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    player = learner.player()
    assert not list(tmp_path.iterdir())
    played = next(game for game in map(games.get, games.names()) if game.spec == player._spec)
    state = played.start()
    player.start(played.spec, state.seat, 1)
    assert player.choose(state.view(state.seat), Limit(nodes=1)) in state.moves()
