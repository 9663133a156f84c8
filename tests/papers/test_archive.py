"""What is finished goes from one machine to another in one file, and nothing else comes out of it."""

import io
import lzma
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


def written(path, *blocks: bytes):
    """An archive of headers and data that `tarfile` would not write."""
    path.write_bytes(lzma.compress(b"".join(blocks) + bytes(1024), preset=0))
    return path


def header(size, kind=tarfile.REGTYPE, name="work/log"):
    return member(name, size, kind).tobuf(tarfile.GNU_FORMAT)


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
    (tmp_path / "here" / "changed.md").write_text("- A coin was lost.")
    pack(tmp_path / "here", tmp_path / "study.tar.xz")
    with tarfile.open(tmp_path / "study.tar.xz") as tar:
        assert tar.getnames() == ["changed.md", "pieces/a/n0.json", "work/log"]
    unpack(tmp_path / "study.tar.xz", tmp_path / "there")
    assert (tmp_path / "there" / "changed.md").read_text() == "- A coin was lost."


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
        member("changed.md/evil/../.."),
        member("../changed.md"),
        member("changed.md", kind=tarfile.SYMTYPE, size=0),
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


def test_empty_files_count_too(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "_LARGEST", 1 << 16)
    path = archive(tmp_path / "a.tar.xz", *(member(f"work/{n}", 0) for n in range(129)))
    with pytest.raises(RookeryError, match="it holds more than"):
        unpack(path, tmp_path / "out")


def test_holes_are_not_filled(tmp_path):
    """A sparse file takes a few bytes of the archive, and what it says on the disk."""
    sparse = member("work/log", 512, tarfile.GNUTYPE_SPARSE).tobuf(tarfile.GNU_FORMAT)
    fields = b"%011o\0%011o\0" % (0, 512) + bytes(24 * 3) + b"\0" + b"%011o\0" % (100 << 20)
    sparse = sparse[:386] + fields + sparse[386 + len(fields) :]
    summed = 256 + sum(sparse[:148]) + sum(sparse[156:])
    path = written(tmp_path / "a.tar.xz", sparse[:148] + b"%06o\0 " % summed + sparse[156:], bytes(512))
    with tarfile.open(path) as tar:
        assert tar.next().size == 100 << 20
    with pytest.raises(RookeryError, match="'work/log' is no file of a study"):
        unpack(path, tmp_path / "out")


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", [tarfile.REGTYPE, tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_size_below_0_is_refused(tmp_path, kind):
    path = written(tmp_path / "a.tar.xz", header(-512, kind), header(0))
    with pytest.raises(RookeryError, match="is no archive of a study"):
        unpack(path, tmp_path / "out")


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_long_header_is_refused_before_it_is_read(tmp_path, kind):
    said = b"1048576 comment=" + b"a" * ((1 << 20) - 17) + b"\n"
    path = written(tmp_path / "a.tar.xz", header(1 << 20, kind), said, header(0))
    with pytest.raises(RookeryError, match="no file of a study has a header so long"):
        unpack(path, tmp_path / "out")
    path = written(tmp_path / "b.tar.xz", *[header(0, kind)] * 2000, header(0))
    with pytest.raises(RookeryError, match="no file of a study has a header so long"):
        unpack(path, tmp_path / "out")


@pytest.mark.parametrize(("name", "header"), [("a", 512), ("b" * 150, 1536)])
def test_what_would_not_be_unpacked_is_not_packed(tmp_path, monkeypatch, name, header):
    monkeypatch.setattr(archives, "_LARGEST", 1 << 20)
    (tmp_path / "here" / "work").mkdir(parents=True)
    file, path = tmp_path / "here" / "work" / name, tmp_path / "study.tar.xz"
    file.write_bytes(bytes((1 << 20) - header))
    pack(tmp_path / "here", path)
    assert unpack(path, tmp_path / "there") == 1
    path.unlink()
    file.write_bytes(bytes((1 << 20) - header + 1))
    with pytest.raises(RookeryError, match="here holds more than 1 MiB, which no archive of a study may"):
        pack(tmp_path / "here", path)
    assert not path.exists()
