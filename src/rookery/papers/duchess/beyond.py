"""The parts of the report around the paper's three stages: settings, control, teams, changes and beyond."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean

from rookery.papers.duchess.plan import (
    BLIND,
    CHANGES,
    HOURS,
    MATERIAL,
    PAPER,
    PAPER_DEPTH,
    PAPER_RATE,
    RATES,
    STAGE2_V_1,
    STAGE3_V_2,
    STAGES,
    STEP,
    WANTED,
    Size,
)
from rookery.papers.duchess.reading import material, over
from rookery.papers.duchess.teams import FIRST, Play
from rookery.papers.duchess.work import Outcome, curve_of
from rookery.papers.matches import Met, Series
from rookery.papers.measure import Measured, share
from rookery.papers.plot import Line, Plot
from rookery.papers.report import Section
from rookery.papers.trainings import Seeds, Trained
from rookery.papers.verdict import claim, every, greater

LEVEL = Measured(0.5)
NOT_RUN = "Not run."
PAPERS_SEARCH = "the paper's"


def conclusion(outcome: Outcome) -> str:
    """Some sentences: first what of the paper's own settings was run, then what was measured."""
    stages = outcome.met.get("stages", {})
    told = [
        _papers_told(outcome),
        _stage_told(stages.get("stage2-stage1"), "Attack and defence weights", "stage 1", STAGE2_V_1),
        _stage_told(stages.get("stage3-stage2"), "Square weights on top of them", "stage 2", STAGE3_V_2),
        _control_told(outcome.met.get("control-matches", {})),
        _teams_told(outcome),
        _trees_told(outcome),
    ]
    return " ".join(filter(None, told))


_TRUTH = {
    "holds": "make the player stronger",
    "fails": "make the player weaker",
    "open": "have no sure effect",
}


def _stage_told(met: Series | None, what: str, against: str, paper: Measured) -> str:
    if not met:
        return f"What {what[0].lower()}{what[1:]} are worth against {against} was not measured."
    below = ", less than half," if met.share.value < LEVEL.value else ""
    return (
        f"{what}, trained with our settings, {_TRUTH[greater(met.share, LEVEL)]}: {met.share} of the "
        f"points against {against}{below} over {len(met.matches)} seeds, where the paper has "
        f"{paper.value:.3f}."
    )


def _control_told(met: Mapping[str, Series]) -> str:
    if not met:
        return "Training everything at once was not measured again."
    shares = " and ".join(f"{series.share} at the {rate} learning rate" for rate, series in met.items())
    return f"Trained at once, the same weights have {shares} against those trained in stages."


def _teams_told(outcome: Outcome) -> str:
    trained = outcome.trained.get("training", {}).get("stage2")
    blind = [play for (name, _, _), play in outcome.teams.items() if name == BLIND]
    depths = _by_depth(outcome)
    if blind:
        odd, even = sum(play.odd for play in blind), sum(play.even for play in blind)
        told = (
            f"Between equal players with weights that know no team the odd team wins {odd} games and the "
            f"even team {even} at a fixed number of nodes a move (each team begins half of the games), where "
            "the paper has the even team slightly ahead"
        )
        if depths:
            depth = max(depths)
            begun = outcome.team_depths[depth, "odd"]
            leads = {
                "holds": "the even team leads",
                "fails": "the odd team leads",
                "open": "who leads is open",
            }
            told += (
                f"; looking {depth} plies ahead{', as the paper does' if depth == PAPER_DEPTH else ''}, the "
                f"odd team beginning as in the paper, it is {begun.odd} to {begun.even}: "
                f"{leads[greater(LEVEL, begun.share)]}"
            )
        return told + "."
    if trained:
        return (
            f"In training the odd team wins {_odd_share(trained)} of the games that somebody wins, where the "
            "paper has the even team slightly ahead."
        )
    return "Which team is ahead was not measured."


def _by_depth(outcome: Outcome) -> dict[int, Play]:
    """Whoever began."""
    return {
        depth: outcome.team_depths[depth, "odd"] + outcome.team_depths[depth, "even"]
        for depth, first in outcome.team_depths
        if first == "odd" and (depth, "even") in outcome.team_depths
    }


