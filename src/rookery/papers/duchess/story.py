"""The report on Real and Blair's paper: which of its figures and claims our runs meet."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rookery.evaluators.duchess_features import KINDS, Features
from rookery.papers.duchess import chess
from rookery.papers.duchess.matches import Met
from rookery.papers.duchess.pictures import Boards, Hinton
from rookery.papers.duchess.plan import (
    BOTH_WIZARDS,
    CHECK,
    CONTROL,
    HOURS,
    MATCH_SHALLOWER,
    MATE,
    MATERIAL,
    PAPER_RATE,
    STAGE2_V_1,
    STAGE3_V_2,
    STAGES,
    WANTED,
    WISHES,
    Size,
    result,
)
from rookery.papers.duchess.work import Outcome
from rookery.papers.measure import Measured, Truth, greater
from rookery.papers.report import Finding, Report, Section, compare

Weights = NDArray[np.floating[Any]]
FEATURES = Features(4)
ROUNDED = 0.005
"""The paper prints two digits."""


def tell(outcome: Outcome, size: Size) -> Report:
    report = Report("Learning a Multi-Player Chess Game with TreeStrap")
    games = ", ".join(f"{size.games_of(t)} ({t.name})" for t in STAGES)
    report.facts["size"] = (
        f"games of training: {games}; {size.match_games} games a match of stages, {size.beyond_games} a "
        f"match at {size.seconds:g} s a move, the best player's at {size.best_seconds:g}"
    )
    _introduce(report.section("What was done"), outcome, size)
    _material(report.section("Stage 1, material, check and checkmate: Table I"), outcome)
    _attacks(report.section("Stage 2, attacking and defending: Figure 4"), outcome, size)
    _squares(report.section("Stage 3, piece-square weights: Figures 3 and 5"), outcome, size)
    _control(report.section("All at once: the negative control"), outcome)
    _searches(report.section("Beyond the paper: other searches at equal time"), outcome, size)
    _wishes(report.section("Beyond the paper: other weights at equal time"), outcome, size)
    chess.tell(report.section("The learner held to chess"), outcome.chess, size.chess)
    return report


def _introduce(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "Duchess for four. Each stage begins with the weights of the one before. Every searched node that is "
        "no leaf teaches, the root most; no weight moves by more than 0.001 in a move; the first four moves "
        "are random. Unlike the paper's, our searches scout with a null window, remember positions within a "
        "search (4 MB), keep two killers a ply, order by history, and train with 16 games side by side that "
        "share their weights every 500,000 nodes of each, for `best` every 20,000."
    )
    section.say(
        "**Depth, rate and length after stage 1 are ours.** The paper looks 5 plies ahead in all stages, "
        f"with a rate of {PAPER_RATE:g} after stage 1. A step sums over the nodes of a tree, and the paper's "
        "trees have many more: no table, so that a position teaches as often as it comes up, one killer, no "
        "order by history. docs/duchess.md tells how other rates and depths fared. Depths grow by 2 with "
        "fewer than 20 men on the board and by 4 with fewer than 8, here as there."
    )
    total = sum(outcome.seconds[stage.name] for stage in STAGES)
    rows = [
        (
            t.name,
            str(size.plies(t.shallower)),
            f"{t.rate:g}",
            f"{t.longest}",
            f"{outcome.seconds[t.name] / 60:.1f} minutes",
        )
        for t in (*STAGES, *CONTROL, *WISHES)
    ]
    section.table(
        "The trainings, and the time that they took here, beside other work.",
        ("training", "depth", "rate", "plies at most", "time"),
        rows,
    )
    section.judge(
        "Against the paper's.",
        [
            Finding(
                "stages 1 to 3, hours",
                f"{HOURS}",
                f"{total / 3600:.2f}, at {outcome.nodes_a_second / 1e6:.1f} M nodes/s",
                "holds" if total < HOURS * 3600 else "fails",
            )
        ],
    )


def _both(outcome: Outcome, stage: str, view: str) -> tuple[Weights, Weights]:
    """The weights of the odd and of the even team."""
    odd, even = outcome.weights[stage]
    return getattr(FEATURES, view)(odd), getattr(FEATURES, view)(even)


def _of_two(a: float, b: float) -> Measured:
    """The mean of the two teams; how far they differ says how well it is known."""
    return Measured((float(a) + float(b)) / 2, max(abs(float(a) - float(b)) / 2, ROUNDED))


def _material(section: Section, outcome: Outcome) -> None:
    section.say(
        "The paper prints one number for both teams; ours is the mean of the two, and half their difference "
        "its error. Players are counted from the one to move."
    )
    odd, even = _both(outcome, "stage1", "material")
    rows = [
        compare(kind, Measured(value, ROUNDED), _of_two(odd[KINDS.index(kind)], even[KINDS.index(kind)]))
        for kind, value in MATERIAL.items()
    ]
    pair = [FEATURES.wizards(row)[0] for row in outcome.weights["stage1"]]
    rows.append(compare("both Wizards", Measured(BOTH_WIZARDS, ROUNDED), _of_two(*pair)))
    for what, values in (("check", CHECK), ("mate", MATE)):
        odd_p, even_p = _both(outcome, "stage1", what)
        rows += [
            compare(f"P{n + 1} {what}", Measured(value, ROUNDED), _of_two(odd_p[n], even_p[n]))
            for n, value in enumerate(values)
        ]
    section.judge("Table I.", rows)
    mean = {kind: float(odd[n] + even[n]) / 2 for n, kind in enumerate(KINDS)}
    mates = np.abs(np.mean([FEATURES.mate(row) for row in outcome.weights["stage1"]], axis=0))
    top = sorted((k for k in KINDS if k != "King"), key=lambda kind: -mean[kind])[:3]
    claims = [
        _claim(
            "Queen, Fortress and Duchess are worth most",
            set(top) == {"Queen", "Fortress", "Duchess"},
            ", ".join(top),
        ),
        _claim(
            "a Knight is worth less than a Pawn", mean["Knight"] < mean["Pawn"], _pair(mean, "Knight", "Pawn")
        ),
        _claim(
            "a Pawn is worth no more than a Bishop",
            mean["Pawn"] <= mean["Bishop"],
            _pair(mean, "Pawn", "Bishop"),
        ),
        _claim(
            "checkmate weighs most for the player to move",
            bool(mates[0] > max(mates[1:])),
            ", ".join(f"{mate:.2f}" for mate in mates),
        ),
    ]
    section.judge("What the paper says of them.", claims)


def _pair(mean: dict[str, float], a: str, b: str) -> str:
    return f"{mean[a]:.3f} and {mean[b]:.3f}"


def _claim(what: str, true: bool, ours: str) -> Finding:
    return Finding(what, "yes", ours, "holds" if true else "fails")


def _result(what: str, paper: tuple[int, int, int], met: Met) -> Finding:
    """A match beside the paper's, as wins-losses-draws and shares of points."""
    theirs, ours = result(*paper), met.share
    found = compare(what, theirs, ours)
    return Finding(what, f"{'-'.join(map(str, paper))}: {theirs}", met.told, found.verdict)


