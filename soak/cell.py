"""A process for each try, so that a death is a result and not the end of the work.

A `Keeper` holds a server that has Rookery loaded; for each source text it forks, within bounds of memory and
time, runs the text statement by statement, and ends as any program does.
"""

from __future__ import annotations

import ast
import gc
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from soak import ROOT

GIBIBYTE = 2**30


@dataclass(frozen=True)
class Fate:
    """How a process ended."""

    kind: str
    """done; refused: an exception came out; interrupted: it took long and obeyed Ctrl-C;
    died: by a signal; hung: neither the limit nor Ctrl-C ended it; broken: an exception that is a bug."""
    detail: str
    seconds: float

    @property
    def failed(self) -> bool:
        return self.kind in ("died", "hung", "broken")


class Keeper:
    """The server, from outside."""

    def __init__(self) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "soak.cell"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, *problem: object) -> None:
        assert self._server.stdin
        self._server.stdin.close()
        self._server.wait()

    def run(
        self,
        source: str,
        *,
        seconds: float = 3.0,
        patience: float = 10.0,
        memory: int = GIBIBYTE,
        wholly: bool = True,
    ) -> Fate:
        """Run it. seconds: after which it gets Ctrl-C; patience: how long it may then take to end; memory:
        bytes beyond what the interpreter has; wholly: take the interpreter down too, and not its objects
        alone, which is ten times as quick."""
        assert self._server.stdin and self._server.stdout
        ask = {"source": source, "seconds": seconds, "patience": patience, "memory": memory, "wholly": wholly}
        self._server.stdin.write(json.dumps(ask) + "\n")
        self._server.stdin.flush()
        return Fate(**json.loads(self._server.stdout.readline()))


# --- inside the server -------------------------------------------------------------------------------


def _live(ask: dict[str, Any], telling: int) -> None:
    """The forked process: does what the source says, and tells of it."""
    from soak import scene

    size = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (size + ask["memory"],) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    names = dict(vars(scene))
    kind, detail = "done", ""
    try:
        for statement in ast.parse(ask["source"]).body:
            try:
                exec(compile(ast.Module([statement], []), "<hazard>", "exec"), names)
            except Exception as problem:
                # SystemError is what Python says of a native function that broke its contract.
                kind = "broken" if isinstance(problem, SystemError) else "refused"
                detail = f"{type(problem).__name__}: {problem}"[:200]
            except SystemExit as problem:
                kind, detail = "refused", f"SystemExit: {problem}"[:200]
            if kind == "broken":
                break
    except KeyboardInterrupt:
        kind, detail = "interrupted", ""
    os.write(telling, json.dumps([kind, detail.encode("utf-8", "replace").decode()]).encode())
    if not ask["wholly"]:
        names.clear()
        gc.collect()
        os._exit(0)


def _watch(child: int, told: int, ask: dict[str, Any]) -> Fate:
    began = time.perf_counter()
    ended = os.pidfd_open(child)
    late = ""
    if not select.select([ended], [], [], ask["seconds"])[0]:
        os.kill(child, signal.SIGINT)
        if not select.select([ended], [], [], ask["patience"])[0]:
            os.kill(child, signal.SIGKILL)
            late = f"no end after {ask['seconds']:g} s, nor {ask['patience']:g} s after Ctrl-C"
    _, status = os.waitpid(child, 0)
    os.close(ended)
    said = os.read(told, 4096)
    seconds = time.perf_counter() - began
    if late:
        return Fate("hung", late, seconds)
    if os.WIFSIGNALED(status):
        name = signal.Signals(os.WTERMSIG(status)).name
        # SIGINT: Ctrl-C came while the interpreter was on its way out.
        return Fate("interrupted" if name == "SIGINT" else "died", name, seconds)
    if not said:
        return Fate("broken", f"ended with {os.waitstatus_to_exitcode(status)} and said nothing", seconds)
    kind, detail = json.loads(said)
    return Fate(kind, detail, seconds)


def _serve() -> None:
    from soak import scene  # noqa: F401  (loaded once, for all)

    gc.freeze()  # what is loaded is shared with every child, and not theirs to look through
    quiet = os.open(os.devnull, os.O_RDWR)
    while line := sys.stdin.readline():
        ask = json.loads(line)
        told, telling = os.pipe()
        child = os.fork()
        if not child:
            os.close(told)
            for stream in (0, 1, 2):
                os.dup2(quiet, stream)
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
            return _live(ask, telling)  # and so to the end of the program
        os.close(telling)
        fate = _watch(child, told, ask)
        os.close(told)
        print(json.dumps(asdict(fate)), flush=True)


if __name__ == "__main__":
    _serve()
