"""The single pieces of work: raising a net, and letting it meet somebody. Each gives what JSON can hold."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rookery import games, native, players
from rookery.api import Limit
from rookery.papers.go_td.plan import RIVALS
from rookery.runs import Recipe, Run, Step
from rookery.weights import FILE


def raise_net(folder: str, options: Mapping[str, Any], sample_games: int, seed: int) -> dict[str, Any]:
    """One run, and its net at every sample.

    It lies in a run folder, from which it goes on if it was broken off.
    """
    from rookery.learners.td import TdLearner

    recipe = Recipe("td", seed, TdLearner.Options(**options, evaluation_games=sample_games))
    where = Path(folder)
    run = _open(where, recipe)
    kept = where / "samples"
    kept.mkdir(exist_ok=True)

    def keep(step: Step) -> None:
        shutil.copyfile(run.checkpoints()[-1] / FILE, _sample(kept, step.number))

    run.train(keep, checkpoint_every=0.0)  # a checkpoint a step, or there would be no net to keep
    lines = run.metrics()
    samples = [
        {
            "games": int(line["games"]),
            "wins": {rival: line[rival] for rival in RIVALS},
            "weights": str(_sample(kept, line["step"])),
            "opening": opening(str(_sample(kept, line["step"]))),
        }
        for line in lines
    ]
    return {"samples": samples, "seconds": lines[-1]["seconds"]}


def _sample(folder: Path, step: int) -> Path:
    return folder / f"{step:06}.safetensors"


def _open(folder: Path, recipe: Recipe) -> Run:
    """The run of that recipe; one of another, from an earlier work in the same place, gives way."""
    if (folder / "config.toml").exists():
        run = Run.open(folder)
        if run.recipe == recipe:
            return run
        shutil.rmtree(folder)
    return Run.create(folder, recipe)


def opening(weights: str) -> str:
    """The first move of a net on the empty board."""
    game = games.get("go5")
    state = game.start()
    return state.text(players.make(f"greedy+td@{weights}", game).choose(state.view(0), Limit()))


def meet_rival(
    weights: str, rival: str, settings: Mapping[str, Any], depth: int, games: int, seed: int
) -> tuple[int, int]:
    """Wins and losses of a net against a rival, half of the games with each colour."""
    raise NotImplementedError


def meet_net(first: str, second: str, games: int, seed: int) -> tuple[int, int]:
    """Wins of each of two nets, half of the games with each colour."""
    raise NotImplementedError


def gojen_against_naive(settings: Mapping[str, Any], games: int, seed: int) -> int:
    """The wins of a gojen so set."""
    start: Any = native.Go5("...../...../...../...../.....")
    return sum(native.duel(native.Gojen(**settings), native.Naive(), start, games, seed).wins)


def meet_gnugo(weights: str, depth: int, games: int, seed: int) -> tuple[int, int, int]:
    """Wins, ties and losses against GNU Go at its lowest level, by our referee.

    It plays everything out and takes what is dead off the board, for the referee takes no stone for dead.
    """
    from rookery.arena.contest import Contest
    from rookery.arena.match import match

    raise NotImplementedError((Contest, match))
