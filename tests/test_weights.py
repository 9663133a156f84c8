"""Where weights are looked for."""

from pathlib import Path

import pytest

from rookery import cards, checkpoint, weights
from rookery.errors import CheckpointMismatch


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    return path


def test_a_file_a_folder_and_the_newest_checkpoint(tmp_path: Path) -> None:
    file = put(tmp_path / "mine.safetensors")
    assert weights.find(str(file)) == file
    inside = put(tmp_path / "folder" / weights.FILE)
    assert weights.find(str(tmp_path / "folder")) == inside
    put(tmp_path / "run/checkpoints/000009" / weights.FILE)
    newest = put(tmp_path / "run/checkpoints/000010" / weights.FILE)
    put(tmp_path / "run/checkpoints/.000011" / weights.FILE)
    assert weights.find(str(tmp_path / "run")) == newest


def test_damaged_weights_of_a_run_give_way_to_the_ones_before(tmp_path: Path, caplog) -> None:
    for step in (9, 10):
        put(tmp_path / f"run/checkpoints/{step:06}" / weights.FILE)
        checkpoint.seal(tmp_path / f"run/checkpoints/{step:06}", checkpoint.Mark(step))
    newest = tmp_path / "run/checkpoints/000010" / weights.FILE
    assert weights.find(str(tmp_path / "run")) == newest and not caplog.messages
    newest.write_bytes(b"x")
    older = weights.find(str(tmp_path / "run"))
    assert older.parent.name == "000009"
    assert len(caplog.messages) == 1 and "000010 is damaged" in caplog.messages[0]
    older.write_bytes(b"x")
    with pytest.raises(CheckpointMismatch, match=r"000010 is damaged.*000009 is damaged"):
        weights.find(str(tmp_path / "run"))


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CheckpointMismatch, match="neither a file, nor a run, nor in the zoo"):
        weights.find(str(tmp_path / "nothing"))
    put(tmp_path / "young" / "config.toml")
    with pytest.raises(CheckpointMismatch, match="first checkpoint"):
        weights.find(str(tmp_path / "young"))


def test_every_card_of_the_zoo_can_be_read() -> None:
    assert len(cards.zoo()) >= 12
    for card in cards.zoo().values():
        assert card.games, card.name
        assert str(card.player.knowledge) == card.name, card.name
