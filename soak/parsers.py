"""Everything that reads text or bytes from elsewhere, each with good samples and a way to read one."""

# ruff: noqa: E501 (tables)
from __future__ import annotations

import atexit
import bz2
import gzip
import random
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
import zstandard

from rookery import games, players, roster
from rookery.api import Limit, State
from rookery.arena import openings, record
from rookery.arena.export import export
from rookery.errors import RookeryError
from rookery.evaluators import linear, td
from rookery.games.go import GoState
from rookery.interfaces.web import notation
from rookery.records import importing, store
from rookery.records.sgf import read_sgf, write_sgf
from rookery.runs import recipe
from soak import ROOKERY, mutate
from walks import walk

PLACE = Path(tempfile.mkdtemp(prefix="soak-"))
atexit.register(shutil.rmtree, PLACE, True)


@dataclass(frozen=True)
class Parser:
    share: int
    """Of the whole, in thousandths."""
    make: Callable[[random.Random], Any]
    """One input."""
    read: Callable[[Any], None]
    """May raise RookeryError, and nothing else."""


@cache
def states(name: str) -> tuple[State, ...]:
    """Of some random games, from first to last."""
    return tuple(state for seed in range(4) for state in list(walk(games.get(name), seed, 120))[::6])


@cache
def spoken(name: str) -> tuple[str, ...]:
    return tuple(str(state) for state in states(name))


def position(*names: str) -> tuple[Callable[[random.Random], Any], Callable[[Any], None]]:
    def make(rng: random.Random) -> tuple[str, str]:
        name = rng.choice(names)
        return name, mutate.text(spoken(name), rng)

    def read(given: tuple[str, str]) -> None:
        name, text = given
        state = games.get(name).start(text)
        assert games.get(name).start(str(state)) == state, "its own text means another position"
        state.moves(), state.outcome(), state.picture()

    return make, read


def moves(*names: str) -> tuple[Callable[[random.Random], Any], Callable[[Any], None]]:
    def make(rng: random.Random) -> tuple[str, int, str]:
        name = rng.choice(names)
        at = rng.randrange(len(states(name)))
        return name, at, mutate.text(texts(name, at), rng)

    @cache
    def texts(name: str, at: int) -> tuple[str, ...]:
        state = states(name)[at]
        return (
            *(state.text(move) for move in state.moves()),
            "e4",
            "Nf3",
            "O-O",
            "pass",
            "C3",
            "--",
            "e8=Q+",
        )

    def read(given: tuple[str, int, str]) -> None:
        name, at, text = given
        state = states(name)[at]
        state.play(state.parse(text))

    return make, read


def written(samples: Callable[[], Sequence[str]], read: Callable[[str], None]) -> tuple[Any, Any]:
    return lambda rng: mutate.text(samples(), rng), read


# --- games and positions of other programs -----------------------------------------------------------


@cache
def sgf() -> tuple[str, ...]:
    made = [
        write_sgf(cast(GoState, states(name)[at]), ("a", "b"))
        for name in ("go5", "go9", "go19")
        for at in (3, 9, 14)
    ]
    return (*made, "(;GM[1]FF[4]SZ[9]KM[6.5]RU[Japanese]HA[2]AB[cc][gg];W[ee];B[tt](;W[aa])(;W[bb]C[x\\]y]))")


def read_go(text: str) -> None:
    str(read_sgf(text))
    notation.read("go9", text)


@cache
def pgn() -> tuple[str, ...]:
    made = []
    for seed in range(6):
        line = list(walk(games.get("chess"), seed, 40))
        words = [a.text(b.history()[-1]) for a, b in pairwise(line)]
        made.append(
            '[Event "x"]\n[Result "*"]\n\n'
            + " ".join(f"{n // 2 + 1}. {w}" if n % 2 == 0 else w for n, w in enumerate(words))
            + " *"
        )
    start = '[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]\n[SetUp "1"]\n\n1. O-O O-O-O {a} (1... Kd8 $3 ; b\n) 2. Rae1 1-0\n'
    return (*made, start, "1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 3. Bb5 a6 1/2-1/2", "1. Nf6 ) e4")


