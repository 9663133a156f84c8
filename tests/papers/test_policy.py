"""The paper on the policy network: what it takes up, its matches all at once, and how claims are judged."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from rookery.api import Limit  # noqa: E402
from rookery.arena.contest import Contest  # noqa: E402
from rookery.arena.match import match  # noqa: E402
from rookery.arena.record import Record  # noqa: E402
from rookery.errors import CheckpointMismatch, RecordMismatch  # noqa: E402
from rookery.games.chess import CHESS  # noqa: E402
from rookery.nets import policy  # noqa: E402
from rookery.papers.matches import Met  # noqa: E402
from rookery.papers.policy import lockstep, pieces, plan, story, work  # noqa: E402
from rookery.papers.report import Section  # noqa: E402
from rookery.papers.study import Study  # noqa: E402

CONFIG = """learner = "policy"
seed = 1
stores = ["/elsewhere/people"]
loss = "legal"
batches = 20000
rounds = 4
"""


ROLLED_OUT = {
    "wins": 3, "draws": 0, "losses": 1, "pentanomial": [0, 0, 1, 0, 1], "elo": 190.0, "elo_low": None,
    "elo_high": None, "evaluations": 1000, "evaluations_per_second": 100, "cut": 1, "seconds": 10.0,
}  # fmt: skip


@pytest.fixture(scope="module")
def network(tmp_path_factory) -> str:
    """A small one with random weights."""
    torch.set_num_threads(1)
    torch.manual_seed(1)
    folder = tmp_path_factory.mktemp("network")
    net = policy.PolicyNet(policy.Shape(blocks=1, channels=8))
    policy.write(folder / "weights.safetensors", net, {})
    return str(folder)


def figures(accuracy: float) -> dict[str, float]:
    return {"positions": 1000.0, "cross_entropy": 2.0, "accuracy": accuracy, "top3": 0.6}


def write_run(folder: Path, config: str = CONFIG) -> None:
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(config)
    lines = [
        {"step": n, "seconds": 5.0 * n, "training_steps": 5_000.0 * (n + 1), "positions_per_second": 1e6,
         "held_out_accuracy": 0.1 * n, "dead_units": 0.01}
        for n in (1, 2, 3)
    ]  # fmt: skip
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    game = {"all": figures(0.3), "from ply 10": figures(0.31)}
    plies = [figures(0.5 if ply < 10 else 0.2) if ply < 25 else {"positions": 0.0} for ply in range(40)]
    report = {"game": {**game, "plies": plies}, "training_positions": {"2300s": 5, "unknown": 1}}
    (folder / "report.json").write_text(json.dumps(report))


def test_a_run_of_another_machine_is_taken_up_if_it_is_the_one(tmp_path: Path) -> None:
    write_run(tmp_path / "run")
    changes = {"batches": 20_000, "rounds": 4}
    asked = {
        "run": str(tmp_path / "run"),
        "changes": changes,
        "seed": 1,
        "store": "data/people",
        "content": "",
    }
    done = pieces.learn(recipe="chess-policy", **asked)
    assert done.seconds == 15 and done.result["elsewhere"] and done.result["positions"] == 6
    assert done.result["curve"][-1] == (20_000, pytest.approx(0.3)) and done.result["steps"] == 20_000
    assert done.result["plies"] == [(4.5, 10_000, 0.5), (14.5, 10_000, pytest.approx(0.2)), (24.5, 5000, 0.2)]
    for change, why in (
        ({"seed": 2}, "seed is 1 and not 2"),
        ({"recipe": "chess-policy-plain"}, "trunk is residual and not plain"),
        ({"changes": {"batches": 90_000}}, "batches is 20000 and not 90000"),
    ):
        with pytest.raises(CheckpointMismatch, match=why):
            pieces.learn(**{"recipe": "chess-policy", **asked, **change})


SEARCHING = "probability+chess/policy"
AB = plan.FULL.plain


def write_match(path: Path, games: int = 4, openings: str = "random:4", **others: object) -> None:
    """A record of the probability search against AB, though two others play."""
    contest = Contest("chess", ("random", "greedy+pieces"), games, openings=openings, **{"seed": 7, **others})
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    with Record(contest, path) as record:
        match(contest, record)
    text = path.read_text().replace('"random"', f'"{SEARCHING}:device=cpu"')
    path.write_text(text.replace('"greedy+pieces"', f'"{AB}"'))


def test_a_match_of_another_machine_is_taken_up_if_it_is_the_one(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    asked = {"file": str(path), "content": "", "openings": "random:4", "count": 4}
    write_match(path)
    told = pieces.played_elsewhere(pair=(SEARCHING, AB), **asked).result
    assert told["wins"] + told["draws"] + told["losses"] == 4
    for pair, why in (((AB, SEARCHING), "entrants is"), ((SEARCHING, plan.FULL.stronger), "entrants is")):
        with pytest.raises(RecordMismatch, match=f"match.jsonl records another match: {why}"):
            pieces.played_elsewhere(pair=pair, **asked)
    for change, why in (
        ({"games": 3}, "3 games and not each of the 4 once"),
        ({"games": 6}, "6 games and not each of the 4 once"),
        ({"openings": "random:2"}, "openings is random:2 and not random:4"),
        ({"limit": Limit(nodes=5)}, "limit is {'depth': None, 'nodes': 5, 'time': None} and not"),
        ({"max_plies": 9}, "max_plies is 9 and not None"),
    ):
        write_match(path, **change)
        with pytest.raises(RecordMismatch, match=re.escape(why)):
            pieces.played_elsewhere(pair=(SEARCHING, AB), **asked)


def test_a_match_of_another_machine_that_was_replaced_is_read_again(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(work, "meet_all", lambda *given: {})
    file, size = tmp_path / "elsewhere/probability-ab.jsonl", replace(plan.FULL, slow_games=4)
    write_match(file)
    with Study(tmp_path) as study:
        assert work._table2(study, size, 1, "chess/policy")["probability-ab"].games == 4
        write_match(file, openings="random:2")
        with pytest.raises(RecordMismatch, match="openings is random:2"):
            work._table2(study, size, 1, "chess/policy")


def test_monte_carlo_of_another_machine_is_taken_up_if_it_is_the_one(tmp_path: Path) -> None:
    terms = {"network": "chess/policy", "games": 4, "of_each": 3, "openings": "random:4", "max_plies": 400,
             "played_out": 200}  # fmt: skip
    told = {**ROLLED_OUT, "terms": {**terms, "seed": 9, "device": "cuda"}}
    path = tmp_path / "mcts-3.json"

    def taken_up(written: object) -> object:
        path.write_text(json.dumps(written))
        return pieces.rolled_out_elsewhere(str(path), "", terms).result

    assert taken_up(told) == told
    for key, value in terms.items():
        with pytest.raises(RecordMismatch, match=f"another match: {key} is 1 and not {value};"):
            taken_up({**told, "terms": {**terms, key: 1}})
    for written in (ROLLED_OUT, {"terms": terms}, {**told, "terms": 1}, {**told, "wins": 4}, [], 1):
        with pytest.raises(RecordMismatch, match=r"mcts-3\.json (tells no such match|records another match)"):
            taken_up(written)


def test_monte_carlo_meets_the_policy_in_all_games_at_once(network: str) -> None:
    terms = {"openings": "random:4", "seed": 3, "device": "cpu", "max_plies": 12, "played_out": 6}
    told = lockstep.meet(network, 4, 2, **terms).result
    assert told["terms"] == {"network": network, "games": 4, "of_each": 2, **terms}
    assert told["wins"] + told["draws"] + told["losses"] == 4 == 2 * sum(told["pentanomial"])
    assert told["cut"] > 0 and told["evaluations"] > 4 * 4 * 20 * 2
    again = lockstep.meet(network, 4, 2, **terms).result
    assert {**again, "seconds": 0, "evaluations_per_second": 0} == {
        **told, "seconds": 0, "evaluations_per_second": 0,
    }  # fmt: skip


def test_monte_carlo_sees_a_mate(network: str) -> None:
    """Every other move is played out, and only the mate has won all its games."""
    state = CHESS.start("6k1/5ppp/8/8/8/n7/b4PPP/3R2K1 w - - 0 1")
    game = lockstep._begun(next(iter(lockstep.Contest("chess", ("a", "b"), 2, seed=1).schedule())))
    game = replace(game, state=state)
    (move,), cut = lockstep._by_games(lockstep.Network(network, "cpu"), [game], 3, 4)
    assert move == state.parse("Rd8#")
    assert cut > 0


def test_material_decides_a_game_that_is_cut() -> None:
    assert lockstep._lead(str(CHESS.start())) == 0
    assert lockstep._lead("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1") == 5
    assert lockstep._lead("q5k1/8/8/8/8/8/8/R5KN b - - 0 1") == -1


@pytest.mark.parametrize(
    ("after", "later", "verdict"),
    [
        (0.3, (0.35, 0.29, 0.36, 0.0), "holds"),
        (0.3, (0.2, 0.25, 0.31, 1.0), "fails"),
        (0.3, (0.2, 0.4, 0.301, 0.0), "open"),
    ],
)
def test_just_after_the_opening_is_compared_with_all_that_is_later(
    after: float, later: tuple[float, ...], verdict: str
) -> None:
    """The last band is of one position, and says nothing."""
    counts = (9_000, 9_000, 9_000, 9_000, 9_000, 1)

    def run(more: float, steps: float) -> dict[str, object]:
        shares = (0.5, after, *(share + more for share in later))
        return {"plies": [(10 * n + 4.5, counts[n], share) for n, share in enumerate(shares)], "steps": steps}

    def told(runs: list[object], predicted: object = None) -> Section:
        section = Section("")
        story._progress(
            section, work.Outcome(None, {"ours": runs} if runs else {}, {}, (), "", predicted, {}, {})
        )
        return section

    for steps in (1.0, plan.STEPS):
        section = told([run(more, steps) for more in (-0.002, 0, 0.002)])
        found = {finding.what: finding for finding in section.findings}
        claim = found["less just after the opening than later"]
        assert claim.verdict == verdict and claim.own == (steps != plan.STEPS)
        assert section.parts[0].name == "5"
    by_ply = {"0-9": (0.5, 0.01), "10-29": (after, 0.01), "30-49": (later[0], 0.01), "80+": (later[1], 0.01)}
    for section in (told([run(0, 1.0)]), told([], {"by_ply": by_ply})):
        assert section.findings == [] and "One training decides nothing" in section.parts[-1].caption
        assert section.parts[-1].rows[1][0] == "less just after the opening than later"


def test_what_is_not_measured_is_said(tmp_path: Path) -> None:
    """Without games and without a GPU, of runs and matches that lie there."""
    for name in ("ours", "plain"):
        kind = "" if name == "ours" else 'trunk = "plain"\n'
        for seed in (1, 2, 3):
            config = CONFIG.replace("seed = 1", f"seed = {seed}") + kind
            write_run(tmp_path / f"training/{name}-seed{seed}", config)
    terms = {"network": "chess/policy", "games": 4, "of_each": 3, "openings": "random:4", "max_plies": 400,
             "played_out": 200}  # fmt: skip
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mcts-3.json").write_text(json.dumps({**ROLLED_OUT, "terms": terms}))
    size = replace(plan.FULL, steps=20_000, rollouts=dict.fromkeys(plan.FULL.rollouts, 4))
    with Study(tmp_path, without={"table-2"}) as study:
        outcome = work.do(study, size, 1)
        report = story.tell(outcome, plan.FULL)
    assert set(outcome.runs) == {"ours", "plain"} and set(outcome.table3) == {3}
    assert outcome.met(3).wins == 3
    assert "Table 3, 40 games after each move" in report.conclusion and "Figure 9" in report.conclusion
    page = report.markdown()
    assert "3-1-0" in page and "not measured" in page
    assert [finding.what for finding in report.findings if not finding.own] == [
        "stronger with 3 games after each move"
    ], "what learnt for other steps is a question of ours, and so is no share of one network"
    assert {figure.name for figure in report.figures()} >= {"a", "5"}
    assert (
        "predicts 31.0 % of them after 20,000 steps of learning, where the paper has 38 %"
        in report.conclusion
    )
    assert "compared at first with the greatest of all bands" in page


def test_one_training_a_rate_has_no_verdict() -> None:
    rates = {
        rate: {"from first ply": {"accuracy": rate + 0.2}, "curve": [(0, 0.1), (5, 0.2)]}
        for rate in plan.LEARNING_RATES
    }
    section = Section("")
    story._rates(section, work.Outcome(None, {}, rates, (), "", None, {}, {}))
    assert section.findings == [] and section.parts[0].name == "9"
    assert [row[0] for row in section.parts[-1].rows] == ["0.01", "0.001", "0.0001", "1e-05"]
    assert "in the paper it is 0.001, 0.0001, 1e-05, 0.01" in section.parts[-1].caption


def test_a_match_of_one_network_has_no_verdict_but_what_a_search_does_for_it() -> None:
    far = Met(0, 0, 100, (50, 0, 0, 0, 0), None, None, None)
    won = Met(80, 0, 20, (10, 0, 0, 0, 40), None, None, None)
    table2 = {"ours-ab": far, "probability-ab": won, "probability-ours": won, "ours-stronger": far}
    section = Section("")
    outcome = work.Outcome(None, {}, {}, (), "", None, table2, {})
    story._table2(section, outcome)
    (claim,) = section.findings
    assert claim.what == "the probability search is stronger than the network alone"
    assert claim.verdict == "holds"
    said = story.tell(outcome, plan.FULL).conclusion.split("\n\n")[0]
    assert "against a search of four plies (AB), where the paper has 68 %." in said


def test_pictures_of_self_play_have_the_papers_numbers() -> None:
    colours = {"against_reference_as_black": 0.4, "against_reference_as_white": 0.6}
    line = {
        "games": 1.0,
        "against_reference": 0.5,
        "evaluation_aborted": 0.1,
        "against_supervised": 0.5,
        **colours,
    }
    section = Section("")
    story._selfplay(section, work.Outcome(None, {}, {}, (line, {**line, "games": 2.0}), "", None, {}, {}))
    assert [part.name for part in section.parts] == ["6", "7", "8", "b"]
