"""Checkpoints that were damaged, or are of another run: one line names the file, and nothing is learnt."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from alone import run_alone
from rookery.errors import CheckpointMismatch
from rookery.evaluators import linear, td
from rookery.learners.td import TdLearner
from rookery.learners.treestrap import TreeStrapLearner, TreeStrapOptions
from rookery.weights import FILE

SCHOOL = TreeStrapOptions(
    game="chess", features=("material",), depth=1, games=9, step=1, parallel_games=2, sync_nodes=50
)
DUCHESS = TreeStrapOptions(game="duchess4", depth=1, games=9, step=1, parallel_games=1, sync_nodes=50)
LEAF = TreeStrapOptions(
    game="chess",
    features=("material",),
    method="tdleaf",
    depth=2,
    games=9,
    step=1,
    parallel_games=1,
    sync_nodes=50,
)
MOVES = "plays", 0, "moves"


def begun(folder: Path, options: TreeStrapOptions, longest: int = 12) -> dict[str, Any]:
    """A checkpoint with games in progress; what it says of them."""
    learner = TreeStrapLearner(options, 1)
    learner._learner.play(0)
    learner.save(folder)
    path = folder / "state.json"
    state: dict[str, Any] = json.loads(path.read_text())
    return state


def change(folder: Path, state: dict[str, Any], *path: Any, to: Any) -> None:
    place: Any = state
    for key in path[:-1]:
        place = place[key]
    if path:
        place[path[-1]] = to
    else:
        state = to
    (folder / "state.json").write_text(json.dumps(state))


@pytest.mark.parametrize("options", [SCHOOL, DUCHESS], ids=["chess", "duchess4"])
@pytest.mark.parametrize("move", [10**9, -1, 0, 4095, 2**40])
def test_a_move_that_is_none_does_not_kill(tmp_path: Path, options: TreeStrapOptions, move: int) -> None:
    """In a process of its own, for it once died."""
    state = begun(tmp_path, options)
    change(tmp_path, state, *MOVES, 0, to=move)
    done = run_alone(f"""
        from pathlib import Path
        from rookery.errors import CheckpointMismatch
        from rookery.learners.treestrap import TreeStrapLearner, TreeStrapOptions
        learner = TreeStrapLearner({options!r}, 1)
        try:
            learner.load(Path({str(tmp_path)!r}))
        except CheckpointMismatch as error:
            print(error)
        learner.step()
    """)
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout.startswith(f"{tmp_path / 'state.json'} cannot be used: ") and done.stdout.count("\n") == 1
    )
    assert "move 1 (" in done.stdout or "of a wrong kind" in done.stdout


@pytest.mark.parametrize(
    ("path", "to", "words"),
    [
        (("begun",), -1, "-1 games begun"),
        (("begun",), 10**6, "of 9"),
        (("ended",), 1, "but 2 in progress"),
        ((), {"begun": 0, "ended": 0, "plays": []}, "but 0 in progress"),
        (("begun",), "three", "of a wrong kind"),
        (("plays",), [], "but 0 in progress"),
        (("plays", 0, "number"), 77, "game 77: no such game"),
        (("plays", 0, "lines"), [[1]], "do not fit its moves"),
        (("plays", 0, "values"), [0.5], "do not fit its moves"),
        (("plays", 0, "moves"), [0.5], "of a wrong kind"),
        (("plays", 0, "moves"), None, "of a wrong kind"),
    ],
)
def test_what_no_run_can_have_come_to_is_refused(tmp_path: Path, path: tuple, to: Any, words: str) -> None:
    change(tmp_path, begun(tmp_path, SCHOOL), *path, to=to)
    learner = TreeStrapLearner(SCHOOL, 1)
    before = learner._learner.weights().tobytes(), [play.moves for play in learner._learner.unfinished()]
    with pytest.raises(CheckpointMismatch, match=words) as error:
        learner.load(tmp_path)
    assert str(tmp_path / "state.json") in str(error.value) and "\n" not in str(error.value)
    assert (
        learner._learner.weights().tobytes(),
        [play.moves for play in learner._learner.unfinished()],
    ) == before


def test_a_game_that_is_over_is_refused(tmp_path: Path) -> None:
    from rookery import games

    state = games.get("chess").start()
    moves = []
    for text in ("f3", "e5", "g4", "Qh4"):
        moves.append(state.parse(text))
        state = state.play(moves[-1])
    change(tmp_path, begun(tmp_path, SCHOOL), *MOVES, to=moves)
    with pytest.raises(CheckpointMismatch, match="it is over after move 4"):
        TreeStrapLearner(SCHOOL, 1).load(tmp_path)


def test_best_lines_are_checked_like_moves(tmp_path: Path) -> None:
    learner = TreeStrapLearner(LEAF, 1)
    learner.save(tmp_path)
    state = json.loads((tmp_path / "state.json").read_text())
    play = state["plays"][0]
    play["lines"], play["values"] = [[10**6]], [0.5]
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(CheckpointMismatch, match="has a best line that cannot be played"):
        TreeStrapLearner(LEAF, 1).load(tmp_path)
    play["lines"], play["values"] = [[play["moves"][-1]]], [float("nan")]
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(CheckpointMismatch, match="not between 0 and 1"):
        TreeStrapLearner(LEAF, 1).load(tmp_path)


@pytest.mark.parametrize("weight", [float("nan"), float("inf"), 3e38])
def test_weights_that_mean_nothing_are_refused(tmp_path: Path, weight: float) -> None:
    learner = TreeStrapLearner(SCHOOL, 1)
    learner.save(tmp_path)
    rows = np.array(linear.read(tmp_path / FILE, "chess"))
    rows[0, 3] = weight
    linear.write(tmp_path / FILE, "chess", rows)
    with pytest.raises(CheckpointMismatch) as error:
        TreeStrapLearner(SCHOOL, 1).load(tmp_path)
    assert str(tmp_path / FILE) in str(error.value)


def small(**more: Any) -> Any:
    return TdLearner.Options(games=40, evaluate_every=20, evaluation_games=0, **more)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda state: state.update(games=-1), "games must be between 0 and 40"),
        (lambda state: state.update(games=1.5), "games is no whole number"),
        (lambda state: state.update(generator=[0, 0]), "draws nothing but zeros"),
        (lambda state: state.update(generator=[1]), "wrong kind"),
        (lambda state: state.update(generator=[1, 2**64]), "wrong kind"),
        (lambda state: state.pop("generator"), "does not say 'generator'"),
    ],
)
def test_numbers_of_td_are_checked(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], words: str
) -> None:
    learner = TdLearner(small(), 1)
    learner.step()
    learner.save(tmp_path)
    state = json.loads((tmp_path / "state.json").read_text())
    spoil(state)
    (tmp_path / "state.json").write_text(json.dumps(state))
    with pytest.raises(CheckpointMismatch, match=words) as error:
        TdLearner(small(), 1).load(tmp_path)
    assert str(tmp_path / "state.json") in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("spoil", ["shape", "nan", "missing", "bias"])
def test_layers_of_td_are_checked(tmp_path: Path, spoil: str) -> None:
    learner = TdLearner(small(), 1)
    learner.step()
    learner.save(tmp_path)
    for path in (tmp_path / FILE, *(tmp_path / "nets").iterdir()):
        kept = path.read_bytes()
        _, layers = td.read(path)
        changed = {name: np.array(rows) for name, rows in layers.items()}
        if spoil == "shape":
            changed["output"] = changed["output"][:, :-1].copy()
        elif spoil == "nan":
            changed["output"][0, 0] = np.nan
        elif spoil == "missing":
            del changed["output"]
        else:
            changed |= {
                "board_bias": np.zeros((1, 25), np.float32),
                "output_bias": np.zeros((1, 1), np.float32),
            }
        td.write(path, "koten", changed)
        with pytest.raises(CheckpointMismatch) as error:
            TdLearner(small(), 1).load(tmp_path)
        assert str(path) in str(error.value) and "\n" not in str(error.value)
        path.write_bytes(kept)
    TdLearner(small(), 1).load(tmp_path)