def _odd_share(trained: Seeds) -> Measured:
    """Of the games of training that somebody won."""

    def of(run: Trained) -> float:
        odd, even = (sum(_games(run, team)) for team in ("odd_wins", "even_wins"))
        return odd / (odd + even) if odd + even else 0.5

    return trained.measure(of)


def _games(run: Trained, what: str) -> list[float]:
    """How many games of each step were of a kind that its share is told of."""
    before = 0
    found = []
    for line in run.metrics:
        found.append((line["games"] - before) * line.get(what, 0.0))
        before = line["games"]
    return found


def _a_game(run: Trained, what: str) -> float:
    """In the mean over all games of a training."""
    return sum(_games(run, what)) / run.metrics[-1]["games"]


def _papers_told(outcome: Outcome) -> str:
    done = [stage.name for stage in PAPER if stage.name in outcome.trained.get("paper", {})]
    met = outcome.met.get("paper-matches", {})
    shares = []
    for name, paper in (("stage2-stage1", STAGE2_V_1), ("stage3-stage2", STAGE3_V_2)):
        if series := met.get(name):
            later, earlier = (f"stage {each[-1]}" for each in name.split("-"))
            shares.append(f"{later} has {series.share} against {earlier} (the paper {paper.value:.3f})")
    if shares:
        return "Trained at the paper's own settings, " + " and ".join(shares) + "."
    if done:
        return f"At the paper's own settings {', '.join(done)} was trained, and nothing matched."
    return (
        "**Nothing was trained at the paper's own settings**: whatever rests on training below is a question "
        "of ours, with settings of ours."
    )


def _trees_told(outcome: Outcome) -> str:
    if not outcome.trees:
        return ""
    times = sum(outcome.trees["ours"]) / sum(outcome.trees[PAPERS_SEARCH])
    return (
        f"One search at the paper's depth, of stage 1 in the first hundred plies, has {times:.2f} times the "
        "nodes by our settings that it has by the paper's."
    )


def nodes_told(outcome: Outcome, size: Size) -> str:
    """What a move of our matches is beside one of the paper's, where that was counted and is more."""
    whole = fmean(outcome.trees[PAPERS_SEARCH]) if outcome.trees else 0
    if whole < 2 * size.nodes:
        return ""
    return (
        f"That is about 1/{round(whole / size.nodes)} of a tree of the paper's depth, which has "
        f"{whole:,.0f} nodes at stage 1 in the first hundred plies, so our matches are shallower than its. "
    )


# --- what was done ---------------------------------------------------------------------------------------


