"""The sections on strength as nets learn, by which rate, and by which end of the game."""

from __future__ import annotations

from collections.abc import Mapping

from rookery.papers.go_td import results as r
from rookery.papers.go_td.outcome import (
    Outcome,
    by_rule,
    figure_of_level,
    runs_told,
)
from rookery.papers.go_td.plan import (
    CONFIGS,
    KATATSUGI_C,
    KOTEN_C,
    LEVELS,
    RATED,
    RATES,
    REPRESENTATIONS,
    RIVALS,
    RULES,
    SELECTED,
    SELECTIONS,
    Config,
    Size,
)
from rookery.papers.measure import Measured, average, mean
from rookery.papers.plot import Plot
from rookery.papers.report import Section
from rookery.papers.verdict import (
    Finding,
    claim,
    every,
    flat,
    greater,
)


def learning(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        f"What lies before the first {size.sample_every:,} games, where the paper's curves begin, is shown "
        "in the section on learning rates."
    )
    short = (
        f" Roban's line ends with its runs, after {size.roban_games:,} games."
        if size.roban_games < size.games
        else ""
    )
    for number, selection in zip((2, 3), SELECTIONS, strict=True):
        configs = [Config(name, selection) for name in REPRESENTATIONS]
        lines = [r.curve(c.representation, r.since(outcome.runs[c], size.sample_every)) for c in configs]
        title = f"Figure {number}: strength during self-learning, {SELECTED[selection]} selection"
        section.draw(
            f"Mean of {runs_told({c: outcome.runs[c] for c in configs})}; the bands are one standard "
            "deviation between runs, the dashed lines the levels that the paper's text reads from its own "
            f"figure.{short}",
            Plot(title, "games", "strength", lines, levels={c.representation: LEVELS[c] for c in configs}),
            str(number),
        )
    findings = [
        figure_of_level(
            c,
            outcome.runs[c],
            20,
            before=outcome.untrained[c.representation],
            own=size.shortened(c),
        )
        for c in LEVELS
    ]
    section.judge(f"Strength over the samples of the last {1 - r.TAIL:.0%} of the games.", findings)
    section.judge("What the paper concludes from it.", _learning_claims(outcome.runs, size))
    rows = [
        (
            str(c),
            str(outcome.untrained[c.representation]),
            *(f"{r.against(outcome.runs[c], rival)}" for rival in RIVALS),
            f"{r.level_spread(outcome.runs[c]):.3f}",
        )
        for c in CONFIGS
    ]
    section.table(
        "Against each rival, over the same samples; and all three before training.",
        ("", "before training", *RIVALS, "spread of the level"),
        rows,
    )


def _learning_claims(runs: Mapping[Config, r.Runs], size: Size) -> list[Finding]:
    levels = {config: r.level(found) for config, found in runs.items()}

    def above(a: Config, b: Config) -> Finding:
        difference = levels[a] - levels[b]
        own = size.shortened(a, b)
        return claim(f"{a} > {b}", greater(levels[a], levels[b]), f"by {difference}", own=own)

    claims = [above(Config(x, "creative"), Config(x, "epsilon")) for x in REPRESENTATIONS]
    claims += [above(Config(x, s), Config("roban", s)) for s in SELECTIONS for x in ("koten", "katatsugi")]
    claims.append(above(KATATSUGI_C, KOTEN_C))
    greedy = [r.level(runs[Config(x, "epsilon")], 0.05, 0.45) for x in ("katatsugi", "koten")]
    claims.append(
        claim("katatsugi (g) > koten (g) before the middle", greater(*greedy), f"by {greedy[0] - greedy[1]}")
    )
    late = r.rise(runs[KATATSUGI_C], (0.6, 0.8), (0.8, 1.0))
    claims.append(
        claim("katatsugi (c) still rises at the end", greater(late, Measured(0)), f"by {late}"),
    )
    for x in ("koten", "roban"):
        config = Config(x, "creative")
        more = r.rise(runs[config], (0.3, 0.5), (0.8, 1.0))
        what, own = f"{config} rises from the middle to its end", size.shortened(config)
        claims.append(claim(what, greater(more, Measured(0)), f"by {more}", own=own))
    for x in REPRESENTATIONS:
        config = Config(x, "epsilon")
        first = r.rise(runs[config], (0.05, 0.2), (0.4, 0.6))
        more = r.rise(runs[config], (0.4, 0.6), (0.8, 1.0))
        # Where nothing is gained before the middle, that nothing is gained after it cannot fail.
        truth = every([greater(first, Measured(0)), flat(more)])
        told = f"gains {first} until then, {more} after it"
        what = f"{config} rises until the middle and not after it"
        claims.append(claim(what, truth, told, own=size.shortened(config)))
    both = [average([levels[Config(x, s)] for s in SELECTIONS]) for x in REPRESENTATIONS]
    koten, roban, katatsugi = both
    claims += [
        claim(
            f"on average over both selections katatsugi > {name}",
            greater(katatsugi, other),
            f"by {katatsugi - other}",
            own=size.shortened(Config(name, "creative")),
        )
        for name, other in (("koten", koten), ("roban", roban))
    ]
    return claims


