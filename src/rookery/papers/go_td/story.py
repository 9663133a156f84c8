"""The report on Mayer's paper: which of its figures and claims our runs meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import sqrt

import numpy as np

from rookery import native
from rookery.papers.go_td import results as r
from rookery.papers.go_td.plan import (
    ABLATIONS,
    CONFIGS,
    DEPTHS,
    GAMES_A_SECOND,
    KATATSUGI_C,
    KOTEN_C,
    LEVELS,
    REPRESENTATIONS,
    RIVALS,
    SEARCH,
    SEARCH_STRENGTH,
    SELECTIONS,
    TOURNAMENT,
    Config,
    Size,
    of_games,
)
from rookery.papers.measure import Measured, flat, greater, mean, share
from rookery.papers.plot import Plot
from rookery.papers.report import Finding, Report, Section, compare

Wins = Mapping[str, int]
"""Games won against each rival, of as many as the size says."""


@dataclass
class Outcome:
    """All that the pieces gave."""

    runs: dict[Config, r.Runs]
    remeasured: dict[Config, Wins]
    """The best net of each configuration, on fresh games."""
    pairs: dict[tuple[Config, Config], tuple[int, int]]
    """Wins of the first and of the second best net."""
    search: dict[Config, dict[int, Wins]]
    """By depth; what ends in the tree is worth what it brought."""
    plain_search: dict[Config, dict[int, Wins]]
    """The same where the net judges ends too."""
    ablations: dict[str, dict[Config, r.Runs]]
    gojens: dict[str, dict[Config, int]]
    """Wins of the best nets against a weaker gojen, and, under no config's name, of that gojen."""
    gojen_against_naive: dict[str, int]
    outside: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    """Wins, ties and losses against a program of other people's, by what played."""
    games_a_second: float = 0.0
    learning_a_second: float = 0.0
    """The same without measuring and saving."""


def tell(outcome: Outcome, size: Size) -> Report:
    report = Report("Board representations for neural Go players learning by temporal difference")
    report.facts["size"] = (
        f"{len(CONFIGS)} configurations, {size.runs} runs each of {size.games:,} games, "
        f"sampled every {size.sample_every:,} games by {size.sample_games:,} games against each rival"
    )
    _introduce(report.section("What was done"), size)
    _learning(report.section("Learning: Figures 2 and 3"), outcome, size)
    _tournament(report.section("Tournament of the best nets: Table I"), outcome, size)
    _search(report.section("Deep search: Table II"), outcome, size)
    _remarks(report.section("What else the paper says"), outcome, size)
    _ablations(report.section("What the paper leaves open"), outcome, size)
    _gojens(report.section("How strong is GOjen?"), outcome, size)
    _outside(report.section("A program of other people's"), outcome)
    return report


def strength(wins: Wins, games: int) -> Measured:
    return share(sum(wins[rival] for rival in RIVALS), games * len(RIVALS))


def _introduce(section: Section, size: Size) -> None:
    section.say(
        """
Helmut A. Mayer taught small networks 5x5 Go by TD(0) self-play, with three ways to show them the board
and two ways to select moves. Everything here was learnt and measured by the rules of
`docs/games/go.md`, against the rivals of `docs/go.md`. **The paper's opponents are not available: ours are
built from its description**, so levels of strength can differ for that reason alone. No option was
chosen by its result; where the paper is silent the choice is ours, and the section on what it leaves
open turns each round.

Verdicts: a figure **meets** the paper's if they lie within two standard errors of each other, both
errors counted, else it is **above** or **below**; a claim **holds** or **fails** if the difference is
beyond two standard errors, else it is **open**. The paper gives no spread for its means over runs: it
is taken to be that of ours. A strength is the share of games won against the three rivals, and ties are
no wins.
"""
    )
    if size.runs < 20:
        section.say("**This is a small version: its nets are far from done, and its verdicts say little.**")


# --- learning ----------------------------------------------------------------------------------------


