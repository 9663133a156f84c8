from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import Open, Window, browsing
from starlette.testclient import TestClient
from studio_table import settings

from rookery.interfaces.web.app import create


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("studio")


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    """The studio of a module's tests; they share nothing but its processes, for each lays its own tables."""
    with TestClient(create(settings(folder)), base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def opener(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Open]:
    """Opens windows on a studio of the module's tests."""
    with browsing(tmp_path_factory.mktemp("browser")) as opening:
        yield opening


@pytest.fixture
def window(opener: Open) -> Iterator[Open]:
    """Opens windows, and sees afterwards that nothing was complained of in any."""
    opened: list[Window] = []

    def open_one(size: str = "desktop", theme: str = "light") -> Window:
        opened.append(opener(size, theme))
        return opened[-1]

    yield open_one
    faults = [fault for one in opened for fault in one.faults]
    for one in opened:
        one.context.close()
    assert not faults
