"""A tiny run of `zero` from the first game to a player."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from rookery import games, players
from rookery.encoders import get
from rookery.errors import BadOption, CheckpointMismatch, Diverged, UnsupportedGame
from rookery.games.go import Go
from rookery.learners.zero import ZeroLearner
from rookery.learners.zero_yardstick import against_uct
from rookery.nets.zero import global_features
from walks import walk

Options = ZeroLearner.Options

TINY = Options(
    sizes=(5, 7),
    games=(8, 4),
    blocks=2,
    channels=8,
    simulations=2,
    max_considered=2,
    batch=16,
    step_samples=200,
    capacity=4000,
    checkpoint_samples=100_000,
    threads=1,
    device="cpu",
    measure_every=1e9,
)


@pytest.fixture(scope="module")
def learner() -> ZeroLearner:
    torch.set_num_threads(1)
    learner = ZeroLearner(TINY, 3)
    while learner.trainer.steps < 20:
        metrics = learner.step()
    assert metrics["go5/games"] > 0 and 0 < metrics["go7/loss_policy"] < 5
    return learner


def test_a_checkpoint_brings_all_back_that_it_says(learner: ZeroLearner, tmp_path: Path) -> None:
    learner.save(tmp_path)
    other = ZeroLearner(TINY, 3)
    other.load(tmp_path)
    for name in ("net", "average"):
        ours, theirs = (getattr(each.trainer, name).state_dict() for each in (learner, other))
        assert all(torch.equal(ours[key], theirs[key]) for key in ours)
    for ours, theirs in zip(learner.windows, other.windows, strict=True):
        a, b = ours.newest(50), theirs.newest(50)
        assert all((a[key] == b[key]).all() for key in a)
    moments = [each.trainer.optimiser.state_dict()["state"] for each in (learner, other)]
    assert all(torch.equal(moments[0][i]["exp_avg"], moments[1][i]["exp_avg"]) for i in moments[0])
    assert other.trainer.steps == learner.trainer.steps
    other.step()
    assert other.trainer.steps > learner.trainer.steps


def test_a_checkpoint_of_another_shape_is_refused(learner: ZeroLearner, tmp_path: Path) -> None:
    learner.save(tmp_path)
    with pytest.raises(CheckpointMismatch, match="2, 8"):
        ZeroLearner(Options(**{**vars(TINY), "channels": 16}), 3).load(tmp_path)


@pytest.mark.parametrize(
    ("file", "spoil", "words"),
    [
        ("state.json", lambda path: rewrite(path, steps=-1), "steps must be between 0"),
        ("state.json", lambda path: rewrite(path, elapsed=float("nan")), "elapsed must be between 0"),
        ("state.json", lambda path: rewrite(path, rng={"state": 1}), "cannot be used"),
        (
            "net.safetensors",
            lambda path: respell(path, lambda t: t * float("nan")),
            "no number, or not finite",
        ),
        ("net.safetensors", lambda path: respell(path, lambda t: t[..., None]), "cannot be used"),
        ("optimiser.safetensors", lambda path: respell(path, lambda t: t.flatten()), "not that of"),
        ("samples.npz", lambda path: np.savez(path, **{"5.won": np.zeros(3)}), "does not say 'planes'"),
        ("samples.npz", lambda path: path.write_bytes(b"PK"), "cannot be used"),
    ],
)
def test_a_damaged_checkpoint_is_one_line(
    learner: ZeroLearner, tmp_path: Path, file: str, spoil: Callable[[Path], None], words: str
) -> None:
    learner.save(tmp_path)
    spoil(tmp_path / file)
    with pytest.raises(CheckpointMismatch, match=words) as error:
        ZeroLearner(TINY, 3).load(tmp_path)
    assert str(tmp_path / file) in str(error.value) and "\n" not in str(error.value)


def rewrite(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def respell(path: Path, change: Callable[[torch.Tensor], torch.Tensor]) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(path)
    name = max(tensors, key=lambda each: tensors[each].dim())
    save_file(tensors | {name: change(tensors[name]).contiguous()}, path)


def test_asked_to_stop_it_ends_the_step_early() -> None:
    learner = ZeroLearner(Options(**{**vars(TINY), "step_samples": 10**9, "measure_every": 0}), 3)
    asked = iter([False] * 3)
    metrics = learner.step(lambda: next(asked, True))
    assert metrics["training_steps"] == 0 and "go5/policy_against_uct" not in metrics


def test_a_network_that_diverges_is_told() -> None:
    learner = ZeroLearner(TINY, 3)
    with torch.no_grad():
        next(learner._playing.parameters()).fill_(float("nan"))
    with pytest.raises(Diverged, match=r"not finite; lower learning_rate \(it is 0.001\)"):
        learner.step()


def test_what_plays_is_what_was_learnt(learner: ZeroLearner, tmp_path: Path) -> None:
    """ONNX and torch agree on boards of every size, those never trained on too."""
    from rookery.evaluators.zero import Zero
    from rookery.nets.zero import worth

    learner.export(tmp_path)
    for size in (5, 9, 13):
        game = Go(size, scoring="area", komi=5.5)
        knowledge = Zero(game, str(tmp_path))
        states = [s for s in walk(game, seed=1, plies=12) if s.outcome() is None]
        told = knowledge.evaluate(states)
        planes = np.stack([get("go-zero-1").encode(s.view(s.seat)) for s in states])
        with torch.no_grad():
            logits, won, score, _ = learner.trainer.average(torch.from_numpy(planes))
        value = worth(won, score, TINY.score_weight).numpy()
        for i, state in enumerate(states):
            assert told.value[i, state.seat] == pytest.approx(value[i], abs=1e-4)
            legal = list(state.moves())
            expected = torch.softmax(logits[i, legal], 0).numpy()
            assert told.policy is not None
            assert told.policy.of(i) == pytest.approx(expected, abs=1e-4)
            assert told.policy.of(i).sum() == pytest.approx(1, abs=1e-5)


def test_players_use_it_by_name(learner: ZeroLearner, tmp_path: Path) -> None:
    learner.save(tmp_path)
    for name in ("go5", "go9"):
        game = games.get(name)
        player = players.make(f"puct:nodes=20+zero@{tmp_path}", game)
        state = game.start()
        assert player.choose(state.view(0), players.Limit()) in state.moves()


def test_a_frozen_copy_plays_and_leaves_no_file_behind(
    learner: ZeroLearner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    player, state = learner.player(), games.get("go7").start()
    assert not [*tmp_path.iterdir()]
    assert player.choose(state.view(0), players.Limit(nodes=4)) in state.moves()


def test_weights_must_be_named_and_must_be_its_own(tmp_path: Path) -> None:
    from rookery.evaluators.zero import Zero

    with pytest.raises(BadOption, match="zero needs weights: zero@FILE"):
        players.make("puct+zero", games.get("go9"))
    with pytest.raises(UnsupportedGame, match="Go only"):
        Zero(games.get("chess"), "x")
    (tmp_path / "zero.onnx").write_bytes(b"nothing")
    with pytest.raises(CheckpointMismatch, match="can be used"):
        Zero(games.get("go9"), str(tmp_path))


def test_symmetries_keep_policy_and_board_together() -> None:
    from rookery.nets.zero_device import augment

    size, rows = 5, 16
    planes = torch.zeros((rows, 14, size * size), dtype=torch.uint8)
    policy, owner = torch.zeros((rows, 26)), torch.zeros((rows, 25), dtype=torch.int8)
    planes[:, 0, 1] = planes[:, 9, 1] = 255
    policy[:, 1] = policy[:, 25] = 0.5
    owner[:, 1] = -1
    batch = {"planes": planes.flatten(1), "policy": policy, "owner": owner}
    batch |= {"won": torch.zeros(rows), "score": torch.zeros(rows)}
    made = augment(batch, size)
    stones = made["planes"][:, 0].flatten(1)
    assert len({tuple(row.tolist()) for row in stones}) == 8
    assert torch.equal(made["policy"][:, :-1], stones / 2) and (made["policy"][:, -1] == 0.5).all()
    assert torch.equal(made["owner"], -stones)
    assert made["planes"][0, 9].sum() == 0 and torch.equal(made["planes"][1, 9].flatten(), stones[1])


def test_batches_made_up_of_others_are_evaluated_alike(
    learner: ZeroLearner, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way of graphs, though nothing is recorded here: in pieces of fixed sizes, the last one not full."""
    from rookery.nets import zero_device

    monkeypatch.setattr(zero_device, "record", lambda work, graphs: work)
    monkeypatch.setattr(zero_device, "_CHUNKS", (16, 8))
    count = 2 * 16 + 8 + 3
    planes = torch.randint(0, 2, (count + 5, 14 * 25), dtype=torch.uint8) * 255
    planes.view(-1, 14, 25)[:, 12] = 255
    told = []
    for graphs in (False, True):
        evaluator = zero_device.BatchEvaluator(learner.trainer.average, 5, 0.2, graphs)
        logits, values = torch.zeros((count + 5, 26)), torch.zeros(count + 5)
        evaluator.launch(planes, count, logits, values)
        told.append((logits, values))
    assert torch.allclose(told[0][0], told[1][0], atol=1e-5)
    assert torch.allclose(told[0][1], told[1][1], atol=1e-5)
    assert told[1][0][:count].abs().sum(1).all() and not told[1][0][count:].any()


