"""The work behind the report, piece by piece on a desk."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from rookery.papers.desk import Desk, Piece
from rookery.papers.go_td import pieces
from rookery.papers.go_td.plan import (
    ABLATIONS,
    CONFIGS,
    DEPTHS,
    KATATSUGI_C,
    KOTEN_C,
    RIVALS,
    WEAKER_GOJEN,
    Config,
    Size,
)
from rookery.papers.go_td.results import Runs, Sample, best
from rookery.papers.go_td.story import Outcome, Wins
from rookery.seeds import generator

SEARCHED = (KATATSUGI_C, KOTEN_C)
"""The configurations whose best nets the paper lets look ahead."""


def do(desk: Desk, size: Size, seed: int) -> Outcome:
    """Everything, in the order in which one thing needs the other."""
    raised = _raise_all(
        desk, "learning", {c.key: c.options for c in CONFIGS}, size.runs, size.samples, size, seed
    )
    runs = {c: raised[c.key][0] for c in CONFIGS}
    seconds = sum(raised[c.key][1] for c in CONFIGS)
    nets = {config: best(found).weights for config, found in runs.items()}
    return Outcome(
        runs=runs,
        remeasured=_remeasure(desk, nets, size, seed),
        pairs=_tournament(desk, nets, size, seed),
        search=_search(desk, nets, size, seed),
        ablations=_ablate(desk, size, seed),
        gojens=_weaken(desk, nets, size, seed),
        gojen_against_naive=_gojens_against_naive(desk, size, seed),
        outside=_outside(desk, nets, size, seed),
        games_a_second=len(CONFIGS) * size.runs * size.games / seconds,
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
) -> dict[str, tuple[Runs, float]]:
    """So many runs by each of some options, and the seconds that they took."""
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
                        "games_per_step": size.sample_every,
                    },
                    "sample_games": size.sample_games,
                    "seed": derive(seed, stage, key, run),
                },
            )
    done = desk.do(stage, asked)
    found: dict[str, tuple[Runs, float]] = {}
    for key in options:
        results = [done[f"{key}-{run:02}"] for run in range(runs)]
        told = [
            [Sample(run, s["games"], s["wins"], s["weights"], s["opening"]) for s in result["samples"]]
            for run, result in enumerate(results)
        ]
        found[key] = told, sum(result["seconds"] for result in results)
    return found


def _remeasure(desk: Desk, nets: Mapping[Config, str], size: Size, seed: int) -> dict[Config, Wins]:
    asked = {
        f"{config.key}-{rival}": _against(weights, rival, 1, size, derive(seed, "again", config.key, rival))
        for config, weights in nets.items()
        for rival in RIVALS
    }
    done = desk.do("best nets on fresh games", asked)
    return {c: {rival: done[f"{c.key}-{rival}"][0] for rival in RIVALS} for c in nets}


def _against(weights: str, rival: str, depth: int, size: Size, seed: int, **settings: Any) -> Piece:
    return Piece(
        pieces.meet_rival,
        {
            "weights": weights,
            "rival": rival,
            "settings": settings,
            "depth": depth,
            "games": size.pair_games,
            "seed": seed,
        },
    )


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


def _search(desk: Desk, nets: Mapping[Config, str], size: Size, seed: int) -> dict[Config, dict[int, Wins]]:
    asked = {
        f"{c.key}-{depth}-{rival}": _against(
            nets[c], rival, depth, size, derive(seed, "search", c.key, depth, rival)
        )
        for depth in reversed(DEPTHS)  # the longest first
        for c in SEARCHED
        for rival in RIVALS
    }
    done = desk.do("deep search", asked)
    return {
        c: {depth: {rival: done[f"{c.key}-{depth}-{rival}"][0] for rival in RIVALS} for depth in DEPTHS}
        for c in SEARCHED
    }


def _ablate(desk: Desk, size: Size, seed: int) -> dict[str, dict[Config, Runs]]:
    options = {
        f"{number}-{config.key}": {**config.options, **ablation.changes}
        for number, ablation in enumerate(ABLATIONS)
        for config in ablation.configs
    }
    done = _raise_all(desk, "ablations", options, size.ablation_runs, size.ablation_samples, size, seed)
    return {
        ablation.name: {config: done[f"{number}-{config.key}"][0] for config in ablation.configs}
        for number, ablation in enumerate(ABLATIONS)
    }


def _spell(settings: Mapping[str, Any]) -> str:
    """The player's name.

    >>> _spell({}), _spell({"noise": 40.0, "escape": False})
    ('gojen', 'gojen:noise=40,escape=no')
    """
    said = [
        f"{key}={('no', 'yes')[value] if isinstance(value, bool) else f'{value:g}'}"
        for key, value in settings.items()
    ]
    return "gojen" + (":" + ",".join(said) if said else "")


def _weaken(desk: Desk, nets: Mapping[Config, str], size: Size, seed: int) -> dict[str, dict[Config, int]]:
    asked = {
        f"{number}-{c.key}": _against(
            nets[c], "gojen", 1, size, derive(seed, "gojens", number, c.key), **settings
        )
        for number, settings in enumerate(WEAKER_GOJEN)
        for c in SEARCHED
    }
    done = desk.do("weaker rivals", asked)
    return {
        _spell(settings): {c: done[f"{number}-{c.key}"][0] for c in SEARCHED}
        for number, settings in enumerate(WEAKER_GOJEN)
    }


def _gojens_against_naive(desk: Desk, size: Size, seed: int) -> dict[str, int]:
    asked = {
        str(number): Piece(
            pieces.gojen_against_naive,
            {"settings": settings, "games": size.duel_games, "seed": derive(seed, "naive", number)},
        )
        for number, settings in enumerate(WEAKER_GOJEN)
    }
    done = desk.do("gojen against naive", asked)
    return {_spell(settings): done[str(number)] for number, settings in enumerate(WEAKER_GOJEN)}


def _outside(
    desk: Desk, nets: Mapping[Config, str], size: Size, seed: int
) -> dict[str, tuple[int, int, int]]:
    if shutil.which("gnugo") is None:
        return {}
    asked = {
        f"{c.key}-{depth}": Piece(
            pieces.meet_gnugo,
            {
                "weights": nets[c],
                "depth": depth,
                "games": size.outside_games,
                "seed": derive(seed, "gnugo", c.key, depth),
            },
        )
        for c in SEARCHED
        for depth in (1, 4)
    }
    done = desk.do("gnugo", asked)
    return {f"{c}, depth {depth}": tuple(done[f"{c.key}-{depth}"]) for c in SEARCHED for depth in (1, 4)}
