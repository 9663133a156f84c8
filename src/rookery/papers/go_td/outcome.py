"""All that the study of Mayer's paper gave, and what is asked of it in several sections of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from rookery.papers.go_td import results as r
from rookery.papers.go_td.plan import (
    LEVELS,
    RIVALS,
    Config,
)
from rookery.papers.matches import Met
from rookery.papers.measure import Measured, as_ours, mean, printed, share
from rookery.papers.verdict import (
    Finding,
    figure,
)

Wins = Mapping[str, int]
"""Games won against each rival, of as many as the size says."""


@dataclass(frozen=True)
class Watched:
    """Games of a net against gojen, which opened them."""

    games: int
    after_first: Sequence[float]
    """What the net thought after its first move."""
    at_end: Sequence[float]
    """What it thought after its last, of those that it won."""
    shown: Mapping[str, Any] | None
    """The first that it won: `moves`, `values` after each of its own, `score`."""


@dataclass
class Outcome:
    """All that the pieces gave."""

    runs: dict[Config, r.Runs]
    untrained: dict[str, Measured]
    """The strength of nets that have learnt nothing, by representation."""
    by_rules: dict[str, dict[Config, list[dict[str, float]]]]
    """What the last net of each run wins against the rivals where games end by other rules."""
    remeasured: dict[Config, Wins]
    """The best net of each configuration, on fresh games."""
    pairs: dict[tuple[Config, Config], tuple[int, int]]
    """Wins of the first and of the second best net."""
    varied: r.League
    """The best nets once more, from all openings of a stone each."""
    league: r.League
    """The last nets of all runs."""
    search: dict[Config, dict[int, Wins]]
    """By depth; what ends in the tree is worth what it brought."""
    plain_search: dict[Config, dict[int, Wins]]
    """The same where the net judges ends too."""
    watched: list[Watched]
    """Of the best net of each run of katatsugi (c), the best of all first."""
    ablations: dict[str, dict[Config, r.Runs]]
    gojens: dict[str, dict[Config, int]]
    """Wins of the best nets against a weaker gojen, and, under no config's name, of that gojen."""
    gojen_against_naive: dict[str, int]
    outside: dict[str, Met] = field(default_factory=dict)
    """Against a program of other people's, by what played."""
    games_a_second: float = 0.0
    learning_a_second: float = 0.0
    """The same without measuring and saving."""


def runs_told(found: Mapping[Config, r.Runs]) -> str:
    """How many runs there are of each, in words; roban has fewer."""
    roban, others = (
        {len(runs) for c, runs in found.items() if (c.representation == "roban") is which}
        for which in (True, False)
    )

    def told(counts: set[int]) -> str:
        return " to ".join(map(str, sorted({min(counts), max(counts)}))) + " runs"

    if roban == others or not (roban and others):
        return told(roban | others)
    return f"{told(others)}, of roban {told(roban)}"


def strength(wins: Wins, games: int) -> Measured:
    return share(sum(wins[rival] for rival in RIVALS), games * len(RIVALS))


LATE = 0.5
"""From here on the samples of an ablation count, whose runs are short."""


def as_decided(outcome: Outcome, name: str, config: Config) -> r.Runs:
    """The runs as decided, as far as those of an ablation go, and by the same seeds."""
    turned = outcome.ablations[name][config]
    return r.until(outcome.runs[config][: len(turned)], turned[0][-1].games)


def changed_by(outcome: Outcome, name: str, config: Config) -> Measured:
    return r.change(outcome.ablations[name][config], as_decided(outcome, name, config), LATE)


def by_rule(outcome: Outcome, config: Config, name: str) -> tuple[list[float], list[float]]:
    """The strength of the last nets by other rules, and as measured at the end of learning."""
    other = [fmean(wins[rival] for rival in RIVALS) for wins in outcome.by_rules[name][config]]
    return other, [run[-1].strength for run in outcome.runs[config]]


ONE_NET = "One net decides nothing, for another might differ by more than its games tell: no verdict here."
"""Said under what a table has of one net alone."""


def figure_of_level(config: Config, runs: r.Runs, theirs: int, **more: Any) -> Finding:
    """The level of runs beside the paper's, which is that of its own rate."""
    plain = Config(config.representation, config.selection)
    levels = r.levels(runs)
    paper = as_ours(printed(LEVELS[plain], 2), levels, runs=theirs)
    return figure(f"level of {config}", paper, mean(levels), between=(0, 1), **more)
