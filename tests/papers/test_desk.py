"""Every finished piece is kept; a second start does only what is missing."""

import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import paper_work
import pytest

from rookery.errors import RookeryError
from rookery.papers.desk import Desk, Piece


def pieces(work, log: Path, numbers) -> dict[str, Piece]:
    return {f"n{number}": Piece(work, {"log": str(log), "number": number}) for number in numbers}


def done(log: Path) -> list[int]:
    return sorted(map(int, log.read_text().split())) if log.exists() else []


@pytest.mark.parametrize("workers", [0, 2])
def test_results_by_name_and_no_piece_twice(tmp_path, workers):
    log, told = tmp_path / "log", []
    with Desk(tmp_path / "out", workers, told.append) as desk:
        assert desk.do("a", pieces(paper_work.note, log, range(4))) == {"n0": 0, "n1": 1, "n2": 4, "n3": 9}
    assert [progress.done for progress in told] == [0, 1, 2, 3, 4]
    with Desk(tmp_path / "out", workers) as again:
        assert again.do("a", pieces(paper_work.note, log, range(6)))["n5"] == 25
        assert done(log) == [0, 1, 2, 3, 4, 5]
        assert again.seconds >= 0


def test_two_programs_do_not_work_on_one_paper(tmp_path):
    with Desk(tmp_path / "out"), pytest.raises(RookeryError, match="another program is at work in"):
        Desk(tmp_path / "out")
    Desk(tmp_path / "out").close()


@pytest.mark.parametrize("damage", [b"", b"{", b"\xff\xfe\x00", b"[]", b"3", b'{"asked": 1}', b"[" * 100_000])
def test_a_damaged_piece_is_named_and_done_again(tmp_path, damage, caplog):
    log = tmp_path / "log"
    with Desk(tmp_path / "out") as desk:
        desk.do("a", pieces(paper_work.note, log, range(3)))
        path = tmp_path / "out/pieces/a/n1.json"
        path.write_bytes(damage)
        assert desk.seconds >= 0
        caplog.clear()
        assert desk.do("a", pieces(paper_work.note, log, range(3))) == {"n0": 0, "n1": 1, "n2": 4}
    assert done(log) == [0, 1, 1, 2]
    assert caplog.messages == [f"rookery: {path} is damaged; this piece is done again"]


def test_a_worker_that_is_killed_is_told_in_one_line(tmp_path):
    with Desk(tmp_path / "out", 2) as desk, pytest.raises(RookeryError, match="process that worked on 'a'"):
        desk.do("a", pieces(paper_work.kill_itself, tmp_path / "log", range(2)))


def test_what_a_kill_left_half_written_counts_for_nothing(tmp_path):
    (tmp_path / "out" / "pieces" / "a").mkdir(parents=True)
    (tmp_path / "out" / "pieces" / "a" / "n2.json.part").write_text('{"asked"')
    desk = Desk(tmp_path / "out")
    assert desk.seconds == 0
    assert desk.do("a", pieces(paper_work.note, tmp_path / "log", [2])) == {"n2": 4}
    assert desk.seconds > 0


def test_other_arguments_are_another_piece(tmp_path):
    desk, log = Desk(tmp_path / "out"), tmp_path / "log"
    assert desk.do("a", {"n": Piece(paper_work.note, {"log": str(log), "number": 2})}) == {"n": 4}
    assert desk.do("a", {"n": Piece(paper_work.note, {"log": str(log), "number": 3})}) == {"n": 9}
    assert desk.do("b", {"n": Piece(paper_work.note, {"log": str(log), "number": 3})}) == {"n": 9}
    assert done(log) == [2, 3, 3]


@pytest.mark.parametrize("workers", [0, 2])
def test_what_fails_is_told_and_what_was_done_stays(tmp_path, workers):
    log, desk = tmp_path / "log", Desk(tmp_path / "out", workers)
    with pytest.raises(ArithmeticError, match="three"):
        desk.do("a", pieces(paper_work.stumble, log, range(4)))
    kept = {path.stem for path in tmp_path.glob("out/pieces/a/*.json")}
    (tmp_path / "log.mended").touch()
    assert desk.do("a", pieces(paper_work.stumble, log, range(4)))["n3"] == 9
    assert all(done(log).count(int(name[1:])) == 1 for name in kept)


def test_a_killed_program_goes_on_where_it_ended(tmp_path):
    log = tmp_path / "log"
    program = f"""
import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})
import paper_work
from pathlib import Path
from rookery.papers.desk import Desk, Piece
if __name__ == "__main__":
    asked = [{{"log": {str(log)!r}, "number": n}} for n in range(5)]
    pieces = {{f"n{{n}}": Piece(paper_work.kill_parent, asked[n]) for n in range(5)}}
    print(Desk(Path({str(tmp_path / "out")!r}), 1).do("a", pieces))
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
    with Desk(tmp_path, 2) as desk:
        pieces = {str(n): Piece(paper_work.deaf, {"number": n}) for n in range(2)}
        assert desk.do("deaf", pieces) == {"0": True, "1": True}
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])
