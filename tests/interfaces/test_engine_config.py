"""What `rookery engine-config` prints must work when it is pasted."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from spoken import ROOKERY

from rookery.errors import RookeryError
from rookery.interfaces.commands import Program
from rookery.interfaces.engine_config import _PROGRAMS, describe

PLAYER = "alphabeta:depth=2+classical"


def greets(*command: str) -> bool:
    """Whether a command starts an engine."""
    lines = "name\nquit\n" if "gtp" in command else "uci\nquit\n"
    done = subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, check=True)
    return "Rookery" in done.stdout


def test_the_command_knows_every_program() -> None:
    assert {program.value for program in Program} == set(_PROGRAMS)


def test_cutechess() -> None:
    text = describe("cutechess", PLAYER)
    entry = json.loads(text[text.index("{") : text.index("}") + 1])
    assert entry["protocol"] == "uci" and greets(*shlex.split(entry["command"]))
    flags = dict(word.split("=", 1) for word in shlex.split(text.splitlines()[-1]) if "=" in word)
    assert flags["cmd"] == str(ROOKERY) and text.splitlines()[-1].count("arg=") == 2


@pytest.mark.parametrize("program", ["en-croissant", "nibbler", "lichess-bot"])
def test_the_script_is_an_engine(program: str, tmp_path: Path) -> None:
    text = describe(program, PLAYER)
    (tmp_path / "engines").mkdir()
    pasted = text[text.index("cat >") : text.index("\n", text.index("chmod"))]
    subprocess.run(["sh", "-c", pasted], cwd=tmp_path, check=True)
    file = re.search(r"cat > (\S+)", text)
    assert file and greets(str(tmp_path / file[1]))
    if program == "lichess-bot":
        assert file[1] == "engines/" + re.search(r'name: "(.*)"', text)[1]  # type: ignore[index]


def test_lichess_bot_sets_only_what_is_declared() -> None:
    hello = subprocess.run(
        [ROOKERY, "uci", PLAYER], input="uci\n", capture_output=True, text=True, check=True
    )
    section = describe("lichess-bot", PLAYER).partition("uci_options:\n")[2]
    for line in section.splitlines():
        name, _, value = line.strip().partition(": ")
        declared = re.search(rf"option name {name} type spin .*min (\d+) max (\d+)", hello.stdout)
        assert declared and int(declared[1]) <= int(value) <= int(declared[2])


def test_sabaki() -> None:
    text = describe("sabaki", "rollouts")
    path, arguments = (re.search(rf"{what} +(.*)", text)[1] for what in ("Path", "Arguments"))  # type: ignore[index]
    assert greets(path, *arguments.split())


@pytest.mark.parametrize(
    ("program", "player"),
    [("sabaki", "alphabeta+classical"), ("cutechess", "nobody"), ("winboard", "random")],
)
def test_what_cannot_work_is_refused(program: str, player: str) -> None:
    with pytest.raises(RookeryError):
        describe(program, player)
