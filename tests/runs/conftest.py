import pytest
from counting import Counting

from rookery.runs import recipe


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recipe may name the learner `counting`, and no other."""
    monkeypatch.setattr(recipe, "learners", lambda: {"counting": Counting})
