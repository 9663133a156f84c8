"""Tiny runs of `deepchess`, through all of its stages."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import small_store  # noqa: E402

from rookery import games, players  # noqa: E402
from rookery.api import Limit  # noqa: E402
from rookery.errors import BadOption, CheckpointMismatch, Diverged, Interrupted  # noqa: E402
from rookery.learners.deepchess import DeepChessLearner, DeepChessOptions  # noqa: E402
from rookery.records.sampling import HELD_OUT, Rule, Sampler  # noqa: E402
from rookery.records.store import Store  # noqa: E402
from rookery.runs import Recipe, Run, find  # noqa: E402

TINY = DeepChessOptions(
    store=small_store.folder(),
    net="small",
    first_ply=8,
    epochs=2,
    pairs=512,
    batch=128,
    pretrain_epochs=1,
    scalar_epochs=1,
    evaluation_pairs=200,
    colour_flip=True,
    dropout=0.1,
    device="cpu",
    threads=1,
)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> None:
    torch.set_num_threads(1)


def steps(learner: DeepChessLearner) -> list[dict[str, float]]:
    told = []
    while len(told) < learner.steps:
        told.append(dict(learner.step()))
    return told


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a run that has ended."""
    learner = DeepChessLearner(TINY, 3)
    told = steps(learner)
    assert [line["stage"] for line in told] == [1, 2, 3, 4, 4, 5]
    assert "wrong_bits" in told[0] and 0 <= told[3]["accuracy_game"] <= 1
    assert {f"scalar_accuracy_{kind}" for kind in ("train", "position", "game", "time")} <= told[5].keys()
    folder = tmp_path_factory.mktemp("done")
    learner.save(folder)
    return folder


def test_every_stage_tells_what_it_declares(done: Path) -> None:
    assert set(steps(DeepChessLearner(TINY, 4))[3]) <= set(DeepChessLearner.measures(TINY))


def test_the_weights_hold_both_heads_and_the_last_ones_lie_beside(done: Path) -> None:
    from rookery.nets import deepchess

    net, scalar = deepchess.read(done / "weights.safetensors")
    assert scalar and net.shape == deepchess.SMALL
    _, scalar = deepchess.read(done / "last.safetensors")
    assert not scalar


def test_what_was_learnt_plays(done: Path) -> None:
    learner = DeepChessLearner(TINY, 3)
    learner.load(done)
    state = games.get("chess").start()
    assert learner.player().choose(state.view(0), Limit(depth=1)) in state.moves()


def test_what_plays_is_what_was_learnt(done: Path) -> None:
    """The native network, in whole numbers, and torch agree on positions of the store."""
    from rookery.nets import deepchess

    store = Store.open(TINY.store)
    numbers, plies = np.arange(60, dtype=np.uint32), np.full(60, 12, np.uint16)
    chess = games.get("chess")
    states = [chess.start(text) for text in store.native.positions(numbers, plies, 1)]
    net, _ = deepchess.read(done / "weights.safetensors")
    bits = torch.from_numpy(store.native.features(numbers, plies, 1))
    with torch.no_grad():
        wanted = torch.sigmoid(net.preference(*net.embed(bits).chunk(2))).numpy()
    knowledge = players.know(f"deepchess@{done}", chess)
    assert knowledge.prefer(states[:30], states[30:], 0) == pytest.approx(wanted, abs=0.02)


def test_after_a_stage_it_goes_on_from_its_best_weights() -> None:
    learner = DeepChessLearner(TINY, 3)
    while learner.step()["stage"] < 4:
        pass  # Of its two epochs of pairs the first has ended.
    learner._best, learner._best_state = 2.0, {key: value + 1 for key, value in learner._copy().items()}
    best = learner._best_state
    learner.step()
    now = learner._copy()
    assert all(torch.equal(now[key], best[key]) for key in best if key.startswith("embed"))


def test_a_small_network_learns_from_a_teacher(done: Path) -> None:
    options = replace(TINY, teacher=str(done / "weights.safetensors"))
    told = steps(DeepChessLearner(options, 3))
    assert [line["stage"] for line in told] == [1, 2, 2, 3, 4]
    assert all(np.isfinite(list(line.values())).all() for line in told)
    assert set(DeepChessLearner.data(options)) == {"store", "split", "teacher"}


def test_it_learns_what_there_is_to_learn() -> None:
    """Whoever has more men at the end has won, and men that were lost stay lost."""
    options = replace(TINY, pretrain_epochs=0, scalar_epochs=0, epochs=4, pairs=8192, colour_flip=False)
    assert steps(DeepChessLearner(replace(options, first_ply=20), 3))[-1]["accuracy_train"] > 0.8


