"""The examples in docstrings say what is true."""

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import rookery

SOURCE = Path(rookery.__file__).parent
MODULES = sorted(
    path.relative_to(SOURCE.parent).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
    if ">>> " in path.read_text()
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    found = doctest.testmod(
        import_module(name), optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    )
    assert found.attempted and not found.failed
