"""`rookery paper`: lists, makes, goes on; wrong usage says what would do."""

import json
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rookery
from rookery import papers
from rookery.cli import app
from rookery.interfaces import paper
from rookery.papers import Paper
from rookery.papers.measure import printed, share
from rookery.papers.report import Report, Source
from rookery.papers.study import Piece, Progress, Study
from rookery.papers.verdict import figure

TOSSED = []
COINS = Source("On coins", "A. Tosser", "1900", ("docs/coins.md",))


def toss(seed: int, coins: int) -> int:
    TOSSED.append(coins)
    return coins // 2 + seed


def coins(study: Study, full: bool, seed: int) -> Report:
    count = 1000 if full else 100
    heads = study.do("tosses", {"all": Piece(toss, {"seed": seed, "coins": count})})["all"]
    report = Report(COINS, "Coins fall as they should.")
    report.section("Heads").judge("Shares", [figure("heads", printed(0.5, 2), share(heads, count))])
    return report


@pytest.fixture(autouse=True)
def one_more(monkeypatch, tmp_path):
    monkeypatch.setattr(papers, "papers", lambda: {"coins": Paper(COINS, "Tosses.", coins)})
    monkeypatch.chdir(tmp_path)
    TOSSED.clear()


def run(*arguments: str):
    result = CliRunner().invoke(app, ["paper", *arguments])
    return result.exit_code, result.stdout or result.stderr


def test_lists_the_papers():
    assert json.loads(run("--json")[1]) == {
        "papers": [{"name": "coins", "title": "On coins", "authors": "A. Tosser", "about": "Tosses."}]
    }
    assert "On coins" in run()[1]


def test_makes_a_report_with_its_facts(tmp_path):
    code, output = run("coins", "--quick", "--seed", "3", "--out", str(tmp_path / "out"))
    assert code == 0 and "✓ met" in output
    text = (tmp_path / "out" / "report.md").read_text()
    assert f"`rookery paper coins --quick --seed 3 --out {tmp_path / 'out'}`" in text
    assert (
        "| seed | 3 |" in text
        and "| written by | rookery " in text
        and "| pieces made by | rookery " in text
        and "| time | " in text
    )


def test_json_and_no_work_twice(tmp_path):
    documents = [json.loads(run("coins", "--full", "--json")[1]) for _ in range(2)]
    assert TOSSED == [1000]
    for document in documents:
        assert document["paper"] == "coins" and document["size"] == "full"
        assert document["findings"][0]["ours"] == "0.501 ± 0.016"
        assert (tmp_path / "papers" / "coins-full" / "report.html").exists()


def test_what_is_finished_goes_elsewhere_in_an_archive(tmp_path):
    assert run("coins", "--out", "here", "--pack", "coins.tar.xz")[0] == 0
    assert run("coins", "--out", "there", "--unpack", "coins.tar.xz")[0] == 0
    assert TOSSED == [100]
    (tmp_path / "coins.tar.xz").write_bytes(b"heads")
    code, said = run("coins", "--out", "nowhere", "--unpack", "coins.tar.xz")
    assert code == 1 and said.startswith("rookery: coins.tar.xz is no archive of a study: ")


def test_what_happened_to_a_study_is_told_wherever_it_goes_on(tmp_path):
    assert run("coins", "--out", "here")[0] == 0
    (tmp_path / "here" / "changed.md").write_text("- A coin was lost and found.\n")
    assert run("coins", "--out", "here", "--pack", "coins.tar.xz")[0] == 0
    assert run("coins", "--out", "there", "--unpack", "coins.tar.xz")[0] == 0
    for folder in ("here", "there"):
        text = (tmp_path / folder / "report.md").read_text()
        assert "after a result was seen\n\n- A coin was lost and found.\n" in text


def test_what_is_finished_of_a_study_that_was_broken_off_goes_elsewhere_too(monkeypatch):
    broken = [True]

    def leave(study: Study, full: bool, seed: int) -> Report:
        report = coins(study, full, seed)
        if broken.pop():
            signal.raise_signal(signal.SIGTERM)
        return report

    monkeypatch.setattr(papers, "papers", lambda: {"coins": Paper(COINS, "Tosses.", leave)})
    code, said = run("coins", "--out", "here", "--pack", "coins.tar.xz")
    assert code == 1 and said.endswith(
        "rookery: what is finished lies in here and in coins.tar.xz; the same command goes on\n"
    )
    broken.append(False)
    assert run("coins", "--out", "there", "--unpack", "coins.tar.xz")[0] == 0
    assert TOSSED == [100]


def test_a_stage_that_is_skipped_is_no_progress(capsys):
    told = paper._Told()
    told.progress(Progress("skipped", 0, 0))
    told.progress(Progress("played", 1, 2))
    assert capsys.readouterr().err == "played: 1/2\n"


def test_wrong_usage():
    assert run("coin") == (2, "rookery: no paper is called 'coin'; did you mean coins?\n")
    assert run("coins", "--quick", "--full")[0] == 2


def test_data_and_stages_are_those_of_the_paper(monkeypatch, tmp_path):
    seen = []

    def look(study: Study, full: bool, seed: int) -> Report:
        seen.append((set(study.without), (study.out / "data/tosses").resolve()))
        return Report(COINS, "Looked.")

    takes = Paper(COINS, "Tosses.", look, {"tosses": "a folder of tosses"}, ("matches",))
    monkeypatch.setattr(papers, "papers", lambda: {"coins": takes})
    (tmp_path / "tossed").mkdir()
    code, _ = run("coins", "--full", "--data", "tosses=tossed", "--without", "matches")
    assert code == 0 and seen == [({"matches"}, tmp_path / "tossed")]
    assert run("coins", "--data", "coin=tossed") == (
        2,
        "rookery: --data coin=tossed: this paper takes tosses (a folder of tosses)\n",
    )
    assert run("coins", "--data", "tosses=away")[0] == 2
    assert run("coins", "--without", "heads") == (
        2,
        "rookery: --without must be one of matches (got heads)\n",
    )


def test_commits_that_the_history_lost_are_not_named(monkeypatch):
    monkeypatch.setattr(paper, "_in_history", lambda folder, commit: commit == "75a414e")
    made = Counter({"rookery 0.1.0, commit 75a414e": 3, "c02d3fe": 2, "commit 91b0ab9": 1, "unknown": 1})
    in_repository = (Path(paper.__file__).parents[3] / ".git").exists()
    assert paper.known(made) == (
        {"rookery 0.1.0, commit 75a414e": 3, "an earlier commit": 3, "unknown": 1} if in_repository else made
    )


def test_the_commit_is_named_and_whether_files_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> str:
        who = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"]
        done = subprocess.run(["git", "-C", str(tmp_path), *who, *words], capture_output=True, check=True)
        return done.stdout.decode().strip()

    package = tmp_path / "src" / "rookery" / "__init__.py"
    package.parent.mkdir(parents=True)
    package.write_text("")
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    monkeypatch.setattr("rookery.__file__", str(package))
    named = f"rookery {rookery.__version__}, commit {git('rev-parse', '--short', 'HEAD')}"
    assert paper.commit() == named
    package.write_text("changed = True\n")
    assert paper.commit() == f"{named}-dirty"
