"""The names that hazards are written in: the native module, good objects of its classes, hostile values."""

from __future__ import annotations

import contextlib
import copy
import pickle
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from rookery import games, native, players
from rookery.api import Limit

globals().update({name: value for name, value in vars(native).items() if not name.startswith("_")})
nan, inf = float("nan"), float("inf")

# --- good objects ------------------------------------------------------------------------------------

MATED = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"


def go(size: int) -> Any:
    return getattr(native, f"Go{size}")("/".join(["." * size] * size) + " b 0:0 - 0 0")


def over(state: Any) -> Any:
    """A state of the same game that has ended."""
    if type(state).__name__ == "ChessState":
        return type(state)(MATED)
    for seed in range(100):
        rng, walk = np.random.default_rng(seed), state
        for _ in range(3000):
            moves = walk.moves()
            if not moves:
                return walk
            walk = walk.play(
                moves[-1] if type(state).__name__.startswith("Go") else moves[rng.integers(len(moves))]
            )
    return walk


def far(state: Any, plies: int = 400) -> Any:
    """A state of the same game with a long past."""
    for turn in range(plies):
        moves = state.moves()
        if not moves:
            break
        state = state.play(moves[(turn * 7) % len(moves)])
    return state


def dense(*widths: int) -> Any:
    """Layers of a network with these numbers of units: weights and biases of each."""
    return [(np.full((to, of), 0.01, np.float32), np.zeros(to, np.float32)) for of, to in pairwise(widths)]


def rows(knowledge: Any, sets: int = 2, fill: float = 0.01) -> Any:
    return np.full((sets, knowledge.features), fill, np.float32)


def chess_linear(fill: float = 0.01) -> Any:
    return native.ChessLinear(rows(native.ChessLinear, 1, fill))


def layers(fill: float | None = None, representation: str = "koten") -> dict[str, Any]:
    weights = native.TdLearner(go(5), representation, 1).weights()
    return {name: layer if fill is None else np.full_like(layer, fill) for name, layer in weights.items()}


def net(fill: float | None = None, representation: str = "koten") -> Any:
    return native.TdNet(representation, layers(fill, representation))


def importer() -> Any:
    """One that has read a few games."""
    made = native.PgnImporter(0, 0, [-1, 0, 1, 2], 1, 65535, 0, 0, np.zeros(0, np.uint64), 0, 0)
    made.feed(b"1. e4 e5 2. Nf3 Nc6 1-0 1. d4 d5 2. c4 dxc4 0-1", True)
    return made


def stored() -> list[Any]:
    """The parts of a store of two games."""
    return [np.frombuffer(part, np.uint8) for part in importer().take()]


def treestrap_config(**changes: Any) -> Any:
    wanted = {
        "method": native.Method.treestrap, "depth": 1, "learning_rate": 1e-5, "final_factor": 1e-6,
        "discount": 1.0, "max_update": 0.0, "lambda_": 0.7, "squared_error": True,
        "windows": native.Windows.null, "killers": 2, "history": True, "quiescence": True,
        "selective": True, "quiet_only": False, "exact_only": False, "random_moves": 2, "max_plies": 30,
        "megabytes": 1, "round_nodes": 4, "mean": False,
    }  # fmt: skip
    return native.TreeStrapConfig(**wanted | changes)


def strap(
    game: str = "Chess", fill: float = 0.01, side_by_side: int = 2, threads: int = 1, **changes: Any
) -> Any:
    knowledge = getattr(native, game + "Linear")
    sets = 1 if game == "Chess" else 2
    learns = [True] * knowledge.features
    start = getattr(native, game + "State")()
    config = treestrap_config(**changes)
    weights = rows(knowledge, sets, fill)
    return getattr(native, game + "TreeStrap")(start, weights, config, learns, 1, 100, side_by_side, threads)


def selfplay(size: int = 5, games: int = 2, **changes: Any) -> Any:
    search, settings, rules = native.GumbelSettings(), native.SelfPlaySettings(), native.GoSelfPlaySettings()
    search.simulations, search.max_considered, rules.cap = 4, 2, 20
    for name, value in changes.items():
        setattr(next(each for each in (search, rules, settings) if hasattr(each, name)), name, value)
    settings.games = games
    settings.search = search
    return getattr(native, f"GoSelfPlay{size}")(settings, rules, 1)


