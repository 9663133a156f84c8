"""The work behind the report, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import fmean, harmonic_mean
from typing import Any

from rookery.learners.td import NETS
from rookery.papers.go_td import pieces
from rookery.papers.go_td.plan import (
    ABLATIONS,
    CONFIGS,
    DEPTHS,
    GOJENS,
    KATATSUGI_C,
    KOTEN_C,
    RIVALS,
    Config,
    Size,
)
from rookery.papers.go_td.results import Runs, Sample, best
from rookery.papers.go_td.story import Outcome, Wins
from rookery.papers.matches import Met, Terms, meet_all
from rookery.papers.study import Piece, Study
from rookery.papers.trainings import Seeds, Trained, Training, train_all
from rookery.seeds import generator

SEARCHED = (KATATSUGI_C, KOTEN_C)
"""The configurations whose best nets the paper lets look ahead."""


@dataclass(frozen=True)
class Learnt:
    """The runs of one configuration, with means over them."""

    runs: Runs
    seconds: float
    games_a_second: float
    """While learning, without measuring and saving."""


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, in the order in which one thing needs the other."""
    learnt = _learn(
        study, "learning", {c.key: c.options for c in CONFIGS}, size.runs, size.samples, size, seed
    )
    runs = {c: learnt[c.key].runs for c in CONFIGS}
    nets = {config: best(found).weights for config, found in runs.items()}
    return Outcome(
        runs=runs,
        remeasured=_remeasure(study, nets, size, seed),
        pairs=_tournament(study, nets, size, seed),
        search=_search(study, nets, size, seed, exact=True),
        plain_search=_search(study, nets, size, seed, exact=False),
        ablations=_ablate(study, size, seed),
        gojens=_weaken(study, nets, size, seed),
        gojen_against_naive=_gojens_against_naive(study, size, seed),
        outside=_outside(study, nets, size, seed),
        games_a_second=size.games / fmean(learnt[c.key].seconds for c in CONFIGS),
        learning_a_second=fmean(learnt[c.key].games_a_second for c in CONFIGS),
    )


def derive(seed: int, *path: str | int) -> int:
    """The seed of one piece."""
    return int(generator(seed, "go-td", *path).integers(2**31))


def _learn(
    study: Study,
    stage: str,
    options: Mapping[str, Mapping[str, Any]],
    runs: int,
    samples: int,
    size: Size,
    seed: int,
) -> dict[str, Learnt]:
    """So many seeds by each of some options, and every net that they left."""
    sampled = {
        "games": samples * size.sample_every,
        "evaluate_every": size.sample_every,
        "evaluation_games": size.sample_games,
    }
    trainings = {key: Training("td", {**said, **sampled}) for key, said in options.items()}
    trained = train_all(study, stage, trainings, range(seed, seed + runs))
    asked = {
        f"{key}-seed{run.seed}": Piece(pieces.openings, {"nets": [_net(run, line) for line in run.metrics]})
        for key, found in trained.items()
        for run in found.runs
    }
    opened = study.do(f"openings of {stage}", asked)
    return {key: _samples(found, opened, key) for key, found in trained.items()}


def _net(run: Trained, line: Mapping[str, Any]) -> str:
    return str(Path(run.checkpoint) / NETS / f"{line['games']:09}.safetensors")


def _samples(found: Seeds, opened: Mapping[str, list[str]], key: str) -> Learnt:
    runs = [
        [
            Sample(
                number,
                line["games"],
                {name: line[f"strength_{name}"] for name in RIVALS},
                _net(run, line),
                opening,
            )
            for line, opening in zip(run.metrics, opened[f"{key}-seed{run.seed}"], strict=True)
        ]
        for number, run in enumerate(found.runs)
    ]
    speeds = [harmonic_mean([line["games_per_second"] for line in run.metrics]) for run in found.runs]
    return Learnt(runs, found.seconds, fmean(speeds))


