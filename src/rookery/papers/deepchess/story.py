"""The report on DeepChess: which of its figures and claims our runs meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from rookery.papers.deepchess import SOURCE
from rookery.papers.deepchess.plan import (
    ABOVE_MATERIAL,
    ACCURACY,
    DECIDED,
    DISTILLED,
    ENGINES,
    ENGINES_OUTSIDE,
    FULL_NET,
    GAMES,
    MASTERS,
    MASTERS_FLOOR,
    PAPER_SCHEDULE,
    PEOPLE,
    SCRATCH,
    SPLITS,
    STAND_IN,
    TABLE2,
    UNDERSTOOD,
    Size,
)
from rookery.papers.deepchess.work import Outcome, Score
from rookery.papers.matches import Met, Series
from rookery.papers.measure import Measured, mean, percent, share
from rookery.papers.plot import Line, Plot
from rookery.papers.report import Report, Section
from rookery.papers.verdict import Finding, agreement, claim, figure, greater

NETS = {
    FULL_NET: "full network",
    DISTILLED: "small, distilled",
    SCRATCH: "small, from scratch",
    PAPER_SCHEDULE: "full, the paper's schedule",
}
HELD_OUT = {"position": "held-out positions", "game": "held-out games", "time": "latest games"}
NOTHING = Measured(0.0)
UNPLAYED = "not played"


def tell(outcome: Outcome, size: Size) -> Report:
    report = Report(SOURCE, "", changed=[] if size.own_games else list(CHANGED))
    report.facts["size"] = (
        f"{size.pairs:,} pairs to measure by, {size.reference_pairs:,} for Stockfish; {size.games} games of "
        f"each seed where a match has several, else {size.single_games}; {1000 * size.seconds:g} ms a move"
    )
    _introduce(report.section("What was done"), outcome, size)
    _table1(report.section("Accuracy: Table 1"), outcome)
    _held_out(report.section("What is held out decides"), outcome)
    _examined(report.section("Beside other knowledge, on the same pairs"), outcome)
    _distilled(report.section("Distillation"), outcome)
    _understood(report.section("Static understanding of positions"), outcome)
    _compared(report.section("Comparisons and numbers"), outcome)
    _table2(report.section("Strength: Table 2"), outcome, size)
    report.conclusion = _conclude(report, outcome, size)
    return report


CHANGED = (
    "The number of epochs (600 for full, 300 for small networks of people's games) was set after a short "
    "training on games of engines had shown how fast they are, to fit the time at hand.",
    "Matches were first planned at 20 ms a move, with 100 games of each seed and a step of Stockfish at "
    "UCI_Elo 2200. Eight games each against the hand-made evaluation (0-8), Toga II (0-8) and Stockfish at "
    "1900 (1-7) showed how long that takes; then they were set to 10 ms, 70 games, and without that step.",
)


def _conclude(report: Report, outcome: Outcome, size: Size) -> str:
    told = []
    for data, nets in outcome.runs.items():
        if FULL_NET in nets:
            end = {split: percent(mean(outcome.end(data, FULL_NET, split))) for split in SPLITS}
            told.append(
                f"Games of {data}: the full network tells {end['position']} % of pairs rightly on held-out "
                f"positions of games that it has learnt from, which is how the paper measures (98.0); "
                f"{end['game']} % on games held out whole; {end['time']} % on the latest games."
            )
    if PAPER_SCHEDULE in outcome.runs.get(ENGINES, {}) and not size.own_games:
        last = outcome.runs[ENGINES][PAPER_SCHEDULE][0]["end"]
        if _known_again(outcome):
            told.append(
                "So the paper's 98 % can be had, where games are few and passes over them many, by knowing a "
                "game again; of games that were not seen the same network tells less. That the paper's own "
                "figure comes of this is likely and not shown: its games are others, and more."
            )
        told.append(
            "With the paper's optimiser, ten positions a game as in the paper and half of its epochs (one "
            f"training) it tells rightly {100 * last['train']:.1f} % of what it is trained on, "
            f"{100 * last['position']:.1f} % of held-out positions and {100 * last['game']:.1f} % of "
            "held-out games."
        )
    if size.own_games:
        told.append(
            "This is the small version: a few hundred games between players of ours stand for all data, and "
            "nothing of it says anything about chess."
        )
    return "\n\n".join(filter(None, [*told, "\n".join(report.by_section())]))


def _known_again(outcome: Outcome) -> bool:
    """Whether the paper's figure was met on positions of games that were seen, and surely not on others."""
    if FULL_NET not in outcome.runs[ENGINES]:
        return False
    seen, unseen = (outcome.end(ENGINES, FULL_NET, split) for split in ("position", "game"))
    return (
        agreement(mean(seen), ACCURACY[FULL_NET]) == "met"
        and greater(mean(_less(seen, unseen)), NOTHING) == "holds"
    )


