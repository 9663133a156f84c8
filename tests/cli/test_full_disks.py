"""Disks that are full and places where nobody may write: one line, exit code 1, and nothing lost.

A limit on the size of files makes the system refuse to write as a full disk does, for anybody.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.arena import record
from rookery.cli import app

ROOKERY = [sys.executable, "-c", "from rookery.cli import main; main()"]
TD = ["--set", "games=800", "--set", "evaluate_every=100", "--set", "evaluation_games=2", "--save-every", "0"]
TREE = ["--set", "depth=1", "--set", "games=8", "--set", "step=1", "--save-every", "0"]
MATCH = ["match", "chess", "random", "random", "--games", "8", "--max-plies", "20", "--record", "m.jsonl"]
EVERYBODY = ["tournament", "chess", "random", "random", "random", "--games", "4", "--max-plies", "20"]


def rookery(folder: Path, words: list[str], most: int | None = None) -> subprocess.CompletedProcess[str]:
    """With files of at most so many bytes."""

    def bound() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [*ROOKERY, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=bound,
        check=False,
    )


def failed_in_one_line(told: subprocess.CompletedProcess[str], *words: str) -> None:
    lines = [line for line in told.stderr.splitlines() if line.startswith("rookery: ")]
    others = [
        line
        for line in told.stderr.splitlines()
        if line not in lines and not line.startswith(("step ", "learning:"))
    ]
    assert told.returncode == 1 and not others, told.stderr
    assert lines and all("\n" not in line for line in lines)
    for word in words:
        assert word in lines[-1], lines


def weights(folder: Path) -> bytes:
    return sorted((folder / "checkpoints").glob("[0-9]*"))[-1].joinpath("weights.safetensors").read_bytes()


@pytest.mark.parametrize(
    ("recipe", "changes", "most"), [("go5-koten", TD, 3300), ("chess-treestrap", TREE, 3700)]
)
def test_training_ends_in_one_line_and_goes_on(
    tmp_path: Path, recipe: str, changes: list[str], most: int
) -> None:
    whole = ["train", recipe, "--run", "whole", *changes]
    assert rookery(tmp_path, whole).returncode == 0
    failed_in_one_line(rookery(tmp_path, [*whole[:3], "a", *changes], most), "cannot be saved")
    failed_in_one_line(rookery(tmp_path, ["resume", "a"], 10))
    told = rookery(tmp_path, ["resume", "a"])
    assert told.returncode == 0, told.stderr
    assert weights(tmp_path / "a") == weights(tmp_path / "whole")


@pytest.mark.parametrize(("words", "games"), [(MATCH, 8), ([*EVERYBODY, "--record", "m.jsonl"], 12)])
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_contest_keeps_what_was_played(tmp_path: Path, words: list[str], games: int, workers: str) -> None:
    words = [*words, "--workers", workers]
    failed_in_one_line(rookery(tmp_path, words, 1500), "m.jsonl: File too large")
    before = record.read(tmp_path / "m.jsonl")[1]
    assert 0 < len(before) < games
    assert rookery(tmp_path, words).returncode == 0
    played = record.read(tmp_path / "m.jsonl")[1]
    assert len(played) == games and all(game in played for game in before)


def test_a_paper_and_copies_of_a_run(tmp_path: Path) -> None:
    failed_in_one_line(rookery(tmp_path, ["paper", "go-td", "--quick", "--out", "p", "--workers", "1"], 100))
    failed_in_one_line(
        rookery(tmp_path, ["train", "go5-koten", "--copies", "2", "--run", "c", *TD], 2000), "failed"
    )


@pytest.mark.parametrize(
    "words",
    [
        ["train", "go5-koten", "--run", "/dev/null/run"],
        ["train", "go5-koten", "--run", "/proc/run"],
        ["resume", "/dev/null"],
        ["resume", "nowhere"],
        [*MATCH[:-1], "/dev/null/m.jsonl"],
        [*MATCH[:-1], "/dev/full"],
        [*MATCH[:-1], "."],
        ["record", "show", "nowhere"],
        ["record", "show", "/"],
        ["paper", "go-td", "--quick", "--out", "/dev/null/p"],
        ["judge", "nowhere"],
    ],
    ids=" ".join,
)
def test_places_where_nothing_can_be(tmp_path: Path, words: list[str], monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(app, words)
    assert told.exit_code == 1 and isinstance(told.exception, SystemExit)
    assert told.stderr.startswith("rookery: ") and told.stderr.count("\n") == 1


def test_an_export_to_a_full_device(tmp_path: Path) -> None:
    assert rookery(tmp_path, [*MATCH, "--workers", "0"]).returncode == 0
    export = ["record", "export", "m.jsonl", "--to", "pgn", "-o"]
    failed_in_one_line(
        rookery(tmp_path, [*export, "/dev/full"]), "/dev/full: No space left on device; make room"
    )
    failed_in_one_line(rookery(tmp_path, [*export, "/dev/null/x"]))
