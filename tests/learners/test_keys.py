"""What people are told of learners: every key and every metric."""

import json
from dataclasses import asdict

import pytest

from rookery.learners import learners
from rookery.learners.keys import keys
from rookery.runs import recipe


@pytest.mark.parametrize("learner", learners())
def test_every_key_has_a_meaning_and_a_default_in_its_range(learner):
    for key in keys(learner):
        assert key.meaning, key.name
        json.dumps(asdict(key))
        if key.low is not None and key.kind in ("whole", "number") and key.default is not None:
            assert key.low <= key.default <= key.high, key.name


def test_every_metric_of_a_step_is_told():
    changes = ["games=40", "evaluate_every=20", "evaluation_games=4"]
    found = recipe.find("go5-koten", changes)
    assert set(found.make().step()) == set(learners()["td"].measures(found.options))
    changes = ["games=1", "step=1", "depth=1", "max_plies=8", "parallel_games=1", "threads=1"]
    found = recipe.find("duchess4-stage1", changes)
    assert set(found.make().step()) == set(learners()["treestrap"].measures(found.options))