def logits(pool: Any, fill: float = 0.0) -> Any:
    return np.full((pool.capacity, area(pool) + 1), fill, np.float32)


def verdicts(pool: Any, fill: float = 0.0) -> Any:
    return np.full(pool.capacity, fill, np.float32)


def planes(pool: Any) -> Any:
    return np.zeros((pool.capacity, native.go_zero_plane_count * area(pool)), np.uint8)


def area(pool: Any) -> int:
    return int(type(pool).__name__.removeprefix("GoSelfPlay")) ** 2


def selfplay_steps(pool: Any, steps: int = 30, logit: float = 0.0, value: float = 0.0) -> None:
    workers, room = native.Workers(2), planes(pool)
    for _ in range(steps):
        pool.step(logits(pool, logit), verdicts(pool, value), room, workers)
    pool.take()


def puct(state: Any = None) -> Any:
    return native.PuctTree((state or go(5)).any(), [], 1.5)


def gumbel(state: Any = None) -> Any:
    return native.GumbelTree((state or go(5)).any(), [], native.GumbelSettings(), 1)


def searched() -> Any:
    """A search of Gumbel AlphaZero that is done."""
    tree = gumbel()
    while leaves := tree.collect():
        tree.absorb(np.zeros((len(leaves), 2), np.float32), None)
    return tree


def collected(most: int = 1) -> Any:
    """A tree of simulations that waits for an evaluation."""
    tree = puct()
    tree.collect(most, 10)
    return tree


def grown() -> Any:
    """A tree of simulations with a root that knows its moves."""
    tree = collected()
    tree.absorb(np.zeros((1, 2), np.float32), (np.array([0, 26]), np.full(26, 1 / 26, np.float32)))
    return tree


def likely() -> Any:
    return native.ProbabilityTree(go(5).any(), [])


def closed(settled: bool = False) -> Any:
    """A tree of likely lines that waits for the values of its leaves, or has them."""
    tree = likely()
    tree.expand(np.full((1, 26), 1 / 26, np.float32), 0.01)
    tree.close()
    if settled:
        while leaves := tree.leaves(100):
            tree.settle(np.zeros((len(leaves), 2), np.float32))
    return tree


def flat(*leaves: Any) -> float:
    return 0.0


def pruning(**more: Any) -> Any:
    """Options of alpha-beta with null-move and late-move pruning and a small table."""
    return native.AlphaBetaOptions(**{"null_move": True, "late_moves": True, "hash": 1, **more})


def asked(value: Any = flat, threads: int = 1) -> Any:
    """An alpha-beta search with an evaluator in Python."""
    ask = value if callable(value) else lambda leaf: value
    return native.alphabeta(native.Asked(ask), pruning(qdepth=2, threads=threads))


def crew(fill: float | None = None, threads: int = 1, megabytes: int = 1) -> Any:
    """An alpha-beta search of chess; fill: with these weights."""
    knowledge = native.ChessClassical() if fill is None else chess_linear(fill)
    return native.alphabeta(knowledge, pruning(qdepth=4, hash=megabytes, threads=threads))


def look(
    search: Any,
    state: Any = None,
    depth: Any = 3,
    nodes: Any = 5000,
    seconds: Any = 1.0,
    only: Any = (),
    lines: Any = 1,
    listener: Any = None,
) -> Any:
    """A short search, of a position that suits it if none is given."""
    if state is None:
        state = go(5) if type(search).__name__.startswith("Td") else native.ChessState()
    if type(search).__name__.startswith("Asked"):
        state = state.any()
    return search.search(state, depth, nodes, seconds, list(only), lines, listener)


def bare(kind: Any) -> Any:
    """An object whose `__init__` never ran."""
    return kind.__new__(kind)


# --- hostile objects ---------------------------------------------------------------------------------

here: Any = None
"""The object under attack, for callbacks that call it back."""


