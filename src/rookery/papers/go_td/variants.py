"""The sections on other ways to learn: those that the paper tried too, and what it leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from rookery import native
from rookery.papers.go_td import results as r
from rookery.papers.go_td.outcome import (
    LATE,
    Outcome,
    as_decided,
    changed_by,
    runs_told,
)
from rookery.papers.go_td.plan import (
    ABLATIONS,
    KATATSUGI_C,
    KOTEN_C,
    ONE_MOVE,
    ONE_MOVE_OF_MOVER,
    ONE_REWARD,
    PACED,
    REPRESENTATIONS,
    SELECTIONS,
    SMALL,
    TESTED,
    WEIGHTS,
    Ablation,
    Config,
    Size,
)
from rookery.papers.measure import Measured, mean
from rookery.papers.report import Section
from rookery.papers.verdict import (
    alike,
    claim,
    every,
    greater,
)


def tried(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        f"Variants that the paper tried, {size.ablation_games:,} games a run ({_runs(outcome, TESTED)}), "
        "beside the study's own runs by the same seeds to the same "
        "length. The paper does not say with which nets it tried them."
    )
    _turned(section, outcome, TESTED)
    claims = []
    for name in (ONE_MOVE, ONE_MOVE_OF_MOVER, ONE_REWARD):
        for config in next(a for a in TESTED if a.name == name).configs:
            change = changed_by(outcome, name, config)
            claims.append(
                claim(f"{name} is worse, {config}", greater(Measured(0), change), f"change {change}")
            )
    for config in (KOTEN_C, KATATSUGI_C):
        one, moves = (changed_by(outcome, name, config) for name in (ONE_REWARD, ONE_MOVE))
        # Nothing is the more important of two of which neither costs anything.
        costs = [greater(Measured(0), one), greater(moves, one)]
        claims.append(
            claim(
                f"one reward costs something, and more than a difference of one move, {config}",
                every(costs),
                f"changes {one} and {moves}",
            )
        )
    for config in (KOTEN_C, KATATSUGI_C):
        blacks = [
            mean([run[-1].black_wins for run in runs])
            for runs in (outcome.ablations[ONE_REWARD][config], as_decided(outcome, ONE_REWARD, config))
        ]
        claims.append(
            claim(
                f"with one reward Black wins more of the games against itself, {config}",
                greater(*blacks),
                f"{blacks[0]} and {blacks[1]}",
            )
        )
    for name in WEIGHTS:
        for config in next(a for a in TESTED if a.name == name).configs:
            change = changed_by(outcome, name, config)
            claims.append(
                claim(f"{name} makes a small difference, {config}", alike(change, SMALL), f"{change}")
            )
    section.judge(f"What the paper says of them; small is below {SMALL:g}, a bound of ours.", claims)
    section.table(
        "The share won against random, which the paper says may be credited to two rewards and to a "
        "difference of two moves.",
        ("variant", "configuration", "as decided", "variant"),
        [
            (name, str(config), *(str(r.against(runs, "random", LATE)) for runs in both))
            for name in (ONE_MOVE, ONE_MOVE_OF_MOVER, ONE_REWARD)
            for config in next(a for a in TESTED if a.name == name).configs
            if (both := (as_decided(outcome, name, config), outcome.ablations[name][config]))
        ],
    )


def _runs(outcome: Outcome, ablations: Sequence[Ablation]) -> str:
    return runs_told({c: runs for a in ablations for c, runs in outcome.ablations[a.name].items()})


def _turned(section: Section, outcome: Outcome, ablations: Sequence[Ablation]) -> None:
    """What each variant does, as a table, and why it was tried."""
    rows = []
    for ablation in ablations:
        for config in ablation.configs:
            ours = r.level(outcome.ablations[ablation.name][config], LATE)
            base = r.level(as_decided(outcome, ablation.name, config), LATE)
            change = changed_by(outcome, ablation.name, config)
            verdict = {"holds": "▲ stronger", "fails": "▼ weaker", "open": "? open"}[
                greater(change, Measured(0))
            ]
            rows.append((ablation.name, str(config), str(base), str(ours), str(change), verdict))
    section.table(
        "Strength over the second half of the games, as decided and with the variant.",
        ("variant", "configuration", "as decided", "variant", "change", ""),
        rows,
    )
    section.say("\n".join(f"- {a.name}: {a.why}" for a in ablations))


def left_open(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        f"Each decision of ours turned round by itself: {size.ablation_games:,} games a run "
        f"({_runs(outcome, ABLATIONS)}), beside the study's own runs by the same seeds to "
        "the same length. Whatever rules a variant learnt by, it is measured by the usual ones. Of so many "
        "changes one or two are beyond two errors by chance."
    )
    _turned(section, outcome, ABLATIONS)
    _same_function(section, outcome)


def _same_function(section: Section, outcome: Outcome) -> None:
    """Katatsugi and koten begun and paced alike, side by side."""
    section.say(
        "Katatsugi averages each point with its neighbours, which is one fixed linear layer before koten's. "
        "It sees what koten sees but for two directions; what differs is where the first layer begins and "
        "how far its steps go, as if koten's weights began nearer to 0 and learnt more slowly."
    )
    section.table(
        "The representations as linear maps of the 25 points; steps of the first layer as shares of koten's.",
        ("", "inputs", "rank", "s.d. of a weight on a point at the start", "step"),
        [_map_row(name) for name in REPRESENTATIONS],
    )
    paced = outcome.ablations[PACED]
    rows = []
    for selection in SELECTIONS:
        koten, katatsugi = Config("koten", selection), Config("katatsugi", selection)
        shown = (
            as_decided(outcome, PACED, koten),
            paced[koten],
            r.until(outcome.runs[katatsugi], paced[koten][0][-1].games),
        )
        rows.append((koten.selected, *(str(r.level(runs, LATE)) for runs in shown)))
    section.table(
        "If koten, begun and paced as katatsugi, plays like it, then it is the pace that differs and not "
        "what is seen.",
        ("selection", "koten", "koten as katatsugi", "katatsugi"),
        rows,
    )
    told = []
    for selection in SELECTIONS:
        koten, katatsugi = Config("koten", selection), Config("katatsugi", selection)
        ours = r.level(paced[koten], LATE)
        theirs = r.level(r.until(outcome.runs[katatsugi], paced[koten][0][-1].games), LATE)
        stands = {"holds": "is stronger than", "fails": "is weaker than", "open": "is not surely apart from"}
        told.append(
            f"with {koten.selected} selection koten so begun {stands[greater(ours, theirs)]} katatsugi "
            f"({ours} and {theirs})"
        )
    section.say("What came of it: " + "; ".join(told) + ".")


def _map_row(representation: str) -> tuple[str, ...]:
    """The inputs of a representation, its rank, and how its first layer begins and learns."""
    encoding = np.array(native.td_encoding(representation))
    inputs, points = encoding.shape
    step = float((encoding**2).sum()) / points  # the mean of the diagonal of E'E, by which steps on points go
    start = sqrt(step / 3)  # weights uniform in [-1, 1] have a variance of 1/3
    rank = int(np.linalg.matrix_rank(encoding))
    return representation, str(inputs), str(rank), f"{start:.2f}", f"{step:.3f}"
