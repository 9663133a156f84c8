"""Pieces of work: games of our own, trainings, and what networks know."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rookery import games, players
from rookery.arena import record
from rookery.arena.contest import Contest, enter
from rookery.arena.export import export
from rookery.arena.match import match
from rookery.errors import CheckpointMismatch
from rookery.evaluators.transitivity import cyclic_triples
from rookery.examine import judges, pairs, understanding
from rookery.examine.clusters import Mean
from rookery.papers.study import Done
from rookery.papers.trainings import train
from rookery.records import importing
from rookery.records.sampling import HeldOut
from rookery.records.store import Store
from rookery.runs import Run, find
from rookery.runs.run import metrics_of
from rookery.weights import FILE

_PLAYERS = ("alphabeta:nodes=400+classical", "alphabeta:nodes=150+pieces")
"""Of unequal strength, so that most games are decided."""
_POINTS = 60
"""Of a learning curve that are kept."""


def play_games(to: str, count: int, seed: int) -> str:
    """A store of games of our own players; their dates are made up, a day for each pair."""
    folder = Path(to)
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    contest = Contest("chess", enter("chess", _PLAYERS), count, seed=seed, openings="random:6", max_plies=160)
    kept = folder.with_suffix(".jsonl")
    with record.Record(contest, kept) as played:
        match(contest, played, 0)
    header, found = record.read(kept)
    texts = []
    for number, text in enumerate(export(header, record.order(found))):
        day = number // 2
        date = f"20{10 + day // 336:02}.{1 + day // 28 % 12:02}.{1 + day % 28:02}"
        texts.append(text.replace('[Date "????.??.??"]', f'[Date "{date}"]'))
    written = folder.with_suffix(".pgn")
    written.write_text("".join(texts))
    importing.run([written], folder, importing.Filter(results=("1-0", "0-1"), min_plies=20))
    return Store.open(folder).hash


def store_facts(folder: str, content: str) -> dict[str, Any]:
    """What a store holds."""
    store = Store.open(folder)
    rated = store.elos[(store.elos > 0).all(axis=1)]
    dates = store.dates[store.dates > 0]
    return {
        "games": len(store),
        "white": int((store.results == 1).sum()),
        "black": int((store.results == -1).sum()),
        "plies": int(store.plies.sum()),
        "ratings": [int(rated.min()), int(rated.max())] if len(rated) else None,
        "dates": [int(dates.min()), int(dates.max())] if len(dates) else None,
    }


# --- trainings ---------------------------------------------------------------------------------------


def learn(
    run: str, recipe: str, changes: Mapping[str, Any], seed: int, store: str, content: str, teacher: str
) -> Done:
    """One training; a run that was made elsewhere and lies there with its weights is taken up as it is."""
    options = {**changes, "store": store, **({"teacher": teacher} if teacher else {})}
    if (Path(run) / FILE).is_file():
        made = Run.open(Path(run)).recipe
        asked = find(recipe).options
        said = made.options
        wrong = [
            f"{name} is {found} and not {wanted}"
            for name, found, wanted in (
                ("learner", made.learner, "deepchess"),
                ("seed", made.seed, seed),
                ("net", said.net, asked.net),
                ("schedule", said.schedule, asked.schedule),
                ("a teacher", bool(said.teacher), bool(teacher)),
                ("split_seed", said.split_seed, asked.split_seed),
                ("its store", made.data.get("store"), content),
            )
            if found != wanted
        ]
        if wrong:
            raise CheckpointMismatch(f"{run} holds another run: {'; '.join(wrong)}; move it away")
        lines, used = metrics_of(Path(run)), asdict(said)
        return Done(_told(lines, used, elsewhere=True), lines[-1]["seconds"])
    options = {**asdict(find(recipe).options), **options}
    done = train(run, "deepchess", options, seed)
    return Done(_told(done.result["metrics"], options, elsewhere=False), done.seconds)


def _told(lines: list[dict[str, Any]], options: Mapping[str, Any], elsewhere: bool) -> dict[str, Any]:
    """The accuracies of a run at the end of its schedule, where it was kept, and over the pairs seen."""
    rows = [line for line in lines if "accuracy_game" in line]
    before = max((line["training_steps"] for line in lines if line["stage"] < rows[0]["stage"]), default=0.0)
    curve = [
        {"pairs": (row["training_steps"] - before) * options["batch"], **_accuracies(row, "")} for row in rows
    ]
    step = max(1, len(curve) // _POINTS)
    thinned = curve[step - 1 :: step]
    if thinned[-1] is not curve[-1]:
        thinned.append(curve[-1])
    scalar: dict[str, Any] = next((line for line in reversed(lines) if "scalar_accuracy_game" in line), {})
    rates = sorted(line["pairs_per_second"] for line in lines if line["stage"] == rows[0]["stage"])
    return {
        "curve": thinned,
        "end": _accuracies(rows[-1], ""),
        "kept": _accuracies(max(rows, key=lambda row: float(row["accuracy_game"])), ""),
        "scalar": _accuracies(scalar, "scalar_"),
        "seconds": lines[-1]["seconds"],
        "pairs_per_second": rates[len(rates) // 2],
        "options": {name: options[name] for name in _SHOWN if name in options},
        "elsewhere": elsewhere,
    }


_SHOWN = ("net", "positions_per_game", "schedule", "epochs", "pairs", "batch", "pretrain_epochs", "dropout",
          "colour_flip")  # fmt: skip


def _accuracies(line: Mapping[str, Any], prefix: str) -> dict[str, float]:
    kinds = ("train", "position", "game", "time")
    return {kind: line[name] for kind in kinds if (name := f"{prefix}accuracy_{kind}") in line}


# --- what is known -----------------------------------------------------------------------------------


def examine(
    knowledge: str, store: str, content: str, split: HeldOut, count: int, seed: int
) -> dict[str, Any]:
    """The share of pairs judged right, as `rookery examine` has it."""
    opened = Store.open(store)
    with judges.find(knowledge, games.get("chess")) as (judge, _):
        if judge is None:
            raise TypeError(f"{knowledge} gives no values")
        task = pairs.draw(opened, split, count, seed, _cores())
        found = pairs.measure(task, judge)
    return {
        "accuracy": _pair(found.all.accuracy),
        "pairs": found.all.pairs,
        "games": task.games,
        "by_ply": {band: _pair(score.accuracy) for band, score in found.by_ply.items()},
    }


def _pair(mean: Mean) -> tuple[float, float]:
    """A share and its standard error, clustered by games; few games do not tell it."""
    return mean.value, mean.error if mean.error == mean.error else 0.5


def understand(knowledge: str) -> list[dict[str, Any]]:
    """What somebody says of the pairs that differ in one thing."""
    with judges.find(knowledge, games.get("chess")) as (judge, _):
        if judge is None:
            raise TypeError(f"{knowledge} gives no values")
        told = understanding.judge(understanding.read(understanding.OURS), judge)
    return [
        {"kind": one.pair.kind, "theme": one.pair.theme, "right": one.right, "logit": one.logit}
        for one in told
    ]


def circles(knowledge: str, store: str, content: str, count: int, seed: int) -> tuple[int, int]:
    """Triples among the moves of positions of held-out games, and how many of them go in a circle."""
    task = pairs.draw(Store.open(store), "game", max(2, count // 2), seed, _cores())
    known = players.know(knowledge, games.get("chess"))
    found = cyclic_triples(known, task.positions.states[:count])
    return found.all, found.cyclic


def _cores() -> int:
    return min(len(os.sched_getaffinity(0)), 256)
