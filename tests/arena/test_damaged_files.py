"""Records and books that are damaged or something else: one line, and never anything but a RookeryError."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery import games
from rookery.arena import openings
from rookery.arena import record as records
from rookery.arena.contest import Contest
from rookery.arena.export import export
from rookery.arena.match import judge, match
from rookery.arena.record import Record
from rookery.cli import app
from rookery.errors import RecordMismatch, RookeryError
from rookery.records.sgf import read_sgf

CONTEST = Contest("chess", ("random", "random"), games=3, seed=1, max_plies=6)
ODD = [None, True, -1, 3, 0.5, 1e400, "", "text", [], [1], ["a"], [[]], {}, {"a": 1}, 10**30]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("record") / "games.jsonl"
    with Record(CONTEST, path) as record:
        match(CONTEST, record)
    return path.read_text().splitlines()


def use(path: Path) -> None:
    """All that is done with a record."""
    header, played = records.read(path)
    contest = Contest.recorded(header, max(1, len(played)))
    judge(contest, records.order(played))
    "".join(export(header, played, "pgn"))


def paths(value: object, at: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(deeper for key, each in inner for deeper in paths(each, (*at, key)))]


def test_any_value_in_any_place_of_a_record(tmp_path: Path, lines: list[str]) -> None:
    chance, path = random.Random(5), tmp_path / "games.jsonl"
    refused = 0
    for _ in range(600):
        changed = list(lines)
        number = chance.randrange(2)
        document = json.loads(lines[number])
        *way, last = chance.choice(paths(document)[1:])
        spot = document
        for key in way:
            spot = spot[key]
        if chance.random() < 0.2 and isinstance(spot, dict):
            del spot[last]
        else:
            spot[last] = chance.choice(ODD)
        changed[number] = json.dumps(document)
        path.write_text("\n".join(changed) + "\n")
        for work in (use, lambda path: Record(CONTEST, path).close()):
            try:
                work(path)
            except RookeryError as error:
                refused += 1
                assert "\n" not in str(error) and len(str(error)) < 600
    assert refused > 500


@pytest.mark.parametrize("line", ["3", "null", "[]", '"x"', "[" * 100_000, "{}", "\0", "\x85{}", "x" * 10**6])
def test_what_is_no_line_of_a_record(tmp_path: Path, lines: list[str], line: str) -> None:
    for place in (0, 2):
        path = tmp_path / "games.jsonl"
        path.write_text("\n".join([*lines[:place], line, *lines[place:]]) + "\n")
        with pytest.raises(RecordMismatch) as error:
            records.read(path)
        assert "\n" not in str(error.value) and len(str(error.value)) < 300 + len(str(path))


@pytest.mark.parametrize("name", ["/dev/full", "/dev/zero", "/"])
def test_what_is_no_file_is_no_record(name: str) -> None:
    with pytest.raises(RecordMismatch, match="is no file"):
        Record(CONTEST, Path(name))
    with pytest.raises(RecordMismatch, match="is no file"):
        records.read(Path(name))


def test_a_pipe_is_no_record(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RecordMismatch, match="is no file"):
        records.read(tmp_path / "pipe")


# --- books -------------------------------------------------------------------------------------------

PGN = """[Event "a"]

1. e4 (1. d4 d5) 1... e5 2. Nf3 {comment} Nc6 $1 *

[FEN "8/8/8/8/8/8/R6k/K7 b - - 0 1"]

1... Kg3 *
"""
SIGNS = '()[]{};$*"\\ \n%1.-+=#eNf4O0\x00\xff'


@pytest.mark.parametrize(
    "text", ["1. Nf6 ) e4", "1. e4 ) e5", ")", "((((", "1. e4 { ", '[FEN "x"]\n\n1. e4 *', "1. -- *"]
)
def test_broken_pgn_is_one_line(tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "book.pgn").write_text(text)
    book = ["--openings", str(tmp_path / "book.pgn"), "--games", "2", "--workers", "0", "--max-plies", "4"]
    result = CliRunner().invoke(app, ["match", "chess", "random", "random", *book])
    assert result.exit_code in (0, 1, 2) and (
        result.exception is None or isinstance(result.exception, SystemExit)
    )
    assert result.stderr.count("\n") == (result.exit_code > 0)
    assert capfd.readouterr().err == "", "the library kept its log to itself"


@pytest.mark.parametrize("kind", ["pgn", "epd"])
def test_mutated_books_are_read_or_refused(tmp_path: Path, kind: str) -> None:
    chance, path = random.Random(kind), tmp_path / f"book.{kind}"
    sound = (
        PGN
        if kind == "pgn"
        else "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n8/8/8/8/8/8/R6k/K7 b - -\n"
    )
    refused = 0
    for _ in range(500):
        text = list(sound)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            text[place : place + chance.choice([0, 1, 1, 5])] = chance.choice(SIGNS)
        path.write_text("".join(text), errors="replace")
        try:
            openings.read(str(path), games.get("chess"), 1)
        except RookeryError as error:
            refused += 1
            assert "\n" not in str(error), text
    assert 50 < refused < 500


@pytest.mark.parametrize(
    "text", ["x" * 300, "random:" + "9" * 5000, "random:9999999", "\ud800", "\0", "/dev/zero"]
)
def test_openings_that_cannot_be(text: str) -> None:
    with pytest.raises(RookeryError) as error:
        openings.read(text, games.get("chess"), 1).draw(0)
    assert len(str(error.value)) < 300


SGF = "(;GM[1]FF[4]CA[UTF-8]SZ[5]KM[0.5]RU[Chinese]AB[aa]AW[bb]PL[B]PB[x];B[cc](;W[];B[tt])(;W[dd]))"


def test_mutated_sgf_is_read_or_refused() -> None:
    chance = random.Random(7)
    for codec in ("hex", "zip", "idna", "utf-16", "punycode", "rot13", "x", "", "undefined", "utf-7", "\0"):
        try_sgf(SGF.replace("UTF-8", codec))
    for _ in range(1500):
        text = list(SGF)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text))
            text[place : place + chance.choice([0, 1, 1, 5])] = chance.choice(
                "()[];\\ \nABWSZKMRU0195.-xtt\x00\u20ac\ud800"
            )
        try_sgf("".join(text))


def try_sgf(text: str) -> None:
    try:
        read_sgf(text)
    except RookeryError as error:
        assert "\n" not in str(error) and len(str(error)) < 300
