"""The paper on DeepChess: what it takes up, what it tells, and a tiny version of all of it."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
import small_store

from rookery.errors import CheckpointMismatch, RookeryError
from rookery.papers.deepchess import pieces, plan, story, work
from rookery.papers.matches import Met
from rookery.papers.measure import Measured
from rookery.papers.report import Section, Table
from rookery.papers.study import Study
from rookery.records.store import Store

SHORT = {
    "net": "small",
    "epochs": 1,
    "pairs": 256,
    "batch": 128,
    "pretrain_epochs": 1,
    "scalar_epochs": 1,
    "evaluation_pairs": 200,
    "evaluate_every": 1,
    "positions_per_game": 4,
    "device": "cpu",
}
TINY = replace(
    plan.QUICK,
    seeds={
        plan.PEOPLE: {plan.FULL_NET: 2, plan.DISTILLED: 2, plan.SCRATCH: 2},
        plan.ENGINES: {plan.PAPER_SCHEDULE: 1},
    },
    changes={
        plan.PEOPLE: dict.fromkeys((plan.FULL_NET, plan.DISTILLED, plan.SCRATCH), SHORT),
        plan.ENGINES: {plan.PAPER_SCHEDULE: SHORT},
    },
    own_games=160,
    pairs=100,
    triples_of=2,
)
CONFIG = """learner = "deepchess"
seed = 1
store = "/elsewhere/people"
epochs = 600

