import json
import os
import shutil
from itertools import count
from pathlib import Path

import pytest
from counting import Counting

from rookery.errors import CheckpointMismatch
from rookery.runs import Recipe, Run, Step
from rookery.weights import hash_of


def recipe(length: int = 10) -> Recipe:
    return Recipe("counting", 5, Counting.Options(length=length))


def whole(folder: Path, length: int = 10) -> Run:
    made = Run.create(folder, recipe(length))
    made.train(checkpoint_every=0)
    return made


def told(made: Run) -> list[dict[str, float]]:
    """What the run said, without the time it took."""
    return [{key: value for key, value in line.items() if key != "seconds"} for line in made.metrics()]


def weights(made: Run) -> str:
    return (made.checkpoints()[-1] / "state.json").read_text()


def test_a_run_leaves_its_recipe_metrics_and_last_checkpoints(tmp_path: Path) -> None:
    steps: list[Step] = []
    made = Run.create(tmp_path / "a", recipe())
    made.train(steps.append, checkpoint_every=0)
    assert [step.number for step in steps] == list(range(1, 11))
    assert [line["step"] for line in made.metrics()] == list(range(1, 11))
    assert made.metrics()[-1]["weight"] == steps[-1].metrics["weight"]
    assert [path.name for path in made.checkpoints()] == ["000009", "000010"]
    assert Run.open(tmp_path / "a").recipe == recipe()
    assert made.done == 10


def test_training_a_finished_run_changes_nothing(tmp_path: Path) -> None:
    made = whole(tmp_path / "a")
    before = told(made), weights(made)
    Run.open(tmp_path / "a").train()
    assert (told(made), weights(made)) == before


def test_stopped_after_any_step_and_resumed_it_ends_the_same(tmp_path: Path) -> None:
    undisturbed = whole(tmp_path / "whole")
    for stop_after in range(1, 10):
        made = Run.create(tmp_path / str(stop_after), recipe())
        asked = count(1)
        made.train(stop=lambda asked=asked, last=stop_after: next(asked) >= last)
        assert made.done == stop_after
        Run.open(made.folder).train()
        assert weights(made) == weights(undisturbed)
        assert told(made) == told(undisturbed)


class Killed(BaseException):
    """As sudden as a signal: nothing after it is done."""


