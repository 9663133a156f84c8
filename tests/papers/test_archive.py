"""What is finished goes from one machine to another in one file, and nothing else comes out of it."""

import io
import tarfile

import paper_work
import pytest

from rookery.errors import RookeryError
from rookery.papers import archive as archives
from rookery.papers.archive import pack, unpack
from rookery.papers.study import Piece, Study


def pieces(numbers):
    return {
        f"n{n}": Piece(paper_work.note_in, {"log": "work/log", "number": n}, {"threads": 1}) for n in numbers
    }


def work(folder, numbers):
    with Study(folder) as study:
        return study.do("a", pieces(numbers)), (folder / "work/log").read_text().split()


def archive(path, *members: tarfile.TarInfo):
    with tarfile.open(path, "w:xz") as tar:
        for member in members:
            tar.addfile(member, io.BytesIO(bytes(member.size)))
    return path


def member(name, size=3, kind=tarfile.REGTYPE):
    made = tarfile.TarInfo(name)
    made.size, made.type, made.linkname = size, kind, "elsewhere"
    return made


def test_a_study_goes_on_elsewhere_with_what_was_finished(tmp_path):
    work(tmp_path / "here", range(3))
    pack(tmp_path / "here", tmp_path / "study.tar.xz")
    (tmp_path / "there").mkdir()
    assert unpack(tmp_path / "study.tar.xz", tmp_path / "there") == 4  # three pieces, and what they wrote
    assert work(tmp_path / "there", range(5)) == (
        {"n0": 0, "n1": 1, "n2": 4, "n3": 9, "n4": 16},
        ["0", "1", "2", "3", "4"],
    )


def test_the_same_work_gives_the_same_bytes_wherever_it_lies(tmp_path):
    work(tmp_path / "here", range(2))
    pack(tmp_path / "here", tmp_path / "first.tar.xz")
    (tmp_path / "there").mkdir()
    unpack(tmp_path / "first.tar.xz", tmp_path / "there")
    pack(tmp_path / "there", tmp_path / "second.tar.xz")
    assert (tmp_path / "first.tar.xz").read_bytes() == (tmp_path / "second.tar.xz").read_bytes()


def test_report_logs_and_data_stay_where_they_are(tmp_path):
    work(tmp_path / "here", range(1))
    (tmp_path / "lent").mkdir()
    (tmp_path / "lent" / "games").write_text("of somebody else")
    (tmp_path / "here" / "data").mkdir()
    (tmp_path / "here" / "data" / "people").symlink_to(tmp_path / "lent")
    (tmp_path / "here" / "run" / "events").mkdir(parents=True)
    (tmp_path / "here" / "run" / "events" / "log").write_text("a log")
    (tmp_path / "here" / "run" / "half.json.part").write_text("half")
    (tmp_path / "here" / "report.md").write_text("a report")
    pack(tmp_path / "here", tmp_path / "study.tar.xz")
    with tarfile.open(tmp_path / "study.tar.xz") as tar:
        assert tar.getnames() == ["pieces/a/n0.json", "work/log"]


def test_what_is_there_already_is_not_written_over(tmp_path):
    path = archive(tmp_path / "a.tar.xz", member("work/log"), member("work/new"))
    (tmp_path / "out" / "work").mkdir(parents=True)
    (tmp_path / "out" / "work" / "log").write_text("mine")
    assert unpack(path, tmp_path / "out") == 1
    assert (tmp_path / "out" / "work" / "log").read_text() == "mine"


@pytest.mark.parametrize(
    "bad",
    [
        member("../evil"),
        member("a/../../evil"),
        member("/tmp/evil"),
        member("//tmp/evil"),
        member("report.md"),
        member("data/people/games"),
        member("pieces/a", kind=tarfile.SYMTYPE, size=0),
        member("pieces/a", kind=tarfile.LNKTYPE, size=0),
        member("pieces/a", kind=tarfile.FIFOTYPE, size=0),
    ],
    ids=lambda bad: f"{bad.name}-{bad.type.decode()}",
)
def test_nothing_gets_out_of_the_folder(tmp_path, bad):
    path = archive(tmp_path / "a.tar.xz", bad)
    (tmp_path / "deep" / "out").mkdir(parents=True)
    with pytest.raises(RookeryError, match=r"a\.tar\.xz is no archive of a study: .* is no file of a study"):
        unpack(path, tmp_path / "deep" / "out")
    assert not [each for each in (tmp_path / "deep").rglob("*") if each.is_file()]


@pytest.mark.parametrize("content", [b"", b"no archive", b"\xfd7zXZ\x00" + bytes(40)])
def test_another_file_is_refused_in_one_line(tmp_path, content):
    (tmp_path / "a.tar.xz").write_bytes(content)
    with pytest.raises(RookeryError, match="is no archive of a study"):
        unpack(tmp_path / "a.tar.xz", tmp_path)


def test_an_archive_that_was_cut_is_refused(tmp_path):
    work(tmp_path / "here", range(3))
    pack(tmp_path / "here", tmp_path / "study.tar.xz")
    whole = (tmp_path / "study.tar.xz").read_bytes()
    (tmp_path / "cut.tar.xz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(RookeryError, match="is no archive of a study"):
        unpack(tmp_path / "cut.tar.xz", tmp_path / "there")


def test_more_than_a_study_holds_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "_LARGEST", 5 << 20)
    path = archive(tmp_path / "a.tar.xz", member("work/a", 3 << 20), member("work/b", 3 << 20))
    with pytest.raises(RookeryError, match="it holds more than 5 MiB"):
        unpack(path, tmp_path / "out")
    assert not (tmp_path / "out" / "work" / "b").exists()
