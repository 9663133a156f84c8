"""What a new paper needs is its plan and its story: a tiny one, trained by several seeds and played out."""

import json
from pathlib import Path

import pytest
from counting import Counting

from rookery.checkpoint import Mark, seal
from rookery.papers import trainings
from rookery.papers.matches import Met, Series, Terms, meet_all, meet_by_seed, together
from rookery.papers.measure import Measured, printed
from rookery.papers.report import Report, Source
from rookery.papers.study import Study
from rookery.papers.trainings import Training, train_all
from rookery.papers.verdict import figure, greater
from rookery.runs import recipe
from rookery.weights import FILE

SEEDS = (3, 4, 5)
RANDOM = ("random", "random")


class Named(Counting):
    """It may begin with the weights of another run, and use threads."""

    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Options(Counting.Options):
        start: str = ""
        threads: int = 1

    def __init__(self, options: Options, seed: int) -> None:
        super().__init__(options, seed)
        if options.start:
            (last,) = Path(options.start).glob("checkpoints/*")
            self.load(last)

    def save(self, folder: Path) -> None:
        super().save(folder)
        (folder / FILE).write_text(str(self.weight))


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recipe, "learners", lambda: {"counting": Named})
    monkeypatch.setattr(trainings, "learners", lambda: {"counting": Named})


FIRST = Training("counting", {"length": 3}, threads="threads")
SECOND = Training("counting", {"length": 2}, ("start", "first"), "threads")


def reproduce(study: Study, full: bool, seed: int) -> Report:
    """The whole of a paper."""
    first = train_all(study, "counts", {"first": FIRST}, SEEDS)["first"]
    second = train_all(study, "counts", {"second": SECOND}, SEEDS)["second"]
    met = meet_by_seed(study, "games", {"a-b": dict.fromkeys(SEEDS, RANDOM)}, Terms("go5", 2), seed)["a-b"]
    report = Report(Source("On counting", "A. Counter"), f"It counts to {first.measure(weight)}.")
    report.section("Counts").judge(
        "Weights",
        [
            figure("first", printed(0.75, 2), first.measure(weight)),
            figure("second", printed(9.0, 1), second.measure(weight)),
            figure("games", printed(0.5, 2), met.share, between=(0, 1), told=("0.5", met.told)),
        ],
    )
    return report


def weight(run: trainings.Trained) -> float:
    return float(run.metrics[-1]["weight"])


def test_a_tiny_paper(tmp_path: Path) -> None:
    with Study(tmp_path / "here") as study:
        report = reproduce(study, False, 1)
    found = {finding.what: finding for finding in report.findings}
    assert found["first"].verdict == "met" and found["second"].verdict == "missed"
    assert " over 3 seeds: " in found["games"].ours
    kept = {path.stem for path in tmp_path.glob("here/pieces/counts/*.json")}
    assert kept == {f"{name}-seed{seed}" for name in ("first", "second") for seed in SEEDS}
    text = report.markdown()
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")}
    (tmp_path / "here").rename(tmp_path / "there")
    with Study(tmp_path / "there", 8) as study:
        assert reproduce(study, False, 1).markdown() == text
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.json")} == before


def test_each_seed_is_its_own_run_and_goes_on_from_its_own(tmp_path: Path) -> None:
    with Study(tmp_path) as study:
        first = train_all(study, "counts", {"first": FIRST}, SEEDS)["first"]
        second = train_all(study, "counts", {"second": SECOND}, SEEDS)["second"]
    ends = [weight(run) for run in first.runs]
    assert len(set(ends)) == 3 and [run.seed for run in first.runs] == list(SEEDS)
    assert first.measure(weight).value == pytest.approx(sum(ends) / 3) and first.measure(weight).error > 0
    for before, after in zip(first.runs, second.runs, strict=True):
        assert weight(before) < after.metrics[0]["weight"] < weight(before) + 0.5
    assert all((tmp_path / run.checkpoint).is_dir() for run in first.runs)


def test_a_run_that_was_finished_before_counts_its_own_time(tmp_path: Path) -> None:
    """The piece was lost, the run folder was not: its seconds are the run's, not those of looking at it."""
    with Study(tmp_path) as study:
        train_all(study, "counts", {"first": FIRST}, [3])
    metrics = tmp_path / "counts/first-seed3/metrics.jsonl"
    lines = [json.loads(line) | {"seconds": 5000.0} for line in metrics.read_text().splitlines()]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    metrics.write_text(text)
    checkpoint = tmp_path / "counts/first-seed3/checkpoints/000003"
    (checkpoint / "run.json").unlink()
    seal(checkpoint, Mark(3, 5000.0, text))
    (tmp_path / "pieces/counts/first-seed3.json").unlink()
    with Study(tmp_path) as study:
        (run,) = train_all(study, "counts", {"first": FIRST}, [3])["first"].runs
        assert study.seconds >= 5000 and run.seconds == 5000


