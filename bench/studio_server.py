"""A studio of its own for what measures it."""

from __future__ import annotations

import re
import subprocess
import sys

TOKEN = "what-the-owner-brings"


def start(folder: str, *options: str) -> tuple[subprocess.Popen[str], int]:
    """A server on a free port that works in that folder: its process and the port."""
    command = [sys.executable, "-c", "from rookery.cli import main; main()", "serve", "--port", "0"]
    options = ("--token", TOKEN, "--runs", f"{folder}/runs", *options)
    process = subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, cwd=folder)
    assert process.stdout is not None
    port = re.search(r":(\d+)/", process.stdout.readline())
    assert port is not None
    return process, int(port[1])
