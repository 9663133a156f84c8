"""What a disk did to a run is found out, said in one line, and made good as far as can be."""

from __future__ import annotations

import errno
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from counting import Counting

from rookery.errors import CheckpointMismatch, RookeryError
from rookery.runs import Recipe, Run

LENGTH = 6


def begin(folder: Path, steps: int = 4) -> Run:
    """A run that was broken off after some of its steps, with two checkpoints."""
    run = Run.create(folder, Recipe("counting", 5, Counting.Options(length=LENGTH)))
    left = iter(range(steps))
    run.train(stop=lambda: next(left) >= steps - 1, checkpoint_every=0)
    assert run.done == steps
    return Run.open(folder)


def told(run: Run) -> list[dict[str, float]]:
    return [{key: value for key, value in line.items() if key != "seconds"} for line in run.metrics()]


def weights(run: Run) -> str:
    return (run.checkpoints()[-1] / "state.json").read_text()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> tuple[str, list[dict[str, float]]]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rookery.runs.recipe.learners", lambda: {"counting": Counting})
        run = Run.create(
            tmp_path_factory.mktemp("runs") / "whole", Recipe("counting", 5, Counting.Options(length=LENGTH))
        )
        run.train()
    return weights(run), told(run)


def ends_the_same(run: Run, undisturbed: tuple[str, list[dict[str, float]]]) -> None:
    run.train(checkpoint_every=0)
    assert (weights(run), told(run)) == undisturbed
    again = Run.open(run.folder)
    again.train()
    assert (weights(again), told(again)) == undisturbed


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n\0")


DAMAGES = [truncated, emptied, flipped, longer, Path.unlink]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", ["state.json", "run.json"])
def test_where_the_newest_is_damaged_the_one_before_is_taken(
    tmp_path: Path, name: str, damage: Callable[[Path], None], undisturbed, caplog
) -> None:
    run = begin(tmp_path / "a")
    damage(run.checkpoints()[-1] / name)
    ends_the_same(run, undisturbed)
    assert len(caplog.messages) == 1 and "\n" not in caplog.messages[0]
    assert "000004 is damaged: " + name in caplog.messages[0] and "from step 3" in caplog.messages[0]


