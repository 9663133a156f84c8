"""Pairs of positions that differ in one thing."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import chess
import pytest
from typer.testing import CliRunner

from rookery import games
from rookery.cli import app
from rookery.errors import RookeryError
from rookery.examine import judges, understanding

OURS = understanding.read()


def test_there_are_enough_of_each_kind_and_no_two_alike() -> None:
    kinds = Counter(pair.kind for pair in OURS)
    assert len(OURS) >= 60 and kinds["material"] >= 25 and kinds["positional"] >= 30
    assert len({(str(pair.better), str(pair.worse)) for pair in OURS}) == len(OURS)


@pytest.mark.parametrize("pair", OURS, ids=lambda pair: pair.theme)
def test_positions_are_legal_and_the_game_goes_on(pair: understanding.Pair) -> None:
    for state in (pair.better, pair.worse):
        board = chess.Board(str(state))
        assert board.is_valid() and not board.is_check() and state.outcome() is None


def test_pairs_differ_in_material_only_where_they_say_so() -> None:
    for pair in OURS:
        same = Counter(str(pair.better).split()[0]) == Counter(str(pair.worse).split()[0])
        lead = understanding._balance(pair.better) - understanding._balance(pair.worse)
        assert lead > 0 if pair.kind == "material" else lead == 0, pair.theme
        assert not (same and pair.kind == "material")


def test_neither_colour_is_always_the_one_that_has_less() -> None:
    """Knowledge that always holds White, or the side to move, for better shall not pass."""
    assert 10 < sum(pair.better.seat for pair in OURS) < len(OURS) - 10


def test_men_are_counted_as_elsewhere() -> None:
    with judges.find("material", games.get("chess")) as (judge, _):
        told = understanding.judge(OURS, judge)
    assert all(one.right == 1 for one in told if one.pair.kind == "material")
    assert all(one.right == 0.5 for one in told if one.pair.kind == "positional")


def test_the_command_judges_them_by_kind() -> None:
    done = CliRunner().invoke(app, ["examine", "classical", "--pairs-file", "understanding", "--json"])
    told = json.loads(done.stdout)
    assert told["kinds"]["material"]["accuracy"] > 0.9 and told["kinds"]["positional"]["accuracy"] > 0.5
    assert len(told["pairs"]) == len(OURS)
    assert (
        "judged right"
        in CliRunner().invoke(app, ["examine", "pieces", "--pairs-file", "understanding"]).stdout
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no pairs"),
        ("material | a | b\n", "line 1: it must be"),
        ("# a remark\nluck | x | a | b\n", "line 2: it must be"),
        (f"material | x | {chess.STARTING_FEN} | nothing\n", "line 1"),
        (f"material | x | {chess.STARTING_FEN} | {chess.STARTING_FEN}\n", "both positions are the same"),
    ],
)
def test_a_file_that_is_none_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "pairs.txt").write_text(text)
    with pytest.raises(RookeryError, match=said) as error:
        understanding.read(tmp_path / "pairs.txt")
    assert "\n" not in str(error.value)