def rates(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "The paper prints a learning rate of 0.01. Lower ones are ours. Samples are taken from "
        f"{size.sample_from:,} games on, so that what happens before the paper's first sample is seen."
    )
    configs = [
        c
        for x in REPRESENTATIONS
        for rate in RATES
        if (c := Config(x, "creative", rate)) in (*CONFIGS, *RATED)
    ]
    for letter, x in zip("ABC", REPRESENTATIONS, strict=True):
        those = [c for c in configs if c.representation == x]
        plain = Config(x, "creative")
        lines = [r.curve(f"rate {c.learning_rate:g}", outcome.runs[c]) for c in those]
        section.draw(
            f"Mean of {runs_told({c: outcome.runs[c] for c in those})}; the bands are one standard "
            "deviation between runs. The games are on a scale of powers of ten.",
            Plot(
                f"Figure {letter}: learning rates, {x} with creative selection",
                "games",
                "strength",
                lines,
                levels={lines[0].name: LEVELS[plain]},
                x_log=True,
            ),
            letter.lower(),
        )
    rows = []
    greedy = [c for c in CONFIGS if c.selection == "epsilon"]
    for c in (*configs, *greedy):
        course = r.course(outcome.runs[c])
        rows.append(
            (
                str(c),
                f"{c.learning_rate:g}",
                f"{course.reached:,}",
                f"{course.best_after:,}",
                str(course.best),
                str(r.level(outcome.runs[c])),
            )
        )
    section.table(
        "The games after which the mean of all runs has 95 % of its best, and its best; how strong it is "
        "then and at the end.",
        ("", "rate", "95 % of its best after", "its best after", "strength there", "at the end"),
        rows,
    )
    section.judge(
        "The paper's levels at other rates than it prints.",
        [figure_of_level(c, outcome.runs[c], 20, own=True) for c in RATED],
    )
    findings = []
    for c in (*configs, *greedy):
        lost = r.course(outcome.runs[c]).lost
        findings.append(
            claim(f"{c} falls from its best", greater(lost, Measured(0)), f"by {lost}", paper="", own=True)
        )
    for rate in RATES[1:]:
        kata, koten = (r.level(outcome.runs[Config(x, "creative", rate)]) for x in ("katatsugi", "koten"))
        findings.append(
            claim(
                f"katatsugi (c) > koten (c) at a rate of {rate:g}",
                greater(kata, koten),
                f"by {kata - koten}",
                paper="yes, at 0.01",
                own=True,
            )
        )
    section.judge("Questions of ours.", findings)


def ends(section: Section, outcome: Outcome) -> None:
    section.say(
        "The last net of each run, measured once more. As measured, every stone on the board is alive and "
        "prisoners count; with dead stones off, what stands in unconditionally safe territory (Benson) is "
        "taken off first; by area, stones count and prisoners do not. The nets learnt by the first of these."
    )
    rows = []
    for c in (*CONFIGS, *RATED):
        usual = [mean([run[-1].strength for run in outcome.runs[c]])]
        usual.append(mean([run[-1].wins["random"] for run in outcome.runs[c]]))
        cells = [str(m) for m in usual]
        for name in RULES:
            nets = outcome.by_rules[name][c]
            cells.append(str(mean(by_rule(outcome, c, name)[0])))
            cells.append(str(mean([wins["random"] for wins in nets])))
        paper = f"{LEVELS[c]:.2f}" if c in LEVELS else ""
        rows.append((str(c), paper, *cells))
    columns = ["", "the paper's level", "as measured", "against random"]
    for name in RULES:
        columns += [name, "against random"]
    shares = [[run[-1].wins["random"] for c in CONFIGS for run in outcome.runs[c]]]
    shares += [[wins["random"] for c in CONFIGS for wins in outcome.by_rules[name][c]] for name in RULES]
    every_net = [cell for each in shares for cell in ("", str(mean(each)))]
    rows.append(("all nets at the paper's rate", "0.98 against random", *every_net))
    section.table(
        "Strength, and the share won against random, by each end of the game. The paper's levels were "
        "measured by its own rules, which it does not tell, so they are shown and not judged here.",
        columns,
        rows,
    )
