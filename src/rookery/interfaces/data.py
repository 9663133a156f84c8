"""The commands that keep games for learning: `rookery data import`, `info`, `sample`, `export`."""

from __future__ import annotations

import os
import re
import sys
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rookery.errors import BadOption
from rookery.interfaces.writing import print_table, write_json

if TYPE_CHECKING:
    from rookery.records.importing import Counts, Filter, Step
    from rookery.records.store import Store

data = typer.Typer(
    no_args_is_help=True, help="Import chess games from PGN files, and inspect or export them."
)

_EVERY = 2.0
"""Seconds between two lines of progress."""
_AT_ONCE = 2000
"""Games that are written at a time."""

StorePath = Annotated[Path, typer.Argument(metavar="STORE", help="A folder from `rookery data import`.")]
MinElo = Annotated[int, typer.Option(min=0, max=9999, help="Lowest rating of both players.")]
MaxElo = Annotated[int, typer.Option(min=0, max=9999, help="Highest rating of both players; 0: any.")]
Result = Annotated[
    list[str] | None, typer.Option(metavar="1-0|1/2-1/2|0-1|*", help="Only these results; default all.")
]
MinPlies = Annotated[int, typer.Option(min=1, max=65535, help="Least length, in plies.")]
MaxPlies = Annotated[int, typer.Option(min=1, max=65535, help="Greatest length, in plies.")]
Since = Annotated[
    str | None,
    typer.Option(metavar="DATE", help="Played on this date or later: 2015, 2015-06 or 2015-06-30."),
]
Until = Annotated[str | None, typer.Option(metavar="DATE", help="Played on this date or earlier.")]
Threads = Annotated[int | None, typer.Option(min=1, max=256, help="Threads; default one per core.")]
Json = Annotated[bool, typer.Option("--json", help="Write one JSON document instead.")]


@data.command("import")
def import_games(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="PGN, plain or compressed (.zst, .gz, .bz2).")
    ],
    to: Annotated[Path, typer.Option(metavar="STORE", help="The folder to write the store to.")],
    min_elo: MinElo = 0,
    max_elo: MaxElo = 0,
    result: Result = None,
    min_plies: MinPlies = 1,
    max_plies: MaxPlies = 65535,
    since: Since = None,
    until: Until = None,
    as_json: Json = False,
) -> None:
    """Import chess games from PGN files into a store, without duplicates. The same command resumes it."""
    from rookery.records import importing

    keep = _filter(min_elo, max_elo, result, min_plies, max_plies, since, until)
    counts = importing.run(files, to, keep, _Progress())
    if as_json:
        write_json({"store": str(to), **asdict(counts)})
        return
    rate = counts.read / counts.seconds if counts.seconds else 0
    typer.echo(
        f"{counts.kept:,} games with {counts.plies:,} plies in {to}; {counts.read:,} read "
        f"in {counts.seconds:.1f} s, {rate:,.0f} a second"
    )
    for line in _lost(counts):
        typer.echo(line)


