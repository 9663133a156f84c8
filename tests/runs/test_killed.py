"""A real run, killed again and again by a signal that nothing can catch."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

ROOKERY = [sys.executable, "-c", "from rookery.cli import main; main()"]
SMALL = ["--set", "games=100000", "--set", "evaluate_every=1000", "--set", "evaluation_games=10"]
KILLS = 10


def start(*words: str | Path) -> subprocess.Popen[bytes]:
    command = [*ROOKERY, *map(str, words), "--save-every", "0"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def lines(folder: Path) -> int:
    path = folder / "metrics.jsonl"
    return path.read_text().count("\n") if path.exists() else 0


def content(folder: Path) -> dict[str, bytes]:
    """All that the run came to, but for the time it took."""
    last = sorted((folder / "checkpoints").iterdir())[-1]
    files = {str(path.relative_to(last)): path.read_bytes() for path in last.rglob("*") if path.is_file()}
    del files["run.json"]
    return files


def told(folder: Path) -> list[dict[str, float]]:
    rows = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    return [{k: v for k, v in row.items() if "second" not in k} for row in rows]


def test_killed_ten_times_it_ends_with_the_weights_of_an_undisturbed_run(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert start("train", "go5-koten", "--run", whole, *SMALL).wait(120) == 0
    rng = random.Random(1)
    kills = 0
    while kills < KILLS:
        begun = (broken / "config.toml").exists()
        words = ["resume", broken] if begun else ["train", "go5-koten", "--run", broken, *SMALL]
        process, before = start(*words), lines(broken)
        # Once it works, at any moment of the next few steps.
        while lines(broken) <= before and process.poll() is None:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.06))
        process.kill()
        if process.wait() == 0:
            break  # the last step was done before the signal came
        kills += 1
    assert kills == KILLS, "it was too quick to be killed"
    assert start("resume", broken).wait(120) == 0
    assert content(broken) == content(whole)
    assert told(broken) == told(whole)
