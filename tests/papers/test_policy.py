"""The paper on the policy network: what it takes up, its matches all at once, and how claims are judged."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from rookery.errors import CheckpointMismatch  # noqa: E402
from rookery.games.chess import CHESS  # noqa: E402
from rookery.nets import policy  # noqa: E402
from rookery.papers.policy import lockstep, pieces, plan, story, work  # noqa: E402
from rookery.papers.study import Study  # noqa: E402

CONFIG = """learner = "policy"
seed = 1
stores = ["/elsewhere/people"]
loss = "legal"
batches = 20000
rounds = 4
"""


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


def test_monte_carlo_meets_the_policy_in_all_games_at_once(network: str) -> None:
    terms = {"openings": "random:4", "seed": 3, "device": "cpu", "max_plies": 12, "played_out": 6}
    told = lockstep.meet(network, 4, 2, **terms).result
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


def test_what_is_not_measured_is_said(tmp_path: Path) -> None:
    """Without games and without a GPU, of runs and matches that lie there."""
    for name in ("ours", "plain"):
        kind = "" if name == "ours" else 'trunk = "plain"\n'
        for seed in (1, 2, 3):
            config = CONFIG.replace("seed = 1", f"seed = {seed}") + kind
            write_run(tmp_path / f"training/{name}-seed{seed}", config)
    told = {
        "wins": 3, "draws": 0, "losses": 1, "pentanomial": [0, 0, 1, 0, 1], "elo": 190.0, "elo_low": None,
        "elo_high": None, "evaluations": 1000, "evaluations_per_second": 100, "cut": 1, "seconds": 10.0,
    }  # fmt: skip
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/mcts-3.json").write_text(json.dumps(told))
    with Study(tmp_path, without={"table-2"}) as study:
        outcome = work.do(study, plan.FULL, 1)
        report = story.tell(outcome, plan.FULL)
    assert set(outcome.runs) == {"ours", "plain"} and set(outcome.table3) == {3}
    assert outcome.met(3).wins == 3
    assert "Table 3, 40 games after each move" in report.conclusion and "Figure 9" in report.conclusion
    page = report.markdown()
    assert "3-1-0" in page and "not measured" in page
