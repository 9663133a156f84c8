"""Files are old or new and never half; a lock holds until it is let go, whatever becomes of its file."""

import errno
import os
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from rookery import durable
from rookery.errors import RookeryError

BUSY = RookeryError("busy")


class Killed(BaseException):
    """As sudden as a signal."""


@pytest.mark.parametrize("moment", range(6))
def test_killed_at_any_call_a_file_is_old_or_new(tmp_path: Path, moment: int, monkeypatch) -> None:
    path = tmp_path / "it.txt"
    durable.write(path, "old")
    calls = count()

    def deadly(work):
        def call(*arguments, **keywords):
            if next(calls) == moment:
                raise Killed
            return work(*arguments, **keywords)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", deadly(os.fsync))
        patch.setattr(Path, "open", deadly(Path.open))
        patch.setattr(Path, "replace", deadly(Path.replace))
        try:
            durable.write(path, "new")
        except Killed:
            assert moment < 4
        else:
            assert moment >= 4
    assert path.read_text() in ("old", "new")
    durable.write(path, b"newer")
    assert [each.name for each in tmp_path.iterdir()] == ["it.txt"] and path.read_text() == "newer"


def test_a_full_disk_leaves_the_old_file_and_names_it(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "it.txt"
    durable.write(path, "old")

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space left on device") as error:
        patch.setattr(os, "fsync", full)
        durable.write(path, "new")
    assert error.value.filename == str(path)
    assert path.read_text() == "old" and len(list(tmp_path.iterdir())) == 1


def test_one_holds_a_file_or_a_folder_until_it_is_closed(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "file"):
        flags = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
        held = durable.open_alone(path, BUSY, flags)
        with pytest.raises(RookeryError, match="busy"):
            durable.open_alone(path, BUSY)
        os.close(held)
        os.close(durable.open_alone(path, BUSY))


def test_a_lock_is_on_the_file_that_is_there_now(tmp_path: Path, monkeypatch) -> None:
    """Whoever held it may have renamed another file to its place between our opening and our locking."""
    path = tmp_path / "it"
    path.write_text("old")
    plain, opened = os.open, []

    def open_late(name, flags, mode=0o777):
        opened.append(plain(name, flags, mode))
        if len(opened) == 1:
            durable_part = path.with_name("new")
            durable_part.write_text("new")
            durable_part.replace(path)
        return opened[-1]

    monkeypatch.setattr(durable.os, "open", open_late)
    held = durable.open_alone(path, BUSY)
    assert os.read(held, 10) == b"new"
    os.close(held)


def test_a_death_lets_go(tmp_path: Path) -> None:
    code = f"""if True:
        import os
        from pathlib import Path
        from rookery import durable
        durable.open_alone(Path({str(tmp_path)!r}), RuntimeError())
        print("held", flush=True)
        input()
    """
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    with pytest.raises(RookeryError, match="busy"):
        durable.open_alone(tmp_path, BUSY)
    process.kill()
    process.wait()
    os.close(durable.open_alone(tmp_path, BUSY))