def _learning(section: Section, outcome: Outcome, size: Size) -> None:
    for number, selection in zip((2, 3), SELECTIONS, strict=True):
        lines = [
            r.curve(representation, outcome.runs[Config(representation, selection)])
            for representation in REPRESENTATIONS
        ]
        title = f"Figure {number}: strength during self-learning, {selection} selection"
        section.draw(
            f"Mean of {size.runs} runs; the bands are one standard deviation between runs.",
            Plot(title, "games", "strength", lines, y_from=0.0, y_to=1.0),
        )
    findings = []
    for config, paper in LEVELS.items():
        ours = r.level(outcome.runs[config])
        # 20 runs of the same spread as ours, read to two digits.
        theirs = sqrt(r.level_spread(outcome.runs[config]) ** 2 / 20 + 0.005**2 / 3)
        findings.append(compare(f"level of {config}", Measured(paper, theirs), ours))
    tail = f"{r.TAIL * size.games:,.0f} to {size.games:,}"
    section.judge(f"Strength over the samples from {tail} games.", findings)
    section.judge("What the paper concludes from it.", _learning_claims(outcome.runs))
    rows = [
        (
            str(c),
            *(f"{r.against(outcome.runs[c], rival)}" for rival in RIVALS),
            f"{r.level_spread(outcome.runs[c]):.3f}",
        )
        for c in CONFIGS
    ]
    section.table("Against each rival, over the same samples.", ("", *RIVALS, "spread of the level"), rows)


def _learning_claims(runs: Mapping[Config, r.Runs]) -> list[Finding]:
    levels = {config: r.level(found) for config, found in runs.items()}

    def claim(a: Config, b: Config) -> Finding:
        difference = levels[a] - levels[b]
        return Finding(f"{a} > {b}", "yes", f"by {difference}", greater(levels[a], levels[b]))

    claims = [claim(Config(x, "creative"), Config(x, "epsilon")) for x in REPRESENTATIONS]
    claims += [claim(Config(x, s), Config("roban", s)) for s in SELECTIONS for x in ("koten", "katatsugi")]
    claims.append(claim(KATATSUGI_C, KOTEN_C))
    late = r.rise(runs[KATATSUGI_C], (0.6, 0.8), (0.8, 1.0))
    claims.append(
        Finding("katatsugi (c) still rises at the end", "yes", f"by {late}", greater(late, Measured(0)))
    )
    for x in REPRESENTATIONS:
        config = Config(x, "epsilon")
        more = r.rise(runs[config], (0.4, 0.6), (0.8, 1.0))
        claims.append(Finding(f"{config} gains nothing after the middle", "yes", f"gains {more}", flat(more)))
    return claims


# --- the best nets -----------------------------------------------------------------------------------


def _tournament(section: Section, outcome: Outcome, size: Size) -> None:
    rows = []
    for config in CONFIGS:
        net, last = r.best(outcome.runs[config]), r.best(outcome.runs[config], last_only=True)
        again = strength(outcome.remeasured[config], size.pair_games)
        rows.append(
            (str(config), f"{net.strength:.3f}", f"{net.games:,}", str(again), f"{last.strength:.3f}")
        )
    section.table(
        "The strongest sample of all runs of each configuration plays. What it does on fresh games leaves "
        "out the luck by which it was chosen.",
        ("", "best sample", "after games", "on fresh games", "best at the end"),
        rows,
    )
    games = size.pair_games * (len(CONFIGS) - 1)
    ours = r.scores(outcome.pairs, size.pair_games)
    section.judge(
        f"Table I: wins of {games:,} games. The errors are as if every game were another; but nets play "
        "alike in like places, so that most pairs repeat a few games, and how lucky the choice of one net "
        "was is in no error. They are too small, and the verdicts too sure.",
        [compare(str(c), of_games(TOURNAMENT[c], 5_000), share(ours[c] * games, games)) for c in TOURNAMENT],
    )
    claims = []
    for x in REPRESENTATIONS:
        a, b = Config(x, "creative"), Config(x, "epsilon")
        pair = [share(ours[c] * games, games) for c in (a, b)]
        claims.append(Finding(f"{a} scores above {b}", "yes", f"{pair[0]} to {pair[1]}", greater(*pair)))
    order = sorted(ours, key=lambda c: -ours[c])
    claims.append(_is("the winner", str(KOTEN_C), str(order[0])))
    claims.append(
        _is("the last two", "roban (c), roban (g)", ", ".join(map(str, sorted(order[-2:], key=str))))
    )
    section.judge("What the paper says of it.", claims)
    table = [
        (str(a), str(b), *(f"{wins / size.pair_games:.3f}" for wins in _pair(outcome.pairs, a, b)))
        for a, b in combinations(CONFIGS, 2)
    ]
    section.table(
        "Every pair: the share that each won.", ("first", "second", "first won", "second won"), table
    )


