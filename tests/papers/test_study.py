"""Every finished piece is kept; a second start does only what is missing."""

import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import paper_work
import pytest

from rookery.errors import RookeryError
from rookery.papers.study import Piece, Study


def pieces(work, log: Path, numbers) -> dict[str, Piece]:
    return {f"n{number}": Piece(work, {"log": str(log), "number": number}) for number in numbers}


def done(log: Path) -> list[int]:
    return sorted(map(int, log.read_text().split())) if log.exists() else []


@pytest.mark.parametrize("workers", [0, 2])
def test_results_by_name_and_no_piece_twice(tmp_path, workers):
    log, told = tmp_path / "log", []
    with Study(tmp_path / "out", workers, told.append) as study:
        assert study.do("a", pieces(paper_work.note, log, range(4))) == {"n0": 0, "n1": 1, "n2": 4, "n3": 9}
    assert [progress.done for progress in told] == [0, 1, 2, 3, 4]
    with Study(tmp_path / "out", workers) as again:
        assert again.do("a", pieces(paper_work.note, log, range(6)))["n5"] == 25
        assert done(log) == [0, 1, 2, 3, 4, 5]
        assert again.seconds >= 0


def test_two_programs_do_not_work_on_one_paper(tmp_path):
    with Study(tmp_path / "out"), pytest.raises(RookeryError, match="another program is at work in"):
        Study(tmp_path / "out")
    Study(tmp_path / "out").close()


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe\x00", b"[]", b"3", b'{"asked": 1}', b"[" * 100_000])
def test_a_damaged_piece_is_named_and_done_again(tmp_path, damage, caplog):
    log = tmp_path / "log"
    with Study(tmp_path / "out") as study:
        study.do("a", pieces(paper_work.note, log, range(3)))
        path = tmp_path / "out/pieces/a/n1.json"
        path.write_bytes(damage)
        assert study.seconds >= 0
        caplog.clear()
        assert study.do("a", pieces(paper_work.note, log, range(3))) == {"n0": 0, "n1": 1, "n2": 4}
    assert done(log) == [0, 1, 1, 2]
    assert caplog.messages == [f"rookery: {path} is damaged; this piece is done again"]


def test_a_worker_that_is_killed_is_told_in_one_line(tmp_path):
    with Study(tmp_path / "out", 2) as study, pytest.raises(RookeryError, match="process that worked on 'a'"):
        study.do("a", pieces(paper_work.kill_itself, tmp_path / "log", range(2)))


def test_what_a_kill_left_half_written_counts_for_nothing(tmp_path):
    (tmp_path / "out" / "pieces" / "a").mkdir(parents=True)
    (tmp_path / "out" / "pieces" / "a" / "n2.json.part").write_text('{"asked"')
    study = Study(tmp_path / "out")
    assert study.seconds == 0
    assert study.do("a", pieces(paper_work.note, tmp_path / "log", [2])) == {"n2": 4}
    assert study.seconds > 0


def test_a_moved_folder_and_other_workers_ask_nothing_anew(tmp_path):
    """Paths in pieces are relative to the study's folder, and what only changes the time is not asked."""

    def piece(threads: int) -> dict[str, Piece]:
        asked = {"log": "work/log", "number": 2}
        return {"n": Piece(paper_work.note_in, asked, {"threads": threads}, cores=threads)}

    with Study(tmp_path / "here", 0) as study:
        assert study.do("a", piece(1)) == {"n": 4}
    (tmp_path / "here").rename(tmp_path / "there")
    with Study(tmp_path / "there", 4) as study:
        assert study.do("a", piece(4)) == {"n": 4}
        assert done(study.out / "work/log") == [2]
        with pytest.raises(ValueError, match="relative to it"):
            study.do("a", {"n": Piece(paper_work.note, {"log": f"{study.out}/log", "number": 1})})


def test_a_piece_says_who_made_it_and_counts_the_time_of_all_sittings(tmp_path):
    with Study(tmp_path, commit="first") as study:
        study.do("a", {"slow": Piece(paper_work.long_ago, {"seconds": 3600.0})})
        assert 3600 <= study.seconds < 3700
    with Study(tmp_path, commit="second") as study:
        assert study.seconds == 0, "what this report does not use is not its time"
        found = study.do("a", {"slow": Piece(paper_work.long_ago, {"seconds": 3600.0})})
        assert found == {"slow": "done"} and 3600 <= study.seconds < 3700
        study.do("b", {"quick": Piece(paper_work.long_ago, {"seconds": 0.0})})
        assert study.commits == {"first": 1, "second": 1}


def test_pieces_share_the_cores_and_one_gpu(tmp_path):
    """Each marks when it began and ended; nobody overlaps with whom it must not."""
    asked = {f"{kind}{n}": Piece(paper_work.span, {"name": f"{kind}{n}"}, cores=cores, gpu=kind == "gpu")
             for n in range(2) for kind, cores in (("wide", 2), ("gpu", 1), ("small", 1))}  # fmt: skip
    with Study(tmp_path, 2) as study:
        spans = study.do("a", asked)
    for name, (began, ended) in spans.items():
        beside = [o for o, (b, e) in spans.items() if o != name and b < ended and began < e]
        assert not (name.startswith("wide") and beside), f"{name} had both cores, beside {beside}"
        assert not (name.startswith("gpu") and [o for o in beside if o.startswith("gpu")])


def test_other_arguments_are_another_piece(tmp_path):
    study, log = Study(tmp_path / "out"), tmp_path / "log"
    assert study.do("a", {"n": Piece(paper_work.note, {"log": str(log), "number": 2})}) == {"n": 4}
    assert study.do("a", {"n": Piece(paper_work.note, {"log": str(log), "number": 3})}) == {"n": 9}
    assert study.do("b", {"n": Piece(paper_work.note, {"log": str(log), "number": 3})}) == {"n": 9}
    assert done(log) == [2, 3, 3]


@pytest.mark.parametrize("workers", [0, 2])
def test_what_fails_is_told_and_what_was_done_stays(tmp_path, workers):
    log, study = tmp_path / "log", Study(tmp_path / "out", workers)
    with pytest.raises(ArithmeticError, match="three"):
        study.do("a", pieces(paper_work.stumble, log, range(4)))
    kept = {path.stem for path in tmp_path.glob("out/pieces/a/*.json")}
    (tmp_path / "log.mended").touch()
    assert study.do("a", pieces(paper_work.stumble, log, range(4)))["n3"] == 9
    assert all(done(log).count(int(name[1:])) == 1 for name in kept)


def test_a_killed_program_goes_on_where_it_ended(tmp_path):
    log = tmp_path / "log"
    program = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
import paper_work
from pathlib import Path
from rookery.papers.study import Piece, Study
if __name__ == "__main__":
    asked = [{{"log": {str(log)!r}, "number": n}} for n in range(5)]
    pieces = {{f"n{{n}}": Piece(paper_work.kill_parent, asked[n]) for n in range(5)}}
    print(Study(Path({str(tmp_path / "out")!r}), 1).do("a", pieces))
"""
    script = tmp_path / "program.py"
    script.write_text(program)
    first = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert first.returncode == -9, first.stderr
    sleep(0.5)
    assert done(log) == [0, 1, 2], "the worker went on without its parent"
    (tmp_path / "log.mended").touch()
    second = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert second.stdout.strip() == "{'n0': 0, 'n1': 1, 'n2': 4, 'n3': 9, 'n4': 16}", second.stderr
    assert done(log) == [0, 1, 2, 3, 4]


def test_ctrl_c_is_for_the_first_process_even_while_others_start(tmp_path):
    """It reaches all processes of a terminal; one that is still importing would answer with a traceback."""
    with Study(tmp_path, 2) as study:
        pieces = {str(n): Piece(paper_work.deaf, {"number": n}) for n in range(2)}
        assert study.do("deaf", pieces) == {"0": True, "1": True}
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_goes_without_a_stage_but_for_what_is_kept(tmp_path):
    log = str(tmp_path / "log")
    pieces = {str(n): Piece(paper_work.note, {"log": log, "number": n}) for n in (1, 2)}
    with Study(tmp_path / "study") as study:
        study.do("stage", {"1": pieces["1"]})
    with Study(tmp_path / "study", without=["stage"]) as study:
        assert study.do("stage", pieces) == {"1": 1}
        assert study.do("other", pieces) == {"1": 1, "2": 4}


def test_data_from_elsewhere_are_found_in_the_folder(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "word").write_text(name)
    with Study(tmp_path / "study") as study:
        for name in ("a", "b"):
            study.lend("games", tmp_path / name)
            assert (study.out / "data/games/word").read_text() == name
        (study.out / "data/own").mkdir()
        with pytest.raises(RookeryError, match="move it away"):
            study.lend("own", tmp_path / "a")