# --- what was done -----------------------------------------------------------------------------------


def _introduce(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "A network is shown two chess positions, as 773 bits each, one of a game that White won and one of a "
        "game that White lost, and says which is which. Positions are random ones of decided games, not of "
        "the first ten plies, none at which the move played is a capture. Layers are first trained as "
        "autoencoders, then two tied copies with the layers that compare. A smaller network learns to say "
        "what the larger one says (distillation); the same one from scratch is there to compare."
    )
    if size.own_games:
        section.say(
            f"{size.own_games} games between two players of ours stand for all data; their dates are made up."
        )
    held = []
    for data, facts in outcome.stores.items():
        ratings = "-" if facts["ratings"] is None else "{} to {}".format(*facts["ratings"])
        won = f"{facts['white']:,} and {facts['black']:,}"
        held.append((data, f"{facts['games']:,}", won, ratings, _days(facts["dates"])))
    section.table(
        f"Games. The paper has {GAMES:,} of engines, {DECIDED:,} of them decided. `masters` is only measured "
        "by; it overlaps with `people`, and games held out there are held out here.",
        ("", "games", "won by White and Black", "ratings", "dates"),
        held,
    )
    rows = []
    for data, nets in outcome.runs.items():
        for net, runs in nets.items():
            o = runs[0]["options"]
            seconds = fmean(run["seconds"] for run in runs)
            seen = f"{o['epochs']} of {o['pairs']:,}"
            rate = f"{fmean(run['pairs_per_second'] for run in runs) / 1e6:.2f}"
            per_game = str(o["positions_per_game"])
            rows.append((f"{data}: {NETS[net]}", str(len(runs)), per_game, seen, rate, _minutes(seconds)))
    section.table(
        "Trainings. Where the schedule is not the paper's: AdamW with a cosine, in place of SGD for 1000 "
        "epochs; 40 positions a game (20 to distil) in place of 10; colours exchanged at random, and for "
        "the full network a tenth of the first layer's units dropped out.",
        ("", "seeds", "positions a game", "epochs, pairs", "million pairs a second", "minutes"),
        rows,
    )
    if any(run["elsewhere"] for nets in outcome.runs.values() for runs in nets.values() for run in runs):
        section.say(
            "Runs that were trained on another machine (one H200) were taken up as they are, with their "
            "recipes, metrics and weights, and checked to be of these games and seeds."
        )
    section.say(
        "Three kinds are held out, by a rule fixed before any training. Positions: single ones of games that "
        "are learnt from, as in the paper. Games: one in twenty, whole. Time: the latest twentieth, whole. "
        "What plays and is examined is the network that told held-out games best while it was trained, which "
        "favours that column by what the best of some hundred measurements can; Table 1 has the end of the "
        "schedule instead."
    )


def _days(dates: Sequence[int] | None) -> str:
    return (
        "-" if dates is None else " to ".join(f"{d // 10000}-{d // 100 % 100:02}-{d % 100:02}" for d in dates)
    )


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.1f}"


# --- accuracy ----------------------------------------------------------------------------------------


