"""Feed every parser and every server with mutated input; nothing but a RookeryError may come out.

    python -m soak.texts                           100,000 inputs
    python -m soak.texts --count 1000000           as docs/reliability.md has it
    python -m soak.texts --only SGF --at 17        one input again

Inputs are a function of the seed, the reader's name and their number. Each reader works in processes of its
own, a slice after the other: a death costs the one input, which is named. Servers get malformed messages by
the session and must answer at its end. Deaths, hangs, other exceptions and tracebacks on stderr are failures;
the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import select
import signal
import struct
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rookery.errors import RookeryError
from soak.parsers import PARSERS, Parser
from soak.sessions import SESSIONS, Session
from soak.table import table

SLICE = 5000
SLOW = 10.0
"""Seconds of processor time that one input may take."""
PATIENCE = 180.0
"""Seconds without any progress after which a process is given up."""


@dataclass
class Tally:
    tried: int = 0
    taken: int = 0
    refused: int = 0
    failures: int = 0
    seconds: float = 0.0


class TooSlow(Exception):
    pass


def source(seed: int, name: str, number: int) -> random.Random:
    return random.Random(f"{seed} {name} {number}")


def describe(problem: BaseException) -> str:
    return " ".join(f"{type(problem).__name__}: {problem}".split())[:300]


def read_one(parser: Parser, rng: random.Random) -> tuple[str, str]:
    """Whether it was taken or refused; raises what it should not."""
    given = parser.make(rng)
    try:
        parser.read(given)
    except RookeryError as error:
        if len(str(error)) > 2000 or "\n" in str(error):
            raise AssertionError(
                f"an error of {len(str(error))} letters, {str(error).count(chr(10))} line ends"
            ) from None
        return "refused", repr(given)
    return "taken", repr(given)


def work_parser(
    name: str, seed: int, numbers: range, note: Callable[[int], None], say: Callable[[Any], None]
) -> None:
    """In a process of its own: reads, notes the number before each, says what went wrong."""

    def slow(*_: object) -> None:
        raise TooSlow(f"more than {SLOW:g} s")

    signal.signal(signal.SIGPROF, slow)
    counts: Counter[str] = Counter()
    for number in numbers:
        note(number)
        signal.setitimer(signal.ITIMER_PROF, SLOW)
        try:
            counts[read_one(PARSERS[name], source(seed, name, number))[0]] += 1
        except Exception as problem:
            last = traceback.extract_tb(problem.__traceback__)[-1]
            where = f"{Path(last.filename).name}:{last.lineno}"
            say({"number": number, "what": describe(problem), "where": where})
            counts["failed"] += 1
        signal.setitimer(signal.ITIMER_PROF, 0)
    say({"counts": counts})


def work_session(
    name: str, seed: int, numbers: range, note: Callable[[int], None], say: Callable[[Any], None]
) -> None:
    note(numbers.start)
    counts = Counter(refused=len(numbers))
    try:
        SESSIONS[name].hold(source(seed, name, numbers.start).randrange(2**31), len(numbers))
    except BaseException as problem:
        say({"number": numbers.start, "what": describe(problem), "where": "session"})
        counts["failed"] += 1
    say({"counts": counts})


def in_process(
    work: Callable[..., None], name: str, seed: int, numbers: range
) -> tuple[int, Counter[str], list[Any]]:
    """The first number that was not reached, what was counted, and the failures."""
    progress = mmap.mmap(-1, 8)
    listen, speak = os.pipe()
    with tempfile.TemporaryFile() as noise:
        child = os.fork()
        if not child:
            os.close(listen)
            os.dup2(noise.fileno(), 2)
            say = os.fdopen(speak, "w")
            try:
                work(name, seed, numbers, lambda n: progress.__setitem__(slice(0, 8), struct.pack("q", n)),
                     lambda told: print(json.dumps(told), file=say, flush=True))  # fmt: skip
            finally:
                os._exit(0)
        os.close(speak)
        ended, before, since = os.pidfd_open(child), b"", time.monotonic()
        told, late = b"", False
        while True:
            ready = select.select([listen, ended], [], [], 1.0)[0]
            if listen in ready and (more := os.read(listen, 65536)):
                told += more
                continue
            if ended in ready:
                break
            if progress[:8] != before:
                before, since = progress[:8], time.monotonic()
            elif time.monotonic() - since > PATIENCE:
                os.kill(child, signal.SIGKILL)
                late = True
        os.close(ended)
        os.close(listen)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        noise.seek(0)
        heard = noise.read().decode("utf-8", "replace")
    lines = [json.loads(line) for line in told.decode().splitlines()]
    failures = [line for line in lines if "what" in line]
    counts = next((Counter(line["counts"]) for line in lines if "counts" in line), None)
    if counts is not None and status == 0:
        if "Traceback" in heard:
            failures.append(
                {
                    "number": numbers.start,
                    "what": "stderr: " + heard[heard.index("Traceback") :][-300:],
                    "where": "stderr",
                }
            )
        return numbers.stop, counts, failures
    at = struct.unpack("q", progress[:8])[0]
    what = (
        f"no progress for {PATIENCE:g} s"
        if late
        else f"died: {signal.Signals(-status).name if status < 0 else status}"
    )
    failures.append({"number": at, "what": what, "where": "process"})
    return at + 1, Counter(failed=1, refused=max(0, at - numbers.start)), failures


def main() -> int:
    readers: dict[str, Parser | Session] = {**PARSERS, **SESSIONS}
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100_000, help="inputs in all")
    parser.add_argument("--only", choices=readers, action="append", help="this reader")
    parser.add_argument("--at", type=int, help="this input alone, and what comes of it")
    parser.add_argument("--minutes", type=float, default=0, help="end after so many")
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    asked = parser.parse_args()
    chosen = {name: reader for name, reader in readers.items() if not asked.only or name in asked.only}
    if asked.at is not None:
        for name, reader in chosen.items():
            rng = source(asked.seed, name, asked.at)
            print(*read_one(reader, rng)) if isinstance(reader, Parser) else reader.hold(
                rng.randrange(2**31), reader.length
            )
        return 0
    began = time.monotonic()
    tallies = {name: Tally() for name in chosen}
    failures = []
    whole = sum(reader.share for reader in readers.values())
    for name, reader in chosen.items():
        tally, start, wanted = tallies[name], time.monotonic(), max(1, asked.count * reader.share // whole)
        at = 0
        step = SLICE if isinstance(reader, Parser) else reader.length
        work = work_parser if isinstance(reader, Parser) else work_session
        while at < wanted and not (asked.minutes and time.monotonic() - began > asked.minutes * 60):
            first = at
            at, counts, found = in_process(work, name, asked.seed, range(at, min(at + step, wanted)))
            if isinstance(reader, Session) and found:
                at = min(first + step, wanted)
            tally.tried += at - first
            tally.taken += counts["taken"]
            tally.refused += counts["refused"]
            tally.failures += len(found)
            for each in found:
                again = f'python -m soak.texts --seed {asked.seed} --only "{name}" --at {each["number"]}'
                failures.append({"reader": name, **each, "again": again})
                if not asked.json:
                    print(f"{name}: {each['what']} ({each['where']}): {again}", flush=True)
        tally.seconds = time.monotonic() - start
        if not asked.json:
            print(
                f"... {name}: {tally.tried} in {tally.seconds:.0f} s, {tally.failures} failures",
                file=sys.stderr,
                flush=True,
            )
    total = sum(tally.tried for tally in tallies.values())
    if asked.json:
        print(
            json.dumps(
                {"tried": total, "failures": failures, "readers": {n: vars(t) for n, t in tallies.items()}}
            )
        )
    else:
        rows = [[n, t.tried, t.taken, t.refused, t.failures, f"{t.seconds:.0f}"] for n, t in tallies.items()]
        print(table(["input", "tried", "taken", "refused", "failures", "seconds"], rows))
        print(f"{total} inputs, {len(failures)} failures, {time.monotonic() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
