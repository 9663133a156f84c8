"""How fast Rookery is here.

A benchmark is called `KIND/GAME`, or `KIND/SUBJECT` where it is not one for every game. A module here with a
dict `BENCHMARKS` adds kinds. A speed is the best of several short runs, by processor seconds: whatever else
the machine does can only slow them down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from time import process_time

from rookery import games, native, registry
from rookery.bench.work import RUN, Benchmark, Work, batch, native_games, start, walk
from rookery.errors import RookeryError, UnknownName, quote

SECONDS = 0.3
"""Time for one benchmark."""


@dataclass(frozen=True)
class Result:
    """One measured speed."""

    name: str
    value: float
    unit: str


# --- what is measured --------------------------------------------------------------------------------


def _perft(game: str) -> Work:
    """Leaves of the move tree, to the first depth that takes long enough."""
    state = start(game)
    for depth in range(1, 32):
        began = process_time()
        leaves = state.native.perft(depth)
        if process_time() - began >= RUN:
            break
    return Work(partial(state.native.perft, depth), leaves)


def _playouts(game: str) -> Work:
    """Random games to their end."""
    native = start(game).native
    return batch(lambda count: native.playouts(count, 1))


def _play(game: str) -> Work:
    """Single calls of `state.play` from Python."""
    pairs = list(walk(start(game)))

    def run() -> None:
        for before, move in pairs:
            before.play(move)

    return Work(run, len(pairs))


def _moves(game: str) -> Work:
    """Single calls of `state.moves` from Python."""
    states = [before for before, _ in walk(start(game))]

    def run() -> None:
        for before in states:
            before.moves()

    return Work(run, len(states))


GAMES = {
    "perft": Benchmark(_perft, "nodes/s"),
    "playouts": Benchmark(_playouts, "games/s"),
    "play": Benchmark(_play, "us"),
    "moves": Benchmark(_moves, "us"),
}
"""Measured for each game."""


@cache
def kinds() -> Mapping[str, Benchmark]:
    """Every kind of benchmark by name."""
    return {**GAMES, **registry.found(__name__, "BENCHMARKS")}


# --- running it --------------------------------------------------------------------------------------


def names() -> list[str]:
    """The names of all benchmarks."""
    return [f"{kind}/{each}" for kind, work in kinds().items() for each in work.subjects or native_games()]


def select(words: Sequence[str]) -> list[str]:
    """The benchmarks that are meant by their names, their kinds, games or networks; all by no word at all.

    Raises:
        UnknownName: a word means none.
    """
    for word in words:
        known = [*kinds(), *games.names(), *chain(*(work.subjects or () for work in kinds().values()))]
        if word not in known and word not in names():
            hint = registry.hint(word, names() if "/" in word else known)
            raise UnknownName(f"no benchmark is called {quote(word)}; {hint}")
    return [name for name in names() if not words or {name, *name.split("/")} & set(words)]


def measure(name: str, seconds: float = SECONDS) -> Result:
    """One benchmark. Speeds are per second; single calls are in microseconds."""
    kind, subject = name.split("/")
    unit = kinds()[kind].unit
    work = kinds()[kind].prepare(subject)
    best, end = float("inf"), process_time() + seconds
    while process_time() < end or best == float("inf"):
        began = process_time()
        work.run()
        best = min(best, process_time() - began)
    return Result(name, best / work.units * 1e6 if unit == "us" else work.units / best, unit)


def run(words: Sequence[str] = (), seconds: float = SECONDS) -> list[Result]:
    """The benchmarks that the words mean; see `select`."""
    return [measure(name, seconds) for name in select(words)]


def require_release() -> None:
    """Speeds of any other build mean nothing.

    Raises:
        RookeryError: this is another build.
    """
    if native.build != "Release":
        raise RookeryError(
            f"speeds of a {native.build} build mean nothing; install a Release build, or say --anyway"
        )


def unit(name: str) -> str:
    """What a benchmark counts."""
    return kinds()[name.split("/")[0]].unit