def _points(measured: Measured) -> str:
    """A difference of shares, in points of percent."""
    error = f"{100 * measured.error:.2f}" if measured.error < 1 else "?"
    return f"{100 * measured.value:+.2f} ± {error} points"


def _table1(section: Section, outcome: Outcome) -> None:
    rows = []
    for data, nets in outcome.runs.items():
        for net in nets:
            cells = []
            for split in ("train", *SPLITS):
                ends = outcome.end(data, net, split)
                cells.append(percent(mean(ends)) if ends else "-")
            paper = f"{100 * ACCURACY[net].value:.1f}" if net in ACCURACY else "98.0"
            rows.append((f"{data}: {NETS[net]}", paper, *cells))
    section.table(
        "Pairs judged right at the end of the schedule, in percent: mean of the seeds with its error (one "
        "seed tells none). The paper's column is to be set beside held-out positions.",
        ("", "paper", "trained on", *HELD_OUT.values()),
        rows,
    )
    for data, nets in outcome.runs.items():
        section.judge(
            f"The paper's figures beside ours, on held-out positions of games of {data}; of one training "
            "there is no verdict.",
            [
                figure(
                    f"accuracy, {data}: {NETS[net]}",
                    ACCURACY[net],
                    mean(outcome.end(data, net, "position")),
                    between=(0, 1),
                )
                for net in ACCURACY
                if len(nets.get(net, ())) > 1
            ],
        )


def _held_out(section: Section, outcome: Outcome) -> None:
    gaps = {
        (data, net): mean(_less(outcome.end(data, net, "position"), outcome.end(data, net, "game")))
        for data, nets in outcome.runs.items()
        for net in nets
    }
    section.say(
        "Positions of one game look alike, and have one result. Where some of them are learnt from and "
        "others are held out, to know the game again is enough. The more positions of a game are learnt "
        "from, the nearer is one of them: ours are 40 a game where the recipe is ours, the paper's 10."
    )
    section.table(
        "Held-out positions less held-out games, in points of percent: what is gained by having seen the "
        "game.",
        ("", "gap"),
        [(f"{data}: {NETS[net]}", percent(gap)) for (data, net), gap in gaps.items()],
    )
    section.judge(
        "Our own question.",
        [
            claim(
                f"the full network tells positions better whose games it has seen ({data})",
                greater(gap, NOTHING),
                _points(gap),
                paper="",
                own=True,
            )
            for (data, net), gap in gaps.items()
            if net == FULL_NET
        ],
    )
    for data, nets in outcome.runs.items():
        for net in (FULL_NET, PAPER_SCHEDULE):
            if net in nets:
                section.draw(_caption(data, net), _curves(data, net, nets[net]))


def _less(a: Sequence[float], b: Sequence[float]) -> list[float]:
    return [x - y for x, y in zip(a, b, strict=True)]


def _caption(data: str, net: str) -> str:
    return (
        f"{NETS[net].capitalize()}, games of {data}: pairs judged right, over pairs seen; mean of the seeds."
    )


def _curves(data: str, net: str, runs: Sequence[Mapping[str, object]]) -> Plot:
    curves: list[list[Mapping[str, float]]] = [run["curve"] for run in runs]  # type: ignore[misc]
    length = min(map(len, curves))
    lines = []
    for split, name in {"train": "trained on", **HELD_OUT}.items():
        if all(split in point for curve in curves for point in curve):
            x = [curves[0][n]["pairs"] / 1e6 for n in range(length)]
            y = [fmean(curve[n][split] for curve in curves) for n in range(length)]
            lines.append(Line(name, x, y))
    return Plot(f"{NETS[net].capitalize()}, {data}", "million pairs seen", "judged right", lines)


