"""Finding a program, talking to it in time, and reading the options of its name."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
import threading
from collections.abc import Coroutine, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from rookery import registry
from rookery.api import Limit, State
from rookery.errors import BadOption, EngineTimeout, UnknownName, quote

T = TypeVar("T")

STARTING = 30.0
"""Seconds that a program may take to start and to say what it can do."""
LATE = 5.0
"""Seconds beyond its limit after which a program is not waited for."""
FOREVER = 3600.0
"""Seconds for a move that only nodes or depth bound."""
FLOOD = 1 << 26
"""Bytes that a program may write for one move or answer."""
LONGEST_LINE = 1 << 20


def command(program: str, options: Mapping[str, str], usual: Iterable[str] = ()) -> list[str]:
    """What to run: the program, and the arguments that were asked for or that are usual.

    Raises:
        UnknownName: there is no such program.
    """
    # Debian keeps games outside the path of root.
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/games", "/usr/local/games"])
    found = shutil.which(str(Path(program).expanduser()), path=path)
    if not found:
        raise UnknownName(f"there is no program {program!r} here; install it, or write the path to it")
    return [found, *(shlex.split(options["arguments"]) if "arguments" in options else usual)]


def read_limit(name: str, options: Mapping[str, str], limits: Iterable[str]) -> Limit:
    """The bounds among the options.

    Raises:
        BadOption: one is no positive number.
    """
    bounds: dict[str, Any] = {}
    for key in limits:
        if key in options:
            kind = float if key == "time" else int
            try:
                bounds[key] = kind(options[key])
            except ValueError:
                bounds[key] = 0
            if not 0 < bounds[key] < float("inf"):
                what = "a number" if kind is float else "a whole number"
                raise BadOption(f"{name}: {key} must be {what} above 0 (got {options[key]})")
    return Limit(**bounds)


def unknown_option(name: str, key: str, offered: Iterable[str]) -> UnknownName:
    """What to raise for an option that a program does not have."""
    return UnknownName(f"{name} has no option {quote(key)}; {registry.hint(key, offered, 'it has')}")


def states_since(state: State, seen: State | None) -> list[State]:
    """The states from the one seen last to this one; from the first of its game if that was another game."""
    states = [state]
    while seen is None or states[-1] != seen or list(states[-1].history()) != list(seen.history()):
        before = states[-1].previous()
        if before is None:
            break
        states.append(before)
    return states[::-1]


def wait(work: Coroutine[Any, Any, T], seconds: float, name: str, what: str) -> T:
    """Do asynchronous work, for at most so long.

    Raises:
        EngineTimeout: it took longer.
    """
    try:
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), _loop()).result()
    except TimeoutError:
        raise EngineTimeout(f"{name} did not {what} within {seconds:g} s") from None


def kill_group(leader: int) -> None:
    """End a program that still runs, and all that it has started. It leads a group of its own."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """One loop for all programs, on a thread that never keeps this process alive."""
    loop = asyncio.new_event_loop()
    # What a program breaks in here is told to whoever asked it, and not to the log.
    loop.set_exception_handler(lambda loop, context: None)
    threading.Thread(target=loop.run_forever, name="engines", daemon=True).start()
    return loop
