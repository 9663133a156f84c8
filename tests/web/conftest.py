from collections.abc import Iterator
from pathlib import Path

import pytest
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
