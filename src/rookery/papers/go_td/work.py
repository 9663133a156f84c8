"""The work behind the report, piece by piece on a desk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from rookery.papers.desk import Desk, Piece
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
from rookery.seeds import generator

SEARCHED = (KATATSUGI_C, KOTEN_C)
"""The configurations whose best nets the paper lets look ahead."""


@dataclass(frozen=True)
class Raised:
    """The runs of one configuration, with means over them."""

    runs: Runs
    seconds: float
    games_a_second: float
    """While learning, without measuring and saving."""


def do(desk: Desk, size: Size, seed: int) -> Outcome:
    """Everything, in the order in which one thing needs the other."""
    raised = _raise_all(
        desk, "learning", {c.key: c.options for c in CONFIGS}, size.runs, size.samples, size, seed
    )
    runs = {c: raised[c.key].runs for c in CONFIGS}
    nets = {config: best(found).weights for config, found in runs.items()}
    return Outcome(
        runs=runs,
        remeasured=_remeasure(desk, nets, size, seed),
        pairs=_tournament(desk, nets, size, seed),
        search=_search(desk, nets, size, seed, exact=True),
        plain_search=_search(desk, nets, size, seed, exact=False),
        ablations=_ablate(desk, size, seed),
        gojens=_weaken(desk, nets, size, seed),
        gojen_against_naive=_gojens_against_naive(desk, size, seed),
        outside=_outside(desk, nets, size, seed),
        games_a_second=size.games / fmean(raised[c.key].seconds for c in CONFIGS),
        learning_a_second=fmean(raised[c.key].games_a_second for c in CONFIGS),
    )


def derive(seed: int, *path: str | int) -> int:
    """The seed of one piece."""
    return int(generator(seed, "go-td", *path).integers(2**31))


def _raise_all(
    desk: Desk,
    stage: str,
    options: Mapping[str, Mapping[str, Any]],
    runs: int,
    samples: int,
    size: Size,
    seed: int,
) -> dict[str, Raised]:
    """So many runs by each of some options."""
    asked = {}
    # Run by run, so that every configuration has its first run early.
    for run in range(runs):
        for key, said in options.items():
            asked[f"{key}-{run:02}"] = Piece(
                pieces.raise_net,
                {
                    "folder": str(desk.out / stage / f"{key}-{run:02}"),
                    "options": {
                        **said,
                        "games": samples * size.sample_every,
                        "evaluate_every": size.sample_every,
                        "evaluation_games": size.sample_games,
                    },
                    "seed": derive(seed, stage, key, run),
                },
            )
    done = desk.do(stage, asked)
    found = {}
    for key in options:
        results = [done[f"{key}-{run:02}"] for run in range(runs)]
        told = [
            [Sample(run, s["games"], s["wins"], s["weights"], s["opening"]) for s in result["samples"]]
            for run, result in enumerate(results)
        ]
        found[key] = Raised(
            told,
            fmean(result["seconds"] for result in results),
            fmean(result["games_a_second"] for result in results),
        )
    return found


def _remeasure(desk: Desk, nets: Mapping[Config, str], size: Size, seed: int) -> dict[Config, Wins]:
    asked = {
        f"{config.key}-{rival}": _against(weights, rival, 1, size, derive(seed, "again", config.key, rival))
        for config, weights in nets.items()
        for rival in RIVALS
    }
    done = desk.do("best nets on fresh games", asked)
    return {c: {rival: done[f"{c.key}-{rival}"][0] for rival in RIVALS} for c in nets}


def _against(weights: str, name: str, depth: int, size: Size, seed: int, exact: bool = False) -> Piece:
    asked = {"weights": weights, "name": name, "depth": depth, "exact": exact}
    return Piece(pieces.meet_rival, asked | {"games": size.pair_games, "seed": seed})


def _tournament(
    desk: Desk, nets: Mapping[Config, str], size: Size, seed: int
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
    done = desk.do("tournament", asked)
    return {(a, b): tuple(done[f"{a.key}-{b.key}"]) for a, b in combinations(CONFIGS, 2)}


def _search(
    desk: Desk, nets: Mapping[Config, str], size: Size, seed: int, exact: bool
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
    wins = iter(desk.do("deep search", asked).values())
    found: dict[Config, dict[int, Wins]] = {c: {} for c in SEARCHED}
    for depth in reversed(DEPTHS):
        for c in SEARCHED:
            found[c][depth] = {rival: next(wins)[0] for rival in RIVALS}
    return found


def _ablate(desk: Desk, size: Size, seed: int) -> dict[str, dict[Config, Runs]]:
    options = {
        f"{number}-{config.key}": {**config.options, **ablation.changes}
        for number, ablation in enumerate(ABLATIONS)
        for config in ablation.configs
    }
    done = _raise_all(desk, "ablations", options, size.ablation_runs, size.ablation_samples, size, seed)
    return {
        ablation.name: {config: done[f"{number}-{config.key}"].runs for config in ablation.configs}
        for number, ablation in enumerate(ABLATIONS)
    }


def _weaken(desk: Desk, nets: Mapping[Config, str], size: Size, seed: int) -> dict[str, dict[Config, int]]:
    asked = {
        f"{name}-{c.key}": _against(nets[c], name, 1, size, derive(seed, "gojens", name, c.key))
        for name in GOJENS
        for c in SEARCHED
    }
    done = desk.do("weaker rivals", asked)
    return {name: {c: done[f"{name}-{c.key}"][0] for c in SEARCHED} for name in GOJENS}


def _gojens_against_naive(desk: Desk, size: Size, seed: int) -> dict[str, int]:
    asked = {
        name: Piece(
            pieces.against_naive,
            {"name": name, "games": size.duel_games, "seed": derive(seed, "naive", name)},
        )
        for name in GOJENS
    }
    return desk.do("gojen against naive", asked)


def _outside(
    desk: Desk, nets: Mapping[Config, str], size: Size, seed: int
) -> dict[str, tuple[int, int, int]]:
    if not pieces.gnugo_is_here():
        return {}
    entrants = {f"{c}, depth {d}": pieces.player(nets[c], d) for c in SEARCHED for d in (1, 4)}
    entrants |= {"gojen": "gojen", "naive": "naive"}
    asked = {
        name: Piece(
            pieces.meet_gnugo,
            {"name": player, "games": size.outside_games, "seed": derive(seed, "gnugo", name)},
        )
        for name, player in entrants.items()
    }
    return {name: tuple(counts) for name, counts in desk.do("gnugo", asked).items()}
