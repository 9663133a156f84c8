"""The whole of the OpenAPI under schemathesis: whatever is asked, the server never fails."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import TOKEN, serving


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("schema")) as found:
        yield found


@pytest.mark.slow
def test_no_request_makes_the_server_fail(address: str, tmp_path: Path) -> None:
    import subprocess
    import sys

    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{address}openapi.json"]
    options = [
        "-H",
        f"Authorization: Bearer {TOKEN}",
        "--checks",
        "not_a_server_error",
        "--max-examples",
        "60",
        "--seed",
        "1",
        "--no-color",
    ]
    found = subprocess.run([*command, *options], capture_output=True, text=True, cwd=tmp_path)
    assert found.returncode == 0, found.stdout[-4000:]
