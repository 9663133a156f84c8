"""How long a newcomer waits: from a fresh clone of this repository to the first move of an opponent.

    python bench/first_game.py

Clones the last commit into a folder aside, builds what `make play` builds, and has the usual opponent of
chess answer a move. Wants an idle machine; the packages come from wherever pip gets them here. What
arithmetic allows is the processor seconds over the number of cores.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
MOVE = """
from rookery import games, players, roster
from rookery.api import Limit
game = games.get("chess")
state = game.start()
state = state.play(state.parse("e4"))
player = players.make(roster.default(game), game)
player.start(game.spec, 1, 1)
print(state.text(player.choose(state.view(1), Limit(time=0.1))))
"""


def step(name: str, *command: str, folder: Path) -> float:
    """Runs a command, and says how long it took."""
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stdout}{done.stderr}")
    print(f"{name:24} {seconds:6.1f} s")
    return seconds


def main() -> None:
    with tempfile.TemporaryDirectory() as aside:
        folder = Path(aside) / "rookery"
        total = step("clone", "git", "clone", "--quiet", str(ROOT), str(folder), folder=Path(aside))
        total += step("build (make play)", "make", ".venv/installed-web", folder=folder)
        total += step("first answer", ".venv/bin/python", "-c", MOVE, folder=folder)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = used.ru_utime + used.ru_stime
    cores = len(os.sched_getaffinity(0))
    limit = f"{processor:.0f} processor seconds, {processor / cores:.0f} s on {cores} cores"
    print(f"{'in all':24} {total:6.1f} s; {limit}")


if __name__ == "__main__":
    main()