def settings(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "Duchess for four. Each stage begins with the weights of the one before. Every searched node that is "
        "no leaf teaches, the root most, a node a ply further from it a third; no weight moves by more than "
        "0.001 in a move; the first four moves are random; searches look two plies deeper with fewer than 20 "
        "pieces on the board and four with fewer than 8. What differs:"
    )
    section.table(
        "Settings.",
        ("", "the paper", "recipes duchess4-paper-stage1 to -3", "our settings"),
        [
            ("depth", "5, 7, 9", "5, 7, 9", "stage 1: 5, 7, 9; stages 2 and 3: 3, 5, 7"),
            ("learning rate", "1e-4, 1e-5, not said", "1e-4, 1e-5, 1e-5", "1e-4, 3e-4, 3e-4"),
            ("games", "140, 220, 60", "140, 220, 60", "140, 220, 60"),
            ("games at a time", "1", "1", "16, each round's lessons summed"),
            ("games end", "by the rules", "by the rules", "stages 2 and 3: drawn after 300 plies too"),
            ("table", "none", "none", "4 MB, forgotten after each move"),
            ("killer moves", "1 a ply, first", "1 a ply, after captures", "2 a ply, after captures"),
            ("other order", "not said", "captures first", "captures first, then history"),
            ("windows", "plain", "plain", "null: a node that is searched again teaches again"),
            ("matches", "5, 7, 9 plies", f"{size.nodes} nodes a move", f"{size.nodes} nodes a move"),
        ],
    )
    section.say(
        "That captures come first is the one difference left at the paper's settings: the paper does not say "
        "in which order the moves after the killer come. What our settings gave counts among our own "
        "questions."
    )
    if told := nodes_told(outcome, size):
        section.say(
            f"All matches but those at equal time and those at a fixed depth have {size.nodes:,} nodes a "
            f"move. {told}"
        )
    _trees(section, outcome)
    rows = [
        (
            f"{stage}: {name}",
            f"{len(found.runs)}",
            f"{found.seconds / 60:.1f} minutes",
            str(found.measure(lambda run: _a_game(run, "plies"))),
            str(found.measure(lambda run: _a_game(run, "cut"))),
        )
        for stage, trained in outcome.trained.items()
        for name, found in trained.items()
    ]
    if rows:
        section.table(
            "The trainings that were run: by how many seeds, how long one took on one core beside other "
            "work, plies a game, and the share of games that were cut.",
            ("training", "seeds", "time", "plies", "cut"),
            rows,
        )
    missing = [
        *([] if outcome.trees else ["the nodes of searches"]),
        *(
            f"{t.name} at the paper's settings"
            for t in PAPER
            if t.name not in outcome.trained.get("paper", {})
        ),
        *(f"{t.name} with our settings" for t in STAGES if t.name not in outcome.trained.get("training", {})),
        *([] if outcome.trained.get("stage1") else ["stage 1 with our settings, by more seeds"]),
        *([] if outcome.trained.get("control") else ["the negative control"]),
        *([] if outcome.trained.get("changes") else ["one change at a time"]),
        *([] if outcome.met.get("curve") else ["curves of strength"]),
        *([] if outcome.searches else ["other searches at equal time"]),
        *([] if outcome.trained.get("wishes") else ["other weights"]),
        *([] if outcome.trained.get("deeper") else ["training with deeper searches"]),
        *([] if outcome.teams else ["equal players by team"]),
        *([] if outcome.team_depths else ["equal players by depth"]),
        *([] if outcome.chess else ["chess"]),
    ]
    if missing:
        section.say("**Not run**, though `rookery paper duchess --full` does: " + "; ".join(missing) + ".")
    section.say(
        f"The paper's three stages took {HOURS} hours. Whether ours are faster is no claim: another decade's "
        f"machine. Its stage 2 has the learning rate {PAPER_RATE:g}, and we read the same for stage 3."
    )


def _trees(section: Section, outcome: Outcome) -> None:
    if not outcome.trees:
        return
    papers = outcome.trees[PAPERS_SEARCH]
    section.table(
        f"Nodes of one search by stage 1 at the paper's depth, at {len(papers)} positions of the first "
        "hundred plies. What a move teaches is a sum over the nodes of its tree, so many fewer nodes would "
        "ask for a higher learning rate.",
        ("search", "nodes, mean", "of the paper's"),
        [
            (name, f"{fmean(nodes):,.0f}", f"{sum(nodes) / sum(papers):.2f}")
            for name, nodes in outcome.trees.items()
        ],
    )


# --- the control -----------------------------------------------------------------------------------------


def control(section: Section, outcome: Outcome) -> None:
    section.say(
        "Attacks and material trained together from the initial weights, against the two stages with the "
        "same number of games, at our depth and rates: the paper says that this plays poorly, at a high or a "
        "low learning rate, since games end early and the attacks learn to stand for material."
    )
    met = outcome.met.get("control-matches", {})
    if not met:
        section.say(NOT_RUN)
        return
    section.judge(
        "All at once against stages.",
        [
            claim(
                f"weaker than in stages, learning rate {RATES[rate]:g}",
                greater(LEVEL, series.share),
                series.told,
                own=True,
            )
            for rate, series in met.items()
        ],
    )
    trained = outcome.trained["control"]
    shorter = {}
    for rate in met:
        once, staged = (
            trained[f"{arm}-{rate}"].measure(lambda run: _a_game(run, "plies"))
            for arm in ("at-once", "first")
        )
        shorter[rate] = (once, staged)
    section.judge(
        "The reason that the paper gives.",
        [
            claim(
                f"games end earlier than in stage 1, learning rate {RATES[rate]:g}",
                greater(staged, once),
                f"{once.value:.0f} plies against {staged.value:.0f}",
                own=True,
            )
            for rate, (once, staged) in shorter.items()
        ],
    )