@cache
def archives() -> tuple[bytes, ...]:
    """Games as archives have them, plain and packed."""
    odd = '\ufeff[Event "J\u00f6rg"]\r\n[Date "2004.05.??"]\r\n[WhiteElo "2500"]\r\n\r\n1.e4 {a [%clk 0:01]} e5 $1 (1... c5 {b} 2. Nf3) 2.Qh5!? Nc6 ; x\n% y\n3. Bc4 -- *\n'
    text = ("\n\n".join(pgn()) + "\n\n" + odd).encode()
    packed = zstandard.ZstdCompressor().compress(text), gzip.compress(text, mtime=0), bz2.compress(text)
    return text, text, text, odd.encode("latin-1", "replace"), *packed


def read_archive(content: bytes) -> None:
    """The whole way: a file, a store, its games, and back."""
    path, to = PLACE / "archive.pgn", PLACE / "archive"
    shutil.rmtree(to, ignore_errors=True)
    path.write_bytes(content)
    counts = importing.run([path], to, importing.Filter())
    assert counts.read == counts.kept + counts.duplicates + sum(counts.skipped.values()), "games were lost"
    look_at(store.Store.open(to))


def look_at(found: store.Store) -> None:
    found.check(1)
    every = np.arange(len(found), dtype=np.uint32)
    drawn = found.native.sample_features(every, 3, 0, True, 1, 2)
    assert (found.native.features(drawn[0], drawn[1], 1) == drawn[2]).all()
    found.native.pgn(every, 1).decode()
    for number in range(min(len(found), 3)):
        found.transcript(number)


@cache
def good_store() -> dict[str, bytes]:
    path, to = PLACE / "good.pgn", PLACE / "good"
    path.write_text("\n\n".join(pgn()))
    importing.run([path], to, importing.Filter())
    return {each.name: each.read_bytes() for each in to.iterdir()}


def make_store(rng: random.Random) -> dict[str, bytes]:
    made = dict(good_store())
    spoilt = rng.choice(sorted(made))
    return made | {spoilt: mutate.data([made[spoilt]], rng)}


def read_store(parts: dict[str, bytes]) -> None:
    to = PLACE / "store"
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    for name, content in parts.items():
        (to / name).write_bytes(content)
    found = store.Store.open(to)
    # What the sums would refuse must not kill either.
    every = np.arange(len(found), dtype=np.uint32)
    with suppress(RookeryError):
        drawn = found.native.sample_features(every, 3, 0, True, 1, 2)
        found.native.features(drawn[0], drawn[1], 1)
        found.native.pgn(every, 1)
    look_at(found)


def read_chess(text: str) -> None:
    notation.read("chess", text)


@cache
def duchess_games() -> tuple[str, ...]:
    made = []
    for seed in range(4):
        line = list(walk(games.get("duchess4"), seed, 40))
        words = [a.text(b.history()[-1]) for a, b in pairwise(line)]
        made.append(f"# a game\n{line[0]}\n" + " ".join(words) + "\n# the end\n")
    return tuple(made)


def read_duchess(text: str) -> None:
    notation.read("duchess4", text)


def read_opening(given: tuple[str, str]) -> None:
    ending, text = given
    path = PLACE / f"book.{ending}"
    path.write_text(text, errors="surrogatepass")
    book = openings.read(str(path), games.get("chess"), 1)
    book.draw(0)


def make_opening(rng: random.Random) -> tuple[str, str]:
    ending = rng.choice(("pgn", "epd"))
    return ending, mutate.text(pgn() if ending == "pgn" else spoken("chess"), rng)


# --- names and recipes -------------------------------------------------------------------------------

OPTIONS = (
    "alphabeta:depth=3,hash=1,threads=2+classical", "alphabeta:level=2+classical", "comparison:depth=2+pieces",
    "uct:nodes=100,c=1.4", "puct:batch=4,noise=0.25,temperature=1+pieces", "uci:nosuch,Hash=16,UCI_Elo=1500",
    "gtp:nosuch,level=3", "greedy+td@go5", "alphabeta:time=0.5,endgame_depth=no,qdepth=4+linear@duchess", "random:seed=1",
)  # fmt: skip


@cache
def names(game: str) -> tuple[str, ...]:
    """Those that play it, less the one whose network takes long to load, and some with options."""
    return (
        *(e.name for e in roster.for_game(games.get(game)) if "zero" not in e.name and "+go" not in e.name),
        *OPTIONS,
    )


