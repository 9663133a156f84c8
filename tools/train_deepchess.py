"""Train the networks of DeepChess by several seeds, one run after the other, in a bounded time.

    python tools/train_deepchess.py STORE OUT --seeds 3 --minutes 20

Of each seed: the full network, the small one distilled from it, the small one from the games alone; in
OUT/full-1, OUT/small-1, OUT/scratch-1 and so on. Complete sets come first, so that whatever ends it early
leaves some. The same command goes on with what was begun, and leaves alone what is done. A line of JSON for
each run goes to stdout.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from rookery.runs import Run, Step, find

RECIPES = {
    "full": ("chess-deepchess", 4.0),
    "small": ("chess-deepchess-small", 2.0),
    "scratch": ("chess-deepchess-scratch", 2.0),
    "paper": ("chess-deepchess-paper", 6.0),
}
"""The recipe of each, and its share of the time."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("store")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=20.0, help="for all runs together")
    parser.add_argument("--only", default="full,small,scratch", help="which of full, small, scratch, paper")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for every run")
    asked = parser.parse_args()
    kinds = asked.only.split(",")
    end = monotonic() + 60 * asked.minutes
    left = [(kind, seed) for seed in range(1, asked.seeds + 1) for kind in kinds]
    while left:
        kind, seed = left[0]
        share = RECIPES[kind][1] / sum(RECIPES[each][1] for each, _ in left)
        minutes = (end - monotonic()) / 60 * share
        if minutes < 0.05:
            print(json.dumps({"left": [f"{kind}-{seed}" for kind, seed in left]}), flush=True)
            return
        train(kind, seed, minutes, asked.store, asked.out, asked.set, end)
        left.pop(0)


def train(
    kind: str, seed: int, minutes: float, store: str, out: Path, changes: Sequence[str], end: float
) -> None:
    began = monotonic()
    folder = out / f"{kind}-{seed}"
    if (folder / "config.toml").exists():
        run = Run.open(folder)
    else:
        # A tenth is kept for reading the store and saving.
        said = [f"store={json.dumps(store)}", f"seed={seed}", f"minutes={0.9 * minutes:.3f}", *changes]
        if kind == "small":
            said.append(f"teacher={json.dumps(str(out / f'full-{seed}'))}")
        run = Run.create(folder, find(RECIPES[kind][0], said))
    last: list[Step] = []
    run.train(on_step=last.append, stop=lambda: monotonic() > end, checkpoint_every=60)
    told = {name: value for step in last for name, value in step.metrics.items()}
    done = {
        "run": str(folder),
        "step": run.done,
        "steps": run.steps,
        "seconds": round(monotonic() - began, 1),
    }
    print(json.dumps({**done, **told}), flush=True)


if __name__ == "__main__":
    main()
