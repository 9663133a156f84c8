"""The record: what was played is never lost, counted twice, or taken for a game of another contest."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from rookery.api import Limit
from rookery.arena import record as records
from rookery.arena.contest import Contest
from rookery.arena.match import match
from rookery.arena.record import Played, Record
from rookery.arena.tournament import tournament
from rookery.errors import RecordMismatch

CONTEST = Contest("chess", ("rollouts:games=1", "random"), games=6, seed=1, max_plies=12)


def test_a_line_is_read_back(tmp_path):
    path = tmp_path / "games.jsonl"
    with Record(CONTEST, path) as record:
        match(CONTEST, record)
        written = list(record.played.values())
    header, games = records.read(path)
    assert games == written and [game.record.seconds for game in games] == [
        game.record.seconds for game in written
    ]
    assert header["game"] == "chess" and header["entrants"] == ["rollouts:games=1", "random"]
    fields = json.loads(path.read_text().splitlines()[1])
    assert set(fields) >= {"game", "version", "seed", "players", "start", "opening", "moves", "outcome"}
    assert fields["outcome"]["reason"] == "length" and fields["plies"] == 12 and len(fields["seconds"]) == 2


def test_a_finished_match_is_not_played_again(tmp_path):
    path = tmp_path / "games.jsonl"
    with Record(CONTEST, path) as record:
        first = match(CONTEST, record)
    content = path.read_bytes()
    with Record(CONTEST, path) as record:
        again = match(CONTEST, record, on_end=lambda game: pytest.fail("nothing was left to play"))
    assert path.read_bytes() == content
    assert again.json() | {"seconds": 0} == first.json() | {"seconds": 0}


def test_a_record_in_an_older_spelling_goes_on(tmp_path):
    path = tmp_path / "games.jsonl"
    new = "puct:fpu=0.2,nodes=2+pieces"
    contest = replace(CONTEST, entrants=(new, "random"), games=4)
    with Record(replace(contest, games=2), path) as record:
        match(replace(contest, games=2), record)
    path.write_text(path.read_text().replace(new, "puct:reduction=0.2,nodes=2+pieces"))
    with Record(contest, path) as record:
        assert match(contest, record).tally.games == 4
    header, games = records.read(path)
    assert header["entrants"] == [new, "random"]
    assert games == _undisturbed(contest)


def test_a_match_may_grow(tmp_path):
    path = tmp_path / "games.jsonl"
    with Record(replace(CONTEST, games=3), path) as record:
        match(replace(CONTEST, games=3), record)
    ended = []
    with Record(CONTEST, path) as record:
        grown = match(CONTEST, record, on_end=ended.append)
    assert len(ended) == 3 and grown.tally.games == 6
    assert records.read(path)[1] == _undisturbed(CONTEST)


def test_a_line_torn_at_any_byte_is_dropped_and_played_again(tmp_path):
    """Whatever was on the disk when the power failed: whole lines count and the rest does not."""
    path = tmp_path / "games.jsonl"
    contest = replace(CONTEST, games=2)
    with Record(contest, path) as record:
        match(contest, record)
    content = path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == ord("\n")]
    for cut in sorted({0, 1, *ends, *(end - 1 for end in ends), *range(ends[0], len(content), 37)}):
        path.write_bytes(content[:cut])
        with Record(contest, path) as record:
            assert len(record.played) == max(0, sum(end <= cut for end in ends) - 1)
            match(contest, record)
        assert records.read(path)[1] == _undisturbed(contest)


@pytest.mark.parametrize(
    "other, named",
    [
        (replace(CONTEST, seed=2), "seed is 1 there and 2 here"),
        (replace(CONTEST, entrants=("random", "random")), "entrants is rollouts:games=1 and random there"),
        (replace(CONTEST, openings="random:2"), "openings"),
        (replace(CONTEST, limit=Limit(nodes=5)), "limit"),
        (replace(CONTEST, max_plies=13), "max_plies"),
        (replace(CONTEST, sprt=(0, 5)), "sprt"),
        (Contest("kriegspiel", ("random", "random"), games=6, seed=1, max_plies=12), "game is"),
    ],
)
def test_another_contests_record_is_refused_and_left_alone(tmp_path, other, named):
    path = tmp_path / "games.jsonl"
    with Record(CONTEST, path) as record:
        match(replace(CONTEST, games=1), record)
    content = path.read_bytes()
    with pytest.raises(RecordMismatch, match=named):
        Record(other, path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("content", ["hello\n", "[]\n", "{}\n", '{"rookery": 99}\n', "\n\n"])
def test_what_is_no_record_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises(RecordMismatch):
        Record(CONTEST, path)
    assert path.read_text() == content


def test_a_spoilt_line_is_named(tmp_path):
    path = tmp_path / "games.jsonl"
    with Record(CONTEST, path) as record:
        match(CONTEST, record)
    lines = path.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace('"moves"', '"movse"')
    path.write_text("".join(lines))
    with pytest.raises(RecordMismatch, match="line 4"):
        Record(CONTEST, path)


def test_a_game_that_would_begin_otherwise_now_is_refused(tmp_path):
    path = tmp_path / "games.jsonl"
    with Record(CONTEST, path) as record:
        game = next(iter(_undisturbed(CONTEST)))
        record.append(Played(0, (0, 1), replace(game.record, seed=game.record.seed + 1)))
    with Record(CONTEST, path) as record, pytest.raises(RecordMismatch, match="pair 1"):
        match(CONTEST, record)


def test_two_cannot_write_one_record(tmp_path):
    path = tmp_path / "games.jsonl"
    with Record(CONTEST, path), pytest.raises(RecordMismatch, match="another match"):
        Record(CONTEST, path)
    Record(CONTEST, path).close()


def test_a_tournament_goes_on_too(tmp_path):
    path = tmp_path / "games.jsonl"
    contest = Contest("chess", ("random", "random", "rollouts:games=1"), games=2, max_plies=8)
    with Record(contest, path) as record:
        whole = tournament(contest, record).json()
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[4], lines[2]]))
    with Record(contest, path) as record:
        assert tournament(contest, record, workers=1).json() | {"seconds": 0} == whole | {"seconds": 0}
    assert records.read(path)[1] == _undisturbed(contest), "in order, whatever the order in which they ended"


def test_a_sequential_test_keeps_what_counted_and_nothing_more(tmp_path):
    """Workers run ahead of the decision; the record is the same whether they did or not."""
    contest = Contest("chess", ("alphabeta:depth=2+pieces", "random"), games=60, seed=1, sprt=(0, 150))
    kept = []
    for workers in (0, 2):
        path = tmp_path / f"{workers}.jsonl"
        with Record(contest, path) as record:
            result = match(contest, record, workers)
        kept.append(records.read(path)[1])
        assert result.decision == "H1" and result.tally.games == len(kept[-1]) < 60
    assert kept[0] == kept[1]


COMMAND = [
    *["match", "chess", "alphabeta:depth=2+classical", "alphabeta:depth=2+pieces"],
    *["--games", "60", "--seed", "9", "--max-plies", "80"],
]
"""So many games that a quick machine is still at them when it is killed."""


@pytest.mark.parametrize("workers, kills", [(2, 2), pytest.param(0, 6, marks=pytest.mark.slow)])
def test_killed_at_any_instant_it_ends_with_the_games_of_an_undisturbed_match(tmp_path, workers, kills):
    path = tmp_path / "games.jsonl"
    run = [sys.executable, "-c", "from rookery.cli import main; main()", *COMMAND]
    run += ["--workers", str(workers), "--record", str(path)]
    chance = random.Random(workers)
    for kill in range(kills):
        process = subprocess.Popen(run, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        before = _lines(path)
        while process.poll() is None and _lines(path) < before + 2 + kill % 3:
            time.sleep(0.002)
        time.sleep(chance.random() * 0.02)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert 1 < _lines(path) < 61, "it was killed in the midst of it"
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    contest = Contest(
        "chess",
        ("alphabeta:depth=2+classical", "alphabeta:depth=2+pieces"),
        games=60,
        seed=9,
        max_plies=80,
    )
    assert records.read(path)[1] == _undisturbed(contest)


def _lines(path):
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _undisturbed(contest):
    from rookery.arena.hold import hold

    return list(hold(contest))