def make_name(rng: random.Random) -> tuple[str, str]:
    game = rng.choice(("chess", "kriegspiel", "go5", "go9", "duchess4"))
    return game, mutate.text(names(game), rng)


def read_name(given: tuple[str, str]) -> None:
    game, name = given
    made = players.make(name, games.get(game))
    assert players.make(made.name, games.get(game)).name == made.name
    players.vary(made.name, {"level": 1}) if players.levels(made.name) else None
    made.close()


@cache
def recipes() -> tuple[str, ...]:
    return tuple((recipe.FOLDER / f"{name}.toml").read_text() for name in recipe.names())


CHANGES = ("games=100", "depth=3", 'method="tdleaf"', "learning_rate=0.1", "opponents=['random']", "seed=5", "minutes=1.5",
           "sizes=[5, 7]", "start=\"initial\"", "threads=2", "bias=true")  # fmt: skip


def make_recipe(rng: random.Random) -> tuple[str, list[str]]:
    if rng.random() < 0.5:
        return mutate.text(recipes(), rng), []
    return rng.choice(recipes()), [mutate.text(CHANGES, rng) for _ in range(rng.randint(1, 3))]


def read_recipe(given: tuple[str, list[str]]) -> None:
    text, changes = given
    made = recipe.Recipe.read(text, "soak", changes)
    assert recipe.Recipe.read(made.toml(), "soak") == made, "its own text means another recipe"


# --- files -------------------------------------------------------------------------------------------


@cache
def records() -> tuple[bytes, ...]:
    """Of two short matches."""
    made = []
    for game in ("chess", "go5"):
        path = PLACE / f"{game}.jsonl"
        words = [
            "match",
            game,
            "random",
            "random",
            "--games",
            "4",
            "--max-plies",
            "40",
            "--record",
            str(path),
            "--workers",
            "0",
        ]
        subprocess.run([*ROOKERY, *words], check=True, capture_output=True)
        made.append(path.read_bytes())
    return tuple(made)


def read_record(content: bytes) -> None:
    path = PLACE / "read.jsonl"
    path.write_bytes(content)
    header, played = record.read(path)
    if header.get("game") == "chess":
        list(export(header, played, "pgn"))


@cache
def weights() -> tuple[bytes, ...]:
    one, two = PLACE / "linear.safetensors", PLACE / "td.safetensors"
    linear.write(one, "chess", np.full((1, 920), 0.01, np.float32))
    from rookery import native

    learner = native.TdLearner(games.get("go5").start().native, "koten", 1)  # type: ignore[attr-defined]
    td.write(two, "koten", learner.weights())
    return one.read_bytes(), two.read_bytes()


def read_weights(content: bytes) -> None:
    path = PLACE / "read.safetensors"
    path.write_bytes(content)
    game, name = (
        ("go5", "alphabeta+td")
        if b'"td"' in content[:400] or b"koten" in content[:400]
        else ("chess", "alphabeta+linear")
    )
    made = players.make(f"{name}@{path}", games.get(game))
    made.think(games.get(game).start().view(0), Limit(depth=1))


PARSERS = {
    "FEN": Parser(146, *position("chess")),
    "Kriegspiel": Parser(80, *position("kriegspiel")),
    "Duchess": Parser(90, *position("duchess4", "duchess6")),
    "Go": Parser(118, *position("go5", "go9", "go19")),
    "moves of chess": Parser(60, *moves("chess")),
    "moves of Kriegspiel": Parser(40, *moves("kriegspiel")),
    "moves of Go": Parser(50, *moves("go5", "go9", "go19")),
    "moves of Duchess": Parser(50, *moves("duchess4", "duchess6")),
    "SGF": Parser(40, *written(sgf, read_go)),
    "PGN": Parser(30, *written(pgn, read_chess)),
    "archives": Parser(30, lambda rng: mutate.data(archives(), rng), read_archive),
    "stores": Parser(30, make_store, read_store),
    "Duchess games": Parser(20, *written(duchess_games, read_duchess)),
    "openings": Parser(10, make_opening, read_opening),
    "players' names": Parser(50, make_name, read_name),
    "recipes": Parser(40, make_recipe, read_recipe),
    "records": Parser(12, lambda rng: mutate.data(records(), rng), read_record),
    "weights": Parser(12, lambda rng: mutate.data(weights(), rng), read_weights),
}  # fmt: skip
