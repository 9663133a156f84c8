"""How fast Rookery is here.

A benchmark is called `KIND/GAME`, or `KIND/SUBJECT` where it is not one for every game. A speed is the best
of several short runs, by processor seconds: whatever else the machine does can only slow them down.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from time import process_time
from typing import cast

from rookery import games, native, registry
from rookery.api import Move
from rookery.errors import RookeryError, UnknownName, quote
from rookery.evaluators.duchess_features import Features
from rookery.evaluators.linear import Linear
from rookery.games.state import NativeState
from rookery.seeds import generator

SECONDS = 0.3
"""Time for one benchmark."""
_RUN = 0.02
"""A run must last these seconds to be timed well."""


@dataclass(frozen=True)
class Result:
    """One measured speed."""

    name: str
    value: float
    unit: str


@dataclass(frozen=True)
class Work:
    """Something to time: so many units of it in a run."""

    run: Callable[[], object]
    units: int


# --- what is measured --------------------------------------------------------------------------------


def _perft(game: str) -> Work:
    """Leaves of the move tree, to the first depth that takes long enough."""
    state = _start(game)
    for depth in range(1, 32):
        began = process_time()
        leaves = state.native.perft(depth)
        if process_time() - began >= _RUN:
            break
    return Work(partial(state.native.perft, depth), leaves)


def _playouts(game: str) -> Work:
    """Random games to their end."""
    native = _start(game).native
    return _batch(lambda count: native.playouts(count, 1))


def _td(network: str) -> Work:
    """Games of self-play on 5x5 Go that a network learns from, after some that show it how to play."""
    learner = native.TdLearner(games.get("go5").start().native, network, 1)  # type: ignore[attr-defined]
    learner.play(2000)
    return _batch(learner.play)


def _search(game: str) -> Work:
    """Nodes of alpha-beta at depth 5, with the full linear evaluation; one core, some middle games."""
    search = native.alphabeta(_linear(game).native, native.AlphaBetaOptions(qdepth=0, hash=0))
    assert search is not None
    states = [state.native for state, _ in list(_walk(_start(game), 120))[4::20]]

    def run() -> int:
        return sum(search.search(state, 5, 0, 0.0, [], 1, None).nodes for state in states)

    return Work(run, run())


def _values(how: str) -> Work:
    """Values of positions one move further, kept from the one before or computed from nothing."""
    knowledge = _linear("duchess4").native
    states = [state.native for state, _ in list(_walk(_start("duchess4"), 120))[4::20]]
    work = partial(knowledge.weigh_moves, states, how == "scratch")
    return Work(lambda: [work() for _ in range(20)], 20 * work())


def _linear(game: str) -> Linear:
    """Weights that all count for something: the first ones of the paper, and a little of everything else."""
    rules = games.get(game)
    rows = Features(rules.spec.seats).initial()
    rows += generator(1, "bench", "weights").normal(0, 0.003, rows.shape).astype(rows.dtype)
    return Linear.of(rules, rows)


def _batch(play: Callable[[int], object]) -> Work:
    """So many games that they take long enough."""
    count, seconds = 1, 0.0
    while seconds < _RUN:
        count *= 2
        began = process_time()
        play(count)
        seconds = process_time() - began
    return Work(partial(play, count), count)


def _play(game: str) -> Work:
    """Single calls of `state.play` from Python."""
    pairs = list(_walk(_start(game)))

    def run() -> None:
        for before, move in pairs:
            before.play(move)

    return Work(run, len(pairs))


def _moves(game: str) -> Work:
    """Single calls of `state.moves` from Python."""
    states = [before for before, _ in _walk(_start(game))]

    def run() -> None:
        for before in states:
            before.moves()

    return Work(run, len(states))


KINDS: dict[str, tuple[Callable[[str], Work], str]] = {
    "perft": (_perft, "nodes/s"),
    "playouts": (_playouts, "games/s"),
    "play": (_play, "us"),
    "moves": (_moves, "us"),
    "td": (_td, "games/s"),
    "search": (_search, "nodes/s"),
    "values": (_values, "values/s"),
}
SUBJECTS = {
    "td": ("koten", "katatsugi", "roban"),
    "search": ("duchess4", "duchess6"),
    "values": ("kept", "scratch"),
}
"""What these are measured for; everything else, for each game."""


def _walk(state: NativeState, length: int = 500) -> Iterator[tuple[NativeState, Move]]:
    """The states and moves of a random game, always the same one."""
    rng = generator(1, "bench", state.spec.name)
    for _ in range(length):
        moves = state.moves()
        if not moves:
            return
        move = moves[int(rng.integers(len(moves)))]
        yield state, move
        state = state.play(move)


def _start(game: str) -> NativeState:
    return cast(NativeState, games.get(game).start())


# --- running it --------------------------------------------------------------------------------------


def names() -> list[str]:
    """The names of all benchmarks."""
    return [f"{kind}/{each}" for kind in KINDS for each in SUBJECTS.get(kind, games.names())]


def select(words: Sequence[str]) -> list[str]:
    """The benchmarks that are meant by their names, their kinds, games or networks; all by no word at all.

    Raises:
        UnknownName: a word means none.
    """
    for word in words:
        known = [*KINDS, *games.names(), *chain(*SUBJECTS.values())]
        if word not in known and word not in names():
            hint = registry.hint(word, names() if "/" in word else known)
            raise UnknownName(f"no benchmark is called {quote(word)}; {hint}")
    return [name for name in names() if not words or {name, *name.split("/")} & set(words)]


def measure(name: str, seconds: float = SECONDS) -> Result:
    """One benchmark. Speeds are per second; single calls are in microseconds."""
    kind, subject = name.split("/")
    prepare, unit = KINDS[kind]
    work = prepare(subject)
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
    return KINDS[name.split("/")[0]][1]
