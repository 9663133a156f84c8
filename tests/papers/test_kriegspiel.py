"""The paper on Kriegspiel: how its claims are judged, and a tiny match of it."""

from dataclasses import replace
from math import inf

import pytest

from rookery.papers.kriegspiel import plan, story, work
from rookery.papers.matches import Met, meet_in_batches
from rookery.papers.measure import Measured
from rookery.papers.study import Study

SIZE = plan.QUICK


def met(wins: int, draws: int, losses: int) -> Met:
    """A match of pairs that ended alike."""
    pairs = (losses // 2, 0, draws // 2, 0, wins // 2)
    return Met(wins, draws, losses, pairs, None, None, None)


LEVEL, LOST, WON = met(150, 100, 150), met(2, 2, 396), met(280, 80, 40)
ENDS = work.Ends(90.0, 1.5, 2.5, {"checkmate": 3, "stalemate": 1})


def row(*matches: Met) -> dict[float, Met]:
    return dict(zip(SIZE.seconds, matches, strict=True))


def outcome() -> work.Outcome:
    """As the paper has it."""
    curves = {
        "B1": row(LEVEL, LEVEL, LEVEL, LEVEL),
        "B3": row(LOST, LOST, LEVEL, LEVEL),
        "B7": row(LOST, LOST, LEVEL, LEVEL),
        "B10": row(LOST, LOST, LOST, WON),
        "C": row(WON, WON, WON, WON),
        "ours": row(WON, WON, WON, WON),
    }
    return work.Outcome(
        curves=curves,
        ends={f"{name}-{s:g}": ENDS for name in curves for s in SIZE.seconds},
        weak={"minimax": LOST, "random": LEVEL},
        exploration=dict.fromkeys(plan.EXPLORATION, LEVEL),
        plateau={"half": LEVEL, "twice": LEVEL},
        sampling={
            **dict.fromkeys(("los-random", "aosp-random", "hs-random", "minimax-random"), WON),
            **{"aosp-los": WON, "hs-los": WON, "hs-aosp": LEVEL},
            **dict.fromkeys(("minimax-los", "minimax-aosp", "minimax-hs"), WON),
        },
        ablations=dict.fromkeys(plan.ABLATIONS, LEVEL),
        slow={},
        speed={"C": Measured(4.6e6, 1e5), "B1": Measured(4e5, 1e4), "ratio": Measured(11.5, 0.2)},
    )


def verdicts(found: work.Outcome) -> dict[str, str]:
    report = story.tell(found, SIZE)
    return {finding.what: finding.verdict for section in report.sections for finding in section.findings}


def test_claims_are_judged_by_their_matches():
    said = verdicts(outcome())
    assert said["A has less than 5 % of the points against minimax"] == "holds"
    assert said["A wins less than 2 % of its games against minimax"] == "holds"
    assert said["C is more than 80 Elo above minimax at the two slower settings"] == "holds"
    assert said["there C wins at least 2.5 times what it loses against minimax"] == "holds"
    assert said["ours is more than 80 Elo above minimax at the two slower settings"] == "holds"
    assert said["at the slowest setting k = 10 is above minimax"] == "holds"
    assert said["the B are further apart at the fastest setting than at the slowest"] == "holds"
    assert said["all of them beat the random mover"] == "holds" and said["HS beats AOSP"] == "open"
    assert said["C looks at ten times the nodes of B with k = 1 a second, or more"] == "holds"


def test_claims_fail_where_their_matches_do():
    said = verdicts(
        replace(
            outcome(),
            curves={name: row(LOST, LOST, LOST, LOST) for name in outcome().curves},
            weak={"minimax": LEVEL, "random": WON},
            speed=outcome().speed | {"ratio": Measured(5.0, 0.2)},
        )
    )
    assert said["A has less than 5 % of the points against minimax"] == "fails"
    assert said["A is little better than the random mover (less than 100 Elo)"] == "fails"
    assert said["C is more than 80 Elo above minimax at the two slower settings"] == "fails"
    assert said["C looks at ten times the nodes of B with k = 1 a second, or more"] == "fails"
    assert said["C is above every B at each setting"] == "open"


def test_what_was_not_played_is_not_judged():
    nothing = replace(
        outcome(),
        curves={name: {} for name in outcome().curves},
        **{key: {} for key in ("ends", "weak", "exploration", "plateau", "sampling", "ablations")},
    )
    report = story.tell(nothing, plan.FULL)
    assert [finding.verdict for finding in report.findings] == ["holds"]  # speed alone
    assert "was not played" in report.markdown()
    half = replace(outcome(), curves=outcome().curves | {"B7": {SIZE.seconds[0]: LOST}})
    said = verdicts(half)
    assert (
        "k = 3 is the best B at no setting" not in said and "C is above every B at each setting" not in said
    )
    assert said["C is more than 80 Elo above minimax at the two slower settings"] == "holds"


def test_ours_is_counted_apart_from_the_papers_claims():
    own = [finding.what for finding in story.tell(outcome(), SIZE).findings if finding.own]
    assert len(own) == 2 and all("ours" in what for what in own)


def test_what_is_reproduced_of_a_section_leaves_ours_out():
    report = story.tell(outcome(), SIZE)
    theirs = [finding for finding in report.sections[2].findings if not finding.own]
    assert f"- What the paper says of its approaches: 11 of {len(theirs)} figures" in report.conclusion


def test_one_decisive_game_says_nothing_of_wins_for_each_loss():
    drawn, few = met(0, 16, 0), Met(0, 15, 1, (0, 1, 7, 0, 0), None, None, None)
    curves = outcome().curves | {"C": row(drawn, drawn, drawn, few)}
    said = verdicts(replace(outcome(), curves=curves))
    assert said["there C wins at least 2.5 times what it loses against minimax"] == "open"
    many = met(0, 360, 40)
    said = verdicts(replace(outcome(), curves=curves | {"C": row(many, many, many, many)}))
    assert said["there C wins at least 2.5 times what it loses against minimax"] == "fails"


def test_each_c_is_compared_with_the_one_that_is_used():
    what = "the c of UCT has a small effect on C (less than 40 Elo apart from c = 0.1)"
    sure = met(15_000, 10_000, 15_000)
    assert verdicts(replace(outcome(), exploration=dict.fromkeys(plan.EXPLORATION, sure)))[what] == "holds"
    assert verdicts(outcome())[what] == "open", "400 games are too few to say so"
    scan = dict.fromkeys(plan.EXPLORATION, LEVEL)
    assert verdicts(replace(outcome(), exploration=scan | {1.0: WON}))[what] == "fails"
    assert what not in verdicts(replace(outcome(), exploration={0.2: LEVEL, 0.3: LEVEL}))


def test_the_figure_has_the_papers_number_and_the_intervals_of_the_rating():
    bounded = replace(LEVEL, elo=0.0, elo_low=-30.0, elo_high=50.0)
    curves = {name: row(bounded, bounded, bounded, LOST) for name in outcome().curves}
    (figure,) = story.tell(replace(outcome(), curves=curves), SIZE).figures()
    assert figure.name == "10"
    assert figure.plot.lines[0].edges == [(-30.0, 50.0)] * 3 + [(-inf, inf)]


def test_the_first_paragraph_says_what_was_found():
    said = story.tell(outcome(), plan.FULL).conclusion.split("\n\n")[0]
    assert said.count(". ") <= 4 and said.startswith("In Kriegspiel")
    assert "(approach C) beats" in said and "k = 10 280-40-80" in said
    assert "Our own version of C, with three changes, beats the same minimax (280-40-80). " in said
    lost = {"C": row(LOST, LOST, LOST, LOST), "ours": row(LEVEL, LEVEL, LEVEL, LEVEL)}
    said = story.tell(replace(outcome(), curves=outcome().curves | lost), plan.FULL).conclusion
    assert "loses to" in said and "is not surely above or below the same minimax (150-150-100): so" in said


def test_each_change_of_ours_meets_ours(monkeypatch):
    class Asked(Exception):
        pass

    def asked(study, stages, *rest):
        raise Asked(stages)

    monkeypatch.setattr(work, "meet_in_batches", asked)
    with pytest.raises(Asked) as caught:
        work.do(None, SIZE, 1)
    matches = caught.value.args[0][plan.ABLATED]
    assert matches.keys() == plan.ABLATIONS.keys()
    assert {against for _, against in matches.values()} == {plan.mcts("ours", SIZE.usual)}


def test_times_are_nodes():
    assert plan.mcts("B7", 0.01) == "kriegspiel-mcts:approach=b,k=7,weights=count,nodes=610"
    assert plan.mcts("ours", 0.001, "c=0.5") == "kriegspiel-mcts:approach=c,c=0.5,nodes=3900"
    assert plan.mcts("C", 0.001, "c=0.5").count("c=0.") == 1  # in place of its own


def test_a_match_tells_how_its_games_ended(tmp_path, monkeypatch):
    stages = {"figure10": {"C": (plan.mcts("C", 0.0001), "random")}}
    with Study(tmp_path) as study:
        found = meet_in_batches(study, stages, "kriegspiel", 4, 2, 1)["figure10"]["C"]
    monkeypatch.chdir(tmp_path)
    how = work.ends(found.records)
    assert sum(how["reasons"].values()) == found.met.wins + found.met.draws + found.met.losses == 4
    assert how["plies"] > 1 and how["tries"] >= 1 and how["their_tries"] >= 1


def test_a_study_without_a_stage_tells_what_was_played_of_it(tmp_path):
    stages = {"figure10": {"level": ("random", "random"), "other": ("random", "sergeant")}}
    with Study(tmp_path) as study:
        whole = meet_in_batches(study, stages, "kriegspiel", 4, 2, 1)["figure10"]
    (tmp_path / "pieces/figure10/level-2.json").unlink()
    for number in (1, 2):
        (tmp_path / f"pieces/figure10/other-{number}.json").unlink()
    with Study(tmp_path, without=["figure10"]) as study:
        rest = meet_in_batches(study, stages, "kriegspiel", 4, 2, 1)["figure10"]
    assert list(rest) == ["level"] and len(rest["level"].records) == 1
    assert sum(rest["level"].met.pentanomial) == 1 and sum(whole["level"].met.pentanomial) == 2


def test_speeds_are_those_of_a_game_that_was_played() -> None:
    found = work.speeds(1, 5)
    assert all(len(each) == 1 and each[0] > 0 for each in found.values())
    assert found["ratio"][0] == found["C"][0] / found["B1"][0]