def _remeasure(study: Study, nets: Mapping[Config, str], size: Size, seed: int) -> dict[Config, Wins]:
    asked = {
        f"{config.key}-{rival}": _against(weights, rival, 1, size, derive(seed, "again", config.key, rival))
        for config, weights in nets.items()
        for rival in RIVALS
    }
    done = study.do("best nets on fresh games", asked)
    return {c: {rival: done[f"{c.key}-{rival}"][0] for rival in RIVALS} for c in nets}


def _against(weights: str, name: str, depth: int, size: Size, seed: int, exact: bool = False) -> Piece:
    asked = {"weights": weights, "name": name, "depth": depth, "exact": exact}
    return Piece(pieces.meet_rival, asked | {"games": size.pair_games, "seed": seed})


def _tournament(
    study: Study, nets: Mapping[Config, str], size: Size, seed: int
) -> dict[tuple[Config, Config], tuple[int, int]]:
    asked = {
        f"{a.key}-{b.key}": Piece(
            pieces.meet_net,
            {
                "first": nets[a],
                "second": nets[b],
                "games": size.pair_games,
                "seed": derive(seed, "tournament", a.key, b.key),
            },
        )
        for a, b in combinations(CONFIGS, 2)
    }
    done = study.do("tournament", asked)
    return {(a, b): tuple(done[f"{a.key}-{b.key}"]) for a, b in combinations(CONFIGS, 2)}


def _search(
    study: Study, nets: Mapping[Config, str], size: Size, seed: int, exact: bool
) -> dict[Config, dict[int, Wins]]:
    """At depth 1 a net plays as it was measured all along; deeper, the ends of games count if `exact`."""
    asked = {
        f"{c.key}-{depth}-{rival}-{'exact' if exact else 'plain'}": _against(
            nets[c], rival, depth, size, derive(seed, "search", c.key, depth, rival), exact and depth > 1
        )
        for depth in reversed(DEPTHS)  # the longest first
        for c in SEARCHED
        for rival in RIVALS
    }
    wins = iter(study.do("deep search", asked).values())
    found: dict[Config, dict[int, Wins]] = {c: {} for c in SEARCHED}
    for depth in reversed(DEPTHS):
        for c in SEARCHED:
            found[c][depth] = {rival: next(wins)[0] for rival in RIVALS}
    return found


def _ablate(study: Study, size: Size, seed: int) -> dict[str, dict[Config, Runs]]:
    options = {
        f"{number}-{config.key}": {**config.options, **ablation.changes}
        for number, ablation in enumerate(ABLATIONS)
        for config in ablation.configs
    }
    done = _learn(study, "ablations", options, size.ablation_runs, size.ablation_samples, size, seed)
    return {
        ablation.name: {config: done[f"{number}-{config.key}"].runs for config in ablation.configs}
        for number, ablation in enumerate(ABLATIONS)
    }


def _weaken(study: Study, nets: Mapping[Config, str], size: Size, seed: int) -> dict[str, dict[Config, int]]:
    asked = {
        f"{name}-{c.key}": _against(nets[c], name, 1, size, derive(seed, "gojens", name, c.key))
        for name in GOJENS
        for c in SEARCHED
    }
    done = study.do("weaker rivals", asked)
    return {name: {c: done[f"{name}-{c.key}"][0] for c in SEARCHED} for name in GOJENS}


def _gojens_against_naive(study: Study, size: Size, seed: int) -> dict[str, int]:
    asked = {
        name: Piece(
            pieces.against_naive,
            {"name": name, "games": size.duel_games, "seed": derive(seed, "naive", name)},
        )
        for name in GOJENS
    }
    return study.do("gojen against naive", asked)


def _outside(study: Study, nets: Mapping[Config, str], size: Size, seed: int) -> dict[str, Met]:
    if not pieces.gnugo_is_here():
        return {}
    entrants = {f"{c}, depth {d}": pieces.player(nets[c], d) for c in SEARCHED for d in (1, 4)}
    entrants |= {"gojen": "gojen", "naive": "naive"}
    pairs = {name: (player, pieces.GNUGO) for name, player in entrants.items()}
    return meet_all(study, "gnugo", pairs, Terms("go5", size.outside_games), seed)
