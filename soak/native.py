"""Attack everything of the native module that Python can call, each try in a process of its own.

    python -m soak.native                       the named hazards, and a thousand of each other kind
    python -m soak.native --count 0             every argument with every hostile value
    python -m soak.native --only perft          tries with this in their text

A try may raise, and one that takes long must obey Ctrl-C. A death, a hang or a broken contract is a failure:
it is printed as the line that makes it happen again, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from soak.cell import Fate, Keeper
from soak.hazards import HAZARDS
from soak.surface import Callable, Surface, read
from soak.table import table
from soak.values import Values

KINDS = ("good", *HAZARDS, "arguments", "bare", "sequences")


@dataclass(frozen=True)
class Try:
    kind: str
    source: str


def good(surface: Surface, values: Values) -> list[Try]:
    """Each call as it is meant; one that fails would make all that is said of its arguments worthless."""
    return [Try("good", values.call(target)) for target in surface.callables]


def arguments(surface: Surface, values: Values, rng: random.Random, count: int) -> list[Try]:
    """Each call with one hostile argument."""
    tries = [
        Try("arguments", values.call(target, {parameter.name: value}))
        for target in surface.callables
        for parameter in target.parameters
        for value in values.hostile(target, parameter)
    ]
    return rng.sample(tries, count) if 0 < count < len(tries) else tries


def bare(surface: Surface) -> list[Try]:
    """Each class without its `__init__`."""
    return [
        Try("bare", "\n".join([f"x = bare({owner})", *(f"x.{name}" for name in names), "str(x)", "del x"]))
        for owner in surface.classes
        for names in [[each.name for each in surface.callables if each.owner == owner and each.how == "get"]]
    ]


def sequences(surface: Surface, values: Values, rng: random.Random, count: int) -> Iterator[Try]:
    """A few calls on one object, one argument in three hostile."""
    methods: dict[str, list[Callable]] = {}
    for target in surface.callables:
        if target.how in ("method", "set") and not target.name.startswith("__"):
            methods.setdefault(target.owner, []).append(target)
    for _ in range(count):
        owner = rng.choice(sorted(methods))
        lines = [f"x = expose({values.subject(owner)})"]
        for _ in range(rng.randint(2, 6)):
            target = rng.choice(methods[owner])
            changed = {
                parameter.name: rng.choice(values.hostile(target, parameter))
                for parameter in target.parameters
                if rng.random() < 1 / 3
            }
            call = values.call(target, changed)
            lines.append(call.replace(f"expose({values.on(target)})", "x", 1))
            if target.gives == owner:
                lines[-1] = f"x = {lines[-1]}"
        yield Try("sequences", "\n".join(lines))


def tries(seed: int, count: int) -> list[Try]:
    surface = read()
    values, rng = Values(surface), random.Random(seed)
    named = [Try(kind, source) for kind, sources in HAZARDS.items() for source in sources]
    return [
        *good(surface, values),
        *named,
        *arguments(surface, values, rng, count),
        *bare(surface),
        *sequences(surface, values, rng, count or 10_000),
    ]


def repeat(attempt: Try) -> str:
    """The line that makes it happen again."""
    return f"python -m soak.native --source {json.dumps(attempt.source)}"


def judge(attempt: Try, fate: Fate) -> bool:
    """Whether it failed."""
    return fate.failed or (attempt.kind == "good" and fate.kind != "done")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--count", type=int, default=1000, help="tries of each random kind; 0 for all there are"
    )
    parser.add_argument("--only", default="", help="tries with this in their text")
    parser.add_argument("--kind", choices=KINDS, action="append", help="tries of this kind")
    parser.add_argument("--skip", type=int, default=0, help="leave out the first so many")
    parser.add_argument("--minutes", type=float, default=0, help="end after so many")
    parser.add_argument("--source", help="try this text instead")
    parser.add_argument("--seconds", type=float, default=3.0, help="after which a try gets Ctrl-C")
    parser.add_argument("--json", action="store_true", help="write one JSON document instead")
    asked = parser.parse_args()
    chosen = [Try("source", asked.source)] if asked.source else tries(asked.seed, asked.count)
    chosen = [
        each for each in chosen if asked.only in each.source and (not asked.kind or each.kind in asked.kind)
    ]
    kinds: dict[str, Counter[str]] = {}
    failures, began, done = [], time.monotonic(), 0
    with Keeper() as keeper:
        for attempt in chosen[asked.skip :]:
            if asked.minutes and time.monotonic() - began > asked.minutes * 60:
                break
            fate = keeper.run(
                attempt.source, seconds=asked.seconds, wholly=attempt.kind in (*HAZARDS, "source")
            )
            kinds.setdefault(attempt.kind, Counter())[fate.kind] += 1
            done += 1
            if judge(attempt, fate):
                failures.append({"kind": fate.kind, "detail": fate.detail, "again": repeat(attempt)})
                if not asked.json:
                    print(f"{fate.kind} ({fate.detail}): {repeat(attempt)}", flush=True)
            elif asked.source and not asked.json:
                print(f"{fate.kind}: {fate.detail} ({fate.seconds:.2f} s)")
    report = {
        "tried": done,
        "of": len(chosen),
        "failures": failures,
        "kinds": {k: dict(v) for k, v in kinds.items()},
    }
    if asked.json:
        print(json.dumps(report))
    else:
        columns = ("done", "refused", "interrupted", "died", "hung", "broken")
        rows = [
            [kind, sum(counts.values()), *(counts[each] for each in columns)]
            for kind, counts in kinds.items()
        ]
        print(table(["kind", "tried", *columns], rows))
        print(f"{done} of {len(chosen)} tries, {len(failures)} failures, {time.monotonic() - began:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
