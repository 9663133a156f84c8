"""Kill -9 at random moments, go on until it is done, and compare with an undisturbed run bit for bit.

    python -m soak.kills                           10 kills of each kind of work
    python -m soak.kills --count 60                as docs/reliability.md has it
    python -m soak.kills --only match --only studio

Compared is all that is left on the disk but for times and paths: weights, networks, generators and metrics of
a run; the record and the JSON of a match; the pieces of a paper. At the studio every move that was answered
must be there after a restart. A difference is a failure; the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from served import HEADERS, post, serve
from websockets.sync.client import connect

from soak import ROOKERY
from soak.table import table

Content = dict[str, Any]

SMALL_PAPER = (
    "from rookery.papers.go_td import plan; "
    "plan.QUICK = plan.Size(1, 1, 800, 800, 400, 200, 4, 1, 1, 400, 4, 2, 2, 1); "
    "from rookery.cli import main; main()"
)
"""`go-td --quick` with so few games that it can be killed often; GNU Go is not asked."""


@dataclass(frozen=True)
class Work:
    """Something that can be broken off and gone on with."""

    begin: Callable[[Path, int], list[str]]
    """The command, given a folder and a seed."""
    go_on: Callable[[Path, int], list[str]]
    begun: Callable[[Path], bool]
    """Whether there is something to go on with."""
    progress: Callable[[Path], int]
    """A number that grows while it works."""
    left: Callable[[Path], Content]
    """All that it came to."""
    span: float
    """Seconds from a sign of progress within which it is killed."""


# --- training ----------------------------------------------------------------------------------------


def training(recipe: str, *changes: str, span: float) -> Work:
    words = [word for change in changes for word in ("--set", change)]
    return Work(
        begin=lambda folder, seed: [*ROOKERY, "train", recipe, "--run", str(folder / "run"), "--save-every",
                                    "0", "--set", f"seed={seed}", *words],
        go_on=lambda folder, seed: [*ROOKERY, "resume", str(folder / "run"), "--save-every", "0"],
        begun=lambda folder: (folder / "run" / "config.toml").exists(),
        progress=lambda folder: size(folder / "run" / "metrics.jsonl"),
        left=run_left,
        span=span,
    )  # fmt: skip


def size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def run_left(folder: Path) -> Content:
    last = sorted((folder / "run" / "checkpoints").glob("[0-9]*"))[-1]
    files = {str(path.relative_to(last)): path.read_bytes() for path in last.rglob("*") if path.is_file()}
    rows = [json.loads(line) for line in (folder / "run" / "metrics.jsonl").read_text().splitlines()]
    told = [{name: value for name, value in row.items() if "second" not in name} for row in rows]
    # What the run says of itself holds how long it took, and so do sums over it.
    timed = {name for name in files if Path(name).name in ("run.json", "checksums.json", "SHA256SUMS")}
    return {"metrics": told, **{name: data for name, data in files.items() if name not in timed}}


# --- the arena ---------------------------------------------------------------------------------------


def contest(*words: str, span: float) -> Work:
    def command(folder: Path, seed: int) -> list[str]:
        return [*ROOKERY, *words, "--record", str(folder / "games.jsonl"), "--json", "--workers", "1",
                "--seed", str(seed)]  # fmt: skip

    return Work(
        begin=command,
        go_on=command,
        begun=lambda folder: (folder / "games.jsonl").exists(),
        progress=lambda folder: size(folder / "games.jsonl"),
        left=contest_left,
        span=span,
    )


def contest_left(folder: Path) -> Content:
    lines = [untimed(json.loads(line)) for line in (folder / "games.jsonl").read_text().splitlines()]
    return {"record": lines, "json": untimed(json.loads((folder / "stdout").read_text()))}


def untimed(told: Any) -> Any:
    if isinstance(told, dict):
        return {k: untimed(v) for k, v in told.items() if not re.search("second|thinking|record|time", k)}
    return [untimed(each) for each in told] if isinstance(told, list) else told


# --- papers ------------------------------------------------------------------------------------------


def paper_command(folder: Path, seed: int) -> list[str]:
    words = [
        "paper",
        "go-td",
        "--quick",
        "--workers",
        "1",
        "--out",
        str(folder / "paper"),
        "--seed",
        str(seed),
    ]
    return [sys.executable, "-c", SMALL_PAPER, *words]


def paper_left(folder: Path) -> Content:
    def clean(told: Any) -> Any:
        if isinstance(told, str):
            return told.replace(str(folder), "")
        if isinstance(told, dict):
            return {k: clean(v) for k, v in told.items() if "second" not in k}
        return [clean(each) for each in told] if isinstance(told, list) else told

    return {
        str(path.relative_to(folder)): clean(json.loads(path.read_text().replace(str(folder), "")))
        for path in sorted((folder / "paper" / "pieces").rglob("*.json"))
    }


WORKS = {
    "train go5-koten": training("go5-koten", "games=100000", "evaluate_every=1000", "evaluation_games=10",
                                span=0.06),
    "train chess-treestrap": training("chess-treestrap", "depth=1", "games=200", "step=4", "max_plies=60",
                                      span=0.08),
    "train duchess4": training("duchess4-stage1", "depth=1", "games=60", "step=1", "parallel_games=4",
                               "threads=1", "max_plies=40", span=0.1),
    "match": contest("match", "chess", "alphabeta:depth=1+pieces", "random", "--games", "120",
                     "--max-plies", "80", span=0.1),
    "tournament": contest("tournament", "go5", "uct:nodes=20", "random", "naive", "--games", "40", span=0.1),
    "paper": Work(
        paper_command, paper_command, lambda folder: (folder / "paper").exists(),
        lambda folder: len(list((folder / "paper" / "pieces").glob("*/*.json"))), paper_left, 0.8,
    ),
}  # fmt: skip


# --- killing -----------------------------------------------------------------------------------------


@dataclass
class Tally:
    kills: int = 0
    resumes: int = 0
    works: int = 0
    """That came to their end, and were compared."""
    differences: int = 0
    seconds: float = 0.0


def run(command: list[str], folder: Path) -> subprocess.Popen[bytes]:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "stdout").open("wb") as out, (folder / "stderr").open("wb") as problems:
        return subprocess.Popen(command, stdout=out, stderr=problems)


def undisturbed(work: Work, folder: Path, seed: int) -> Content:
    done = run(work.begin(folder, seed), folder).wait()
    assert done == 0, f"the undisturbed run failed: {(folder / 'stderr').read_text()[-500:]}"
    return work.left(folder)


def broken(work: Work, folder: Path, seed: int, rng: random.Random, tally: Tally, most: int) -> Content:
    """One piece of work, killed until it is done or there were kills enough."""
    while True:
        again = work.begun(folder)
        process = run((work.go_on if again else work.begin)(folder, seed), folder)
        tally.resumes += again
        if tally.kills < most:
            before = work.progress(folder)
            early = rng.random() < 0.1  # at any moment of its start, too
            until = time.monotonic() + rng.uniform(0, 1.0)
            while (
                process.poll() is None
                and work.progress(folder) <= before
                and not (early and time.monotonic() > until)
            ):
                time.sleep(0.002)
            time.sleep(0 if early else rng.uniform(0, work.span))
            process.kill()
        ended = process.wait()
        if ended == 0:
            return work.left(folder)
        if ended == -9:
            tally.kills += 1
        else:
            raise AssertionError(f"ended with {ended}: {(folder / 'stderr').read_text()[-500:]}")


def torture(work: Work, count: int, seed: int, place: Path, until: float) -> tuple[Tally, list[str]]:
    tally, problems, began = Tally(), [], time.monotonic()
    rng = random.Random(seed)
    while tally.kills < count and time.monotonic() < until:
        folder, number = place / str(tally.works), seed + tally.works
        try:
            got = broken(work, folder / "broken", number, rng, tally, count)
            wanted = undisturbed(work, folder / "whole", number)
        except AssertionError as problem:
            problems.append(f"seed {number}: {problem}")
            tally.differences += 1
            tally.works += 1
            continue
        tally.works += 1
        for name in sorted(wanted.keys() | got.keys()):
            if wanted.get(name) != got.get(name):
                tally.differences += 1
                problems.append(f"seed {number}: {name} differs, see {folder}")
    tally.seconds = time.monotonic() - began
    return tally, problems


def torture_studio(count: int, seed: int, place: Path, until: float) -> tuple[Tally, list[str]]:
    """A person plays on, game after game, while the server is killed and started again."""
    tally, problems, began = Tally(), [], time.monotonic()
    rng = random.Random(seed)
    answered: list[Any] = []
    made: Any = None
    moves = 0
    noise = (place / "stderr").open("w+b")
    while time.monotonic() < until:
        process, address = serve(place, noise)
        try:
            tally.resumes += tally.kills > 0
            if made is not None:
                there = sit(address, made)["moves"]
                if there[: len(answered)] != answered:
                    tally.differences += 1
                    problems.append(
                        f"of {len(answered)} answered moves {len(there)} are there: {there} {answered}"
                    )
                tally.works += 1
            if tally.kills >= count:
                break
            if made is None or len(answered) > 60:
                game = rng.choice(["chess", "go9"])
                seats = [{"who": "me"}, {"who": "player", "player": "random"}]
                made, answered = post(address, "/api/tables", {"game": game, "seats": seats}), []
            before = len(answered)
            answered = play(address, made, rng, process, answered)
            moves += max(0, len(answered) - before)
            tally.kills += 1
        finally:
            process.kill()
            process.wait()
    tally.seconds = time.monotonic() - began
    if not moves:
        problems.append("no move was ever answered")
    noise.seek(0)
    if "Traceback" in (said := noise.read().decode(errors="replace")):
        problems.append(f"a traceback: {said[-300:]!r}")
    noise.close()
    return tally, problems


def sit(address: str, made: Any) -> Any:
    with connect(f"ws://{address}/api/tables/{made['id']}/play", additional_headers=HEADERS) as socket:
        socket.send(json.dumps({"do": "sit", "secrets": [made["secrets"]["0"]]}))
        return json.loads(socket.recv())


def play(
    address: str, made: Any, rng: random.Random, process: subprocess.Popen[str], answered: list[Any]
) -> list[Any]:
    """Move on and on; the server is killed at some moment. What it had told by then."""
    end = time.monotonic() + rng.uniform(0.05, 0.5)
    with connect(f"ws://{address}/api/tables/{made['id']}/play", additional_headers=HEADERS) as socket:
        socket.send(json.dumps({"do": "sit", "secrets": [made["secrets"]["0"]]}))
        shown = json.loads(socket.recv())
        while time.monotonic() < end and not shown["outcome"]:
            answered = shown["moves"]
            if shown["legal"]:
                socket.send(json.dumps({"do": "move", "text": rng.choice(shown["legal"])["text"]}))
            try:
                shown = json.loads(socket.recv(timeout=max(0.001, end - time.monotonic())))
            except TimeoutError:
                break
        answered = shown["moves"] if len(shown["moves"]) > len(answered) else answered
        process.kill()
    return answered


def main() -> int:
    names = [*WORKS, "studio"]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=10, help="kills of each kind of work")
    parser.add_argument("--only", choices=names, action="append", help="this kind of work")
    parser.add_argument("--minutes", type=float, default=0, help="for each kind of work, at most")
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    asked = parser.parse_args()
    tallies, problems = {}, []
    for name in asked.only or names:
        until = time.monotonic() + (asked.minutes * 60 or float("inf"))
        with tempfile.TemporaryDirectory(prefix="soak-") as place:
            work = (asked.count, asked.seed, Path(place), until)
            tallies[name], found = torture_studio(*work) if name == "studio" else torture(WORKS[name], *work)
        problems += [f"{name}: {each}" for each in found]
        if not asked.json:
            print(
                *(f"{name}: {each}" for each in found),
                f"... {name}: {tallies[name]}",
                sep="\n",
                file=sys.stderr,
                flush=True,
            )
    short = [name for name, tally in tallies.items() if tally.kills < asked.count]
    if asked.json:
        print(
            json.dumps(
                {
                    "works": {n: vars(t) for n, t in tallies.items()},
                    "problems": problems,
                    "too_few_kills": short,
                }
            )
        )
    else:
        rows = [
            [n, t.kills, t.resumes, t.works, t.differences, f"{t.seconds:.0f}"] for n, t in tallies.items()
        ]
        print(table(["work", "kills", "resumes", "compared", "differences", "seconds"], rows))
        if short:
            print(f"fewer kills than asked for: {', '.join(short)}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