def _examined(section: Section, outcome: Outcome) -> None:
    section.say(
        "The share of pairs judged right is the area under the ROC curve of a value, so anything that values "
        "positions can stand beside. Errors are those of pairs, clustered by games, with those from seed to "
        "seed where there are several. Stockfish looks ahead and has fewer pairs; it is about what these "
        "results allow."
    )
    for data, splits in outcome.scores.items():
        names = list(next(iter(splits.values())))
        rows = [
            (_who(name), *(percent(found[name].all) if name in found else "-" for found in splits.values()))
            for name in names
        ]
        section.table(
            f"Games of {data}: pairs judged right, in percent, by the networks that were kept.",
            ("", *(HELD_OUT[split] for split in splits)),
            rows,
        )
    bands = outcome.scores[PEOPLE]["game"]
    columns = list(bands["material"].by_ply[0])
    section.table(
        "By plies, on held-out games of people, in percent.",
        ("", *columns),
        [(_who(name), *(_band(score, band) for band in columns)) for name, score in bands.items()],
    )
    middles = {"10-29": 20, "30-49": 40, "50-79": 65, "80+": 100}
    shown = [name for name in ("material", "classical", FULL_NET, DISTILLED) if name in bands]
    shown += [name for name in bands if name.startswith("Stockfish")]
    lines = []
    for name in shown:
        points = [(middles[b], m.value) for b in columns if (m := bands[name].band(b)) is not None]
        lines.append(Line(_who(name), [x for x, _ in points], [y for _, y in points]))
    section.draw(
        "The same: early positions say little of the result, whoever looks at them.",
        Plot("Held-out games of people, by plies", "ply", "judged right", lines),
    )
    findings = []
    full, material = bands[FULL_NET].all, bands["material"].all
    findings.append(
        claim(
            "held-out games: at least 8 points above the count of material",
            greater(full, Measured(material.value + ABOVE_MATERIAL, material.error)),
            f"{full}, material {material}",
            paper="",
            own=True,
        )
    )
    if MASTERS in outcome.scores:
        found = outcome.scores[MASTERS]["game"][FULL_NET].all
        findings.append(
            claim(
                f"held-out games of strong players: at least {100 * MASTERS_FLOOR:.0f} %",
                greater(found, Measured(MASTERS_FLOOR)),
                str(found),
                paper="",
                own=True,
            )
        )
    classical = bands["classical"].all
    findings.append(
        claim(
            "held-out games: better than the hand-made evaluation, without a search",
            greater(full, classical),
            f"{full}, classical {classical}",
            paper="",
            own=True,
        )
    )
    section.judge("Our own questions.", findings)


def _who(name: str) -> str:
    references = {"material": "count of material", "classical": "classical (hand-made evaluation)"}
    return NETS.get(name) or references.get(name, name)


def _band(score: Score, band: str) -> str:
    found = score.band(band)
    return "-" if found is None else percent(found)


def _distilled(section: Section, outcome: Outcome) -> None:
    section.say(
        "The paper: full 98.0, distilled 97.1, the same small network from scratch 95.4: distillation closes "
        "two thirds of the gap. Here each distilled network has the full one of the same seed as its teacher."
    )

    def ends(net: str, split: str) -> list[float]:
        return outcome.end(PEOPLE, net, split)

    findings = []
    for split in ("position", "game"):
        full, small, scratch = (ends(net, split) for net in (FULL_NET, DISTILLED, SCRATCH))
        where, own = HELD_OUT[split], split == "game"
        paper = "" if own else "yes"
        lost, won = mean(_less(full, small)), mean(_less(small, scratch))
        half = mean([s - (f + n) / 2 for f, s, n in zip(full, small, scratch, strict=True)])
        closed = (fmean(small) - fmean(scratch)) / (fmean(full) - fmean(scratch) or 1.0)
        for what, by in (
            (f"{where}: full above distilled", lost),
            (f"{where}: distilled above scratch", won),
        ):
            findings.append(claim(what, greater(by, NOTHING), _points(by), paper=paper, own=own))
        findings.append(
            claim(
                f"{where}: distillation closes more than half of the gap",
                greater(half, NOTHING),
                f"{100 * closed:.0f} % of it; from the middle {_points(half)}",
                paper="" if own else "65 %",
                own=own,
            )
        )
    section.judge("Differences of accuracy, of the same seeds.", findings)


# --- what is understood ------------------------------------------------------------------------------


