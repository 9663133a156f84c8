"""The report on Pelat's policy network: which of its figures and claims our runs and matches meet."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import fmean

from rookery.papers.matches import Met
from rookery.papers.measure import Measured, mean, percent
from rookery.papers.plot import Line, Plot
from rookery.papers.policy import SOURCE
from rookery.papers.policy.plan import (
    ACCURACY,
    BEST_FIRST,
    FIRST_PLY,
    OURS,
    POOLING,
    STEPS,
    TABLE2,
    TABLE3,
    Size,
)
from rookery.papers.policy.work import Outcome, Told
from rookery.papers.report import Report, Section
from rookery.papers.verdict import Finding, claim, every, figure, greater

NETS = {
    "dense": "dense layers",
    "ours": "ours",
    "plain": "without residual connections",
    "pooling": "smaller pooling",
    "all-moves": "loss on all moves",
}
MATCHES = {
    "ours-ab": "the network alone against AB",
    "probability-ab": "the probability search against AB",
    "probability-ours": "the probability search against the network alone",
    "ours-stronger": "the network alone against AB with quiescence search",
}
EVEN = Measured(0.5)
NOT_MEASURED = "not measured"
_FEW = 10
"""Positions below which a band says nothing."""
_LATER = 100
"""The ply up to which Figure 5 is looked at: few games go on for longer."""


def tell(outcome: Outcome, size: Size) -> Report:
    report = Report(SOURCE, "", changed=list(CHANGED))
    report.facts["size"] = (
        f"at most {size.seeds} trainings of {size.steps:,} steps of each network; {size.games} games a "
        f"match, {size.slow_games} with the probability search; {size.positions:,} positions to measure by"
    )
    _introduce(report.section("What was done"), outcome, size)
    _table1(report.section("Predicting moves: Table 1"), outcome, size)
    _progress(report.section("In the course of a game: Figure 5"), outcome)
    _selfplay(report.section("Self-play: Figures 6, 7 and 8"), outcome)
    _rates(report.section("Learning rates: Figure 9"), outcome)
    _table2(report.section("Against alpha-beta: Table 2"), outcome)
    _table3(report.section("Monte-Carlo: Table 3"), outcome)
    report.conclusion = _conclude(report, outcome, size)
    return report


CHANGED = (
    "That less is predicted just after the opening than later was compared at first with the greatest of all "
    "bands, itself among them, so that it could not fail. It is compared with the mean of the later ones "
    "now.",
    "What rests on one training had verdicts at first: the claims on Figure 5, on Figure 9 and on the "
    "matches of the one network that plays. They have none now.",
)


def _conclude(report: Report, outcome: Outcome, size: Size) -> str:
    """What was found, in up to five sentences; then what is missing, and what is reproduced."""
    found = []
    if size.own_games:
        found.append(
            "**This is the small version: some games between players of ours stand for all data, and nothing "
            "of it says anything about chess.**"
        )
    if runs := outcome.runs.get(OURS):
        steps, measured = _steps(runs), _accuracy(runs)
        found.append(
            f"The paper's network, which learns to predict the moves that people play, predicts "
            f"{percent(measured)} % of them after {steps:,} steps of learning, where the paper has "
            f"{100 * ACCURACY[OURS].value:.0f} % after {STEPS:,}."
        )
        others = {name: _accuracy(runs).value for name, runs in outcome.runs.items() if name != OURS}
        if others:
            best = max(others, key=lambda name: others[name])
            less = sum(value < measured.value for value in others.values())
            found.append(
                f"Of the {len(others)} networks beside it the best ({NETS[best]}) predicts "
                f"{100 * others[best]:.1f} %, and {less} predict less than it does."
                if len(others) > 1
                else f"The one network beside it ({NETS[best]}) predicts {100 * others[best]:.1f} %."
            )
    if met := outcome.table2.get("ours-ab"):
        found.append(
            f"A network that plays its own moves, without any search, has {percent(met.share)} % of the "
            "points against a search of four plies (AB), where the paper has "
            f"{100 * TABLE2['ours-ab'].value:.0f} %."
        )
    if met := outcome.table2.get("probability-ours"):
        found.append(
            f"A search that follows the moves that the network thinks likely has {percent(met.share)} % "
            f"against the network alone (the paper {100 * TABLE2['probability-ours'].value:.0f} %)."
        )
    if told := [
        f"{percent(met.share)} % with {n} games after each move (the paper {100 * paper.value:.0f} %)"
        for n, paper in TABLE3.items()
        if (met := outcome.met(n)) is not None
    ]:
        found.append(f"Monte-Carlo by the network has, against the network alone, {', '.join(told)}.")
    paragraphs = [" ".join(found)]
    missing = [name for name, there in _there(outcome).items() if not there]
    if missing:
        paragraphs.append(f"Not measured: {'; '.join(missing)}.")
    return "\n\n".join(filter(None, [*paragraphs, "\n".join(report.by_section())]))


def _steps(runs: Sequence[Told]) -> int:
    """Of a training."""
    return int(runs[0]["steps"])


def _there(outcome: Outcome) -> dict[str, bool]:
    """What of the paper was measured."""
    return {
        "Table 1": bool(outcome.runs),
        "Figures 6, 7 and 8 (self-play)": bool(outcome.selfplay),
        "Figure 9": len(outcome.rates) > 1,
        **{f"Table 2, {MATCHES[name]}": name in outcome.table2 for name in TABLE2},
        **{f"Table 3, {n} games after each move": n in outcome.table3 for n in TABLE3},
    }


# --- what was done -----------------------------------------------------------------------------------


def _introduce(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "A network sees the board of now and those of two and four plies before, in 41 planes, and says how "
        "likely each legal move is to be played. It learns from recorded games of people, positions from ply "
        f"{FIRST_PLY} on, 100 at a step. Where it plays, it plays one of its two likeliest moves."
    )
    if outcome.store is not None:
        years = outcome.store["dates"]
        section.say(
            f"The games to measure by: {outcome.store['games']:,}"
            + (f", of the years {years[0] // 10000} to {years[1] // 10000}." if years else ".")
            + " One in twenty is held out whole. The paper has 3,819,130 of Lichess players rated above "
            "2200; ours are others, slow games over the board."
        )
    runs = [run for each in outcome.runs.values() for run in each]
    if any(run["elsewhere"] for run in runs):
        positions = min(run["positions"] for run in runs)
        section.say(
            f"Runs that were trained on another machine, on {positions / 1e6:.0f} million positions or more, "
            "are taken up as they are, with their recipes, metrics and reports."
        )
    section.say(
        f"The players of Tables 2 and 3 use the network {outcome.network}, trained once on people's games "
        "alone. The paper does not say which network it means there; its own had played 100,000 games "
        "against itself before."
    )


# --- predicting -------------------------------------------------------------------------------------


def _accuracy(runs: Sequence[Told]) -> Measured:
    return mean([run["from first ply"]["accuracy"] for run in runs])


def _table1(section: Section, outcome: Outcome, size: Size) -> None:
    found = {name: _accuracy(runs) for name, runs in outcome.runs.items()}
    if not found:
        section.say(
            "No network was trained for this report: that wants a GPU, or runs that lie in the folder."
        )
    else:
        rows = []
        for name, runs in outcome.runs.items():
            everywhere = mean([run["all"]["accuracy"] for run in runs])
            top3 = mean([run["from first ply"]["top3"] for run in runs])
            entropy = fmean(run["from first ply"]["cross_entropy"] for run in runs)
            dead = 100 * fmean(run["dead_units"] for run in runs)
            rows.append((
                NETS[name], f"{100 * ACCURACY[name].value:.0f}", percent(found[name]), percent(everywhere),
                percent(top3), f"{entropy:.3f}", f"{dead:.1f}", str(len(runs)),
            ))  # fmt: skip
        steps = _steps(next(iter(outcome.runs.values())))
        section.table(
            f"Moves of held-out games predicted, in percent, after {steps:,} steps; paper: {STEPS:,}.",
            ("", "paper", f"from ply {FIRST_PLY}", "all plies", "among the first three", "cross-entropy",
             "dead units", "seeds"),
            rows,
        )  # fmt: skip
        lines = [
            Line(NETS[name], *_curve(runs))
            for name, runs in outcome.runs.items()
            if len(runs[0]["curve"]) > 1
        ]
        if lines:
            section.draw(
                "While they learn: mean of the seeds, all plies.",
                Plot("Figure A: moves predicted", "steps", "share", lines),
                "a",
            )
    findings: list[Finding] = []
    if outcome.predicted is not None:
        accuracy = Measured(*outcome.predicted["accuracy"])
        section.say(
            f"{outcome.network}, which plays below, predicts {percent(accuracy)} % of the moves of "
            f"{outcome.predicted['positions']:,} positions of held-out games, from the first ply on. Its "
            "card says how long it learnt."
        )
    own = any(_steps(runs) != STEPS for runs in outcome.runs.values())
    # One training decides nothing: it stands in the table alone.
    found = {name: measured for name, measured in found.items() if len(outcome.runs[name]) > 1}
    for name, measured in found.items():
        findings.append(figure(f"accuracy, {NETS[name]}", ACCURACY[name], measured, between=(0, 1), own=own))
    if OURS in found:
        others = [name for name in found if name != OURS]
        for name in others:
            findings.append(
                claim(
                    f"ours predicts more than {NETS[name]}",
                    greater(found[OURS], found[name]),
                    f"{found[OURS]}, {found[name]}",
                    own=own,
                )
            )
        if {"dense", "plain", POOLING} <= found.keys():
            findings.append(
                claim(
                    "dense, then without residual connections, then smaller pooling, then ours",
                    every([
                        greater(found["plain"], found["dense"]),
                        greater(found[POOLING], found["plain"]),
                        greater(found[OURS], found[POOLING]),
                    ]),
                    ", ".join(f"{NETS[name]} {found[name].value:.3f}" for name in found),
                    own=own,
                )
            )  # fmt: skip
    if own:
        section.say(
            f"The paper's networks learnt for {STEPS:,} steps, ours not so long: what they predict is a "
            "question of ours."
        )
    if findings:
        alone = " Networks that were trained once have no verdict." if len(found) < len(outcome.runs) else ""
        section.judge(f"The paper's figures and order beside ours.{alone}", findings)


def _curve(runs: Sequence[Told]) -> tuple[list[float], list[float]]:
    curves = [run["curve"] for run in runs]
    length = min(map(len, curves))
    return [curves[0][n][0] for n in range(length)], [
        fmean(curve[n][1] for curve in curves) for n in range(length)
    ]


def _progress(section: Section, outcome: Outcome) -> None:
    runs = outcome.runs.get(OURS, ())
    each = [{middle: share for middle, n, share in run["plies"] if n >= _FEW} for run in runs]
    if runs:
        bands = {middle: mean([band[middle] for band in each if middle in band]) for middle in each[0]}
        of = "one run" if len(runs) == 1 else f"mean of {len(runs)} runs"
        section.draw(
            f"Moves of held-out games predicted, by plies, after {_steps(runs):,} steps; {of}.",
            Plot("Figure 5: in the course of a game", "ply", "predicted",
                 [Line("ours", list(bands), [band.value for band in bands.values()])]),
            "5",
        )  # fmt: skip
    elif outcome.predicted is not None:
        middles = {"0-9": 4.5, "10-29": 19.5, "30-49": 39.5, "50-79": 64.5, "80+": 100.0}
        bands = {middles[b]: Measured(*m) for b, m in outcome.predicted["by_ply"].items() if b in middles}
    else:
        return
    section.table(
        "Moves predicted by plies, in percent."
        + ("" if runs else f" By {outcome.network}; the plies are the middles of bands."),
        ("ply", "predicted"),
        [(f"{middle:g}", percent(measured)) for middle, measured in bands.items()],
    )
    after = [middle for middle in bands if FIRST_PLY < middle <= _LATER]
    if len(after) < 2:
        return
    first, *rest = bands.values()
    just = bands[after[0]]
    if len(runs) > 1:
        later = mean([fmean(band[middle] for middle in after[1:] if middle in band) for band in each])
    else:
        later = Measured(fmean(bands[middle].value for middle in after[1:]), inf)
    own = bool(runs) and _steps(runs) != STEPS
    findings = [
        claim(
            "most is predicted in the opening, though nothing was learnt of it",
            every(greater(first, other) for other in rest),
            f"{first} in the first plies, {max(rest, key=lambda m: m.value)} at best later",
            own=own,
        ),
        claim(
            "less just after the opening than later",
            greater(later, just),
            f"{just} after it, {later} on average later",
            own=own,
        ),
    ]
    if len(runs) > 1:
        section.judge("What the paper reads off Figure 5.", findings)
    else:
        section.show("What the paper reads off Figure 5.", findings)


# --- self-play, learning rates -----------------------------------------------------------------------


def _selfplay(section: Section, outcome: Outcome) -> None:
    lines = [line for line in outcome.selfplay if "against_reference" in line]
    if not lines:
        section.say("Not measured: no run of self-play lies in the folder.")
        return
    games = [line["games"] for line in lines]
    colours = {
        "6": ("Black", "against_reference_as_black"),
        "7": ("White", "against_reference_as_white"),
    }
    for number, (colour, key) in colours.items():
        section.draw(
            f"Score as {colour} against the reference, which is replaced where it is beaten.",
            Plot(
                f"Figure {number}: against the reference, as {colour}", "games of self-play",
                "share of the points", [Line(colour, games, [line[key] for line in lines])],
                y_from=0.0, y_to=1.0,
            ),
            number,
        )  # fmt: skip
    section.draw(
        "Games of these matches that were aborted for their length.",
        Plot(
            "Figure 8: aborted games", "games of self-play", "share of the games",
            [Line("aborted", games, [line["evaluation_aborted"] for line in lines])],
        ),
        "8",
    )  # fmt: skip
    told = [line for line in lines if "against_supervised" in line]
    if told:
        section.draw(
            "Score against the network that self-play began with, which does not change.",
            Plot(
                "Figure B: against the beginning", "games of self-play", "share of the points",
                [Line("score", [one["games"] for one in told], [one["against_supervised"] for one in told])],
            ),
            "b",
        )  # fmt: skip


def _rates(section: Section, outcome: Outcome) -> None:
    if len(outcome.rates) < 2:
        section.say("Not measured: no networks were trained at other learning rates.")
        return
    found = {rate: run["from first ply"]["accuracy"] for rate, run in outcome.rates.items()}
    section.draw(
        "Moves of held-out games predicted while the network learns; one training each.",
        Plot(
            "Figure 9: learning rates", "steps", "predicted",
            [Line(f"{rate:g}", *_curve([run])) for rate, run in outcome.rates.items()],
        ),
        "9",
    )  # fmt: skip
    order = sorted(found, key=lambda rate: -found[rate])
    section.table(
        f"The rates in the order of what is predicted at the end, best first; in the paper it is "
        f"{', '.join(f'{rate:g}' for rate in BEST_FIRST)}. One training each decides nothing: no verdict.",
        ("rate", "predicted"),
        [(f"{rate:g}", f"{found[rate]:.3f}") for rate in order],
    )


# --- strength ----------------------------------------------------------------------------------------


def _row(name: str, paper: str, met: Met | None) -> tuple[str, str, str, str]:
    if met is None:
        return name, paper, NOT_MEASURED, ""
    return name, paper, str(met), f"{percent(met.share)} %; Elo {met.elo_told}"


def _table2(section: Section, outcome: Outcome) -> None:
    section.say(
        "AB is alpha-beta of four plies over piece-square tables, without quiescence search or pruning, "
        "which the paper does not mention; the values of the tables are ours. With quiescence search it is "
        "another, stronger one: a question of ours. The probability search follows lines of a probability "
        "of 0.001 up to eight plies and evaluates their ends as AB does."
    )
    rows = []
    for name, title in MATCHES.items():
        theirs = f"{100 * TABLE2[name].value:.1f} %" if name in TABLE2 else ""
        rows.append(_row(title, theirs, outcome.table2.get(name)))
    section.table(
        "Wins, losses, draws of the first; share of its points. Each opening, four random moves, is played "
        "twice. The paper has 100 games a match.",
        ("", "paper", "games", "ours"),
        rows,
    )
    section.say(
        "One network plays, which was trained once, and another might do otherwise: these shares have no "
        "verdict. What a search does for the network is judged by its games."
    )
    if (met := outcome.table2.get("probability-ours")) is not None:
        what = "the probability search is stronger than the network alone"
        section.judge("What the search does.", [claim(what, greater(met.share, EVEN), met.told)])


def _table3(section: Section, outcome: Outcome) -> None:
    section.say(
        "Monte-Carlo plays some games after each legal move to their end, both sides by the network, each "
        "move drawn by its probability, and takes the move after which most was won. A game of 200 plies is "
        "won by who is five pawns ahead, else drawn."
    )
    rows = [
        _row(f"{n} games after each move", f"{100 * paper.value:.0f} %", outcome.met(n))
        for n, paper in TABLE3.items()
    ]
    section.table(
        "Against the network alone: wins, losses, draws, share of the points.",
        ("", "paper", "games", "ours"),
        rows,
    )
    if not outcome.table3:
        section.say(
            "Not measured: a move of Monte-Carlo with three games after each legal move takes some 8,000 "
            "evaluations, two minutes of one core; it wants a GPU."
        )
        return
    asked = sum(told["evaluations"] for told in outcome.table3.values())
    rate = fmean(told["evaluations_per_second"] for told in outcome.table3.values())
    section.say(f"These took {asked / 1e6:.1f} million evaluations, {rate:,.0f} a second.")
    section.judge(
        "What Monte-Carlo does for the network, judged by its games; how much, another network might tell "
        "otherwise, so the shares themselves have no verdict.",
        [
            claim(f"stronger with {n} games after each move", greater(met.share, EVEN), met.told)
            for n in TABLE3
            if (met := outcome.met(n)) is not None
        ],
    )