@data.command()
def info(
    store: StorePath,
    check: Annotated[
        bool, typer.Option("--check", help="Replay every game and verify every checksum.")
    ] = False,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Print what a store holds and where it came from."""
    games = _open(store)
    if check:
        games.check(_count(threads))
    told = _describe(games)
    if as_json:
        write_json(told | ({"checked": True} if check else {}))
        return
    rows = [(name.replace("_", " "), _shown(value)) for name, value in told.items() if name != "sources"]
    rows += [("source", f"{one['name']}, {one['bytes']:,} bytes") for one in told["sources"]]
    print_table(("", ""), rows)
    if check:
        typer.echo("\nEvery game can be played, and every byte is as it was written.")


@data.command()
def sample(
    store: StorePath,
    number: Annotated[
        int, typer.Option("--number", "-n", min=1, max=100_000, help="How many games or positions.")
    ] = 5,
    positions: Annotated[bool, typer.Option("--positions", help="Print positions instead of games.")] = False,
    seed: Annotated[int, typer.Option(min=0, max=2**63, help="The same seed gives the same choice.")] = 0,
    as_json: Json = False,
) -> None:
    """Print some games, or some positions with the move that was played."""
    import numpy as np

    from rookery import native, seeds

    games = _open(store)
    if not len(games):
        raise BadOption(f"{store} holds no games")
    rng = seeds.generator(seed, "data", "sample")
    chosen = np.sort(rng.choice(len(games), min(number, len(games)), replace=False)).astype(np.uint32)
    if not positions:
        if as_json:
            write_json({"store": str(store), "seed": seed, "games": [_game(games, int(g)) for g in chosen]})
        else:
            typer.echo(games.native.pgn(chosen, 1).decode(), nl=False)
        return
    numbers, plies = games.native.sample(chosen, 1, 0, False, seed, 1)
    fens = games.native.positions(numbers, plies, 1)
    moves = [native.uci(int(move)) for move in games.native.moves(numbers, plies, 1)]
    rows = [
        {"game": int(g), "ply": int(ply), "position": fen, "move": move, "result": int(games.results[g])}
        for g, ply, fen, move in zip(numbers, plies, fens, moves, strict=True)
    ]
    if as_json:
        write_json({"store": str(store), "seed": seed, "positions": rows})
        return
    columns = ("game", "ply", "position", "move")
    print_table(columns, [tuple(str(row[name]) for name in columns) for row in rows], right={0, 1})


@data.command()
def export(
    store: StorePath,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Output file; default stdout.")
    ] = None,
    min_elo: MinElo = 0,
    max_elo: MaxElo = 0,
    result: Result = None,
    min_plies: MinPlies = 1,
    max_plies: MaxPlies = 65535,
    since: Since = None,
    until: Until = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Write the games of a store as PGN."""
    import numpy as np

    from rookery import durable

    if as_json and output is None:
        raise BadOption("--json reports on stdout, where the games would go; name a file by --output")
    keep = _filter(min_elo, max_elo, result, min_plies, max_plies, since, until)
    games = _open(store)
    chosen = np.flatnonzero(keep.fits(games)).astype(np.uint32)
    size = 0
    opened = output.open("wb") if output else nullcontext(sys.stdout.buffer)
    with durable.naming(output or Path("the output")), opened as target:
        for at in range(0, len(chosen), _AT_ONCE):
            size += target.write(games.native.pgn(chosen[at : at + _AT_ONCE], _count(threads)))
        target.flush()
    if as_json:
        write_json({"store": str(store), "output": str(output), "games": len(chosen), "bytes": size})


class _Progress:
    """How an import is going, on stderr: a line that renews itself, or one now and then."""

    def __init__(self) -> None:
        self._began = self._last = monotonic()
        self._at: int | None = None

    def __call__(self, step: Step) -> None:
        if self._at is None:
            self._at = step.done
        now = monotonic()
        done = step.done >= step.total
        if now - self._last < (0.2 if sys.stderr.isatty() else _EVERY) and not (done and sys.stderr.isatty()):
            return
        self._last = now
        from rookery.interfaces.arena.progress import clock

        pace = (step.done - self._at) / max(now - self._began, 1e-9)
        left = clock((step.total - step.done) / pace) if pace > 0 else "?"
        rate = step.counts.read / max(step.counts.seconds, 1e-9)
        share = step.done / max(step.total, 1)
        line = f"{share:.0%}, {step.counts.read:,} games, {rate:,.0f} a second, {left} left"
        if sys.stderr.isatty():
            print(f"\r{line}\x1b[K", end="\n" if done else "", file=sys.stderr, flush=True)
        else:
            print(line, file=sys.stderr, flush=True)


def _open(path: Path) -> Store:
    from rookery.records.store import Store

    return Store.open(path)


def _filter(
    min_elo: int,
    max_elo: int,
    results: list[str] | None,
    min_plies: int,
    max_plies: int,
    since: str | None,
    until: str | None,
) -> Filter:
    from rookery.records.importing import RESULTS, Filter

    for each in results or []:
        if each not in RESULTS:
            raise BadOption(f"{each!r} is no result; choose from {', '.join(RESULTS)}")
    if min_plies > max_plies:
        raise BadOption(f"--min-plies must be no more than --max-plies (got {min_plies} and {max_plies})")
    wanted = tuple(each for each in RESULTS if not results or each in results)
    return Filter(min_elo, max_elo, wanted, min_plies, max_plies, _date(since, 0), _date(until, 99))


def _date(text: str | None, rest: int) -> int:
    """yyyymmdd; what is left out of it becomes `rest`."""
    if text is None:
        return 0
    found = re.fullmatch(r"(\d{4})(?:[-./](\d\d)(?:[-./](\d\d))?)?", text)
    if not found or int(found[1]) == 0:
        raise BadOption(f"{text!r} is no date; write it like 2015, 2015-06 or 2015-06-30")
    year, month, day = (rest if part is None else int(part) for part in found.groups())
    return year * 10000 + month * 100 + day


def _lost(counts: Counts) -> list[str]:
    found = [f"{counts.duplicates:,} duplicates"] if counts.duplicates else []
    return found + [f"{number:,} skipped: {why}" for why, number in counts.skipped.items()]


def _describe(games: Store) -> dict[str, Any]:
    import numpy as np

    results = {name: int((games.results == value).sum()) for name, value in _results().items()}
    dates, elos = games.dates[games.dates > 0], games.elos[games.elos > 0]
    plies = int(games.plies.sum(dtype=np.int64))
    return {
        "store": str(games.path),
        "hash": games.hash,
        "game": games.manifest["game"],
        "games": len(games),
        "plies": plies,
        "results": results,
        "dates": [int(dates.min()), int(dates.max())] if len(dates) else None,
        "rated": int((games.elos > 0).all(axis=1).sum()),
        "mean_elo": round(float(elos.mean()), 1) if len(elos) else None,
        "bytes": sum(part["bytes"] for part in games.manifest["parts"].values()),
        "filter": games.manifest.get("filter"),
        "sources": games.manifest.get("sources", []),
    }


def _results() -> dict[str, int]:
    from rookery.records.importing import RESULTS

    return RESULTS


def _game(games: Store, number: int) -> dict[str, Any]:
    read = games.transcript(number)
    return {
        "game": number,
        "start": read.start,
        "moves": list(read.moves),
        "result": int(games.results[number]),
        "elos": games.elos[number].tolist(),
        "date": int(games.dates[number]),
        "tags": games.tags(number),
    }


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return " to ".join(map(str, value)) if len(value) == 2 else " ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else "-" if value is None else str(value)


def _count(threads: int | None) -> int:
    return len(os.sched_getaffinity(0)) if threads is None else threads