@pytest.mark.parametrize("schedule", ["cosine", "paper"])
def test_learning_rates_rise_and_fall(schedule: str) -> None:
    learner = DeepChessLearner(replace(TINY, schedule=schedule, warmup=0.5, epochs=10, pretrain_epochs=0), 1)
    stage = learner._stages[0]
    first = learner._rates(stage, 10)
    learner._epoch = 9
    last = learner._rates(stage, 10)
    assert first[0] < first[4] and last[-1] < first[5]
    if schedule == "cosine":
        assert last[-1] < 0.05 * first[5]
    else:
        assert last[-1] == pytest.approx(TINY.learning_rate * (TINY.batch / 256) ** 0.5 * 0.99**9)


def test_time_ends_stages_early() -> None:
    learner = DeepChessLearner(replace(TINY, epochs=1000, minutes=1e-4), 3)
    told = steps(learner)
    assert [line["stage"] for line in told] == [1, 2, 3, 4, 5] and learner.steps == 5


def test_a_run_that_time_ends_is_done(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", Recipe("deepchess", 1, replace(TINY, epochs=1000, minutes=1e-4)))
    run.train()
    assert run.done == run.steps == 5


def test_asked_to_stop_it_goes_back_to_the_last_epoch(tmp_path: Path) -> None:
    learner = DeepChessLearner(TINY, 3)
    learner.step()
    before = [tensor.clone() for tensor in learner._trainer.state()]
    with pytest.raises(Interrupted):
        asked = iter([False])
        replace_batch = learner._trainer.epoch

        def slow(positions: object, rows: torch.Tensor, rates: object, stop: object) -> object:
            return replace_batch(positions, rows.repeat(9, 1), np.repeat(rates, 9), stop)

        learner._trainer.epoch = slow
        learner.step(lambda: next(asked, True))
    assert all(torch.equal(a, b) for a, b in zip(before, learner._trainer.state(), strict=True))


def test_other_rounds_have_other_positions_and_none_that_are_held_out() -> None:
    sampler = Sampler(Store.open(TINY.store), Rule(first_ply=8), 1)
    first, second = (
        {*zip(s.games.tolist(), s.plies.tolist(), strict=True)}
        for s in (sampler.train(1, 0), sampler.train(1, 1))
    )
    assert first != second
    for kind in HELD_OUT:
        held = sampler.held_out(kind)
        assert not {*zip(held.games.tolist(), held.plies.tolist(), strict=True)} & (first | second)
        shared = {*held.games.tolist()} & {game for game, _ in first}
        assert bool(shared) == (kind == "position")


def test_neighbours_are_of_the_same_game_and_near() -> None:
    store = Store.open(TINY.store)
    sampler = Sampler(store, Rule(first_ply=8), 1)
    sample = sampler.train(1)
    near = sampler.near(sample, 2)
    away = np.abs(near.plies.astype(int) - sample.plies.astype(int))
    assert (near.games == sample.games).all() and away.max() <= 6 and (away > 0).mean() > 0.9
    assert (near.plies < store.plies[near.games]).all()


def test_loss_that_is_no_number_is_told() -> None:
    learner = DeepChessLearner(TINY, 3)
    with torch.no_grad():
        learner._net.embed.first.bias.fill_(float("nan"))
    with pytest.raises(Diverged, match=r"not finite; lower pretrain_learning_rate \(it is 0.001\)"):
        learner.step()


@pytest.mark.parametrize(
    ("file", "spoil", "words"),
    [
        ("state.json", lambda path: rewrite(path, epoch=99), "epoch must be between"),
        ("state.json", lambda path: rewrite(path, best=2), "best must be between"),
        ("state.json", lambda path: rewrite(path, stages=[]), "stages are not those"),
        ("net.safetensors", lambda path: path.write_bytes(b"x"), "cannot be used"),
        ("optimiser.safetensors", lambda path: path.write_bytes(b"x"), "cannot be used"),
    ],
)
def test_a_damaged_checkpoint_is_one_line(
    done: Path, tmp_path: Path, file: str, spoil: Callable[[Path], None], words: str
) -> None:
    for path in done.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    spoil(tmp_path / file)
    with pytest.raises(CheckpointMismatch, match=words) as error:
        DeepChessLearner(TINY, 3).load(tmp_path)
    assert str(tmp_path / file) in str(error.value) and "\n" not in str(error.value)


def rewrite(path: Path, **changes: object) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_run_goes_on_with_no_other_games(tmp_path: Path) -> None:
    recipe = Recipe("deepchess", 1, replace(TINY, epochs=1))
    run = Run.create(tmp_path / "run", recipe)
    run.train(stop=lambda: True)
    other = small_store.folder(games=100, seed=2)
    config = (tmp_path / "run" / "config.toml").read_text()
    (tmp_path / "run" / "config.toml").write_text(config.replace(TINY.store, other))
    with pytest.raises(CheckpointMismatch, match="store is not what it was trained with"):
        Run.open(tmp_path / "run").train()


@pytest.mark.parametrize("name", ["", "-paper", "-small", "-scratch"])
def test_recipes_want_a_store(name: str) -> None:
    with pytest.raises(BadOption, match="store names no games; write --set store=DIR"):
        find(f"chess-deepchess{name}").make()