def test_the_window_is_a_ring() -> None:
    from rookery.nets.zero_device import ReplayBuffer

    window = ReplayBuffer(5, 10, torch.device("cpu"))
    for first in (0, 6):
        won = np.arange(first, first + 6, dtype=np.float32)
        window.add(
            {
                "planes": np.zeros((6, 14 * 25), np.uint8),
                "policy": np.full((6, 26), 65535, np.uint16),
                "won": won,
                "score": won,
                "owner": np.zeros((6, 25), np.int8),
            }
        )
    kept = window.newest(4)
    assert kept["won"].tolist() == [8, 9, 10, 11] and (kept["policy"] == 65535).all()
    drawn = window.draw(np.random.default_rng(0), 500, 3)
    assert set(window.rows["won"][drawn].tolist()) == {9, 10, 11}


def test_the_yardstick_counts_points_for_the_policy() -> None:
    """UCT, thinking long on 5x5, beats a policy that always likes the same points."""
    logits = np.arange(26, dtype=np.float32)
    share = against_uct(lambda planes: np.tile(logits, (len(planes), 1)), 5, 2.5, games=4, nodes=100, seed=1)
    assert share <= 0.25


def test_options_that_would_take_all_memory_are_refused() -> None:
    with pytest.raises(BadOption, match=r"the window of samples would take .* GB .*; lower capacity"):
        Options(capacity=10**8)
    with pytest.raises(BadOption, match=r"the search trees would take .*; lower games or simulations"):
        Options(sizes=(9,), games=(60_000,), simulations=1000)


@pytest.mark.parametrize(
    "name",
    ["c_scale", "score_weight", "sample_reuse", "learning_rate", "weight_decay", "ema_decay", "minutes"],
)
@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0])
def test_numbers_that_are_none_are_refused(name: str, value: float) -> None:
    with pytest.raises(BadOption, match=f"{name} must be between"):
        Options(**{name: value})


def test_options_say_what_does_not_do() -> None:
    with pytest.raises(BadOption, match="one number for each"):
        Options(sizes=(5, 7), games=(8,))
    with pytest.raises(BadOption, match="5, 7 and 9"):
        Options(sizes=(6,), games=(8,))


@pytest.mark.parametrize("size", [5, 9])
def test_a_network_is_told_komi_and_the_size_of_the_board(size: int) -> None:
    state = Go(size, komi=7.5).start()
    planes = torch.tensor(get("go-zero-1").encode(state.view(0)))[None]
    told = global_features(planes)[0].tolist()
    assert told == pytest.approx([-7.5 / 10, -15 / size**2, (size - 9) / 4, 0])