def test_a_match_counts_what_was_thought_in_all_sittings(tmp_path: Path) -> None:
    with Study(tmp_path) as study:
        met = meet_all(study, "games", {"a": RANDOM}, Terms("go5", 2), 1)["a"]
    record = tmp_path / "games/games-a.jsonl"
    header, *games = record.read_text().splitlines()
    slow = [json.dumps(json.loads(game) | {"seconds": [40.0, 60.0]}) for game in games]
    record.write_text("\n".join([header, *slow]) + "\n")
    (tmp_path / "pieces/games/a.json").unlink()
    with Study(tmp_path) as study:
        assert meet_all(study, "games", {"a": RANDOM}, Terms("go5", 2), 1)["a"] == met
        assert study.seconds >= 200


def test_the_error_of_a_series_is_from_seed_to_seed(tmp_path: Path) -> None:
    with Study(tmp_path) as study:
        met = meet_all(study, "games", {str(n): RANDOM for n in range(3)}, Terms("go5", 2), 1)
    assert Series(tuple(met.values())).share.value == pytest.approx(
        sum(each.share.value for each in met.values()) / 3
    )
    assert Series((met["0"],)).share.error == float("inf")


def test_seeds_that_ended_alike_by_chance_are_no_surer_than_their_games() -> None:
    level = Met(4, 0, 4, (0, 0, 4, 0, 0), None, None, None)
    swung = Met(4, 0, 4, (2, 0, 0, 0, 2), None, None, None)
    for met in (level, swung):
        both = Series((met, met))
        assert both.share.value == 0.5 and both.share.error == together(both.matches).share.error > 0


def test_few_pairs_that_ended_alike_are_not_certain() -> None:
    def met(*pairs: int) -> Met:
        return Met(0, 0, 0, pairs, None, None, None)

    won = met(0, 0, 0, 0, 50).share
    # As in the rating: one imagined pair beside 50, half of whose points are lost.
    assert won.value == 1 and won.error == pytest.approx((51 / 52 * 1 / 52 / 50) ** 0.5)
    few = met(0, 1, 0, 0, 3).share
    near, spread = (0.8125 * 4 + 1) / 6, (0.421875 + 0.25) / (3 * 0.8125 * 0.1875 + 0.25)
    plain = (spread * near * (1 - near) / 4) ** 0.5
    assert few.error == pytest.approx(plain * 3.31 / 2), "four pairs are widened by Student's t for three"
    assert greater(few, Measured(0.5)) == "open"
    assert met(0, 0, 1, 0, 0).share.error == float("inf"), "one pair tells no spread"
    assert met(0, 5, 0, 0, 5).share.error < met(0, 4, 0, 0, 5).share.error


def test_weights_are_kept_on_the_way_and_change_nothing(tmp_path: Path) -> None:
    ends = []
    for keep in (0, 2):
        with Study(tmp_path / str(keep)) as study:
            training = Training("counting", {"length": 5}, keep=keep)
            (run,) = train_all(study, "counts", {"first": training}, [3])["first"].runs
        ends.append((run.metrics[-1]["weight"], (tmp_path / str(keep) / run.weights).read_bytes()))
    assert ends[0] == ends[1]
    folder = str(tmp_path / "2/counts/first-seed3")
    kept = [trainings.kept(folder, step) for step in (2, 4, 5)]
    assert sorted((tmp_path / "2").rglob("kept/*/*")) == kept
    assert kept[-1].read_bytes() == ends[0][1]
    assert len({path.read_bytes() for path in kept}) == 3


def test_what_a_study_goes_without_is_left_out(tmp_path: Path) -> None:
    with Study(tmp_path) as study:
        train_all(study, "counts", {"first": FIRST}, [3])
    with Study(tmp_path, without=["counts", "games"]) as study:
        found = train_all(study, "counts", {"first": FIRST, "other": FIRST}, SEEDS)
        assert [run.seed for run in found["first"].runs] == [3] and not found["other"].runs
        assert meet_by_seed(study, "games", {"a-b": dict.fromkeys(SEEDS, RANDOM)}, Terms("go5", 2), 1) == {}


def test_a_training_goes_on_from_one_of_another_stage(tmp_path: Path) -> None:
    second = Training("counting", {"length": 2}, ("start", "counts/first"))
    with Study(tmp_path) as study:
        (before,) = train_all(study, "counts", {"first": FIRST}, [3])["first"].runs
        (after,) = train_all(study, "more", {"second": second}, [3])["second"].runs
    assert weight(before) < after.metrics[0]["weight"]
