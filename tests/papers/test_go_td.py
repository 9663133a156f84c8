"""The arithmetic and the story of the paper on neural Go, with nets that are made up."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from rookery.papers import trainings
from rookery.papers.go_td import outcome, pieces, plan, results, story, variants, work
from rookery.papers.go_td.pictures import NumberedGame
from rookery.papers.go_td.plan import (
    CONFIGS,
    KATATSUGI_C,
    KOTEN_C,
    LEVELS,
    QUICK,
    RATED,
    RIVALS,
    Config,
    Size,
)
from rookery.papers.go_td.results import League, Sample
from rookery.papers.measure import share
from rookery.papers.study import Study
from rookery.seeds import generator

TINY = Size(3, 2, 500, 500, 100, 25, 50, 2, 2, 200, 60, 3, 5, 2)


def sample(games: int, strength: float, run: int = 0, opening: str = "C3") -> Sample:
    wins = {"gojen": strength - 0.1, "naive": strength, "random": strength + 0.1}
    return Sample(run, games, wins, f"{run}-{games}", 0.5, opening)


RUNS = [
    [sample(games, level + games / 1000, run) for games in range(100, 1100, 100)]
    for run, level in enumerate((-0.2, 0.0))
]
"""Two runs of ten samples, rising by 0.1 a sample: the second from 0.1 to 1, the first 0.2 below."""


def test_level_is_the_mean_of_the_last_samples_with_the_error_between_runs():
    found = results.level(RUNS)
    assert found.value == pytest.approx(0.8)  # of 0.6 to 0.8, and of 0.8 to 1
    assert found.error == pytest.approx(0.1 * 13.97 / 2)
    assert results.level(RUNS, 0.1, 0.1).value == pytest.approx(0.0)
    assert results.level_spread(RUNS) == pytest.approx(0.2 / 2**0.5)


def test_rise_is_taken_run_by_run():
    found = results.rise(RUNS, (0.1, 0.2), (0.9, 1.0))
    assert found.value == pytest.approx(0.8) and found.error == pytest.approx(0.0, abs=1e-9)


def test_curve_has_the_mean_and_the_spread_of_each_sample():
    line = results.curve("x", RUNS)
    assert line.x[0] == 100 and line.y[0] == pytest.approx(0.0)
    assert line.spread[3] == pytest.approx(0.2 / 2**0.5)


def test_the_best_net_is_sought_among_all_samples_or_the_last():
    runs = [[sample(100, 0.9), sample(200, 0.3)], [sample(100, 0.2, 1), sample(200, 0.4, 1)]]
    assert results.best(runs).weights == "0-100"
    assert results.best(runs, last_only=True).weights == "1-200"


def test_openings_are_counted():
    runs = [[sample(100, 0.5, opening="pass"), sample(200, 0.5)], [sample(100, 0.5), sample(200, 0.5)]]
    assert results.opened_at(runs, "C3") == (2, 2)
    assert results.opened_at(runs, "C3", last_only=False) == (3, 4)


def test_scores_are_wins_over_all_games_and_ties_are_none():
    a, b, c = CONFIGS[:3]
    scores = results.scores({(a, b): (10, 0), (a, c): (4, 4), (b, c): (0, 0)}, 10)
    assert scores == {a: 14 / 20, b: 0.0, c: 4 / 20}


def test_the_course_of_runs_is_told_without_the_luck_of_their_peaks():
    """Each run has a peak of its own that no other has: what is lost by it is not lost by the nets."""
    rng = generator(1, "course")
    level = [[sample(n * 100, 0.5 + rng.normal(0, 0.05), run) for n in range(1, 21)] for run in range(20)]
    found = results.course(level)
    assert abs(found.lost.value) < 2.5 * found.lost.error
    falling = [
        [sample(n * 100, 0.7 - 0.2 * (n > 5) + rng.normal(0, 0.02), run) for n in range(1, 21)]
        for run in range(5)
    ]
    found = results.course(falling)
    assert found.best_after <= 500 and found.reached == 100
    assert found.lost.value == pytest.approx(0.2, abs=0.03) and found.best.value == pytest.approx(
        0.7, abs=0.02
    )


def test_changes_are_taken_run_by_run_over_the_seeds_that_both_have():
    stronger = [[sample(s.games, s.strength + 0.1, s.run) for s in run] for run in [*RUNS, RUNS[0]]]
    found = results.change(stronger, RUNS, 0.5)
    assert found.value == pytest.approx(0.1) and found.error == pytest.approx(0, abs=1e-9)
    assert results.until(RUNS, 300)[0][-1].games == 300 and results.since(RUNS, 300)[1][0].games == 300


def test_a_league_counts_every_opponent_alike_and_knows_the_error_of_other_runs():
    a, b, c = CONFIGS[:3]
    met = {
        (a, b): (np.array([[1.0, 0.5], [0.5, 0.0]]), np.array([[0.0, 0.5], [0.5, 0.5]])),
        (a, c): (np.ones((2, 2)), np.zeros((2, 2))),
        (b, c): (np.zeros((2, 2)), np.ones((2, 2))),
    }
    league = League(met)
    assert league.pair(a, b).value == 0.5 and league.pair(b, a).value == 0.375
    # Without the first nets of both 0 is won, without the second 1: the standard deviation of two such runs.
    assert league.pair(a, b).error == pytest.approx(0.5)
    assert league.pair(a, c).error == 0
    # Of the same games: without the first nets 0 and 0.5 are won, without the second 1 and 0.
    margin = league.margin(a, b)
    assert margin.value == 0.125 and margin.error == pytest.approx(0.75)
    assert margin.error > (league.pair(a, b) - league.pair(b, a)).error
    assert league.score(a).value == 0.75 and league.score(c).value == 0.5
    assert league.lead(a, b).value == pytest.approx(0.75 - 0.375 / 2)
    alone = {pair: tuple(table[:1, :1] for table in tables) for pair, tables in met.items()}
    assert league.score(a) != League(alone).score(a) and League(alone).score(a).error == float("inf")


def test_a_numbered_game_shows_first_stones_and_names_the_rest():
    game = NumberedGame("A & B", ["C3", "B2", "A1", "C3", "pass", "A1"])
    assert game.again == [(4, "C3"), (5, "pass"), (6, "A1")]
    svg = game.svg()
    assert svg.count("<circle") == 3 and "A &amp; B" in svg
    assert '<circle class="black" cx="360" cy="148"' in svg, "C3 is the middle"


# --- the whole of it, with nets that are made up -----------------------------------------------------

DONE = []
WINS = dict.fromkeys(RIVALS, 0.2)


def fake_train(run, learner, options, seed):
    DONE.append(run)
    level = LEVELS[Config(options["representation"], options["selection"])]
    level -= 0.3 * (options.get("rewards") == "last")
    rng, steps = generator(seed, run), options["games"] // options["evaluate_every"]
    lines = []
    for step in range(1, steps + 1):
        here = level * (0.5 + 0.5 * step * options["evaluate_every"] / TINY.games) + rng.normal(0, 0.002)
        wins = {"strength_gojen": here - 0.2, "strength_naive": here, "strength_random": here + 0.2}
        told = {"games": 100 * step, "games_per_second": 50.0, "black_wins": 0.5}
        lines.append(told | wins)
    return {"checkpoint": run, "metrics": lines, "seconds": 2.0}


def fake_meet_rival(weights, name, depth, exact, games, seed):
    DONE.append((weights, name, depth))
    rival = name.partition(":")[0]
    ease = {"gojen": 0.2, "naive": 0.4, "random": 0.6}[rival] + 0.08 * depth
    return round(ease * games), games - round(ease * games)


def fake_meet_net(first, second, games, seed):
    return (games, 0) if "koten" in first else (games // 3, games // 3)


def fake_meet_nets(firsts, seconds, openings, seed):
    games, rng = 2 * openings, generator(seed, firsts[0], seconds[0])
    lead = 0.1 * ("koten" in firsts[0]) - 0.1 * ("koten" in seconds[0])
    shares = [[0.5 + lead + rng.normal(0, 0.01) for _ in seconds] for _ in firsts]
    return [[(share * games, (1 - share) * games) for share in row] for row in shares]


def fake_watch(weights, games, seed):
    DONE.append(weights)
    shown = {"moves": ["C3", "B2", "A1", "pass", "pass"], "values": [0.6, 0.7], "score": 1.0}
    return {"games": games, "after_first": [0.6 + seed % 7 / 100], "at_end": [0.7], "shown": shown}


@pytest.fixture
def made_up(monkeypatch):
    DONE.clear()
    monkeypatch.setattr(trainings, "train", fake_train)
    monkeypatch.setattr(pieces, "openings", lambda nets: ["C3"] * len(nets))
    monkeypatch.setattr(pieces, "meet_rival", fake_meet_rival)
    monkeypatch.setattr(pieces, "meet_net", fake_meet_net)
    monkeypatch.setattr(pieces, "meet_nets", fake_meet_nets)
    monkeypatch.setattr(pieces, "watch", fake_watch)
    monkeypatch.setattr(pieces, "untrained", lambda representation, seeds, games: [WINS] * len(seeds))
    monkeypatch.setattr(pieces, "by_rules", lambda nets, rules, games, seed: [WINS] * len(nets))
    monkeypatch.setattr(pieces, "gnugo_is_here", lambda: False)


def do(out: Path, size: Size, seed: int) -> story.Outcome:
    with Study(out) as study:
        return work.do(study, size, seed)


def test_everything_is_done_once_and_told(made_up, tmp_path):
    found = do(tmp_path, TINY, 1)
    count = len(DONE)
    assert {c: len(runs) for c, runs in found.runs.items()} == {
        c: 2 if c.representation == "roban" else 3 for c in (*CONFIGS, *RATED)
    }
    assert len(found.ablations["bias"][KOTEN_C]) == 2
    # Each tenth of a run's own learning rate is another training.
    assert any("koten-creative-0.001-" in run for run in DONE if isinstance(run, str))
    assert len(found.pairs) == 15 and set(found.search[KOTEN_C]) == {1, 2, 4}
    assert found.games_a_second == pytest.approx(TINY.games / 2.0)
    assert found.learning_a_second == pytest.approx(50.0)
    report = story.tell(found, TINY)
    assert report.markdown() == story.tell(do(tmp_path, TINY, 1), TINY).markdown()
    assert len(DONE) == count, "what was done was done again"
    text = report.markdown()
    assert re.search(r"creative selection\]\(figure-3.svg\)", text)
    assert "Not on the board: 4 pass, 5 pass." in text and "2: 0.60, 4: 0.70" in text
    assert "GNU Go was not asked" in text and "gojen:noise=100,escape=no" in text
    assert "<svg" in report.html()


def test_verdicts_follow_the_nets(made_up, tmp_path):
    report = story.tell(do(tmp_path, TINY, 1), TINY)
    found = {finding.what: finding for finding in report.findings}
    assert found["level of katatsugi (c)"].verdict == "missed"  # the tail of the made-up curve lies lower
    assert found["katatsugi (c) > katatsugi (g)"].verdict == "holds"
    assert found["koten (c) > roban (c)"].verdict == "holds"
    assert found["katatsugi (c) still rises at the end"].verdict == "holds"
    assert found["koten (g) rises until the middle and not after it"].verdict == "fails"
    assert found["the best nets always open at C3"].verdict == "holds"
    assert found["nets mostly open at C3"].verdict == "holds"
    assert found["katatsugi (c): depth 4 > depth 2"].verdict == "holds"
    assert "katatsugi (c)" not in found, "one net of each configuration tells nothing"
    assert found["the winner"].verdict == "open", "two are alike"
    assert found["koten (c) beats katatsugi (c)"].verdict == "holds"
    assert found["one reward is worse, koten (c)"].verdict == "holds"
    assert found["one move later is worse, koten (c)"].verdict != "holds"
    assert found["center 0.4, neighbors 0.15 makes a small difference, katatsugi (c)"].verdict == "holds"
    assert found["koten (c) falls from its best"].own
    assert not any(
        f.own and "rate" not in f.what and "falls" not in f.what and "off" not in f.what
        for f in report.findings
    )
    assert "katatsugi (c), depth 4, gojen" not in found
    assert report.markdown().count("One net decides nothing") == 6


def test_one_reward_costs_more_only_where_it_costs_something(made_up, tmp_path):
    found = do(tmp_path, TINY, 1)
    what = "one reward costs something, and more than a difference of one move, koten (c)"

    def verdict() -> str:
        return next(f.verdict for f in story.tell(found, TINY).findings if f.what == what)

    assert verdict() == "holds"
    # Nothing is lost by one reward, and much gained by one move: that is no cost.
    found.ablations[plan.ONE_REWARD][KOTEN_C] = outcome.as_decided(found, plan.ONE_REWARD, KOTEN_C)
    for run in found.ablations[plan.ONE_MOVE][KOTEN_C]:
        run[:] = [sample(each.games, each.strength + 0.3, each.run) for each in run]
    assert verdict() == "open"


def test_what_is_said_of_the_papers_single_pairs_is_told(made_up, tmp_path):
    report = story.tell(do(tmp_path, TINY, 1), TINY)
    text = report.markdown()
    assert not any(f.what.startswith("koten (c) against") for f in report.findings)
    assert "| koten (c) against koten (g) | 1.000 ± 0.001 | 0.000 ± 0.0" in text
    assert "pairs 7 are won by one net in every game" in text
    assert "Here the two have 0.483 and 0.483 at depth 1" in text
    titles = [section.title for section in report.sections]
    for _, says, where in plan.SENTENCES:
        if not where.startswith(("not judged: ", "told, not judged, ")):
            assert any(title.startswith(where) for title in titles), says


def test_roban_that_learns_from_fewer_games_is_a_question_of_ours(made_up, tmp_path):
    outcome = do(tmp_path, TINY, 1)
    same = {f.what: f.own for f in story.tell(outcome, TINY).findings}
    fewer = {f.what: f.own for f in story.tell(outcome, replace(TINY, roban_games=300)).findings}
    changed = {what for what in same if fewer[what] != same[what]}
    assert all("roban" in what or what == "the last two" for what in changed)
    assert {"level of roban (g)", "koten (c) > roban (c)", "roban (c) scores above roban (g)"} <= changed
    assert {"on average over both selections katatsugi > roban", "the last two"} <= changed
    assert "one reward is worse, roban (c)" not in changed, "its length is that of the others"


def test_the_report_begins_with_what_a_go_player_must_know_and_has_one_word_for_greedy(made_up, tmp_path):
    text = story.tell(do(tmp_path, TINY, 1), TINY).markdown()
    top, rest = text.split("## What was done")
    assert "Small neural networks learn Go" in top and "(g) greedy" in top and "(c) creative" in top
    assert "epsilon" not in text
    assert re.search(r"with creative selection koten so begun is .* katatsugi \(", rest)


def test_another_seed_is_other_work(made_up, tmp_path):
    do(tmp_path, TINY, 1)
    count = len(DONE)
    do(tmp_path, TINY, 2)
    assert len(DONE) > count + 100, "only the seeds that both have are kept"


def test_strength_is_over_all_three_rivals():
    assert outcome.strength({"gojen": 10, "naive": 20, "random": 30}, 30) == share(60, 90)


def test_a_gojen_against_naive_is_a_real_duel():
    assert 850 < pieces.against_naive("gojen", 1000, 1) < 950


def test_the_small_version_has_an_error_to_tell():
    assert QUICK.runs > 1 and QUICK.ablation_runs > 1
    assert str(KATATSUGI_C) == "katatsugi (c)"


# --- with real nets, as small as can be --------------------------------------------------------------

REAL = Size(2, 2, 80, 80, 40, 20, 10, 1, 1, 40, 10, 2, 2, 2)
PROGRAM = """
import sys
from pathlib import Path
from rookery.papers.study import Study
from rookery.papers.go_td import pieces, work
from rookery.papers.go_td.plan import Size
pieces.gnugo_is_here = lambda: False
if __name__ == "__main__":
    work.do(Study(Path(sys.argv[1]), 1), Size(2, 2, 80, 80, 40, 20, 10, 1, 1, 40, 10, 2, 2, 2), 5)
