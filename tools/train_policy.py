"""Train policy networks one after the other in one process, which replays the games only once.

    python tools/train_policy.py --to OUT --stores elite,club human:seconds=420 best policy dense

Each is the name of a recipe, in short or in full, with changes to it; `policy:seed=2` is another run. What
does not begin before `--until` seconds have passed is left out. The same command goes on with what was begun,
and leaves alone what is done. Lines of JSON go to stdout: one a round, and one a run.
"""

from __future__ import annotations

import argparse
import json
import re
import traceback
from pathlib import Path
from time import monotonic

from rookery.errors import describe
from rookery.runs import Run, Step, find

RECIPES = {
    "human": "chess-human",
    "best": "chess-policy-best",
    "small": "chess-policy-small",
    "policy": "chess-policy",
    "dense": "chess-policy-dense",
    "plain": "chess-policy-plain",
    "pooling": "chess-policy-pooling",
    "all-moves": "chess-policy-all-moves",
}
_BEGAN = monotonic()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", nargs="+", metavar="RECIPE[:KEY=VALUE,...]")
    parser.add_argument("--to", type=Path, required=True)
    parser.add_argument("--stores", required=True, help="folders, with commas between them")
    parser.add_argument("--until", type=float, default=1e9, help="seconds after which no run is begun")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="for every run")
    asked = parser.parse_args()
    stores = "stores=" + json.dumps(asked.stores.split(","))
    for text in asked.runs:
        name, _, said = text.partition(":")
        if monotonic() - _BEGAN > asked.until:
            tell(run=name, left_out=True)
            continue
        changes = [each for each in said.split(",") if each]
        folder = asked.to / "-".join([name, *(re.sub("[=/]", "", each) for each in changes)])
        try:
            train(folder, RECIPES.get(name, name), [stores, *changes, *asked.set])
        except Exception as error:  # the others shall not wait for somebody to read it
            traceback.print_exc()
            tell(run=folder.name, failed=describe(error))


def train(folder: Path, recipe: str, changes: list[str]) -> None:
    began = monotonic()
    fresh = not (folder / "config.toml").exists()
    run = Run.create(folder, find(recipe, changes)) if fresh else Run.open(folder)
    last: list[Step] = []

    def hear(step: Step) -> None:
        last[:] = [step]
        tell(
            run=folder.name,
            step=step.number,
            steps=step.steps,
            seconds=round(step.seconds, 1),
            **step.metrics,
        )

    run.train(on_step=hear, checkpoint_every=60)
    tell(run=folder.name, done=run.done, steps=run.steps, wall=round(monotonic() - began, 1))


def tell(**said: object) -> None:
    print(json.dumps({"at": round(monotonic() - _BEGAN, 1), **said}), flush=True)


if __name__ == "__main__":
    main()
