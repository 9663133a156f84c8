"""The paper on Duchess: its arithmetic, its pictures, and a tiny version of all of it."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from rookery.evaluators.chess_features import ChessFeatures
from rookery.evaluators.duchess_features import KINDS, Features
from rookery.learners.treestrap import TreeStrapLearner
from rookery.papers import matches
from rookery.papers.duchess import chess, plan, story, work
from rookery.papers.duchess.pictures import Boards, Hinton
from rookery.papers.matches import Series
from rookery.papers.study import Study

CHESS = plan.ChessSize(seeds=2, depth=1, sweep_games=2, games=2, match_games=2, step_games=2)
TINY = plan.Size(
    seeds=2, part=0.01, depth=2, match_games=2, beyond_games=2, seconds=0.001, best_seconds=0.002, chess=CHESS
)
SVG = "{http://www.w3.org/2000/svg}"


def met(wins: int, draws: int, losses: int, *pairs: int) -> matches.Met:
    return matches.Met(wins, draws, losses, pairs, 10.0, -5.0, None)


def test_a_share_has_the_error_of_pairs():
    # Ten pairs that both sides halve: no luck of openings in it, and so a small error.
    halved, swung = met(10, 0, 10, 0, 0, 10, 0, 0), met(10, 0, 10, 5, 0, 0, 0, 5)
    assert halved.share.value == swung.share.value == 0.5
    assert 0 < halved.share.error < swung.share.error
    assert swung.share.error == pytest.approx(np.std([0] * 5 + [1] * 5, ddof=1) / 10**0.5)
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
    monkeypatch.setattr(work, "SEARCHES", plan.SEARCHES[:1])
    monkeypatch.setattr(work, "WISHES", plan.WISHES[-2:])
    monkeypatch.setattr(story, "WISHES", plan.WISHES[-2:])
    monkeypatch.setattr(chess, "RATES", {method: rates[:2] for method, rates in chess.RATES.items()})


def test_everything_is_done_and_told_and_not_done_twice(tmp_path: Path, short: None):
    with Study(tmp_path) as study:
        outcome = work.do(study, TINY, 1)
    assert set(outcome.weights) == {t.name for t in (*plan.STAGES, *plan.CONTROL, *plan.WISHES[-2:])}
    assert {len(seeds) for seeds in outcome.weights.values()} == {2}
    assert len(outcome.weights["everything"][0]) == 6 and len(outcome.weights["stage3"][0]) == 2
    attacks = Features(4).learns(["attacks"])
    assert not outcome.weights["stage1"][0][:, attacks].any()
    assert (tmp_path / "training/stage2-seed2/config.toml").read_text().count('"training/stage1-seed2"') == 1
    report = story.tell(outcome, TINY)
    files = report.write(tmp_path)
    assert {"figure-1.svg", "figure-4.svg", "report.html"} <= {path.name for path in files}
    text = (tmp_path / "report.md").read_text()
    assert "Table I" in text and "transposition table" in text and "treestrap beats rootstrap" in text
    assert str(tmp_path) not in text
    assert all(str(tmp_path) not in path.read_text() for path in tmp_path.rglob("*.json"))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    with Study(tmp_path, 2) as study:
        again = work.do(study, TINY, 1)
    assert again.stages == outcome.stages
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