def _understood(section: Section, outcome: Outcome) -> None:
    section.say(
        "The paper has pairs of nearly identical positions, one with a certain feature, and says that piece "
        "values and imbalances are easily learnt and that king safety, bishop pair, mobility, passed, "
        "isolated and doubled pawns and castling rights are well understood; it prints no pairs and no "
        "shares. These pairs are ours, checked by Stockfish; the shares that we hold for understood were set "
        "beforehand, at "
        + " and ".join(f"{100 * floor:.0f} % ({kind})" for kind, floor in UNDERSTOOD.items())
        + "."
    )
    rows, findings = [], []
    for name, seeds in outcome.understood.items():
        cells = []
        for kind in UNDERSTOOD:
            found = _right(seeds, kind)
            cells.append(f"{percent(found)} of {sum(one['kind'] == kind for one in seeds[0])}")
            if name == FULL_NET:
                findings.append(
                    claim(
                        f"{kind} features are understood: {100 * UNDERSTOOD[kind]:.0f} % or more",
                        greater(found, Measured(UNDERSTOOD[kind])),
                        str(found),
                    )
                )
        rows.append((_who(name), *cells))
    section.table(
        "Pairs judged rightly, in percent, with the error of so many pairs.", ("", *UNDERSTOOD), rows
    )
    section.judge("What the paper says, of the full network.", findings)
    themes: dict[str, list[float]] = {}
    for seed in outcome.understood[FULL_NET]:
        for one in seed:
            if one["kind"] == "positional":
                themes.setdefault(one["theme"].split(",")[0], []).append(one["right"])
    weak = {theme: fmean(right) for theme, right in themes.items() if fmean(right) < 1}
    section.table(
        "Positional themes that the full network does not always judge rightly; all others it does.",
        ("theme", "rightly"),
        [(theme, f"{100 * right:.0f} %") for theme, right in sorted(weak.items(), key=lambda each: each[1])],
    )
    section.say(
        "Figure 2 of the paper shows positions in which DeepChess plays sacrifices of masters. It prints no "
        "text of them, so they are not judged here."
    )


def _right(seeds: Sequence[Sequence[Mapping[str, object]]], kind: str) -> Measured:
    """Of the pairs of a kind, in the mean over the seeds, with the error of the pairs of one."""
    each = [[float(str(one["right"])) for one in seed if one["kind"] == kind] for seed in seeds]
    right = fmean(map(sum, each))
    return share(right, len(each[0]))


def _compared(section: Section, outcome: Outcome) -> None:
    section.say(
        "The paper compares, where others give a number. Two comparisons may contradict a third, which "
        "numbers cannot; alpha-beta over comparisons then depends on the order of moves. A head on the same "
        "embedding that gives one number a position, trained on the same pairs, is beyond the paper."
    )
    section.table(
        "Three moves of the same position that go in a circle of preferences.",
        ("", "triples", "in a circle", "share"),
        [
            (NETS[net], f"{total:,}", f"{cyclic:,}", f"{100 * cyclic / max(1, total):.3f} %")
            for net, (total, cyclic) in outcome.circles.items()
        ],
    )
    rows, more = [], {}
    for net, runs in outcome.runs[PEOPLE].items():
        both = [run for run in runs if "game" in run["scalar"]]
        if both:
            compared, numbers = ([run[key]["game"] for run in both] for key in ("kept", "scalar"))
            more[net] = mean(_less(compared, numbers))
            rows.append((NETS[net], percent(mean(compared)), percent(mean(numbers)), percent(more[net])))
    section.table(
        "Held-out games of people, in percent.", ("", "comparison", "one number", "difference"), rows
    )
    findings = [
        claim(
            f"comparisons tell more than one number ({NETS[net]})",
            greater(by, NOTHING),
            _points(by),
            paper="",
            own=True,
        )
        for net, by in more.items()
        if net in (FULL_NET, DISTILLED)
    ]
    if (series := outcome.series("scalar")) is not None:
        findings.append(
            claim(
                "the number plays better than comparisons, at equal time (distilled)",
                greater(series.share, Measured(0.5)),
                series.told,
                paper="",
                own=True,
            )
        )
    section.judge("Our own questions.", findings)


