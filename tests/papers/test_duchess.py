"""The paper on Duchess: its arithmetic, its pictures, and a tiny version of all of it."""

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rookery import games
from rookery.evaluators.chess_features import ChessFeatures
from rookery.evaluators.duchess_features import KINDS, Features
from rookery.games.duchess import Square, squares
from rookery.learners.treestrap import TreeStrapLearner
from rookery.papers import matches
from rookery.papers.duchess import beyond, chess, plan, story, teams, work
from rookery.papers.duchess.pictures import Boards, Hinton
from rookery.papers.duchess.sentences import SENTENCES
from rookery.papers.matches import Series
from rookery.papers.measure import Measured
from rookery.papers.study import Study
from rookery.papers.verdict import Finding
from rookery.runs import find

CHESS = plan.ChessSize(seeds=2, depth=1, sweep_games=2, games=2, match_games=2, step_games=2)
TINY = plan.Size(
    seeds=2,
    long_seeds=2,
    part=0.01,
    shallower=4,
    nodes=50,
    match_games=4,
    long_match_games=2,
    curve_games=4,
    team_games=2,
    depth_games=2,
    positions=2,
    seconds=0.001,
    chess=CHESS,
)
SVG = "{http://www.w3.org/2000/svg}"


def met(wins: int, draws: int, losses: int, *pairs: int) -> matches.Met:
    return matches.Met(wins, draws, losses, pairs, 10.0, -5.0, None)


def test_a_share_has_the_error_of_pairs():
    # Ten pairs that both sides halve: no luck of openings in it, and so a small error.
    halved, swung = met(10, 0, 10, 0, 0, 10, 0, 0), met(10, 0, 10, 5, 0, 0, 0, 5)
    assert halved.share.value == swung.share.value == 0.5
    assert 0 < halved.share.error < swung.share.error
    assert swung.share.error == pytest.approx(0.5 / 10**0.5)  # as ten games that were won or lost
    assert str(met(85, 2, 13, 0, 0, 0, 0, 50)) == "85-13-2"


def test_the_papers_results_as_shares():
    assert plan.STAGE2_V_1.value == pytest.approx(0.86)
    assert plan.STAGE3_V_2.value == pytest.approx(0.575)


def test_a_match_is_judged_by_both_errors_over_the_seeds():
    near, far = met(17, 0, 3, 0, 0, 3, 0, 7), met(3, 0, 17, 7, 0, 3, 0, 0)
    several = story._result(
        "x", plan.STAGE2_V_1, "85-13-2", Series((near, near, met(16, 0, 4, 0, 0, 4, 0, 6)))
    )
    assert several.verdict == "met" and several.ours.startswith("50-10-0 over 3 seeds: 0.833 ± ")
    other = story._result("x", plan.STAGE2_V_1, "85-13-2", Series((far, far, met(2, 0, 18, 8, 0, 2, 0, 0))))
    assert other.verdict == "missed"
    alone = story._result("x", plan.STAGE2_V_1, "85-13-2", Series((near,)))
    assert alone.verdict == "open" and alone.ours == "17-3-0 over 1 seed: 0.850 ± ?"
    assert near.told.endswith("Elo +10 (-5 to ?)")


def test_men_are_weighed_with_all_that_hangs_on_them():
    rows = np.zeros((1, ChessFeatures.count), np.float32)
    rows[0, 1:6] = 2, 5, 6, 10, 18
    rows[0, 152:216] = 0.5  # our Pawns, wherever they stand
    rows[0, 536:600] = -0.5  # and theirs
    worth = chess.worth(rows, 1)
    assert worth == pytest.approx({"Knight": 2, "Bishop": 2.4, "Rook": 4, "Queen": 7.2})


def test_a_hinton_diagram_has_a_square_for_each_weight():
    weights = np.zeros((4, 9, 4, 9), np.float32)
    weights[0, KINDS.index("Queen"), 1, KINDS.index("Rook")] = 0.04
    weights[3, KINDS.index("Pawn"), 0, KINDS.index("King")] = -0.01
    page = ET.fromstring(Hinton("Attacks", weights).svg())
    squares = [r for r in page.iter(f"{SVG}rect") if r.get("class") in ("more", "less")]
    told = {(r.get("class"), r.findtext(f"{SVG}title")): float(r.get("width", 0)) for r in squares}
    assert told.keys() == {("more", "P1 Queen on P2 Rook: +0.0400"), ("less", "P4 Pawn on P1 King: -0.0100")}
    large, small = told.values()
    assert large == pytest.approx(2 * small, abs=0.1)  # the area is the weight