# --- teams -----------------------------------------------------------------------------------------------


def teams(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "P1 and P3 are the odd team, P2 and P4 the even one; P1 begins. The paper says that the even team "
        "has a slight advantage, at least in the opening, because its players can directly attack their "
        "closest enemy, without the opportunity for other players to intervene. Only results of games are "
        "judged here, not openings."
    )
    decided = []
    rows = []
    for stage, matches in outcome.met.items():
        for name, series in matches.items():
            odd, even = series.by_side
            if odd + even:
                rows.append((f"{stage}: {name}", f"{odd}-{even}", str(share(odd, odd + even))))
    for stage, trained in outcome.trained.items():
        for name, found in trained.items():
            decided.append((f"{stage}: {name}", _odd_share(found)))
    if rows:
        section.table(
            "Wins of the odd and of the even team in all matches, whoever played them.",
            ("match", "odd-even", "share of the odd team"),
            rows,
        )
    if decided:
        section.table(
            "In the games of training: the odd team's share of the games that somebody won.",
            ("training", "share"),
            [(name, str(value)) for name, value in decided],
        )
    if learnt := outcome.trained.get("training", {}).get("stage2"):
        odd_share = _odd_share(learnt)
        section.judge(
            "By the games of training of stage 2, in which both teams learn alike.",
            [
                claim(
                    "the even team has a slight advantage in training",
                    greater(LEVEL, odd_share),
                    f"the odd team wins {odd_share} of the games that somebody wins",
                    own=True,
                )
            ],
        )
    if not outcome.teams:
        section.say("Equal players, with the other team to begin: not run.")
        return
    section.table(
        "Equal players: wins of the odd team, of the even team, games that nobody won. The initial weights "
        "are the same for both teams; the others have a set for each, which are exchanged in some rows.",
        ("weights", "who begins", "the teams' weights", "odd-even-neither", "share of the odd team", "plies"),
        [
            (name, f"the {first} team", "exchanged" if exchanged else "their own", str(play), str(play.share),
             f"{play.plies:.0f}")
            for (name, first, exchanged), play in outcome.teams.items()
        ],
    )  # fmt: skip
    first, second = (outcome.teams.get((BLIND, who, False)) for who in FIRST)
    depths = _by_depth(outcome)
    if first and second:
        section.judge(
            "By the initial weights, which know no team: nothing here rests on a training. "
            f"{size.nodes:,} nodes a move.",
            [
                claim(
                    f"the even team has a slight advantage at {size.nodes:,} nodes a move",
                    every([greater(LEVEL, first.share), greater(LEVEL, second.share)]),
                    f"it wins {_even(first)} of the games that somebody wins, {_even(second)} where it "
                    "begins",
                    own=True,
                )
            ],
        )
    section.say(_BOARD)
    _depths(section, outcome, depths)


_BOARD = (
    "Weights are not the reason, for these cannot tell the teams apart, and the first move is none where a "
    "team is ahead whoever begins. What is left is the board with its order of turns. It has four symmetries "
    "(one is to do nothing): the half-turn keeps each team, and the two reflections turn both the setup and "
    "the order of turns round, so none makes the teams equal. With the flaps 3 and 6 folded, P1 sits beside "
    "P2 and P3 beside P4. The enemy beside an odd player moves directly after him; the enemy beside an even "
    "player three plies later, when the partner of the one attacked has moved. So it is the odd players here "
    "who can attack their closest enemy with no opportunity for others to intervene, which the paper says of "
    "the even team.\n\n"
    "With the flaps 2 and 5 folded it is the even players: P2 sits beside P3 and P4 beside P1. That is our "
    "board turned by two sectors, with the names of the teams exchanged and P4 to begin; by the half-turn, "
    "P2. So the rows in which the even team begins are that game too, and what they say of the odd team "
    "holds there of the even one. Which flaps the paper folded is not said in it; docs/games/duchess.md "
    "calls our reading likely. The rules were not changed for this."
)
"""Why the teams are not equal; tests/papers/test_duchess.py counts the symmetries."""