[data]
"store" = "sha256:people"
"""


def test_the_papers_matches_as_shares():
    shares = {name: found.value for name, found in plan.TABLE2.items()}
    assert shares == pytest.approx({"crafty": 0.59, "equal": 0.515, "more": 0.635})


def lines() -> list[dict[str, float]]:
    """Two epochs before pairs, four of pairs of which the third is best, one of the scalar head."""
    found = [{"stage": 1.0, "loss": 1.0}, {"stage": 2.0, "loss": 1.0}]
    for game in (0.6, 0.7, 0.8, 0.75):
        found.append(
            {"stage": 5.0, "accuracy_game": game, "accuracy_position": game + 0.1, "accuracy_train": 1.0}
        )
    found.append({"stage": 6.0, "scalar_accuracy_game": 0.74})
    return [
        {"step": n, "seconds": 2.0 * n, "training_steps": 10.0 * n, "pairs_per_second": 5.0, **one}
        for n, one in enumerate(found, 1)
    ]


def test_a_run_tells_its_end_and_what_was_kept():
    told = pieces._told(lines(), {"batch": 100, "epochs": 4}, elsewhere=True)
    assert told["end"]["game"] == 0.75 and told["kept"]["game"] == 0.8 and told["scalar"] == {"game": 0.74}
    assert [point["pairs"] for point in told["curve"]] == [1000, 2000, 3000, 4000]
    assert told["seconds"] == 14 and told["options"] == {"epochs": 4, "batch": 100}


def write_run(folder: Path) -> None:
    import json

    folder.mkdir()
    (folder / "config.toml").write_text(CONFIG)
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines()))
    (folder / "weights.safetensors").write_bytes(b"weights")


def test_a_run_of_another_machine_is_taken_up_if_it_is_the_one(tmp_path: Path):
    write_run(tmp_path / "run")
    asked = {
        "run": str(tmp_path / "run"),
        "recipe": "chess-deepchess",
        "changes": {},
        "seed": 1,
        "store": "data/people",
        "content": "sha256:people",
        "teacher": "",
    }
    done = pieces.learn(**asked)
    assert done.seconds == 14 and done.result["elsewhere"] and done.result["options"]["epochs"] == 600
    for change, why in (
        ({"seed": 2}, "seed is 1 and not 2"),
        ({"content": "sha256:other"}, "its store is sha256:people and not sha256:other"),
        ({"recipe": "chess-deepchess-scratch"}, "net is full and not small"),
        ({"teacher": "training/full"}, "a teacher is False and not True"),
    ):
        with pytest.raises(CheckpointMismatch, match=why):
            pieces.learn(**{**asked, **change})


def test_days_are_told_as_dates():
    assert story._days(None) == "-"
    assert story._days([20150630, 20200101]) == "2015-06-30 to 2020-01-01"


def test_games_that_were_begun_are_played_anew(tmp_path: Path):
    """What lies there, of other games, gives way."""
    folder = tmp_path / "games"
    copytree(small_store.folder(), folder)
    pieces.play_games(str(folder), 2, 1)
    assert len(Store.open(folder)) == 2


def test_the_full_study_asks_for_its_games(tmp_path: Path):
    with Study(tmp_path) as study, pytest.raises(RookeryError, match="--data people=STORE"):
        work.do(study, plan.FULL, 1)


def test_the_error_over_seeds_holds_that_of_the_pairs():
    alone = work._together([Measured(0.8, 0.01)])
    assert (alone.value, alone.error) == pytest.approx((0.8, 0.01))
    several = work._together([Measured(0.8, 0.01), Measured(0.8, 0.01)])
    assert several.error == pytest.approx(0.01)
    assert work._together([Measured(0.7, 0.01), Measured(0.9, 0.01)]).error > 0.1


def test_matches_against_stand_ins_are_questions_of_ours_and_one_network_alone_decides_nothing():
    far = Met(0, 0, 100, (50, 0, 0, 0, 0), None, None, None)
    met = {"Toga-II": far, "equal-seed1": far, "equal-seed2": far, "more-seed1": far}
    outcome = work.Outcome({}, {}, {}, {}, {}, met, ())
    section = Section("")
    story._table2(section, outcome, plan.FULL)
    found = {finding.what: finding for finding in section.findings}
    equal = found.pop("against the stand-in for Falcon, equal time")
    assert equal.verdict == "missed" and equal.own
    assert all(finding.own for finding in found.values()) and not any("stand-in" in what for what in found)
    rows = [row for part in section.parts if isinstance(part, Table) for row in part.rows]
    shown = {row[0]: row[-1] for row in rows}
    assert shown["against the stand-in for Crafty"].startswith("0-100-0: 0.000")
    assert shown["the same, 4 times the time"].startswith("0-100-0 over 1 seed")
    section = Section("")
    story._table2(section, work.Outcome({}, {}, {}, {}, {}, {}, ()), plan.FULL)
    assert section.findings == []
    rows = [row for part in section.parts if isinstance(part, Table) for row in part.rows]
    assert ("the same, 4 times the time", "63.5-36.5, Elo +96: 0.635 ± 0.048", "not played") in rows


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small networks alone, and nobody else's programs."""
    pytest.importorskip("torch")
    monkeypatch.setattr(work, "ENGINES_OUTSIDE", plan.ENGINES_OUTSIDE[:1])
    monkeypatch.setattr(work, "_is_here", lambda player: False)


def test_everything_is_done_and_told_and_not_done_twice(tmp_path: Path, short: None):
    with Study(tmp_path) as study:
        outcome = work.do(study, TINY, 1)
    assert {net: len(runs) for net, runs in outcome.runs[plan.PEOPLE].items()} == {
        plan.FULL_NET: 2,
        plan.DISTILLED: 2,
        plan.SCRATCH: 2,
    }
    assert set(outcome.scores[plan.PEOPLE]) == set(plan.SPLITS) and outcome.missing == ("Toga II",)
    teacher = (tmp_path / "training/people-distilled-seed2/config.toml").read_text()
    assert '"training/people-full-seed2"' in teacher
    report = story.tell(outcome, TINY)
    files = report.write(tmp_path)
    assert {"figure-1.svg", "report.html"} <= {path.name for path in files}
    text = (tmp_path / "report.md").read_text()
    assert "Table 1" in text and "not measured: not installed" in text and "in a circle" in text
    assert str(tmp_path) not in text
    assert all(str(tmp_path) not in path.read_text() for path in tmp_path.rglob("pieces/**/*.json"))
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("pieces/**/*.json")}
    with Study(tmp_path, without=["matches"]) as study:
        again = work.do(study, TINY, 1)
    assert again.matches == outcome.matches
    assert before == {path: path.stat().st_mtime_ns for path in tmp_path.rglob("pieces/**/*.json")}