@pytest.mark.parametrize("moment", range(40))
def test_killed_at_any_call_to_the_system_it_ends_the_same(
    tmp_path: Path, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = whole(tmp_path / "whole", 4)
    calls = count()

    def deadly(work):
        def call(*arguments, **keywords):
            if next(calls) == moment:
                raise Killed
            return work(*arguments, **keywords)

        return call

    made = Run.create(tmp_path / "a", recipe(4))
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", deadly(Path.rename))
        patch.setattr(Path, "mkdir", deadly(Path.mkdir))
        patch.setattr(Path, "write_text", deadly(Path.write_text))
        patch.setattr(os, "fsync", deadly(os.fsync))
        patch.setattr(shutil, "rmtree", deadly(shutil.rmtree))
        try:
            made.train(checkpoint_every=0)
        except Killed:
            killed = True
        else:
            killed = False
    assert killed or moment > 30
    Run.open(made.folder).train(checkpoint_every=0)
    assert weights(made) == weights(undisturbed)
    assert told(made) == told(undisturbed)
    assert not list((made.folder / "checkpoints").glob(".*"))


def test_metrics_told_after_the_checkpoint_are_told_again_once(tmp_path: Path) -> None:
    made = Run.create(tmp_path / "a", recipe())
    made.train(stop=lambda: True)
    with (made.folder / "metrics.jsonl").open("a") as file:
        file.write('{"step": 2, "weight": 99}\n{"step": 3, "we')
    made.train()
    assert told(made) == told(whole(tmp_path / "whole"))


def test_folders_that_are_no_runs_are_refused(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "diary.txt").write_text("mine")
    with pytest.raises(CheckpointMismatch, match="not empty"):
        Run.create(tmp_path / "full", recipe())
    with pytest.raises(CheckpointMismatch, match="holds no run"):
        Run.open(tmp_path / "nowhere")
    made = whole(tmp_path / "a")
    with pytest.raises(CheckpointMismatch, match="rookery resume"):
        Run.create(made.folder, recipe())


def test_two_programs_do_not_work_on_one_run(tmp_path: Path) -> None:
    made = Run.create(tmp_path / "a", recipe())

    def intrude(step: Step) -> None:
        with pytest.raises(CheckpointMismatch, match="another program"):
            Run.open(made.folder).train()

    made.train(intrude)


def test_tensorboard_gets_each_step_once(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_file_loader import LegacyEventFileLoader

    made = Run.create(tmp_path / "a", recipe(6))
    made.train(stop=lambda: True)
    made.train()
    seen = [
        (event.step, value.tag, value.simple_value)
        for path in (made.folder / "events").iterdir()
        for event in LegacyEventFileLoader(str(path)).Load()
        for value in event.summary.value
        if value.tag == "weight"
    ]
    assert [step for step, _, _ in seen] == [1, 2, 3, 4, 5, 6]
    assert seen[-1][2] == pytest.approx(made.metrics()[-1]["weight"])


def test_the_mark_is_in_the_checkpoint(tmp_path: Path) -> None:
    made = whole(tmp_path / "a", 3)
    mark = json.loads((made.checkpoints()[-1] / "run.json").read_text())
    assert mark["step"] == 3
    assert mark["metrics"] == (made.folder / "metrics.jsonl").read_text()
    assert list(mark["files"]) == ["state.json"]


# --- the data of a run -------------------------------------------------------------------------------


def on(store: Path, folder: Path) -> Run:
    return Run.create(folder, Recipe("counting", 5, Counting.Options(length=4, store=str(store))))


def test_a_run_writes_down_which_data_it_reads(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.write_text("games")
    on(store, tmp_path / "run")
    assert f'[data]\n"store" = "{hash_of(store)}"\n' in (tmp_path / "run/config.toml").read_text()
    assert Run.open(tmp_path / "run").recipe.data == {"store": hash_of(store)}
    assert "[data]" not in Recipe("counting", 5, Counting.Options()).bound().toml()


def test_other_data_are_refused_and_the_same_data_elsewhere_are_not(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.write_text("games")
    on(store, tmp_path / "run").train(stop=lambda: True)
    store.write_text("other games")
    with pytest.raises(
        CheckpointMismatch, match="run: store is not what it was trained with: it was sha256:"
    ):
        Run.open(tmp_path / "run").train()
    assert Run.open(tmp_path / "run").done == 1
    store.write_text("games")
    Run.open(tmp_path / "run").train()
    assert Run.open(tmp_path / "run").done == 4


def test_a_run_from_before_data_were_written_down_goes_on(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.write_text("games")
    on(store, tmp_path / "run").train(stop=lambda: True)
    config = tmp_path / "run/config.toml"
    config.write_text(config.read_text().partition("\n[data]")[0])
    store.write_text("other games")
    Run.open(tmp_path / "run").train()
    assert Run.open(tmp_path / "run").done == 4


def test_a_run_on_other_data_gives_way_to_work_that_takes_it_up(tmp_path: Path) -> None:
    store = tmp_path / "store"
    recipe = Recipe("counting", 5, Counting.Options(length=2, store=str(store)))
    for content, done in (("games", 0), ("games", 2), ("other games", 0)):
        store.write_text(content)
        run = Run.take_up(tmp_path / "run", recipe)
        assert run.done == done
        run.train()


def test_a_recipe_that_is_bound_to_other_data_begins_no_run(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.write_text("games")
    bound = on(store, tmp_path / "run").recipe
    store.write_text("other games")
    with pytest.raises(CheckpointMismatch, match="store is not what it was trained with"):
        Run.create(tmp_path / "again", bound)