def test_a_board_has_a_circle_on_each_square_with_a_weight():
    features = Features(4)
    pawns = features.stands(features.initial()[0])[:1, KINDS.index("Pawn")]
    page = ET.fromstring(Boards("Pawns", ("P1",), pawns).svg())
    assert len(list(page.iter(f"{SVG}polygon"))) == 117
    circles = {c.findtext(f"{SVG}title"): c.get("class") for c in page.iter(f"{SVG}circle")}
    assert circles["V: +0.0400"] == "more" and circles["1c1: -0.0200"] == "less"
    assert len(circles) == np.count_nonzero(pawns)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games of a few plies, so that all of it takes seconds."""
    whole = TreeStrapLearner.Options
    monkeypatch.setattr(
        TreeStrapLearner,
        "Options",
        lambda **said: whole(**{**said, "max_plies": 6, "parallel_games": 2}),
    )
    contest = matches.Contest
    monkeypatch.setattr(matches, "Contest", lambda *a, **k: contest(*a, **k, max_plies=8))
    play = teams.play_game
    monkeypatch.setattr(teams, "play_game", lambda *a, **k: play(*a, **k, max_plies=8))
    monkeypatch.setattr(work, "SEARCHES", plan.SEARCHES[:1])
    monkeypatch.setattr(work, "WISHES", plan.WISHES[:2])
    monkeypatch.setattr(work, "CHANGES", dict(list(plan.CHANGES.items())[-2:]))
    monkeypatch.setattr(work, "STEP", 1)
    monkeypatch.setattr(work, "KEEP", 1)
    monkeypatch.setattr(
        work, "TEAMS", {name: plan.TEAMS[name] for name in ("the initial weights", "stage 1")}
    )
    monkeypatch.setattr(chess, "POSITIONS", 5)
    monkeypatch.setattr(chess, "RATES", {method: rates[:2] for method, rates in chess.RATES.items()})


def test_everything_is_done_and_told_and_not_done_twice(tmp_path: Path, short: None):
    with Study(tmp_path) as study:
        outcome = work.do(study, TINY, 1)
    assert set(outcome.weights["training"]) == {"stage2", "stage3"}
    assert set(outcome.weights["paper"]) == {"stage1", "stage2", "stage3"}
    assert {len(seeds) for by_name in outcome.weights.values() for seeds in by_name.values()} == {2}
    attacks = Features(4).learns(["attacks"])
    assert not outcome.weights["stage1"]["stage1"][0][:, attacks].any()
    config = (tmp_path / "training/stage3-seed2/config.toml").read_text()
    assert config.count('"training/stage2-seed2"') == 1
    assert all(series.by_side >= (0, 0) for met in outcome.met.values() for series in met.values())
    report = story.tell(outcome, TINY)
    files = report.write(tmp_path)
    named = ["report.html", *(f"figure-{name}.svg" for name in ("3", "4-odd", "4-even", "5", "a"))]
    assert [path.name for path in files[1:]] == named
    text = (tmp_path / "report.md").read_text()
    for told in (
        "Table I, at the paper's settings",
        "transposition table",
        "treestrap-exact beats",
        "exchanged",
    ):
        assert told in text
    assert "not run" not in text.lower().replace("what was done, and what was not", "").replace(
        " | not run | ", ""
    )
    assert str(tmp_path) not in text
    assert all(str(tmp_path) not in path.read_text() for path in tmp_path.rglob("*.json"))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    with Study(tmp_path, 2) as study:
        again = work.do(study, TINY, 1)
    assert again.met == outcome.met
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}


def told(outcome: work.Outcome) -> tuple[str, dict[str, list[Finding]]]:
    """The report, and its findings by what they say."""
    report = story.tell(outcome, TINY)
    found: dict[str, list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(finding.what, []).append(finding)
    return report.markdown(), found


def weak() -> Series:
    return Series(tuple(met(n, 0, 20 - n, 10 - n // 2, 0, 0, 0, n // 2) for n in (6, 8, 8, 10)))


def test_a_stage_below_the_one_before_is_said_and_its_benefit_judged():
    text, found = told(work.Outcome(met={"stages": {"stage3-stage2": weak()}}))
    (figure,), (benefit,) = found["stage 3 against stage 2"], found[story.BENEFITS["stage3-stage2"]]
    assert figure.verdict == "open", "more than half of all shares would meet it"
    assert "differ as ours do" in figure.note
    assert benefit.verdict == "open" and benefit.own and figure.own
    assert "**stage 3 scored below stage 2**, though not surely: 0.400" in text
    assert "have no sure effect" in text and "less than half" in text


def test_the_paper_is_judged_at_its_own_settings_alone():
    both = {"stages": {"stage3-stage2": weak()}, "paper-matches": {"stage3-stage2": weak()}}
    _, found = told(work.Outcome(met=both))
    assert [finding.own for finding in found["stage 3 against stage 2"]] == [False, True]
    alone = both | {"paper-matches": {"stage3-stage2": Series(weak().matches[:1])}}
    text, found = told(work.Outcome(met=alone))
    assert [finding.own for finding in found["stage 3 against stage 2"]] == [True], (
        "one training is shown alone"
    )
    assert "Trained at the paper's settings. One training decides nothing: no verdicts." in text
    text, found = told(work.Outcome(met={"stages": both["stages"]}))
    assert all(finding.own for findings in found.values() for finding in findings)
    assert "**Nothing was trained at the paper's own settings**" in text
    assert "No figure or claim of the paper is judged" in text
    rows = [Features(4).initial()] * 2
    _, found = told(work.Outcome(weights={"stage1": {"stage1": rows}, "paper": {"stage1": rows}}))
    assert [finding.own for finding in found["Queen"]] == [False, True]
    assert found["Queen"][0].before == "0.100" and found["Knight"][0].already


@pytest.mark.parametrize(
    ("bishops", "pawns", "verdict"),
    [
        ((0, 0), (0, 0, 0, 0, 0), "open"),
        ((3, -3), (0, 3, 0, -3, 0), "holds"),
        ((3, -3), (0, 0, 0, 0, 0), "open"),
        ((3, 3), (3, 3, 3, 3, 3), "fails"),
    ],
)
def test_noise_of_many_trainings_does_not_make_first_squares_differ(bishops, pawns, verdict: str):
    names = [square.name for square in Features(4).squares]
    means = np.zeros((len(KINDS), len(names)), np.float32)
    for kind, homes, there in (("Bishop", story.BISHOPS, bishops), ("Pawn", story.PAWNS, pawns)):
        means[KINDS.index(kind), [names.index(home) for home in homes]] = there
    rng = np.random.default_rng(1)
    for _ in range(10):
        rows = [np.zeros_like(Features(4).initial()) for _ in range(20)]
        for row in rows:
            Features(4).stands(row[0])[0] = means + rng.normal(size=means.shape)
        found = {finding.what: finding.verdict for finding in story._square_claims(rows)}
        assert found["of the first squares of Bishops and Pawns some are above 0 and some below"] == verdict


def test_equal_players_count_once_and_training_apart():
    ahead = {
        (("the initial weights"), first, False): teams.Play(29, 3, 18, 300.0) for first in ("odd", "even")
    }
    text, found = told(work.Outcome(teams=ahead))
    (by_nodes,) = found["the even team has a slight advantage at 50 nodes a move"]
    assert (by_nodes.verdict, by_nodes.own) == ("fails", True), "the paper's players look so many plies ahead"
    assert "wins 58 games and the even team 6" in text and "Other depths: not run." in text
    few, level = teams.Play(29, 3, 18, 300.0), teams.Play(20, 24, 6, 200.0)
    depths = {(depth, first): few if depth < 5 else level for depth in (4, 5) for first in teams.FIRST}
    text, found = told(work.Outcome(teams=ahead, team_depths=depths))
    assert [f.own for f in found["the even team has a slight advantage at 50 nodes a move"]] == [True]
    (by_depth,) = found["the even team has a slight advantage at depth 5"]
    assert (by_depth.verdict, by_depth.own) == ("open", False)
    assert found["at depth 4 the odd team has the advantage"][0].verdict == "holds"
    assert found["and so it has with the flaps 2 and 5 folded, at depth 5"][0].own
    assert "surely less than at depth 4" in text
    assert (
        "as the paper does, the odd team beginning as in the paper, it is 20 to 24: who leads is open" in text
    )


@pytest.mark.parametrize(
    ("last", "says"),
    [
        ((29, 3), "At depth 5 the odd team leads, whoever begins: 0.906 ± 0.057. That is not surely less"),
        (
            (20, 24),
            "it is open who leads, whoever begins: 0.455 ± 0.075. That is surely less than at depth 3",
        ),
        ((2, 30), "At depth 5 the even team leads, whoever begins: 0.062 ± 0.050. That is surely less"),
    ],
)
def test_what_depth_does_to_the_odd_teams_lead_is_told_whatever_was_found(last: tuple[int, int], says: str):
    depths = {3: teams.Play(60, 10, 30, 300.0), 5: teams.Play(*last, 0, 200.0)}
    assert says in beyond._lead_told(depths)
    assert "surely" not in beyond._lead_told({3: teams.Play(5, 5, 0, 1.0), 5: teams.Play(5, 5, 0, 1.0)})


def test_no_symmetry_of_the_board_turns_the_odd_team_into_the_even_one():
    game = games.get("duchess4")
    board = squares(4)
    men = {man.square: man for man in game.start().men()}
    kings = {man.square: man.seat for man in men.values() if man.kind == "K"}
    found = _symmetries(board)
    assert len(found) == 4
    for turned in found:
        goes = {board[a].name: board[b].name for a, b in turned.items()}
        seats = {seat: kings[goes[square]] for square, seat in kings.items()}
        same_setup = all(
            goes[man.square] in men and men[goes[man.square]].kind == man.kind for man in men.values()
        )
        same_turns = all(seats[(seat + 1) % 4] == (seats[seat] + 1) % 4 for seat in seats)
        odd_stays_odd = all((seat - seats[seat]) % 2 == 0 for seat in seats)
        assert same_setup == same_turns == odd_stays_odd


def _symmetries(board: Sequence[Square]) -> list[dict[int, int]]:
    """All ways to map the board to itself that keep steps over edges and over corners."""
    vortex = next(n for n, square in enumerate(board) if square.name == "V")
    order = [vortex]
    for n in order:
        order += [m for m in board[n].edges if m not in order]
    found: list[dict[int, int]] = []

    def extend(goes: dict[int, int]) -> None:
        if len(goes) == len(order):
            found.append(dict(goes))
            return
        n = order[len(goes)]
        for m in range(len(board)):
            if m not in goes.values() and all(
                (k in board[n].edges) == (goes[k] in board[m].edges)
                and (k in board[n].corners) == (goes[k] in board[m].corners)
                for k in goes
            ):
                extend({**goes, n: m})

    extend({})
    return found


@pytest.mark.parametrize(
    ("exact", "minimax", "says"),
    [(17, 3, "is confirmed"), (3, 17, "is not confirmed"), (17, 17, "not bounds alone"), (10, 10, "neither")],
)
def test_what_bounds_teach_is_told_whatever_was_found(exact: int, minimax: int, says: str):
    def share(wins: int) -> Series:
        return Series(tuple(met(n, 0, 20 - n, 20 - n, 0, 0, 0, n) for n in (wins - 1, wins, wins, wins + 1)))

    steps = {
        ("treestrap-exact", "treestrap"): share(exact),
        ("treestrap", "treestrap-minimax"): share(minimax),
    }
    worth = {method: dict.fromkeys(chess.VALUES, Measured(3, 0.1)) for method in chess.KINDS}
    text, _ = told(work.Outcome(chess=chess.ChessOutcome({}, worth, steps)))
    assert says in text.split("## What bounds teach")[1].split("##")[0]


def test_what_was_not_run_is_said(tmp_path: Path):
    with Study(tmp_path, without=plan.OPTIONAL) as study:
        report = story.tell(work.do(study, TINY, 1), TINY)
    assert "Not run" in report.markdown()
    assert not report.findings, "one training decides nothing"
    assert "Chess has it" not in report.markdown() and "The check by chess" not in report.markdown()


def test_the_recipes_of_the_paper_are_what_the_plan_trains():
    for stage, before in zip(plan.PAPER, ("initial", "stage1", "stage2"), strict=True):
        told = find(f"duchess4-paper-{stage.name}").options
        assert stage.start == before
        wanted = TreeStrapLearner.Options(
            start=told.start,
            features=stage.features,
            games=stage.games,
            depth=stage.depth,
            step=plan.STEP,
            **stage.options,
        )
        assert told == wanted


def test_equal_players_are_counted_by_team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    play = teams.play_game
    monkeypatch.setattr(teams, "play_game", lambda *a, **k: play(*a, **k, max_plies=8))
    told = teams.play("here", "initial", "even", False, "alphabeta:nodes=50", 2, 1)
    assert (told["odd"], told["even"], told["neither"], told["plies"]) == (0, 0, 2, 8)
    assert teams.Play(3, 1, 4, 100.0).share.value == 0.75


def test_every_sentence_is_judged_in_a_section_or_it_is_said_why_not():
    titles = [section.title for section in story.tell(work.Outcome(), TINY).sections]
    for _, says, where in SENTENCES:
        if not where.startswith(("not judged: ", "told, not judged, ")):
            assert any(
                title.startswith(where.partition(": by ")[0].partition(": that ")[0]) for title in titles
            ), says


def test_another_seed_of_what_takes_hours_leaves_the_matches_of_the_others_as_they_are():
    # Games are of each seed there, not of all together.
    assert plan.FULL.long_match_games == plan.FULL.match_games / 2 and plan.FULL.long_seeds == 3
