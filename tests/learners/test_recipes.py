"""The recipes of real learners, with any value in any place: refused in one line, or kept and read back."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path

import pytest

from rookery.errors import RookeryError
from rookery.learners import learners
from rookery.runs import Recipe, recipe

VALUES = [
    *("1", "0", "-1", "3", "5", "0.5", "-0.0", "1e-9", "1e308", "inf", "-inf", "nan", "true", "false"),
    *("9223372036854775807", "9223372036854775808", "-9223372036854775809", f"1{'0' * 400}"),
    *(
        '""',
        '"a"',
        '"\\U0001F600"',
        '"\\u007f"',
        '"chess"',
        '"duchess4"',
        '"initial"',
        '"/"',
        f'"{"x" * 300}"',
    ),
    *("[]", "[1]", "[5]", "[5, 7]", '["material"]', '["random"]', '["gojen:noise=40"]', "[[]]", "[0.5]"),
    *('["gojen:noise"]', '["gojen:noise=99999999999999999999"]', '["random:a=b=c"]', '["x\\u0000"]', '[""]'),
    *("{}", "{a = 1}", "1979-05-27", "07:32:00", "1979-05-27T07:32:00Z"),
]


@pytest.mark.parametrize("name", recipe.names())
def test_what_comes_along_reads_back_equal(name: str) -> None:
    found = recipe.find(name)
    assert Recipe.read(found.toml(), "again") == found


@pytest.mark.parametrize("learner", learners())
def test_any_value_in_any_place(learner: str) -> None:
    keys = ["seed", *learners()[learner].Options.__dataclass_fields__]
    chance = random.Random(learner)
    accepted = 0
    for trial in range(700):
        changed = [chance.choice(keys) for _ in range(chance.choice([1, 1, 2]))]
        text = f'learner = "{learner}"\n' + "".join(
            f"{key} = {chance.choice(VALUES)}\n" for key in set(changed)
        )
        assert tomllib.loads(text), trial
        try:
            read = Recipe.read(text, "it")
        except RookeryError as error:
            assert "\n" not in str(error) and len(str(error)) < 500, text
        else:
            accepted += 1
            assert Recipe.read(read.toml(), "again") == read, text
    assert 20 < accepted < 600


def test_a_start_that_is_no_file_is_one_line(tmp_path: Path) -> None:
    for start in ("x" * 300, str(tmp_path), "/dev/null", "\U0001f600"):
        with pytest.raises(RookeryError) as error:
            Recipe.read(f'learner = "treestrap"\nstart = "{start}"', "it").make()
        assert "\n" not in str(error.value)