def _played(what: str, size: Size) -> str:
    depth = size.plies(MATCH_SHALLOWER)
    return f"{what}: wins-losses-draws, share of points; {depth} plies, {depth + 2} and {depth + 4} late."


def _attacks(section: Section, outcome: Outcome, size: Size) -> None:
    section.judge(
        _played("Stage 2 against stage 1", size),
        [_result("stage 2 against stage 1", STAGE2_V_1, outcome.stages["stage2-stage1"])],
    )
    for team, row in zip(("odd", "even"), outcome.weights["stage2"], strict=True):
        section.draw(
            f"The weight of one man (row) attacking or defending another (column), {team} team to move; "
            "P3 is P1's partner. Full squares are above 0, empty ones below.",
            Hinton(f"Attacking and defending, {team} team", FEATURES.attacks(row)),
        )
    odd, even = _both(outcome, "stage2", "attacks")
    both = (odd + even) / 2
    rows = [
        ("P1 attacks P2 and P4", both[0, :, [1, 3]]),
        ("P2 and P4 attack P1", both[[1, 3], :, 0]),
        ("P1 defends P1", both[0, :, 0]),
        ("P1 defends P3", both[0, :, 2]),
    ]
    section.table(
        "Means over all pairs of kinds that ever met.",
        ("", "mean weight"),
        [(name, f"{_mean(block):+.4f}") for name, block in rows],
    )
    section.judge(
        "What the paper says of them.",
        [
            _claim(
                "attacks of the player to move are good on the whole",
                _mean(rows[0][1]) > 0,
                f"{_mean(rows[0][1]):+.4f}",
            )
        ],
    )


def _mean(block: Weights) -> float:
    used = block[block != 0]
    return float(used.mean()) if used.size else 0.0


