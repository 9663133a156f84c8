"""A record of a few short games of Kriegspiel, as `rookery match --record` writes them."""

from __future__ import annotations

import atexit
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from typer.testing import CliRunner

from rookery.cli import app


@cache
def file(games: int = 12) -> str:
    """Where it lies; made once in a process."""
    place = Path(mkdtemp(prefix="rookery-kriegspiel-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    path = place / "games.jsonl"
    asked = ["match", "kriegspiel", "random", "sergeant", "--games", str(games), "--max-plies", "40"]
    done = CliRunner().invoke(app, [*asked, "--workers", "0", "--record", str(path)])
    assert done.exit_code == 0, done.output
    return str(path)
