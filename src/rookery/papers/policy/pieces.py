"""Pieces of work: trainings of policy networks, what they predict, and matches from elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rookery import games, players
from rookery.arena import record
from rookery.arena.contest import Contest
from rookery.arena.tally import Tally
from rookery.errors import CheckpointMismatch, RecordMismatch
from rookery.examine import moves
from rookery.learners.policy import REPORT
from rookery.papers.policy.plan import FIRST_PLY
from rookery.papers.study import Done
from rookery.papers.trainings import train
from rookery.records.store import Store
from rookery.runs import Run, find
from rookery.runs.run import metrics_of

_PLIES = 10
"""By so many Figure 5 goes on."""


def learn(run: str, recipe: str, changes: Mapping[str, Any], seed: int, store: str, content: str) -> Done:
    """One training; a run that was made elsewhere and lies there with its report is taken up as it is."""
    place = Path(run)
    if (place / REPORT).is_file():
        return _taken_up(place, recipe, changes, seed)
    options = {**asdict(find(recipe).options), **changes, "stores": (store,)}
    done = train(run, "policy", options, seed)
    report = json.loads((Path(done.result["checkpoint"]) / REPORT).read_text())
    return Done(_told(done.result["metrics"], report, elsewhere=False), done.seconds)


def _taken_up(place: Path, recipe: str, changes: Mapping[str, Any], seed: int) -> Done:
    made = Run.open(place).recipe
    asked = {**asdict(find(recipe).options), **changes}
    said = {"learner": made.learner, "seed": made.seed, **asdict(made.options)}
    wanted = {"learner": "policy", "seed": seed, **asked}
    told = ("learner", "seed", "encoder", "trunk", "blocks", "channels", "head", "norm", "loss", "batch",
            "batches", "learning_rate", "optimiser", "split_seed", "start")  # fmt: skip
    if wrong := _differences(said, {key: wanted[key] for key in told}):
        raise CheckpointMismatch(f"{place} holds another run: {'; '.join(wrong)}; move it away")
    lines = metrics_of(place)
    return Done(_told(lines, json.loads((place / REPORT).read_text()), elsewhere=True), lines[-1]["seconds"])


def _told(lines: list[dict[str, Any]], report: Mapping[str, Any], elsewhere: bool) -> dict[str, Any]:
    """How well a network predicts moves of held-out games, while it learns and at the end."""
    found = report["game"]
    rates = sorted(line["positions_per_second"] for line in lines)
    return {
        "steps": lines[-1]["training_steps"],
        "curve": [(line["training_steps"], line["held_out_accuracy"]) for line in lines],
        "all": found["all"],
        "from first ply": found[f"from ply {FIRST_PLY}"],
        "plies": _by_tens(found["plies"]),
        "positions": sum(report["training_positions"].values()),
        "positions_per_second": rates[len(rates) // 2],
        "dead_units": lines[-1]["dead_units"],
        "elsewhere": elsewhere,
    }


def _by_tens(plies: list[dict[str, float]]) -> list[tuple[float, float, float]]:
    """The middle of some plies, how many positions there are and how many of their moves are predicted."""
    found = []
    for first in range(0, len(plies), _PLIES):
        part = [each for each in plies[first : first + _PLIES] if each["positions"]]
        if count := sum(each["positions"] for each in part):
            right = sum(each["positions"] * each["accuracy"] for each in part)
            found.append((first + (_PLIES - 1) / 2, count, right / count))
    return found


def selfplay(run: str) -> list[dict[str, Any]]:
    """The lines of a run of self-play."""
    return metrics_of(Path(run))


def predict(knowledge: str, store: str, content: str, count: int, seed: int) -> dict[str, Any]:
    """How often a network's likeliest move is the one played, on held-out games."""
    task = moves.draw(Store.open(store), "game", count, seed, 1)
    known = players.know(knowledge, games.get("chess"))
    found = moves.measure(task, lambda rating: known)
    return {
        "accuracy": (found.all.top1.value, found.all.top1.error),
        "positions": found.all.positions,
        "by_ply": {band: (score.top1.value, score.top1.error) for band, score in found.by_ply.items()},
    }


def played_elsewhere(file: str, content: str, pair: Sequence[str], count: int, openings: str) -> Done:
    """A match whose record was made elsewhere, by any seed and on any device; content: the file's hash.

    Raises:
        RecordMismatch: it is another match than the study asks for.
    """
    header, found = record.read(Path(file))
    asked = tuple(_anywhere(players.vary(name, {})) for name in pair)
    contest = Contest("chess", asked, count, openings=openings)
    said = {**header, "entrants": [*map(_anywhere, header["entrants"])]}
    wanted = {key: value for key, value in contest.identity().items() if key != "seed"}
    wrong = _differences(said, wanted)
    if sorted(game.key for game in found) != sorted(game.key for game in contest.schedule()):
        wrong.append(f"it has {len(found)} games and not each of the {count} once")
    _refuse(file, wrong)
    tally = Tally()
    for game in record.order(found):
        tally.add(game, (0, 1))
    told = tally.json()
    met = {key: told[key] for key in ("wins", "draws", "losses", "elo", "elo_low", "elo_high", "pentanomial")}
    return Done({**met, "entrants": list(header["entrants"])}, sum(tally.seconds))


def rolled_out_elsewhere(file: str, content: str, terms: Mapping[str, Any]) -> Done:
    """A match of Monte-Carlo that was played elsewhere, as `lockstep.meet` told it; content: the file's hash.

    Raises:
        RecordMismatch: it is another match than the study asks for.
    """
    try:
        told = json.loads(Path(file).read_bytes())
        said, games = dict(told["terms"]), told["wins"] + told["draws"] + told["losses"]
        seconds = float(told["seconds"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise RecordMismatch(f"{file} tells no such match, with its terms; move it away") from None
    wrong = _differences(said, terms)
    if games != terms["games"]:
        wrong.append(f"it has {games} games and not {terms['games']}")
    _refuse(file, wrong)
    return Done(told, seconds)


def _anywhere(name: str) -> str:
    """A player's name without the device on which it thinks."""
    return re.sub(r":device=\w+$", "", name)


def _differences(said: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    return [
        f"{key} is {said.get(key)} and not {value}" for key, value in wanted.items() if said.get(key) != value
    ]


def _refuse(file: str, wrong: Sequence[str]) -> None:
    if wrong:
        raise RecordMismatch(f"{file} records another match: {'; '.join(wrong)}; move it away")