def _squares(section: Section, outcome: Outcome, size: Size) -> None:
    section.judge(
        _played("Stage 3 against stage 2", size),
        [_result("stage 3 against stage 2", STAGE3_V_2, outcome.stages["stage3-stage2"])],
    )
    pawn = KINDS.index("Pawn")
    initial = FEATURES.stands(FEATURES.initial()[0])[:2, pawn]
    section.draw(
        "Figure 3: the weights with which Pawns begin, those of P1 and of P2.",
        Boards("Pawns, before training", ("P1's Pawns", "P2's Pawns"), initial),
    )
    stands = FEATURES.stands(outcome.weights["stage3"][0])
    section.draw(
        "Figure 5: piece-square weights of P1's men, odd team. Full circles are above 0, empty ones below; "
        "on each board the largest has the size of a square.",
        Boards("Where P1's men stand", KINDS, stands[0]),
    )
    section.judge("What the paper says of them.", _square_claims(outcome))


HOMES = {"Fortress": "1d1", "Duchess": "1e2", "Queen": "1c2", "King": "1c1", "Wizard": "1b1", "Knight": "1b2"}
"""Where the odd team's men begin, in the view of their player."""


def _square_claims(outcome: Outcome) -> list[Finding]:
    names = [square.name for square in FEATURES.squares]
    own = FEATURES.stands(outcome.weights["stage3"][0])[0]
    at_home = {kind: float(own[KINDS.index(kind), names.index(home)]) for kind, home in HOMES.items()}
    away, stay = ("Fortress", "Duchess", "Queen"), ("King", "Wizard", "Knight")
    vortex = {kind: float(own[KINDS.index(kind), names.index("V")]) for kind in KINDS}
    up = [kind for kind, weight in vortex.items() if weight > 0]
    return [
        _claim(
            "Fortress, Duchess and Queen should leave their first squares",
            all(at_home[kind] < 0 for kind in away),
            ", ".join(f"{kind} {at_home[kind]:+.4f}" for kind in away),
        ),
        _claim(
            "King, Wizard and Knight would rather stay (a suspicious preference, the authors say)",
            all(at_home[kind] > 0 for kind in stay),
            ", ".join(f"{kind} {at_home[kind]:+.4f}" for kind in stay),
        ),
        _claim(
            "the Vortex is favoured", len(up) > len(KINDS) / 2, "above 0 for " + (", ".join(up) or "nobody")
        ),
    ]


def _control(section: Section, outcome: Outcome) -> None:
    met = outcome.stages["at-once-stages"]
    section.say(
        "Attacks and material trained together from the initial weights, with as many games as stages 1 and "
        "2: the paper says that this plays poorly, since the attacks learn to stand for material. Both arms "
        "look as far ahead as stage 2."
    )
    verdict: Truth = greater(Measured(0.5), met.share)
    section.judge("All at once against stages.", [Finding("weaker than in stages", "yes", met.told, verdict)])


def _searches(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        f"The weights of stage 3 under other searches, each against the paper's search at {size.seconds:g} "
        "seconds a move. The paper expects little of a transposition table, and that a quiescence search "
        "could be extended without limit; ours looks at captures and promotions alone, and not at those that "
        "lose material. Late moves, which take nothing and come after those that history prefers, are looked "
        "at less deeply, and near the leaves not at all."
    )
    section.table("Wins-losses-draws against the paper's search.", _COLUMNS, _rows(outcome.searches))


def _wishes(section: Section, outcome: Outcome, size: Size) -> None:
    section.say(
        "What the paper leaves to future work: weights of their own for opening, middle game and ending; "
        "modes of attack; distances from enemy Kings in the ending; all of it. Each goes on from stage 3 "
        "with the same number of games, and so does one with nothing new. The last sees nothing new either: "
        "it learns from searches that pass over late moves, look twice as far ahead and so teach more. All "
        f"play with the same search, {size.seconds:g} seconds a move, against stage 3."
    )
    section.table("Wins-losses-draws against stage 3.", _COLUMNS, _rows(outcome.wishes))
    met = outcome.best
    section.judge(
        f"The best of all against stage 3 as the paper plays it, {size.best_seconds:g} seconds a move.",
        [
            Finding(
                f"{WANTED} Elo stronger",
                "",
                met.told,
                "holds" if met.elo is not None and met.elo >= WANTED else "fails",
            )
        ],
    )


_COLUMNS = ("", "result", "share of points", "Elo")


def _rows(matches: dict[str, Met]) -> list[tuple[str, ...]]:
    return [(name, str(met), str(met.share), met.elo_told) for name, met in matches.items()]
