"""A studio in a process of its own, which can be killed."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import IO, Any

TOKEN = "what-the-owner-brings"
HEADERS = {"authorization": f"Bearer {TOKEN}"}


def serve(folder: Path, noise: IO[bytes] | None = None) -> tuple[subprocess.Popen[str], str]:
    """The process, and the address at which it answers; noise: where it says what goes wrong."""
    command = [sys.executable, "-c", "from rookery.cli import main; main()", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--token", TOKEN, "--data", str(folder / "data"), "--runs", str(folder / "runs")],
        stdout=subprocess.PIPE,
        stderr=noise,
        text=True,
        env=os.environ,
    )
    assert process.stdout is not None
    found = re.search(r"http://localhost:(\d+)/", process.stdout.readline())
    assert found
    address = f"127.0.0.1:{found[1]}"
    for _ in range(200):
        try:
            urllib.request.urlopen(f"http://{address}/favicon.svg").close()
            return process, address
        except OSError:
            time.sleep(0.05)
    raise AssertionError("the server does not answer")


def post(address: str, path: str, body: Any) -> Any:
    request = urllib.request.Request(
        f"http://{address}{path}", json.dumps(body).encode(), {"content-type": "application/json", **HEADERS}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)
