"""Modules add to a registry by being there."""

import sys
from pathlib import Path

import pytest

from rookery import registry

SOURCE = Path(registry.__file__).parent


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    folder = tmp_path / "some_package"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "beta.py").write_text("TABLE = {'b': 2}\nLIST = ['b']\n")
    (folder / "alpha.py").write_text("TABLE = {'a': 1}\nLIST = ['a', 'c']\n")
    (folder / "gamma.py").write_text("from some_package.alpha import TABLE as OTHER\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "some_package"
    for name in [name for name in sys.modules if name.startswith("some_package")]:
        del sys.modules[name]


def test_all_modules_are_found_in_the_order_of_their_names(package: str) -> None:
    assert registry.found(package, "TABLE") == {"a": 1, "b": 2}
    assert registry.listed(package, "LIST") == ["a", "c", "b"]
    assert registry.found(package, "NOTHING") == {}


def test_no_name_is_added_twice(package: str, tmp_path: Path) -> None:
    (tmp_path / "some_package" / "delta.py").write_text("TABLE = {'a': 3}\n")
    with pytest.raises(ValueError, match=r"some_package\.delta\.TABLE adds a, which another module adds"):
        registry.found(package, "TABLE")


@pytest.mark.parametrize("word", ["iter_modules", "get_close_matches"])
def test_nobody_else_does_it(word: str) -> None:
    users = {path.name for path in SOURCE.rglob("*.py") if word in path.read_text()}
    assert users == {"registry.py"}
