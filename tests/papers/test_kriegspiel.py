"""The paper on Kriegspiel: how its claims are judged, and a tiny match of it."""

from dataclasses import replace

from rookery.papers.kriegspiel import plan, story, work
from rookery.papers.matches import Met, Terms, meet_all
from rookery.papers.study import Study

SIZE = plan.QUICK


def met(wins: int, draws: int, losses: int) -> Met:
    """A match of pairs that ended alike."""
    pairs = (losses // 2, 0, draws // 2, 0, wins // 2)
    return Met(wins, draws, losses, pairs, None, None, None)


LEVEL, LOST, WON = met(150, 100, 150), met(2, 2, 396), met(280, 80, 40)
ENDS = work.Ends(90.0, 1.5, {"checkmate": 3, "stalemate": 1})


def outcome() -> work.Outcome:
    """As the paper has it."""
    b = {f"B{k}": [LOST, LOST, LEVEL, LEVEL] for k in plan.DEPTHS} | {
        "B1": [LEVEL] * 4,
        "B10": [LOST] * 3 + [WON],
    }
    curves = {**b, "C": [WON] * 4, "ours": [WON] * 4}
    return work.Outcome(
        curves=curves,
        ends={f"{name}-{s:g}": ENDS for name in curves for s in SIZE.seconds},
        random={"minimax": LOST, "random": LEVEL},
        exploration=dict.fromkeys(plan.EXPLORATION, LEVEL),
        plateau={"half": LEVEL, "twice": LEVEL},
        sampling={"los-random": WON, "aosp-los": WON, "hs-aosp": LEVEL, "minimax-hs": WON},
        ablations=dict.fromkeys(plan.ABLATIONS, LEVEL),
        slow={},
        speed={"C": 1_000_000.0, "B1": 100_000.0},
    )


def verdicts(found: work.Outcome) -> dict[str, str]:
    report = story.tell(found, SIZE)
    return {finding.what: finding.verdict for section in report.sections for finding in section.findings}


def test_claims_are_judged_by_their_matches():
    said = verdicts(outcome())
    assert said["A has less than 5 % of the points against minimax"] == "holds"
    assert said["C is more than 80 Elo above minimax at the two slower settings"] == "holds"
    assert said["C wins at least 2.5 times what it loses against minimax"] == "holds"
    assert said["at the slowest setting k = 10 is at least level with minimax"] == "holds"
    assert said["LOS beats the random mover"] == "holds" and said["HS beats AOSP"] == "open"
    assert said["C looks at ten times the nodes of B with k = 1, or more"] == "holds"


def test_claims_fail_where_their_matches_do():
    curves = {name: [LOST] * 4 for name in plan.APPROACHES}
    said = verdicts(
        replace(
            outcome(), curves=curves, random={"minimax": LEVEL, "random": WON}, speed={"C": 5.0, "B1": 1.0}
        )
    )
    assert said["A has less than 5 % of the points against minimax"] == "fails"
    assert said["C is more than 80 Elo above minimax at the two slower settings"] == "fails"
    assert said["C looks at ten times the nodes of B with k = 1, or more"] == "fails"
    assert said["C is above every B at each setting"] == "open"


def test_times_are_nodes():
    assert plan.mcts("B7", 0.01) == "kriegspiel-mcts:approach=b,k=7,nodes=610"
    assert plan.mcts("C", 0.001, "c=0.5") == "kriegspiel-mcts:approach=c,foresight=1,c=0.5,nodes=4700"


def test_a_match_tells_how_its_games_ended(tmp_path):
    with Study(tmp_path) as study:
        pairs = {"C": (plan.mcts("C", 0.0001), "random")}
        meet_all(study, "figure10", pairs, Terms("kriegspiel", 2), 1)
        found = work.ends(str(tmp_path / "games/figure10-C.jsonl"), 2)
    assert sum(found["reasons"].values()) == 2
    assert found["plies"] > 1 and found["tries"] >= 1
