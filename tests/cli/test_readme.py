"""The commands of README.md are commands, with options that there are."""

import shlex
from pathlib import Path

import pytest
import typer

from rookery.cli import app

README = (Path(__file__).parents[2] / "README.md").read_text()


def commands() -> list[list[str]]:
    lines = [line.partition(" #")[0].split(None, 1) for line in README.splitlines()]
    return [shlex.split(line[1]) for line in lines if len(line) == 2 and line[0] == "rookery"]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_can_be_read(words: list[str]) -> None:
    group = typer.main.get_command(app)
    name, found, rest = group.resolve_command(
        group.make_context("rookery", [], resilient_parsing=True), words
    )
    # Reads the arguments and runs nothing; an option or a number of arguments that is wrong is an error.
    assert found.make_context(name, rest)


def test_commands_are_typed_where_they_are_found() -> None:
    assert len(commands()) > 15
    assert README.index("source .venv/bin/activate") < README.index("    rookery ")
