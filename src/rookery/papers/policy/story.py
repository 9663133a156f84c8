"""The report on Pelat's policy network: which of its figures and claims our runs and matches meet."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from rookery.papers.matches import Met
from rookery.papers.measure import Measured, average, mean
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
from rookery.papers.verdict import Finding, claim, count, every, figure, greater

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
_LATER = 100
"""The ply up to which Figure 5 is looked at: few games go on for longer."""


def tell(outcome: Outcome, size: Size) -> Report:
    report = Report(SOURCE, "")
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


def _conclude(report: Report, outcome: Outcome, size: Size) -> str:
    told = []
    if size.own_games:
        told.append(
            "This is the small version: some games between players of ours stand for all data, and nothing "
            "of it says anything about chess."
        )
    missing = [name for name, there in _there(outcome).items() if not there]
    if missing:
        told.append(f"Not measured: {'; '.join(missing)}.")
    for section in report.sections:
        if theirs := [finding for finding in section.findings if not finding.own]:
            told.append(f"{section.title}: {count(theirs)}.")
    return "\n\n".join(told)


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
            "2200; ours are others, slow games over the board, and include players below that."
        )
    runs = [run for each in outcome.runs.values() for run in each]
    if any(run["elsewhere"] for run in runs):
        positions = min(run["positions"] for run in runs)
        section.say(
            f"Runs that were trained on another machine, on {positions / 1e6:.0f} million positions or more, "
            "are taken up as they are, with their recipes, metrics and reports. The time on its GPU was "
            f"not enough for the paper's {STEPS:,} steps, nor for all seeds."
        )
    section.say(
        f"The players of Tables 2 and 3 use the network {outcome.network}, trained once on people's games "
        "alone. The paper does not say which network it means there; its own had played 100,000 games "
        "against itself before."
    )


# --- predicting -------------------------------------------------------------------------------------


def _accuracy(runs: Sequence[Told]) -> Measured:
    return mean([run["from first ply"]["accuracy"] for run in runs])


def _percent(measured: Measured) -> str:
    if not measured.error:
        return f"{100 * measured.value:.1f}"
    error = f"{100 * measured.error:.1f}" if measured.error < 1 else "?"
    return f"{100 * measured.value:.1f} ± {error}"


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
                NETS[name], f"{100 * ACCURACY[name].value:.0f}", _percent(found[name]), _percent(everywhere),
                _percent(top3), f"{entropy:.3f}", f"{dead:.1f}", str(len(runs)),
            ))  # fmt: skip
        steps = int(next(iter(outcome.runs.values()))[0]["steps"])
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
                Plot("Moves predicted", "steps", "share", lines),
            )
    findings: list[Finding] = []
    if outcome.predicted is not None:
        accuracy = Measured(*outcome.predicted["accuracy"])
        section.say(
            f"{outcome.network}, which plays below, predicts {_percent(accuracy)} % of the moves of "
            f"{outcome.predicted['positions']:,} positions of held-out games, from the first ply on. Its "
            "card says how long it learnt."
        )
    for name, measured in found.items():
        same = int(outcome.runs[name][0]["steps"]) == STEPS
        note = "" if same else f"ours had {int(outcome.runs[name][0]['steps']):,} steps and not {STEPS:,}"
        findings.append(
            figure(
                f"accuracy, {NETS[name]}", ACCURACY[name], measured, between=(0, 1), own=not same, note=note
            )
        )
    if OURS in found:
        others = [name for name in found if name != OURS]
        for name in others:
            findings.append(
                claim(
                    f"ours predicts more than {NETS[name]}",
                    greater(found[OURS], found[name]),
                    f"{found[OURS]}, {found[name]}",
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
                )
            )  # fmt: skip
    if findings:
        section.judge("The paper's figures and order beside ours.", findings)


def _curve(runs: Sequence[Told]) -> tuple[list[float], list[float]]:
    curves = [run["curve"] for run in runs]
    length = min(map(len, curves))
    return [curves[0][n][0] for n in range(length)], [
        fmean(curve[n][1] for curve in curves) for n in range(length)
    ]


def _progress(section: Section, outcome: Outcome) -> None:
    runs = outcome.runs.get(OURS, ())
    if runs:
        points = runs[0]["plies"]
        section.draw(
            f"Moves of held-out games predicted, by plies, after {int(runs[0]['steps']):,} steps; one run.",
            Plot("In the course of a game", "ply", "predicted", [Line("ours", [p for p, _, _ in points],
                 [share for _, _, share in points])]),
        )  # fmt: skip
        bands = {middle: Measured(share, (share * (1 - share) / n) ** 0.5) for middle, n, share in points}
    elif outcome.predicted is not None:
        middles = {"0-9": 4.5, "10-29": 19.5, "30-49": 39.5, "50-79": 64.5, "80+": 100.0}
        bands = {middles[b]: Measured(*m) for b, m in outcome.predicted["by_ply"].items() if b in middles}
    else:
        return
    section.table(
        "Moves predicted by plies, in percent."
        + ("" if runs else f" By {outcome.network}; the plies are the middles of bands."),
        ("ply", "predicted"),
        [(f"{middle:g}", _percent(measured)) for middle, measured in bands.items()],
    )
    first, *rest = bands.values()
    after = [m for middle, m in bands.items() if FIRST_PLY < middle <= _LATER and m.error > 0]
    if len(after) < 2:
        return
    later = average(after[1:])
    section.judge(
        "What the paper reads off Figure 5.",
        [
            claim(
                "most is predicted in the opening, though nothing was learnt of it",
                every(greater(first, other) for other in rest if other.error > 0),
                f"{first} in the first plies, {max(rest, key=lambda m: m.value)} at best later",
            ),
            claim(
                "less just after the opening than later",
                greater(later, after[0]),
                f"{after[0]} after it, {later} on average later",
                note="at first it was compared with the greatest of all bands, itself among them, so it "
                "could not fail; with the mean of the later ones now",
            ),
        ],
    )


# --- self-play, learning rates -----------------------------------------------------------------------


def _selfplay(section: Section, outcome: Outcome) -> None:
    lines = [line for line in outcome.selfplay if "against_reference" in line]
    if not lines:
        section.say("Not measured: no run of self-play lies in the folder.")
        return
    games = [line["games"] for line in lines]
    colours = {"Black": "against_reference_as_black", "White": "against_reference_as_white"}
    section.draw(
        "Score against the reference, which is replaced where it is beaten: as Black (Figure 6), as White "
        "(Figure 7).",
        Plot(
            "Against the reference", "games of self-play", "share of the points",
            [Line(colour, games, [line[key] for line in lines]) for colour, key in colours.items()],
            y_from=0.0, y_to=1.0,
        ),
    )  # fmt: skip
    section.draw(
        "Games of these matches that were aborted for their length (Figure 8).",
        Plot(
            "Aborted games", "games of self-play", "share of the games",
            [Line("aborted", games, [line["evaluation_aborted"] for line in lines])],
        ),
    )  # fmt: skip
    told = [line for line in lines if "against_supervised" in line]
    if told:
        section.draw(
            "Score against the network that self-play began with, which does not change.",
            Plot(
                "Against the beginning", "games of self-play", "share of the points",
                [Line("score", [one["games"] for one in told], [one["against_supervised"] for one in told])],
            ),
        )  # fmt: skip


def _rates(section: Section, outcome: Outcome) -> None:
    if len(outcome.rates) < 2:
        section.say("Not measured: no networks were trained at other learning rates.")
        return
    found = {rate: run["from first ply"]["accuracy"] for rate, run in outcome.rates.items()}
    section.draw(
        "Moves of held-out games predicted while the network learns; one training each.",
        Plot(
            "Learning rates", "steps", "predicted",
            [Line(f"{rate:g}", *_curve([run])) for rate, run in outcome.rates.items()],
        ),
    )  # fmt: skip
    order = sorted(found, key=lambda rate: -found[rate])
    section.judge(
        "The order at the end.",
        [
            claim(
                "best at 0.001, then 0.0001, 0.00001, 0.01",
                "open",
                ", ".join(f"{rate:g} ({found[rate]:.3f})" for rate in order),
                note=f"one training each; {'the same' if tuple(order) == BEST_FIRST else 'another'} order",
            )
        ],
    )


# --- strength ----------------------------------------------------------------------------------------


def _row(name: str, paper: str, met: Met | None) -> tuple[str, str, str, str]:
    if met is None:
        return name, paper, NOT_MEASURED, ""
    return name, paper, str(met), f"{_percent(met.share)} %; Elo {met.elo_told}"


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
    findings = []
    for name, paper in TABLE2.items():
        if (met := outcome.table2.get(name)) is not None:
            findings.append(figure(MATCHES[name], paper, met.share, between=(0, 1)))
    for name, met in outcome.table2.items():
        who = MATCHES[name].split(" against ")
        findings.append(
            claim(
                f"{who[0]} is stronger than {who[1]}",
                greater(met.share, EVEN),
                met.told,
                paper="yes" if name in TABLE2 else "",
                own=name not in TABLE2,
            )
        )
    if findings:
        section.judge("The paper's figures beside ours.", findings)


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
    findings = []
    for n, paper in TABLE3.items():
        if (met := outcome.met(n)) is not None:
            findings.append(figure(f"{n} games after each move", paper, met.share, between=(0, 1)))
            findings.append(
                claim(f"stronger with {n} games after each move", greater(met.share, EVEN), met.told)
            )
    section.judge("The paper's figures beside ours.", findings)
