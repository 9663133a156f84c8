"""Tiny runs of `policy`."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

import small_store  # noqa: E402

from rookery import games  # noqa: E402
from rookery.api import Limit  # noqa: E402
from rookery.errors import BadOption, CheckpointMismatch, Diverged, Interrupted  # noqa: E402
from rookery.learners.policy import REPORT, SETTINGS, PolicyLearner, PolicyOptions  # noqa: E402
from rookery.runs import Recipe, Run, find  # noqa: E402

TINY = PolicyOptions(
    stores=(small_store.folder(),), blocks=1, channels=8, batch=16, batches=12, rounds=3,
    evaluation_positions=100, threads=1, device="cpu",
)  # fmt: skip
RATED = replace(
    TINY, encoder="chess-squares-1", head="pairs", squeeze=4, loss="cross-entropy", sampling="bands",
    schedule="cosine", warmup=0.2, weight_decay=0.01, clip=1.0, average=0.9,
)  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> None:
    torch.set_num_threads(1)


def test_a_run_ends_with_a_report(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", Recipe("policy", 1, RATED))
    run.train()
    assert run.done == run.steps == 3
    folder = run.checkpoints()[-1]
    report = json.loads((folder / REPORT).read_text())
    game = report["game"]
    assert sum(ply["positions"] for ply in game["plies"]) == game["all"]["positions"] > 0
    assert sum(band["positions"] for band in game["bands"].values()) == game["all"]["positions"]
    assert {str(each) for each in SETTINGS} < set(next(iter(report["settings"].values())))
    assert (folder / "policy.onnx").exists() and (folder / "weights.safetensors").exists()
    assert set(run.metrics()[-1]) <= {"step", "seconds", *PolicyLearner.measures(RATED)}


def test_what_is_measured_is_what_is_kept() -> None:
    """The mean of the weights over time, not the weights as they are."""
    learner = PolicyLearner(RATED, 3)
    learner.step()
    kept = learner._kept().state_dict()
    plain = replace(RATED, average=0.0)
    other = PolicyLearner(plain, 3)
    other.step()
    same = other._kept().state_dict()
    assert any(not torch.equal(kept[name], same[name]) for name in kept)
    now, then = learner._trainer.net.state_dict(), other._trainer.net.state_dict()
    assert all(torch.equal(now[name], then[name]) for name in now)


def test_it_learns_what_there_is_to_learn() -> None:
    learner = PolicyLearner(replace(RATED, batches=90, average=0.0, learning_rate=5e-3), 3)
    told = [learner.step() for _ in range(3)]
    assert told[-1]["loss"] < told[0]["loss"]
    assert told[-1]["held_out_cross_entropy"] < 3.6  # of about 30 legal moves, all as likely


@pytest.mark.parametrize("loss", ["legal", "all", "cross-entropy"])
@pytest.mark.parametrize("optimiser", ["adam", "muon"])
def test_every_loss_falls_on_positions_seen_again(loss: str, optimiser: str) -> None:
    trainer = PolicyLearner(replace(TINY, loss=loss, optimiser=optimiser), 3)._trainer
    chance, told = torch.Generator().manual_seed(1), []
    rows = torch.arange(40, 56).repeat(15, 1)
    for _ in range(2):
        trainer.sums.zero_()
        trainer.learn(rows, [3e-3] * 15, chance)
        told.append(float(trainer.sums[0]))
    assert told[1] < 0.8 * told[0]


def test_learning_rates_rise_and_fall() -> None:
    learner = PolicyLearner(replace(RATED, learning_rate=1.0), 1)
    assert learner.rate(0.0) < 0.01 and learner.rate(0.1) == pytest.approx(0.5, abs=0.05)
    assert learner.rate(0.2) > learner.rate(0.6) > learner.rate(0.99) and learner.rate(1.0) == pytest.approx(
        0.001
    )
    constant = PolicyLearner(TINY, 1)
    assert constant.rate(0.0) == constant.rate(1.0) == TINY.learning_rate


def test_time_bounds_a_run() -> None:
    learner = PolicyLearner(replace(RATED, seconds=0.6, batches=10**9), 3)
    told = [learner.step() for _ in range(learner.steps)]
    assert told[-1]["positions"] > told[0]["positions"] > 0
    # The last rates are those of the end: what is left of the cosine changes nothing.
    learner._round = learner.steps - 1
    assert learner._rates(1, learner._trainer.batches, 0.2)[0] < 0.01 * RATED.learning_rate


def test_asked_to_stop_it_goes_back_to_the_last_round() -> None:
    learner = PolicyLearner(replace(RATED, batches=300), 3)
    learner.step()
    before, batches = learner._trainer.state(), learner._trainer.batches
    asked = iter([False])
    with pytest.raises(Interrupted):
        learner.step(lambda: next(asked, True))
    assert learner._trainer.batches == batches
    assert all(torch.equal(a, b) for a, b in zip(before, learner._trainer.state(), strict=True))


def test_what_diverges_is_told() -> None:
    learner = PolicyLearner(replace(TINY, norm=False), 3)
    with torch.no_grad():
        learner._trainer.parameters[0].fill_(float("nan"))
    with pytest.raises(Diverged, match="lower learning_rate"):
        learner.step()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"stores": ()}, "stores names no games"),
        ({"rounds": 13}, "rounds must be at most batches, 12"),
        ({"trunk": "dense", "head": "flat"}, "trunk = dense has a head"),
        ({"device": "tpu"}, "device must be auto, cpu, cuda"),
        ({"average": 1.0}, "average must be between 0 and"),
        ({"learning_rate": 10.5}, r"learning_rate must be between 0 and 10 \(got 10.5\)"),
        ({"batches": 10**9 + 1}, r"batches must be between 1 and 1e\+09"),
    ],
)
def test_wrong_options_are_told_in_a_line(changes: dict[str, object], words: str) -> None:
    with pytest.raises(BadOption, match=words):
        PolicyLearner(replace(TINY, **changes), 1)


@pytest.mark.parametrize("name", ["dense", "plain", "pooling", "all-moves"])
def test_each_variant_of_table_1_differs_from_the_paper_in_one_thing(name: str) -> None:
    paper, other = find("chess-policy").options, find(f"chess-policy-{name}").options
    assert sum(getattr(paper, key) != getattr(other, key) for key in vars(paper)) == 1


def test_runs_of_one_process_share_the_games() -> None:
    assert PolicyLearner(TINY, 1)._rows is PolicyLearner(RATED, 2)._rows


@pytest.mark.parametrize("options", [TINY, RATED])
def test_what_was_learnt_plays(options: PolicyOptions) -> None:
    state = games.get("chess").start()
    player = PolicyLearner(options, 1).player()
    assert player.choose(state.view(0), Limit(nodes=1)) in state.moves()


@pytest.mark.parametrize("options", [TINY, RATED, replace(TINY, norm=False)])
def test_it_goes_on_from_a_network_that_was_exported(tmp_path: Path, options: PolicyOptions) -> None:
    run = Run.create(tmp_path / "run", Recipe("policy", 1, options))
    run.train()
    last = run.metrics()[-1]
    again = replace(options, start=str(tmp_path / "run"), learning_rate=0.0, average=0.0, weight_decay=0.0)
    assert "start" in PolicyLearner.data(again)
    learner = PolicyLearner(again, 2)
    # Half precision in the file, and other positions for the normalisations.
    assert learner.step()["held_out_cross_entropy"] == pytest.approx(last["held_out_cross_entropy"], abs=0.05)
    with pytest.raises(CheckpointMismatch, match="no network of this recipe's shape"):
        PolicyLearner(replace(again, blocks=2), 2)