def _pair(pairs: Mapping[tuple[Config, Config], tuple[int, int]], a: Config, b: Config) -> tuple[int, int]:
    return pairs[a, b] if (a, b) in pairs else (pairs[b, a][1], pairs[b, a][0])


def _is(what: str, paper: str, ours: str) -> Finding:
    return Finding(what, paper, ours, "holds" if paper == ours else "fails")


def _search(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "A leaf is worth what the net says in the view of the player who moved last; two passes in the tree "
        "are worth what the game is. The strength row of the paper's Table II is not the mean of the three "
        "rows above it (0.791, 0.825 and 0.856 would be); both are shown as printed."
    )
    games, findings = size.pair_games, []
    for depth in DEPTHS:
        wins = outcome.search[KATATSUGI_C][depth]
        for rival in RIVALS:
            paper = of_games(SEARCH[depth][rival], 1_000)
            findings.append(
                compare(f"katatsugi (c), depth {depth}, {rival}", paper, share(wins[rival], games))
            )
    for config in (KATATSUGI_C, KOTEN_C):
        for depth in DEPTHS:
            paper = of_games(SEARCH_STRENGTH[config][depth], 3_000)
            ours = strength(outcome.search[config][depth], games)
            findings.append(compare(f"{config}, depth {depth}, strength", paper, ours))
    section.judge("Table II, and what the text says of the best creative koten net.", findings)
    claims = []
    for config in (KATATSUGI_C, KOTEN_C):
        for shallow, deep in ((1, 2), (2, 4)):
            a, b = (strength(outcome.search[config][d], games) for d in (deep, shallow))
            what = f"{config}: depth {deep} > depth {shallow}"
            claims.append(Finding(what, "yes", f"by {a - b}", greater(a, b)))
    section.judge("Strength increases with depth.", claims)
    rows = [
        (
            str(config),
            str(depth),
            *(str(strength(found[config][depth], games)) for found in (outcome.search, outcome.plain_search)),
        )
        for config in (KATATSUGI_C, KOTEN_C)
        for depth in DEPTHS[1:]
    ]
    section.table(
        "What it is worth that two passes in the tree count as what they bring.",
        ("", "depth", "they do", "the net judges them too"),
        rows,
    )


# --- the rest ----------------------------------------------------------------------------------------


def _remarks(section: Section, outcome: Outcome, size: Size) -> None:
    findings = []
    for config in CONFIGS:
        at, of = r.opened_at(outcome.runs[config], "C3")
        at_all, of_all = r.opened_at(outcome.runs[config], "C3", last_only=False)
        told = f"{at} of {of} at the end, {at_all} of {of_all} samples"
        findings.append(
            Finding(f"nets of {config} open at C3", "all", told, "holds" if at == of else "fails")
        )
    nets = [mean([run[-1].wins[rival] for runs in outcome.runs.values() for run in runs]) for rival in RIVALS]
    findings.append(compare("all nets at the end against random", Measured(0.98, 0.005), nets[2]))
    findings.append(
        Finding("random is easier than naive", "yes", f"{nets[2]} to {nets[1]}", greater(nets[2], nets[1]))
    )
    findings.append(
        Finding("naive is easier than gojen", "yes", f"{nets[1]} to {nets[0]}", greater(nets[1], nets[0]))
    )
    most = max(outcome.remeasured, key=lambda c: outcome.remeasured[c]["gojen"])
    ours = share(outcome.remeasured[most]["gojen"], size.pair_games)
    findings.append(compare(f"the best net against gojen ({most})", of_games(0.65, 1_000), ours))
    section.judge("Openings, and the rivals in order.", findings)
    section.say(
        f"Speed: {outcome.learning_a_second:,.0f} games of learning a second in one process, "
        f"{outcome.games_a_second:,.0f} with measuring and saving; the paper's 20 million games in about 70 "
        f"hours are {GAMES_A_SECOND:.0f}."
    )


