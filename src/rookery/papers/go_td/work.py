"""The work behind the report, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean, harmonic_mean
from typing import Any

import numpy as np

from rookery.learners.td import NETS
from rookery.papers.go_td import pieces
from rookery.papers.go_td.outcome import Outcome, Watched, Wins
from rookery.papers.go_td.plan import (
    ABLATIONS,
    CONFIGS,
    DEPTHS,
    GOJENS,
    KATATSUGI_C,
    KOTEN_C,
    RATED,
    REPRESENTATIONS,
    RIVALS,
    RULES,
    TESTED,
    Config,
    Size,
)
from rookery.papers.go_td.results import League, Runs, Sample, best
from rookery.papers.matches import Met, Terms, meet_all
from rookery.papers.measure import Measured, mean
from rookery.papers.study import Piece, Study
from rookery.papers.trainings import Seeds, Trained, Training, train_all
from rookery.seeds import generator

SEARCHED = (KATATSUGI_C, KOTEN_C)
"""The configurations whose best nets the paper lets look ahead."""
OPENINGS = 600
"""For the best nets: a stone of each anywhere."""


def do(study: Study, size: Size, seed: int) -> Outcome:
    """Everything, in the order in which one thing needs the other."""
    configs = (*CONFIGS, *RATED)
    asked = {
        c.key: (Training("td", {**c.options, **size.learning(size.games_of(c))}), size.runs_of(c))
        for c in configs
    }
    learnt = _learn(study, "learning", asked, seed)
    runs = _with_openings(study, {c: learnt[c.key].runs for c in configs})
    nets = {config: best(runs[config]).weights for config in CONFIGS}
    last = {config: [run[-1].weights for run in found] for config, found in runs.items()}
    return Outcome(
        runs=runs,
        untrained=_untrained(study, size, seed),
        by_rules=_by_rules(study, last, size, seed),
        remeasured=_remeasure(study, nets, size, seed),
        pairs=_tournament(study, nets, size, seed),
        varied=_league(study, "tournament from openings", {c: [nets[c]] for c in CONFIGS}, OPENINGS, seed),
        league=_league(study, "tournament of all", {c: last[c] for c in CONFIGS}, size.openings, seed),
        search=_search(study, nets, size, seed, exact=True),
        plain_search=_search(study, nets, size, seed, exact=False),
        watched=_watch(study, runs, size, seed),
        ablations=_ablate(study, size, seed),
        gojens=_weaken(study, nets, size, seed),
        gojen_against_naive=_gojens_against_naive(study, size, seed),
        outside=_outside(study, nets, size, seed),
        games_a_second=fmean(size.games_of(c) / learnt[c.key].seconds for c in CONFIGS),
        learning_a_second=fmean(learnt[c.key].games_a_second for c in CONFIGS),
    )


@dataclass(frozen=True)
class Learnt:
    """The runs of one configuration, with means over them."""

    runs: Runs
    seconds: float
    games_a_second: float
    """While learning, without measuring and saving."""


def derive(seed: int, *path: str | int) -> int:
    """The seed of one piece."""
    return int(generator(seed, "go-td", *path).integers(2**31))


def _learn(
    study: Study, stage: str, asked: Mapping[str, tuple[Training, int]], seed: int
) -> dict[str, Learnt]:
    """Each training by so many seeds."""
    found: dict[str, Seeds] = {}
    for runs in sorted({runs for _, runs in asked.values()}, reverse=True):
        trainings = {key: training for key, (training, many) in asked.items() if many == runs}
        found |= train_all(study, stage, trainings, range(seed, seed + runs))
    return {key: _samples(found[key]) for key in asked}


def _with_openings(study: Study, runs: Mapping[Config, Runs]) -> dict[Config, Runs]:
    """The same, with the first move of each net."""
    nets = {c.key: [sample.weights for run in found for sample in run] for c, found in runs.items()}
    opened = study.do("openings", {key: Piece(pieces.openings, {"nets": all}) for key, all in nets.items()})
    told = {c: iter(opened[c.key]) for c in runs}
    return {
        c: [[replace(sample, opening=next(told[c])) for sample in run] for run in found]
        for c, found in runs.items()
    }


def _net(run: Trained, line: Mapping[str, Any]) -> str:
    return str(Path(run.checkpoint) / NETS / f"{line['games']:09}.safetensors")


def _samples(found: Seeds) -> Learnt:
    runs = [
        [
            Sample(
                number,
                line["games"],
                {name: line[f"strength_{name}"] for name in RIVALS},
                _net(run, line),
                line["black_wins"],
            )
            for line in run.metrics
        ]
        for number, run in enumerate(found.runs)
    ]
    speeds = [harmonic_mean([line["games_per_second"] for line in run.metrics]) for run in found.runs]
    return Learnt(runs, found.seconds, fmean(speeds))


def _untrained(study: Study, size: Size, seed: int) -> dict[str, Measured]:
    """By representation; how a net will select moves does not matter yet."""
    seeds = list(range(seed, seed + size.runs))
    asked = {
        name: Piece(pieces.untrained, {"representation": name, "seeds": seeds, "games": size.sample_games})
        for name in REPRESENTATIONS
    }
    done = study.do("untrained", asked)
    return {name: mean([fmean(wins.values()) for wins in done[name]]) for name in REPRESENTATIONS}


def _by_rules(
    study: Study, nets: Mapping[Config, list[str]], size: Size, seed: int
) -> dict[str, dict[Config, list[dict[str, float]]]]:
    asked = {
        f"{c.key}-{name}": Piece(
            pieces.by_rules,
            {"nets": all, "rules": rules, "games": size.sample_games, "seed": derive(seed, name, c.key)},
        )
        for name, rules in RULES.items()
        for c, all in nets.items()
    }
    done = study.do("other rules", asked)
    return {name: {c: done[f"{c.key}-{name}"] for c in nets} for name in RULES}


def _league(study: Study, stage: str, nets: Mapping[Config, list[str]], openings: int, seed: int) -> League:
    asked = {
        f"{a.key}-{b.key}": Piece(
            pieces.meet_nets,
            {"firsts": nets[a], "seconds": nets[b], "openings": openings, "seed": derive(seed, stage)},
        )
        for a, b in combinations(nets, 2)
    }
    done = study.do(stage, asked)
    met = {}
    for a, b in combinations(nets, 2):
        won = np.array(done[f"{a.key}-{b.key}"], dtype=float) / (2 * openings)
        met[a, b] = (won[:, :, 0], won[:, :, 1])
    return League(met)


def _watch(study: Study, runs: Mapping[Config, Runs], size: Size, seed: int) -> list[Watched]:
    """The best net of each run, the best of all first."""
    found = sorted((best([run]) for run in runs[KATATSUGI_C]), key=lambda sample: -sample.strength)
    asked = {
        f"run{sample.run}": Piece(
            pieces.watch,
            {
                "weights": sample.weights,
                "games": size.watched_games,
                "seed": derive(seed, "watch", sample.run),
            },
        )
        for sample in found
    }
    return [Watched(**told) for told in study.do("games against gojen", asked).values()]


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
    all = (*TESTED, *ABLATIONS)
    asked = {
        f"{a.name}-{c.key}": (
            Training("td", {**c.options, **a.changes, **size.learning(size.ablation_games)}),
            size.ablation_runs_of(c),
        )
        for a in all
        for c in a.configs
    }
    done = _learn(study, "ablations", asked, seed)
    return {a.name: {c: done[f"{a.name}-{c.key}"].runs for c in a.configs} for a in all}


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
