"""The typed face of the native module, which readers and type checkers see, says what the module has."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import stubs


def test_stub_is_fresh():
    assert stubs.TARGET.read_text() == stubs.stub(), "run `make stubs`"