def _even(play: Play) -> Measured:
    """The even team's share of the games that somebody won."""
    return Measured(1 - play.share.value, play.share.error)


def _depths(section: Section, outcome: Outcome, depths: Mapping[int, Play]) -> None:
    if not depths:
        section.say("Other depths: not run.")
        return
    section.table(
        "Equal players with the initial weights that all look so many plies ahead, neither less nor more.",
        ("plies", "who begins", "odd-even-neither", "share of the odd team", "plies of a game"),
        [
            (str(depth), f"the {who} team", str(play), str(play.share), f"{play.plies:.0f}")
            for (depth, who), play in outcome.team_depths.items()
        ],
    )
    deepest = max(depths)
    starts = [outcome.team_depths[deepest, who] for who in FIRST]
    section.judge(
        "At the paper's depth." if deepest == PAPER_DEPTH else f"At depths up to {deepest}.",
        [
            claim(
                f"the even team has a slight advantage at depth {deepest}",
                greater(LEVEL, starts[0].share),
                f"it wins {_even(starts[0])} of the games that somebody wins",
                own=deepest != PAPER_DEPTH,
            ),
            claim(
                f"and so it has with the flaps 2 and 5 folded, at depth {deepest}",
                greater(starts[1].share, LEVEL),
                f"it would win {starts[1].share} of them",
                own=True,
                note="these are the games in which the even team begins, with the names exchanged",
            ),
            *(
                claim(
                    f"at depth {depth} the odd team has the advantage",
                    greater(depths[depth].share, LEVEL),
                    f"{depths[depth]}: {depths[depth].share}, whoever begins",
                    paper="",
                    own=True,
                )
                for depth in depths
            ),
        ],
    )
    section.say(_lead_told(depths))


def _lead_told(depths: Mapping[int, Play]) -> str:
    """How the odd team's lead changes with depth, whatever was found."""
    deepest = max(depths)
    last = depths[deepest].share
    led = [d for d, play in depths.items() if d < deepest and greater(play.share, LEVEL) == "holds"]
    truth = {"holds": "the odd team leads", "fails": "the even team leads", "open": "it is open who leads"}
    told = f"At depth {deepest} {truth[greater(last, LEVEL)]}, whoever begins: {last}."
    if led:
        less = greater(depths[max(led)].share, last) == "holds"
        told = (
            f"At depth {', '.join(map(str, led))} the odd team leads. {told} That is "
            + ("surely less" if less else "not surely less")
            + f" than at depth {max(led)}."
        )
    return (
        f"{told} Our stages 2 and 3 are trained at depth 3, and matches at a fixed number of nodes are "
        "shallow in the opening: their results by team above are those of short searches."
    )


# --- changes and curves ----------------------------------------------------------------------------------


def changes(section: Section, outcome: Outcome) -> None:
    section.say(
        "Stage 2 trained again from the stage 1 of the zoo, by the paper's settings, and then with one "
        "change after another until they are ours; the last row changes ours alone. Each meets stage 1. "
        "TreeStrap from minimax has no row: its late searches have more nodes than there is time for."
        + (" Chess has it, below." if outcome.chess else "")
    )
    met = outcome.met.get("changes-matches", {})
    trained = outcome.trained.get("changes", {})
    if not trained:
        section.say(NOT_RUN)
        return
    kinds = ("Queen", "Fortress", "Duchess", "Rook", "Bishop", "Knight", "Pawn", "Wizard")
    rows = []
    for change, told in CHANGES.items():
        if change.name not in trained:
            rows.append((told, "not run", *("" for _ in range(len(kinds) + 2))))
            continue
        weights = outcome.weights["changes"][change.name]
        series = met.get(change.name)
        rows.append(
            (
                told,
                f"{series} over {len(series.matches)} seeds" if series else "",
                str(series.share) if series else "",
                *(f"{over(weights, material(kind)).value:.3f}" for kind in kinds),
                f"{trained[change.name].seconds / 60:.1f} min",
            )
        )
    section.table(
        "Stage 2 against stage 1 (wins-losses-draws, share of the points), what pieces weigh after it, and "
        "the time of a training. In the paper's Table I they weigh "
        + ", ".join(f"{kind} {MATERIAL[kind]:.2f}" for kind in kinds)
        + ".",
        ("change", "result", "share", *kinds, "time"),
        rows,
    )