# --- strength ----------------------------------------------------------------------------------------


def _table2(section: Section, outcome: Outcome, size: Size) -> None:
    ms = 1000 * size.seconds
    section.say(
        f"The paper plays 100 games a match, at 30 minutes a game and side. Ours are at {ms:g} ms a move, "
        f"and {size.more_time * ms:g} ms for {size.more_time} times the time, from openings of six random "
        "plies, each played twice with sides changed. The distilled network plays, by alpha-beta over "
        "comparisons. Falcon is private: our hand-made evaluation in alpha-beta, of which the paper's "
        f"search is a variant, stands for it. Crafty is not free: {STAND_IN} stands for it, chosen before "
        "DeepChess had met it. Neither is as strong or as weak as what it stands for, so the figures are "
        "about other programs than the paper's."
    )
    equal, more = outcome.series("equal"), outcome.series("more")
    control = outcome.matches.get("control")
    outside = outcome.matches.get(STAND_IN.replace(" ", "-"))
    stand_ins: list[tuple[str, Measured, str, Met | Series | None]] = [
        ("against the stand-in for Crafty", TABLE2["crafty"], "59.0-41.0, Elo +63", outside),
        ("against the stand-in for Falcon, equal time", TABLE2["equal"], "51.5-48.5, Elo +10", equal),
        (f"the same, {size.more_time} times the time", TABLE2["more"], "63.5-36.5, Elo +96", more),
    ]
    findings, alone = [], []
    for what, paper, told, met in stand_ins:
        if isinstance(met, Series) and met.several:
            findings.append(_met(what, paper, told, met))
        else:
            alone.append((what, f"{told}: {paper}", UNPLAYED if met is None else met.told))
    section.judge(
        "Wins-losses-draws and share of points, for DeepChess; against stand-ins, so questions of ours.",
        findings,
    )
    section.table(
        "What one network alone played decides nothing, and has no verdict.", ("", "paper", "ours"), alone
    )
    findings = []
    if equal is not None and more is not None:
        gain = more.share - equal.share
        findings.append(
            claim(
                f"{size.more_time} times the time gains points for DeepChess",
                greater(gain, NOTHING),
                f"{gain} more",
                paper="",
                own=True,
            )
        )
    if control is not None:
        findings.append(
            claim(
                f"{size.more_time} times the time alone beats the same player (hand-made evaluation, "
                "control)",
                greater(control.share, Measured(0.5)),
                control.told,
                paper="",
                own=True,
            )
        )
        if more is not None:
            findings.append(
                claim(
                    "DeepChess with more time beats the hand-made evaluation by more than that does itself",
                    greater(more.share, control.share),
                    f"{more.share} against {control.share}",
                    paper="",
                    own=True,
                    note="the paper concludes from its third match that DeepChess is the better evaluation; "
                    "that follows only if more time alone would not do the same",
                )
            )
    if findings:
        section.judge("Our own questions.", findings)
    rows = []
    for engine in ENGINES_OUTSIDE:
        met = outcome.matches.get(engine.title.replace(" ", "-"))
        why = "not measured: not installed" if engine.title in outcome.missing else UNPLAYED
        result = (str(met), str(met.share), met.elo_told or "-") if met else (why, "-", "-")
        rows.append((engine.title, *result))
    section.table(
        f"DeepChess (distilled, first seed) against other programs, {ms:g} ms a move each: "
        "wins-losses-draws, share of points, Elo with its 95 % interval. Levels are Stockfish's own; "
        "Glaurung takes some 40 ms a move, whatever it is given.",
        ("", "result", "share of points", "Elo"),
        rows,
    )


def _met(what: str, paper: Measured, told: str, ours: Series) -> Finding:
    theirs = f"{told}: {paper}"
    return figure(what, paper, ours.share, between=(0, 1), own=True, told=(theirs, ours.told))