def expose(thing: Any) -> Any:
    global here
    here = thing
    return thing


def raises(*said: Any) -> Any:
    raise ValueError("hostile")


def interrupts(*said: Any) -> Any:
    raise KeyboardInterrupt


def leaves(*said: Any) -> Any:
    raise SystemExit(3)


def recurses(*said: Any) -> Any:
    return recurses(*said)


def returns(value: Any) -> Callable[..., Any]:
    return lambda *said: value


def reenters(*said: Any) -> float:
    """Calls back whatever can be called on the object that is calling."""
    for name in ("stop", "forget", "weights", "tally", "take"):
        if hasattr(here, name):
            getattr(here, name)()
    if hasattr(here, "search"):
        look(here, nodes=10, depth=1)
    return 0.0


class Index:
    def __index__(self) -> int:
        return 3

    def __float__(self) -> float:
        return 3.0


class BadIndex:
    def __index__(self) -> int:
        raise ValueError("hostile")

    __float__ = __len__ = __bool__ = __iter__ = __str__ = __index__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ValueError("hostile")

    def __hash__(self) -> int:
        raise ValueError("hostile")


class Liar(Sequence[Any]):
    """Says it is longer than it is."""

    def __len__(self) -> int:
        return 10**6

    def __getitem__(self, index: Any) -> Any:
        if index > 2:
            raise IndexError
        return 0


class Shrinks(list[Any]):
    """Loses its items while it is read."""

    def __iter__(self) -> Iterator[Any]:
        while self:
            yield self.pop()


class Tensor:
    """Pretends to share memory."""

    def __dlpack__(self, *said: Any, **more: Any) -> Any:
        raise ValueError("hostile")

    def __dlpack_device__(self) -> Any:
        return (1, 0)


class Text(str):
    pass


def forever() -> Iterator[int]:
    while True:
        yield 0


circle: list[Any] = []
circle.append(circle)


def strided(array: Any) -> Any:
    return np.repeat(array, 2, axis=-1)[..., ::2]


def backwards(array: Any) -> Any:
    return array[..., ::-1]


def readonly(array: Any) -> Any:
    array = array.copy()
    array.flags.writeable = False
    return array


def shorter(array: Any) -> Any:
    return np.ascontiguousarray(array[..., :-1])


def longer(array: Any) -> Any:
    return np.concatenate([array, array], axis=-1)


def fewer(array: Any) -> Any:
    return array[:-1].copy()


def endless(array: Any) -> Any:
    """More rows than there is memory, all of them one."""
    return np.broadcast_to(array[:1], (2**40, *array.shape[1:]))


def unaligned(array: Any) -> Any:
    room = np.zeros(array.nbytes + 1, np.uint8)[1:]
    room[:] = np.frombuffer(array.tobytes(), np.uint8)
    return room.view(array.dtype).reshape(array.shape)


# --- several at once ---------------------------------------------------------------------------------


def together(*calls: Callable[[], Any], times: int = 20) -> None:
    """All of them at once, each again and again, for half a second at most."""
    until = time.monotonic() + 0.5
    ready = threading.Barrier(len(calls))

    def work(call: Callable[[], Any]) -> None:
        ready.wait()
        for _ in range(times):
            with contextlib.suppress(Exception):
                call()
            if time.monotonic() > until:
                return

    threads = [threading.Thread(target=work, args=(call,), daemon=True) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def left_running(call: Callable[[], Any], wait: float = 0.05) -> None:
    """The call goes on in a thread of its own while the program ends."""

    def work() -> None:
        while True:
            call()

    threading.Thread(target=work, daemon=True).start()
    time.sleep(wait)


def duplicate(thing: Any) -> None:
    for way in (copy.copy, copy.deepcopy, pickle.dumps):
        with contextlib.suppress(TypeError):
            way(thing)


def player(name: str = "alphabeta+classical", game: str = "chess") -> Any:
    made = players.make(name, games.get(game))
    made.start(games.get(game).spec, 0, 1)
    return made


def limit(**bounds: Any) -> Any:
    return Limit(**bounds)


def view(game: str = "chess") -> Any:
    return games.get(game).start().view(0)
