"""The report on Ciancarini and Favini's paper: which of its claims our matches bear out."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from rookery.papers.kriegspiel import SOURCE
from rookery.papers.kriegspiel.plan import CLEARLY, DEPTHS, WINS_A_LOSS, WORTH_C, Size
from rookery.papers.kriegspiel.work import Outcome, elo
from rookery.papers.matches import Met
from rookery.papers.measure import Measured, share
from rookery.papers.plot import Line, Plot
from rookery.papers.report import Report, Section
from rookery.papers.verdict import Finding, Truth, claim, count, every, greater


def tell(outcome: Outcome, size: Size) -> Report:
    report = Report(SOURCE, "")
    times = ", ".join(f"{1000 * s:g}" for s in size.seconds)
    report.facts["size"] = (
        f"times of {times} ms a move; {size.games} games a match of Figure 10, {size.other_games} of others; "
        f"minimax looks at {size.nodes:,} metapositions a move"
    )
    _introduce(report.section("What was done"), size)
    _figure(report.section("Strength against time: Figure 10"), outcome, size)
    _claims(report.section("What the paper says of the three approaches"), outcome, size)
    _sampling(report.section("Sampling players"), outcome)
    _ablations(report.section("Beyond the paper: one change at a time"), outcome, size)
    report.conclusion = _conclude(report, outcome, size)
    return report


def _introduce(section: Section, size: Size) -> None:
    section.say(
        "Every player sees its own pieces and hears the referee, and nothing else. **Approach A** plays out "
        "random boards that fit what was heard. **Approach B** searches over messages instead of boards and "
        "simulates k own moves by three matrices: how likely the enemy king, a pawn or another piece stands "
        "on each square. **Approach C** evaluates each move once, as the expectation over its answers, and "
        "backs up the best; **ours** is the same, but trusts what lies behind a message by half. **Minimax** "
        "searches over metapositions, sets of possible boards. All end their games against a bare king by "
        "the same endgame module, which the paper's A, B and C did not have."
    )
    times = ", ".join(f"{1000 * s:g}" for s in size.seconds)
    section.say(
        "The paper gives 1, 2, 4 and 8 seconds a move on a machine of 2009, and weeks of it. Here times are "
        f"{times} ms, as the nodes that an idle core has in them, and minimax has {size.nodes:,} "
        "metapositions (the paper: 10,000). Figure 10 exists only as a picture; the claims are judged, "
        "by bounds fixed before the first match. The games against people on the ICC cannot be repeated."
    )


def _figure(section: Section, outcome: Outcome, size: Size) -> None:
    lines = [
        Line(
            name,
            [1000 * s for s, _ in zip(size.seconds, met, strict=False)],
            [elo(each).value for each in met],
            [1.96 * elo(each).error for each in met],
        )
        for name, met in outcome.curves.items()
        if met
    ]
    section.draw(
        "Figure 10: Elo relative to minimax; the bands are 95 % intervals.",
        Plot("Elo against minimax", "time a move in ms", "Elo", lines),
    )
    rows = []
    for name, met in outcome.curves.items():
        for seconds, each in zip(size.seconds, met, strict=False):
            how = outcome.ends[f"{name}-{seconds:g}"]
            ends = ", ".join(f"{reason} {n}" for reason, n in how.reasons.items())
            rows.append(
                (
                    f"{name}, {1000 * seconds:g} ms",
                    str(each),
                    _pm(elo(each)),
                    f"{how.plies:.0f}",
                    f"{how.tries:.2f}",
                    ends,
                )
            )
    section.table(
        "Each match against minimax: wins-losses-draws, Elo with standard error, mean length in plies, tries "
        "a move, how games ended.",
        ("player", "result", "Elo", "plies", "tries", "ends"),
        rows,
    )


def _claims(section: Section, outcome: Outcome, size: Size) -> None:
    curves = {name: [elo(each) for each in met] for name, met in outcome.curves.items()}
    whole = all(len(each) == len(size.seconds) for each in curves.values())
    findings = [_weak(outcome)]
    if whole:
        findings += _of_b(curves)
        findings += _of_c(curves, outcome)
    findings += _of_parameters(outcome)
    section.judge("Claims of the paper's text, and the bounds set for them beforehand.", findings)
    if outcome.slow:
        section.table(
            f"The check at {size.slow_seconds:g} s a move: wins-losses-draws and Elo against minimax.",
            ("player", "result", "Elo"),
            [(name, str(met), _pm(elo(met))) for name, met in outcome.slow.items()],
        )


def _weak(outcome: Outcome) -> Finding:
    met = outcome.random["minimax"]
    return claim(
        "A has less than 5 % of the points against minimax",
        greater(Measured(0.05), met.share),
        f"{met.told}; against the random mover {outcome.random['random'].told}",
        paper="under 2 % of games won",
    )


def _of_b(curves: Mapping[str, list[Measured]]) -> list[Finding]:
    fastest = {k: curves[f"B{k}"][0] for k in DEPTHS}
    lead = [fastest[1] - fastest[k] for k in DEPTHS[1:]]
    growth = {k: curves[f"B{k}"][-1] - curves[f"B{k}"][0] for k in (7, 10)}
    slowest = {k: curves[f"B{k}"][-1] for k in DEPTHS}
    never: list[Truth] = []
    for i in range(len(curves["B3"])):
        others = [curves[f"B{k}"][i] for k in DEPTHS if k != 3]
        best = max(others, key=lambda each: each.value)
        never.append(greater(best, curves["B3"][i]))
    return [
        claim(
            f"at the fastest setting k = 1 is the best B, by {CLEARLY:g} Elo or more",
            every(greater(each, Measured(CLEARLY)) for each in lead),
            "ahead of k = 3, 7, 10 by " + ", ".join(map(_pm, lead)),
        ),
        claim(
            "k = 7 and 10 gain as time grows",
            every(greater(each, Measured(0)) for each in growth.values()),
            ", ".join(f"k = {k}: {_pm(each)}" for k, each in growth.items()),
        ),
        claim(
            "at the slowest setting k = 10 is at least level with minimax",
            greater(slowest[10], Measured(0)),
            f"{_pm(slowest[10])} Elo",
            paper="slightly above",
        ),
        claim(
            "at the slowest setting k = 7 and 10 are above k = 1",
            every(greater(slowest[k], slowest[1]) for k in (7, 10)),
            ", ".join(f"k = {k}: {_pm(slowest[k] - slowest[1])}" for k in (7, 10)),
        ),
        claim(
            "k = 3 is the best B at no setting",
            every(never),
            ", ".join(_pm(each) for each in curves["B3"]),
        ),
    ]


def _of_c(curves: Mapping[str, list[Measured]], outcome: Outcome) -> list[Finding]:
    slower = curves["C"][-2:]
    met = outcome.curves["C"][-1]
    ratio = _ratio(met)
    gaps = [
        min((curves["C"][i] - curves[f"B{k}"][i] for k in DEPTHS), key=lambda gap: gap.value)
        for i in range(len(curves["C"]))
    ]
    speed = outcome.speed["C"] / outcome.speed["B1"] if outcome.speed.get("B1") else 0.0
    return [
        claim(
            f"C is more than {WORTH_C:g} Elo above minimax at the two slower settings",
            every(greater(each, Measured(WORTH_C)) for each in slower),
            ", ".join(map(_pm, slower)),
            paper="more than 100",
        ),
        claim(
            f"C wins at least {WINS_A_LOSS:g} times what it loses against minimax",
            greater(ratio, Measured(WINS_A_LOSS)),
            f"{ratio.value:.2f} ± {ratio.error:.2f} ({met})",
            paper="about three times",
        ),
        claim(
            "C is above every B at each setting",
            every(greater(gap, Measured(0)) for gap in gaps),
            "ahead of the best B by " + ", ".join(map(_pm, gaps)),
        ),
        claim(
            "B comes nearer to C as time grows",
            greater(gaps[0], gaps[-1]),
            f"{_pm(gaps[0])} at the fastest, {_pm(gaps[-1])} at the slowest setting",
        ),
        claim(
            "C looks at ten times the nodes of B with k = 1, or more",
            "holds" if speed >= 10 else "fails",
            f"{outcome.speed['C']:,.0f} and {outcome.speed['B1']:,.0f} a second: {speed:.1f} times",
            paper="10 to 20 times",
            note="a node of C is an edge that was evaluated, a node of B a simulation",
        ),
    ]


def _of_parameters(outcome: Outcome) -> list[Finding]:
    findings = []
    if outcome.exploration:
        scan = {c: elo(met) for c, met in outcome.exploration.items()}
        best, worst = (f(scan.values(), key=lambda each: each.value) for f in (max, min))
        # The extremes of several are apart by chance too: they are judged with the error of their difference.
        findings.append(
            claim(
                "the c of UCT has a small effect on C (less than 40 Elo between extremes)",
                greater(Measured(40), best - worst),
                ", ".join(f"{c:g}: {_pm(each)}" for c, each in scan.items()),
            )
        )
    if outcome.plateau:
        half, twice = (elo(outcome.plateau[name]) for name in ("half", "twice"))
        findings.append(
            claim(
                "minimax gains nothing from twice the metapositions (less than 40 Elo)",
                greater(Measured(40), twice),
                f"half {_pm(half)}, twice {_pm(twice)}",
            )
        )
    return findings


def _sampling(section: Section, outcome: Outcome) -> None:
    findings = []
    for pair, met in outcome.sampling.items():
        better, worse = pair.split("-")
        findings.append(
            claim(f"{_word(better)} beats {_word(worse)}", greater(met.share, Measured(0.5)), met.told)
        )
    section.say(
        "LOS draws boards that fit the last thing heard, AOSP boards that fit everything, HS both, from the "
        "latter to the former as the game goes on (Parker, Nau and Subrahmanian, IJCAI 2005). The paper used "
        "GNU Chess to evaluate boards and 30 seconds a move; here it is our own alpha-beta search."
    )
    section.judge("From the random mover up.", findings)


def _word(name: str) -> str:
    return {"los": "LOS", "aosp": "AOSP", "hs": "HS", "random": "the random mover"}.get(name, name)


def _ablations(section: Section, outcome: Outcome, size: Size) -> None:
    section.table(
        f"Our approach C with one change against the same without, {1000 * size.usual:g} ms a move.",
        ("change", "result", "Elo"),
        [(name, str(met), _pm(elo(met))) for name, met in outcome.ablations.items()],
    )


def _conclude(report: Report, outcome: Outcome, size: Size) -> str:
    told = []
    if outcome.curves["C"]:
        best = outcome.curves["C"][-1]
        told.append(
            f"At {1000 * size.seconds[len(outcome.curves['C']) - 1]:g} ms a move approach C scores "
            f"{best.told} against minimax. Approach A has {outcome.random['minimax'].told}."
        )
    for section in report.sections:
        theirs = [finding for finding in section.findings if not finding.own]
        if theirs:
            told.append(f"{section.title}: {count(theirs)}.")
    return "\n\n".join(told)


def _ratio(met: Met) -> Measured:
    """Wins for each loss, with the error that two counts leave."""
    wins, losses = met.wins, max(met.losses, 1)
    won, lost = (share(n, wins + met.losses + met.draws) for n in (wins, losses))
    ratio = wins / losses
    if not wins:
        return Measured(0.0, 1 / losses)
    return Measured(ratio, ratio * sqrt((won.error / won.value) ** 2 + (lost.error / lost.value) ** 2))


def _pm(value: Measured) -> str:
    return f"{value.value:+.0f} ± {value.error:.0f}"
