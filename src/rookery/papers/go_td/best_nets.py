"""The sections on what nets do once they have learnt: games, tournaments, search, openings, rivals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from statistics import fmean

from rookery.papers.go_td import results as r
from rookery.papers.go_td.outcome import (
    ONE_NET,
    Outcome,
    strength,
)
from rookery.papers.go_td.pictures import NumberedGame
from rookery.papers.go_td.plan import (
    CONFIGS,
    DEPTHS,
    GAMES_A_SECOND,
    KATATSUGI_C,
    KOTEN_C,
    PAIRS,
    REPRESENTATIONS,
    RIVALS,
    SEARCH,
    SEARCH_STRENGTH,
    SELECTIONS,
    TOURNAMENT,
    WATCHED,
    Config,
    Size,
    of_games,
)
from rookery.papers.measure import Measured, as_ours, mean, printed, share
from rookery.papers.report import Section
from rookery.papers.verdict import (
    Truth,
    claim,
    every,
    figure,
    greater,
)


def watched(section: Section, outcome: Outcome, size: Size) -> None:
    best = outcome.watched[0]
    net = r.best(outcome.runs[KATATSUGI_C])
    section.say(
        f"The best net of each run of {KATATSUGI_C} plays {best.games} games with White against gojen, as "
        "the paper's best does in Figure 4. What a net thinks of a game is the value of its last move."
    )
    if best.shown:
        picture = NumberedGame(
            f"Figure 4: the best net (White, strength {net.strength:.3f}) wins against gojen",
            best.shown["moves"],
        )
        values = ", ".join(f"{2 * n}: {value:.2f}" for n, value in enumerate(best.shown["values"], 1))
        again = ", ".join(f"{n} {move}" for n, move in picture.again)
        section.draw(
            f"The first game that it won, by {best.shown['score']:g}. Not on the board: {again or 'nothing'}."
            f" What the net thought after each of its moves: {values}.",
            picture,
            "4",
        )
    firsts = [fmean(each.after_first) for each in outcome.watched]
    ends = [fmean(each.at_end) for each in outcome.watched if each.at_end]
    findings = [
        figure(
            "value after move 2",
            as_ours(printed(WATCHED["after move 2"], 2), firsts),
            mean(firsts),
        ),
        *(
            [
                figure(
                    "value at the end of games won",
                    as_ours(printed(WATCHED["at the end"], 2), ends),
                    mean(ends),
                )
            ]
            if ends
            else []
        ),
    ]
    section.judge(
        f"The values, over {len(outcome.watched)} nets; the paper's are those of one net in one game, which "
        "is taken to lie about the mean as our nets do.",
        findings,
    )
    won = [len(each.at_end) / each.games for each in outcome.watched]
    section.say(
        f"White wins {mean(won)} of these games, the best net of all {won[0]:.3f}. The strength of that net "
        f"is {strength(outcome.remeasured[KATATSUGI_C], size.pair_games)} on fresh games, of the paper's "
        f"{WATCHED['strength']:.3f}. {ONE_NET}"
    )


def tournament(section: Section, outcome: Outcome, size: Size) -> None:
    rows = []
    for config in CONFIGS:
        net, last = r.best(outcome.runs[config]), r.best(outcome.runs[config], last_only=True)
        again = strength(outcome.remeasured[config], size.pair_games)
        rows.append(
            (str(config), f"{net.strength:.3f}", f"{net.games:,}", str(again), f"{last.strength:.3f}")
        )
    section.table(
        "The strongest sample of all runs of each configuration plays in Table I. What it does on fresh "
        "games leaves out the luck by which it was chosen.",
        ("", "best sample", "after games", "on fresh games", "best at the end"),
        rows,
    )
    games = size.pair_games * (len(CONFIGS) - 1)
    won = _scores(outcome, size)
    section.table(
        f"Table I: the share won of {games:,} games. One net of each configuration plays, and how lucky the "
        "choice of it was nobody knows; nets also play alike in like places, so that most pairs repeat a few "
        "games.",
        ("", "paper", "ours"),
        [(str(c), str(of_games(TOURNAMENT[c], 5_000)), f"{won[c]:.3f}") for c in TOURNAMENT],
    )
    section.say(ONE_NET)
    section.table(
        "Every pair of best nets: the share that each won, as the paper plays and from each of the 600 "
        "openings of a stone each, with both colours.",
        ("first", "second", "first won", "second won", "from openings", ""),
        [
            (
                str(a),
                str(b),
                *(f"{wins / size.pair_games:.3f}" for wins in _pair(outcome.pairs, a, b)),
                *(f"{outcome.varied.pair(*pair).value:.3f}" for pair in ((a, b), (b, a))),
            )
            for a, b in combinations(CONFIGS, 2)
        ],
    )
    outright = [(a, b) for a, b in combinations(CONFIGS, 2) if size.pair_games in _pair(outcome.pairs, a, b)]
    upsets = [pair for pair in outright if _weaker_won(outcome, size, *pair)]
    section.table(
        "What the paper says of single pairs: the share that the first won, with the error of its games.",
        ("", "paper", "ours"),
        [
            (
                f"{a} against {b}",
                str(of_games(PAIRS[a, b], 1_000)),
                str(share(_pair(outcome.pairs, a, b)[0], size.pair_games)),
            )
            for a, b in PAIRS
        ],
    )
    section.say(
        f"{ONE_NET} Of the {len(CONFIGS) * (len(CONFIGS) - 1) // 2} pairs {len(outright)} are won by one net "
        f"in every game, {len(upsets)} of them by the net that is weaker on fresh games. The paper calls "
        "that a weakness fully exploited; it may as well be one game, repeated."
    )
    league = outcome.league
    section.say(
        "So few games of six nets decide nothing about the method. What the paper concludes from them is "
        "judged by the last nets of all runs: each meets all nets of every other configuration, from "
        f"{size.openings} openings of a stone each, with both colours. The errors are those of other runs "
        "(jackknife)."
    )
    scores = {str(c): league.score(c) for c in CONFIGS}
    section.table(
        "The last nets of all runs: the share that the row won against the column, and against all.",
        ("", *map(str, CONFIGS), "score"),
        [
            (
                str(a),
                *("" if a == b else f"{league.pair(a, b).value:.3f}" for b in CONFIGS),
                str(scores[str(a)]),
            )
            for a in CONFIGS
        ],
    )
    claims = []
    for x in REPRESENTATIONS:
        a, b = Config(x, "creative"), Config(x, "epsilon")
        lead = league.lead(a, b)
        own = size.shortened(a)
        claims.append(claim(f"{a} scores above {b}", greater(lead, Measured(0)), f"by {lead}", own=own))
    for s in SELECTIONS:
        a, b = Config("koten", s), Config("katatsugi", s)
        points = " to ".join(f"{league.pair(*pair).value:.3f}" for pair in ((a, b), (b, a)))
        by = league.margin(a, b)
        claims.append(claim(f"{a} beats {b}", greater(by, Measured(0)), f"{points}, by {by}"))
    order = ", ".join(f"{c} {won.value:.3f}" for c, won in sorted(scores.items(), key=lambda e: -e[1].value))
    losers = [c for c in CONFIGS if c.representation == "roban"]
    others = [c for c in CONFIGS if c not in losers]
    first = _all_ahead(league, [KOTEN_C], [c for c in CONFIGS if c != KOTEN_C])
    claims.append(claim("the winner", first, order, paper=str(KOTEN_C)))
    behind, who = _all_ahead(league, others, losers), ", ".join(map(str, losers))
    claims.append(claim("the last two", behind, order, paper=who, own=size.shortened(*losers)))
    section.judge("What the paper says of it.", claims)


def _all_ahead(league: r.League, those: Sequence[Config], others: Sequence[Config]) -> Truth:
    """Whether each of those scores above each of the others, by leads: the same games are in both scores."""
    return every(greater(league.lead(a, b), Measured(0)) for a in those for b in others)


def _weaker_won(outcome: Outcome, size: Size, a: Config, b: Config) -> bool:
    first, second = (strength(outcome.remeasured[c], size.pair_games).value for c in (a, b))
    won, lost = _pair(outcome.pairs, a, b)
    return (first - second) * (won - lost) < 0


def _pair(pairs: Mapping[tuple[Config, Config], tuple[int, int]], a: Config, b: Config) -> tuple[int, int]:
    return pairs[a, b] if (a, b) in pairs else (pairs[b, a][1], pairs[b, a][0])


def _scores(outcome: Outcome, size: Size) -> dict[Config, float]:
    return r.scores(outcome.pairs, size.pair_games)


def search(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "A leaf is worth what the net says in the view of the player who moved last; two passes in the tree "
        "are worth what the game is. The strength row of the paper's Table II is not the mean of the three "
        "rows above it (0.791, 0.825 and 0.856 would be); both are shown as printed."
    )
    games, table = size.pair_games, []
    for depth in DEPTHS:
        wins = outcome.search[KATATSUGI_C][depth]
        for rival in RIVALS:
            paper = of_games(SEARCH[depth][rival], 1_000)
            what = f"{KATATSUGI_C}, depth {depth}, {rival}"
            table.append((what, str(paper), str(share(wins[rival], games))))
    for config in (KATATSUGI_C, KOTEN_C):
        for depth in DEPTHS:
            paper = of_games(SEARCH_STRENGTH[config][depth], 3_000)
            ours = strength(outcome.search[config][depth], games)
            table.append((f"{config}, depth {depth}, strength", str(paper), str(ours)))
    section.table(
        "Table II, and what the text says of the best creative koten net; errors are those of the games.",
        ("", "paper", "ours"),
        table,
    )
    section.say(ONE_NET)
    claims = []
    for config in (KATATSUGI_C, KOTEN_C):
        for shallow, deep in ((1, 2), (2, 4)):
            a, b = (strength(outcome.search[config][d], games) for d in (deep, shallow))
            what = f"{config}: depth {deep} > depth {shallow}"
            claims.append(claim(what, greater(a, b), f"by {a - b}"))
    one, two = (share(outcome.search[KATATSUGI_C][depth]["gojen"], games) for depth in (1, 2))
    claims.append(
        claim("katatsugi (c): against gojen depth 2 is worse than 1", greater(one, two), f"{two} after {one}")
    )
    gained = [
        strength(outcome.search[c][4], games) - strength(outcome.search[c][1], games)
        for c in (KOTEN_C, KATATSUGI_C)
    ]
    section.judge("What more depth does for a net, judged by its games.", claims)
    at_first, at_last = (
        " and ".join(f"{strength(outcome.search[c][depth], games).value:.3f}" for c in (KOTEN_C, KATATSUGI_C))
        for depth in (1, 4)
    )
    section.say(
        "The paper says that koten (c) is a bit weaker than katatsugi (c) at depth 1, gains more by depth "
        f"and arrives at a comparable level. Here the two have {at_first} at depth 1 and {at_last} at depth "
        f"4, and gain {gained[0]} and {gained[1]}, by the games of one net each. {ONE_NET}"
    )
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


def remarks(section: Section, outcome: Outcome, size: Size) -> None:
    rows, centre, of = [], 0, 0
    for config in CONFIGS:
        at, ends = r.opened_at(outcome.runs[config], "C3")
        at_all, samples = r.opened_at(outcome.runs[config], "C3", last_only=False)
        centre, of = centre + at, of + ends
        best = r.best(outcome.runs[config]).opening
        rows.append((str(config), f"{at} of {ends}", f"{at_all} of {samples}", best))
    section.table(
        "Nets that open at C3, and where the best net of each configuration opens.",
        ("", "at the end", "samples", "the best net"),
        rows,
    )
    bests = [row[-1] for row in rows]
    lasts = [run[-1] for config in CONFIGS for run in outcome.runs[config]]
    nets = [mean([net.wins[rival] for net in lasts]) for rival in RIVALS]
    most = max(outcome.remeasured, key=lambda c: outcome.remeasured[c]["gojen"])
    findings = [
        claim(
            "the best nets always open at C3",
            "holds" if set(bests) == {"C3"} else "fails",  # of what is always so, one exception is enough
            f"{bests.count('C3')} of {len(bests)}",
        ),
        claim("nets mostly open at C3", greater(share(centre, of), Measured(0.5)), str(share(centre, of))),
        figure(
            "all nets at the end against random",
            as_ours(printed(0.98, 2), [net.wins["random"] for net in lasts], runs=120),
            nets[2],
            between=(0, 1),
        ),
        claim("random is easier than naive", greater(nets[2], nets[1]), f"{nets[2]} to {nets[1]}"),
        claim("naive is easier than gojen", greater(nets[1], nets[0]), f"{nets[1]} to {nets[0]}"),
    ]
    section.judge("Openings, and the rivals in order.", findings)
    section.say(
        f"The best net against gojen, {most}, wins "
        f"{share(outcome.remeasured[most]['gojen'], size.pair_games)} of its games, the paper's "
        f"{of_games(0.65, 1_000)}. {ONE_NET}"
    )
    section.say(
        f"Speed: {outcome.learning_a_second:,.0f} games of learning a second in one process, "
        f"{outcome.games_a_second:,.0f} with measuring and saving; the paper's 20 million games in about 70 "
        f"hours are {GAMES_A_SECOND:.0f}."
    )


def gojens(section: Section, outcome: Outcome, size: Size) -> None:
    ours = share(outcome.gojen_against_naive["gojen"], size.duel_games)
    section.say(
        f"To the paper's best net GOjen is only a little harder than Naive ({SEARCH[1]['gojen']:.3f} and "
        f"{SEARCH[1]['naive']:.3f}); ours wins {ours.value:.2f} of its games against our Naive. Everything "
        "above is measured against `gojen` as it is. This is what the best creative nets, unchanged, do "
        "against others."
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


def outside(section: Section, outcome: Outcome, size: Size) -> None:
    if not outcome.outside:
        section.say("GNU Go was not asked, so nothing outside Rookery has judged these nets.")
        return
    section.say(
        "Against GNU Go at its lowest level, made to take dead stones off the board. Each two games begin "
        "with the same random moves, and the players change colours."
    )
    rows = [(name, str(m.wins), str(m.draws), str(m.losses)) for name, m in outcome.outside.items()]
    section.table(
        f"Results against GNU Go, {size.outside_games} games each.",
        ("player", "wins", "ties", "losses"),
        rows,
    )
