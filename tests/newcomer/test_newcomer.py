"""A new game is its own files: with them it plays at the terminal, in the arena, the studio and PettingZoo.

The package is laid out again in a folder of links, with the files of one more game among them; every program
here, and every process that it starts, finds that package.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import rookery
from rookery import native

HERE, PACKAGE = Path(__file__).parent, Path(rookery.__file__).parent
FILES = {
    "games/sticks.py": HERE.parent / "sticks.py",
    "games/rules/sticks.md": HERE / "sticks.md",
    "encoders/sticks_planes.py": HERE / "sticks_planes.py",
}
# An editable install finds modules where they were installed from, before any path is asked.
ON_START = """
import sys
sys.meta_path = [each for each in sys.meta_path if "editable" not in type(each).__module__]
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package and the new game in it."""
    folder = tmp_path_factory.mktemp("newcomer")
    (folder / "sitecustomize.py").write_text(ON_START)
    link(PACKAGE, folder / "rookery", {"games", "games/rules", "encoders", "native"})
    for module in Path(str(native._module.__file__)).parent.glob("*.so"):
        if not (folder / "rookery/native" / module.name).exists():
            (folder / "rookery/native" / module.name).symlink_to(module)
    for place, file in FILES.items():
        (folder / "rookery" / place).symlink_to(file)
    return folder


def link(source: Path, to: Path, real: set[str], under: str = "") -> None:
    """Links to all that a folder holds; folders named in `real` are made anew."""
    to.mkdir()
    for each in source.iterdir():
        name = f"{under}{each.name}"
        if name in real:
            link(each, to / each.name, real, f"{name}/")
        elif each.name != "__pycache__":
            (to / each.name).symlink_to(each)


def run(path: Path, *words: str, typed: str = "", code: int = 0) -> str:
    """What it wrote; of one that ends with another code than 0, what it complained of."""
    done = subprocess.run(
        [sys.executable, *words],
        input=typed,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(HERE.parent / "web")])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


def command(path: Path, *words: str, typed: str = "", code: int = 0) -> str:
    return run(path, "-c", "from rookery.cli import main; main()", *words, typed=typed, code=code)


def test_it_is_listed_with_its_players_and_rules(path: Path) -> None:
    assert "sticks" in {game["name"] for game in json.loads(command(path, "games", "--json"))["games"]}
    assert "random" in command(path, "players", "sticks")
    assert "Whoever takes the last one wins" in command(path, "rules", "sticks")


def test_its_moves_are_listed(path: Path) -> None:
    assert json.loads(command(path, "moves", "sticks", "--json"))["moves"] == ["take1", "take2"]


def test_perft_says_that_it_counts_native_rules_alone(path: Path) -> None:
    told = command(path, "perft", "sticks", "--depth", "2", code=1)
    assert told == "rookery: the rules of sticks are written in Python; perft counts only in native code\n"


def test_it_plays_at_the_terminal(path: Path) -> None:
    shown = command(path, "play", "sticks", "--with", "random", typed="take1\n" * 13)
    assert "South cannot move, and passes." in shown and "the last stick is taken" in shown


def test_it_plays_in_the_arena_in_processes(path: Path, tmp_path: Path) -> None:
    record = tmp_path / "sticks.jsonl"
    words = ["match", "sticks", "random", "random", "--games", "4", "--workers", "2", "--json"]
    told = json.loads(command(path, *words, "--record", str(record)))
    assert told["games"] == 4 and len(record.read_text().splitlines()) == 5


def test_it_plays_in_the_studio_against_a_process(path: Path, tmp_path: Path) -> None:
    assert "the last stick is taken" in run(path, str(HERE / "studio_game.py"), str(tmp_path))


def test_it_plays_in_pettingzoo(path: Path) -> None:
    code = (
        "from pettingzoo.test import api_test\n"
        "from rookery.interfaces.pettingzoo import make\n"
        "api_test(make('sticks', render_mode='ansi'), num_cycles=100)"
    )
    assert "Passed API test" in run(path, "-W", "ignore", "-c", code)


def test_benchmarks_pass_over_a_game_that_is_not_native(path: Path) -> None:
    code = "from rookery import bench, games; print(games.names(), *bench.names())"
    told = run(path, "-c", code)
    assert "'sticks'" in told and "moves/chess" in told and "moves/sticks" not in told
