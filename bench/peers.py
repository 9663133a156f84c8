"""Rookery's speed against its peers: `python bench/peers.py [--json FILE] [--markdown] [NAME...]`.

Missing peers are installed first: Python packages into .venv-peers (ROOKERY_PEERS_PYTHON names a Python that
has them already), chess programs from Debian. What cannot be had is left out and said. A missed target is
information, not a failure: the exit code is 0 either way, and 2 for wrong usage. See bench/README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from pathlib import Path
from typing import Any

from rich.console import Console

import archive
import install
import table
from contestant import Contestant, Unmeasured
from judge import Result, disagreement
from rows import ON_FILES, Row, choose

progress = Console(stderr=True, highlight=False)

# The contestant that measures each peer.
PROGRAMS = {
    "open_spiel": "spiel",
    "bulletchess": "bullet",
    "chess": "python_chess",
    "rust_pgn_reader": "rust_pgn",
}
# What makes each of Debian's chess programs speak UCI.
ENGINES: dict[str, tuple[str, ...]] = {"stockfish": (), "gnuchess": ("--uci",), "toga2": ()}


OURSELVES = ("1 thread", "from nothing")
"""Rookery with a handicap."""


class Field:
    """Rookery and its peers, each started when it is first wanted."""

    def __init__(self) -> None:
        self.ours = Contestant(sys.executable, "ours")
        self._peers: dict[str, Contestant] = {}
        self._missing: dict[str, str] = {}
        self._python = ""

    def peer(self, name: str) -> Contestant:
        if name in self._missing:
            raise Unmeasured(self._missing[name])
        if name not in self._peers:
            try:
                self._peers[name] = self._start(name)
            except Unmeasured as problem:
                self._missing[name] = str(problem)
                raise
        return self._peers[name]

    def _start(self, name: str) -> Contestant:
        if name in OURSELVES:
            return Contestant(sys.executable, "ours", name)
        if name == "pgn-extract":
            return Contestant(sys.executable, "pgn_extract", install.program(name, progress.print))
        if name in ENGINES:
            path = install.program(name, progress.print)
            return Contestant(sys.executable, "engine", name, path, *ENGINES[name])
        if not self._python:
            self._python, lacking = install.packages(progress.print)
            self._missing |= lacking
        if name in self._missing:
            raise Unmeasured(self._missing[name])
        return Contestant(self._python, PROGRAMS[name])

    def versions(self) -> dict[str, str]:
        everyone = [self.ours, *self._peers.values()]
        return {one.greeting["name"]: one.greeting["version"] for one in everyone}

    def close(self) -> None:
        for one in [self.ours, *self._peers.values()]:
            one.close()


def measure(field: Field, row: Row, rounds: int, seconds: float) -> Result:
    """Takes turns, ours and the peer's, so that whatever else the machine does falls on both alike."""
    if row.game not in field.ours.greeting["games"]:
        return Result(row, instead="not here")
    ours, peers = [], []
    try:
        peer = field.peer(row.peer) if row.peer else None
        details = {"game": row.game, **row.details}
        if row.task in ON_FILES:
            details["file"] = archive.path()
        for number in range(rounds + 1):
            length = seconds if number else seconds / 5  # the first round warms both up and does not count
            our_sample = field.ours.measure(row.task, length, details)
            peer_sample = peer.measure(row.task, length, details) if peer else None
            if peer_sample and (problem := disagreement(our_sample, peer_sample)):
                return Result(row, instead=f"not measured: {problem}")
            if number:
                ours.append(our_sample)
                peers += [peer_sample] if peer_sample else []
    except Unmeasured as problem:
        return Result(row, instead=f"not measured: {problem}")
    return Result(row, ours, peers)


def machine() -> dict[str, Any]:
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = models[0].partition(":")[2].strip() if models else cpu
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {"cpu": cpu, "cores": os.cpu_count(), "system": platform.platform(), "load_before": load}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows, by any part of their names")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there, too")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    parser.add_argument("--rounds", type=int, default=5, help="of each contestant, in turn (default 5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round (default 1)")
    given = parser.parse_args()
    try:
        given.rows = choose(given.names)
    except ValueError as error:
        parser.error(str(error))
    if given.rounds < 1 or given.seconds <= 0:
        parser.error("--rounds and --seconds must be above 0")
    return given


def main() -> None:
    given = arguments()
    about = machine()
    try:
        field = Field()
    except Unmeasured as problem:
        raise SystemExit(f"peers.py: {problem}") from None
    results = []
    try:
        for row in given.rows:
            progress.print(f"{row.name} ...")
            results.append(measure(field, row, given.rounds, given.seconds))
        about["level"] = field.ours.greeting["level"]
        versions = field.versions()
    finally:
        field.close()
    title = (
        f"{about['cpu']}, {about['cores']} cores, one thread each; native level {about['level']}\n"
        f"{', '.join(f'{name} {version}' for name, version in versions.items())}\n"
        f"medians of {given.rounds} rounds of {given.seconds:g} processor seconds, taken in turns"
    )
    if given.markdown:
        print(title.replace("\n", "; ") + "\n\n" + table.markdown(results))
    else:
        output = Console(highlight=False)
        output.width = max(output.width, 150)  # the table is of no use when it is folded
        output.print(title)
        output.print(table.terminal(results))
    if given.json:
        document = {
            "machine": about,
            "versions": versions,
            "rounds": given.rounds,
            "seconds": given.seconds,
            "rows": [result.record() for result in results],
        }
        given.json.write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