"""


def told(out: Path) -> str:
    """The report but for its speed, which is never the same."""
    text = story.tell(do(out, REAL, 5), REAL).markdown()
    return "\n".join(line for line in text.splitlines() if not line.startswith("Speed:"))


def test_a_killed_run_goes_on_and_tells_what_an_undisturbed_one_tells(monkeypatch, tmp_path):
    monkeypatch.setattr(pieces, "gnugo_is_here", lambda: False)
    for module in (work, variants):  # the first and the last are the ones that the story needs
        monkeypatch.setattr(module, "ABLATIONS", (plan.ABLATIONS[0], plan.ABLATIONS[-3]))
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    out = tmp_path / "killed"
    program = subprocess.Popen([sys.executable, script, out], stderr=subprocess.PIPE, start_new_session=True)
    while program.poll() is None and len(list(out.glob("pieces/learning/*.json"))) < 3:
        sleep(0.01)
    os.killpg(program.pid, signal.SIGKILL)
    error = program.communicate()[1]
    kept = {path: path.stat().st_mtime_ns for path in out.glob("pieces/learning/*.json")}
    assert program.returncode == -signal.SIGKILL and kept, error
    resumed = told(out)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept, "what was kept was done again"
    assert resumed == told(tmp_path / "undisturbed")
    first = json.loads(next(iter(kept)).read_text())["result"]
    assert [line["games"] for line in first["metrics"]] == [20, 40, 80]
    assert (out / first["checkpoint"]).is_dir()


def test_a_real_net_meets_everybody(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = {"representation": "koten", "games": 60, "evaluate_every": 40, "evaluation_games": 10}
    found = trainings.train("run", "td", options, 1).result
    assert [line["games"] for line in found["metrics"]] == [40, 60]
    assert trainings.train("run", "td", options, 1).result == found
    weights = f"{found['checkpoint']}/weights.safetensors"
    assert pieces.openings([weights]) in ([f"{x}{y}"] for x in "ABCDE" for y in range(1, 6))
    wins, losses = pieces.meet_rival(weights, "gojen:noise=20", 2, True, 20, 1)
    assert 0 <= wins + losses <= 20
    assert sum(pieces.meet_net(weights, weights, 20, 1)) <= 20
    ((met,),) = pieces.meet_nets([weights], [weights], 4, 1)
    assert sum(met) <= 8
    zoo = ["go5/roban"]  # one that leaves dead stones behind
    usual, kind = (pieces.by_rules(zoo, rules, 200, 1)[0] for rules in ({}, {"dead_stones": "benson"}))
    assert set(usual) == set(RIVALS) and usual["naive"] < kind["naive"]
    seen = pieces.watch(weights, 3, 1)
    assert len(seen["after_first"]) == 3 and len(seen["at_end"]) <= 3
    assert pieces.untrained("roban", [1, 2], 10) == pieces.untrained("roban", [1, 2], 10)
    other = trainings.train("run", "td", options, 2).result
    assert other["checkpoint"] == found["checkpoint"], "it took the place of the first"
    assert other["metrics"] != found["metrics"]