def _ablations(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        f"Each decision of ours turned round by itself: {size.ablation_runs} runs of "
        f"{size.ablation_samples * size.sample_every:,} games each. Whatever rules a variant learnt "
        "by, it is measured by the usual ones."
    )
    # Those that were not run once more as decided are measured against the first games of the study's runs.
    base = {
        config: r.level([run[: size.ablation_samples] for run in runs])
        for config, runs in {**outcome.runs, **outcome.ablations["as decided"]}.items()
    }
    rows = []
    for ablation in ABLATIONS:
        for config in ablation.configs:
            ours = r.level(outcome.ablations[ablation.name][config])
            change = str(ours - base[config]) if ablation.changes else ""
            verdict = {"holds": "▲ stronger", "fails": "▼ weaker", "open": "? open"}[
                greater(ours, base[config])
            ]
            rows.append((ablation.name, str(config), str(ours), change, verdict if ablation.changes else ""))
    section.table("", ("variant", "configuration", "strength", "change", ""), rows)
    section.say("\n".join(f"- {a.name}: {a.why}" for a in ABLATIONS))
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
    alike = outcome.ablations["koten begun and paced as katatsugi"]
    rows = []
    for selection in SELECTIONS:
        koten, katatsugi = Config("koten", selection), Config("katatsugi", selection)
        plain = r.level(outcome.ablations["as decided"][koten])
        kata = r.level(outcome.ablations["as decided"][katatsugi])
        rows.append((selection, str(plain), str(r.level(alike[koten])), str(kata)))
    section.table(
        "If koten, begun and paced as katatsugi, plays like it, then it is the pace that differs and not "
        "what is seen.",
        ("selection", "koten", "koten as katatsugi", "katatsugi"),
        rows,
    )


def _map_row(representation: str) -> tuple[str, ...]:
    """The inputs of a representation, its rank, and how its first layer begins and learns."""
    encoding = np.array(native.td_encoding(representation))
    inputs, points = encoding.shape
    step = float((encoding**2).sum()) / points  # the mean of the diagonal of E'E, by which steps on points go
    start = sqrt(step / 3)  # weights uniform in [-1, 1] have a variance of 1/3
    rank = int(np.linalg.matrix_rank(encoding))
    return representation, str(inputs), str(rank), f"{start:.2f}", f"{step:.3f}"


def _gojens(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "To the paper's best net GOjen is only a little harder than Naive (0.650 and 0.737); ours wins nine "
        "games of ten against our Naive. Everything above is measured against `gojen` as it is. This is what "
        "the best creative nets, unchanged, do against others."
    )
    rows: list[Sequence[str]] = []
    for name, wins in outcome.gojens.items():
        shares = [str(share(wins[config], size.pair_games)) for config in (KATATSUGI_C, KOTEN_C)]
        rows.append((f"`{name}`", *shares, str(share(outcome.gojen_against_naive[name], size.duel_games))))
    section.table(
        f"Wins of the best nets, and of that gojen against naive over {size.duel_games:,} games.",
        ("rival", str(KATATSUGI_C), str(KOTEN_C), "it against naive"),
        rows,
    )


def _outside(section: Section, outcome: Outcome) -> None:
    if not outcome.outside:
        section.say("GNU Go is not installed here, so nothing outside Rookery has judged these nets.")
        return
    section.say(
        "Against GNU Go at its lowest level, made to take dead stones off the board. Each two games begin "
        "with the same random moves, and the players change colours."
    )
    rows = [(name, *map(str, counts)) for name, counts in outcome.outside.items()]
    section.table("", ("player", "wins", "ties", "losses"), rows)