def test_any_single_bit_is_found_or_means_nothing(tmp_path: Path, undisturbed, caplog) -> None:
    begin(tmp_path / "a")
    chance = random.Random(3)
    for trial in range(40):
        run = Run(
            Path(shutil.copytree(tmp_path / "a", tmp_path / str(trial))), Run.open(tmp_path / "a").recipe
        )
        path = run.checkpoints()[-1] / chance.choice(["state.json", "run.json"])
        content = bytearray(path.read_bytes())
        place = chance.randrange(8 * len(content))
        content[place // 8] ^= 1 << place % 8
        path.write_bytes(content)
        run.train()
        assert (weights(run), told(run)) == undisturbed
        shutil.rmtree(run.folder)
    assert len(caplog.messages) > 36, "hardly a bit of it means nothing"


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_where_both_are_damaged_it_is_one_line(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    run = begin(tmp_path / "a")
    for folder in run.checkpoints():
        damage(folder / "state.json")
    with pytest.raises(CheckpointMismatch, match=r"000004 is damaged.*000003 is damaged.*no other") as error:
        run.train()
    assert "\n" not in str(error.value)
    assert len(run.checkpoints()) == 2, "they are left as they are"


def as_an_older_version_wrote_it(run: Run) -> None:
    size = 0
    for folder in run.checkpoints():
        said = json.loads((folder / "run.json").read_text())
        size = len(said["metrics"])
        older = {"step": said["step"], "seconds": said["seconds"], "metrics_bytes": size}
        (folder / "run.json").write_text(json.dumps(older))


def test_checkpoints_without_sums_are_still_read(tmp_path: Path, undisturbed, caplog) -> None:
    run = begin(tmp_path / "a")
    as_an_older_version_wrote_it(run)
    ends_the_same(run, undisturbed)
    assert not caplog.messages


@pytest.mark.parametrize("damage", [truncated, emptied, Path.unlink], ids=lambda damage: damage.__name__)
@pytest.mark.parametrize("name", ["state.json", "run.json"])
def test_damage_without_sums_shows_when_it_is_read(
    tmp_path: Path, name: str, damage: Callable[[Path], None], undisturbed, caplog
) -> None:
    run = begin(tmp_path / "a")
    as_an_older_version_wrote_it(run)
    damage(run.checkpoints()[-1] / name)
    ends_the_same(run, undisturbed)
    assert len(caplog.messages) == 1


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_lost_metrics_are_written_anew(tmp_path: Path, damage, undisturbed, caplog) -> None:
    run = begin(tmp_path / "a")
    damage(run.folder / "metrics.jsonl")
    assert all(isinstance(line["step"], int) for line in run.metrics()), "what is sound can be read meanwhile"
    ends_the_same(run, undisturbed)
    assert b"\0" not in (run.folder / "metrics.jsonl").read_bytes()
    assert [message for message in caplog.messages if "metrics.jsonl" not in message] == []
    assert len(caplog.messages) == (damage is not longer), "what follows the checkpoint is told again anyway"


@pytest.mark.parametrize(
    "damage", [truncated, emptied, flipped, Path.unlink], ids=lambda damage: damage.__name__
)
def test_an_older_run_goes_on_without_lost_metrics(tmp_path: Path, damage, undisturbed, caplog) -> None:
    run = begin(tmp_path / "a")
    as_an_older_version_wrote_it(run)
    damage(run.folder / "metrics.jsonl")
    run.train()
    assert weights(run) == undisturbed[0]
    assert [line["step"] for line in run.metrics()][-2:] == [5, 6]
    Run.open(run.folder).train()
    assert b"\0" not in (run.folder / "metrics.jsonl").read_bytes()


def test_a_damaged_recipe_is_one_line(tmp_path: Path) -> None:
    run = begin(tmp_path / "a")
    for content in (b"\xff\xfe\0", b"learner = ", b"", b"seed = 1979-05-27", b'learner = "\0"'):
        (run.folder / "config.toml").write_bytes(content)
        with pytest.raises(RookeryError) as error:
            Run.open(run.folder)
        assert "\n" not in str(error.value) and "config.toml" in str(error.value)


# --- disks that are full -----------------------------------------------------------------------------


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("call", ["os.fsync", "pathlib.Path.write_text", "rookery.checkpoint.seal"])
def test_a_full_disk_costs_nothing_that_was_saved(
    tmp_path: Path, call: str, undisturbed, monkeypatch
) -> None:
    run = begin(tmp_path / "a")
    with (
        monkeypatch.context() as patch,
        pytest.raises(RookeryError, match=r"No space left.*step 4 is safe") as e,
    ):
        patch.setattr(call, full)
        run.train()
    assert "\n" not in str(e.value)
    assert not list((run.folder / "checkpoints").glob(".*")), "half of a checkpoint is only in the way"
    ends_the_same(run, undisturbed)


def test_a_folder_that_vanishes_is_one_line(tmp_path: Path) -> None:
    run = begin(tmp_path / "a")
    with pytest.raises(RookeryError, match="what was saved before is gone") as error:
        run.train(lambda step: shutil.rmtree(run.folder))
    assert "\n" not in str(error.value)


def test_a_learner_that_cannot_save_is_told_in_one_line(tmp_path: Path, monkeypatch) -> None:
    run = begin(tmp_path / "a")

    def fail(self: Counting, folder: Path) -> None:
        raise ValueError("some library\nsays much")

    monkeypatch.setattr(Counting, "save", fail)
    with pytest.raises(RookeryError, match="cannot be saved: some library; step 4 is safe"):
        run.train()


def test_tensorboard_on_a_full_disk_ends_alone(tmp_path: Path, undisturbed, caplog, monkeypatch) -> None:
    from tensorboard.summary.writer.record_writer import RecordWriter

    run = begin(tmp_path / "a")
    monkeypatch.setattr(RecordWriter, "write", full)
    run.train()
    assert (weights(run), told(run)) == undisturbed
    assert len(caplog.messages) == 1 and "No space left on device; TensorBoard" in caplog.messages[0]


# --- a real run, from the command line -----------------------------------------------------------------

ROOKERY = [sys.executable, "-c", "from rookery.cli import main; main()"]
SMALL = ["--set", "games=600", "--set", "evaluate_every=100", "--set", "evaluation_games=2"]


def rookery(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ROOKERY, *map(str, words)], capture_output=True, text=True, timeout=60, check=False
    )


def test_one_bit_of_real_weights(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert rookery("train", "go5-koten", "--run", whole, *SMALL, "--save-every", "0").returncode == 0
    shutil.copytree(whole, broken)
    flipped(broken / "checkpoints/000006/weights.safetensors")
    result = rookery("resume", broken)
    assert result.returncode == 0, result.stderr
    assert "000006 is damaged: weights.safetensors has changed since it was written" in result.stderr
    for name in ("weights.safetensors", "state.json", "nets/000000600.safetensors"):
        path = Path("checkpoints/000006") / name
        assert (broken / path).read_bytes() == (whole / path).read_bytes()