def curves(section: Section, outcome: Outcome, size: Size) -> None:
    met = outcome.met.get("curve", {})
    if not met:
        section.say(NOT_RUN)
        return
    lines = []
    begun, points = 0, [(0, LEVEL)]  # against itself
    for stage in STAGES:
        points += [
            (begun + step * STEP, met[name].share)
            for step in curve_of(stage, size)
            if (name := f"{stage.name}-{step}") in met
        ]
        lines.append(
            Line(
                f"stage {stage.name[-1]}",
                [float(x) for x, _ in points],
                [value.value for _, value in points],
                [min(value.error, 0.5) for _, value in points],
            )
        )
        begun += size.games_of(stage)
        points = points[-1:] if points and points[-1][0] == begun else []
    section.draw(
        f"Share of the points against stage 1 after so many games of training from it on, {size.curve_games} "
        "games a point by all seeds together; the bands are standard errors from seed to seed. At 0 it would "
        "be stage 1 against itself. Stage 3 goes on from the end of stage 2. The dashed line is the paper's "
        "result of stage 2.",
        Plot(
            "Figure A: strength over games",
            "games of training after stage 1",
            "share of points against stage 1",
            [line for line in lines if line.x],
            min(0.4, *(y - s for line in lines for y, s in zip(line.y, line.spread, strict=True))),
            1,
            levels={"stage 2": STAGE2_V_1.value},
        ),
        "a",
    )


# --- beyond ----------------------------------------------------------------------------------------------


def searches(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        f"Stage 3 under other searches, each against the paper's search at {size.seconds:g} seconds a move. "
        "The paper expects little of a transposition table, and that a quiescence search could be extended "
        "without limit; ours looks at captures and promotions alone, and not at those that lose material. "
        "Late moves, which take nothing and come after those that history prefers, are looked at less "
        "deeply, and near the leaves not at all."
    )
    if not outcome.searches:
        section.say(f"{NOT_RUN} docs/duchess_notes.md has results of an earlier study.")
        return
    section.table("Wins-losses-draws against the paper's search.", _COLUMNS, _rows(outcome.searches))


def wishes(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "What the paper leaves to future work: weights of their own for opening, middle game and ending; "
        "modes of attack; distances from enemy Kings in the ending; all of it. Each goes on from stage 3 "
        "with 100 games and meets one that went on as long with nothing new. The last sees nothing new: it "
        "learns from searches that pass over late moves, look twice as far ahead and so teach more."
    )
    met = outcome.met.get("wishes-matches", {})
    if not met and "best" not in outcome.met.get("best", {}):
        section.say(f"{NOT_RUN} docs/duchess_notes.md has results of an earlier study.")
        return
    if met:
        section.table(
            f"Against as much training with nothing new, {size.nodes} nodes a move.", _COLUMNS, _rows(met)
        )
    if best := outcome.met.get("best", {}).get("best"):
        wanted = 1 / (1 + 10 ** (-WANTED / 400))
        section.judge(
            f"The deeper training and search against stage 3 and the paper's, {5 * size.seconds:g} s a move.",
            [
                claim(
                    f"{WANTED} Elo stronger: {wanted:.3f} of the points",
                    greater(best.share, Measured(wanted)),
                    best.told,
                    paper="",
                    own=True,
                )
            ],
        )


_COLUMNS = ("", "result", "share of points")


def _rows(matches: Mapping[str, Met | Series]) -> list[tuple[str, ...]]:
    return [(name, str(met), str(met.share)) for name, met in matches.items()]
