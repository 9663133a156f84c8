"""Tiny runs of `policy-selfplay`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import small_policy  # noqa: E402
import small_store  # noqa: E402

from rookery import games, native, players  # noqa: E402
from rookery.api import Limit  # noqa: E402
from rookery.errors import BadOption, CheckpointMismatch, Diverged, Interrupted  # noqa: E402
from rookery.learners import policy_rival, policy_starts  # noqa: E402
from rookery.learners import policy_selfplay as policy_selfplay_learner  # noqa: E402
from rookery.learners.policy_selfplay import PolicySelfplayLearner, PolicySelfplayOptions  # noqa: E402
from rookery.nets import policy_device, policy_selfplay  # noqa: E402
from rookery.papers.policy import plan  # noqa: E402
from rookery.records import splits  # noqa: E402
from rookery.records.store import Store  # noqa: E402
from rookery.runs import Recipe, Run, find  # noqa: E402
from rookery.thinker import SearchPlayer  # noqa: E402

TINY = PolicySelfplayOptions(
    start=small_policy.folder(), stores=(small_store.folder(),), positions=20, games=16, rounds=2,
    parallel_games=4, update_games=4, max_plies=10, batch=32, burn_in=8, evaluation_games=4, threads=1,
    device="cpu",
)  # fmt: skip
KEPT = replace(TINY, head="kept", burn_in=0)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> None:
    torch.set_num_threads(1)


def weights_of(learner: PolicySelfplayLearner) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in learner._net.state_dict().items()}


def test_a_run_plays_and_its_network_begins_another(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", Recipe("policy-selfplay", 1, TINY))
    run.train()
    assert run.done == run.steps == 2
    last = run.metrics()[-1]
    assert set(last) <= {"step", "seconds", *PolicySelfplayLearner.measures(TINY)}
    assert last["games"] == 16 and last["plies"] <= 10
    ends = ("white_wins", "black_wins", "draws", "aborted")
    assert sum(last[kind] for kind in ends) == pytest.approx(1)
    other = PolicySelfplayLearner(replace(KEPT, start=str(tmp_path / "run")), 1)
    assert other._net.shape.head == "flat"
    state = games.get("chess").start()
    assert other.player().choose(state.view(0), Limit(nodes=1)) in state.moves()


def test_while_a_head_is_fresh_it_alone_learns_from_games_of_the_network_before() -> None:
    learner = PolicySelfplayLearner(TINY, 1)
    asked = []
    for name, think in list(learner._playing.items()):
        learner._playing[name] = lambda planes, name=name, think=think: asked.append(name) or think(planes)  # type: ignore[func-returns-value]
    before = weights_of(learner)
    learner.step()
    after = weights_of(learner)
    assert learner._games == 8 and set(asked[:-1]) == {"supervised"} and asked[-1] == "own"
    assert all(torch.equal(before[name], after[name]) == name.startswith("tower.") for name in before)
    learner.step()
    assert any(
        not torch.equal(after[name], tensor)
        for name, tensor in weights_of(learner).items()
        if name.startswith("tower.")
    )


def test_the_loss_is_that_of_the_labels_and_only_of_the_move_played() -> None:
    """Against binary cross-entropy over all legal moves, whose labels are the policy itself elsewhere."""
    torch.manual_seed(1)
    logits = torch.randn(5, 8, dtype=torch.float64, requires_grad=True)
    actions = torch.arange(8).repeat(5, 1)
    there = torch.arange(8) < torch.tensor([[3], [8], [5], [2], [7]])
    played, rewards = torch.tensor([1, 7, 0, 1, 3]), torch.tensor([1.0, 0.0, 0.2, 0.0, 1.0]).double()
    loss = policy_selfplay.reward_loss(logits, actions, there, played, rewards)
    (ours,) = torch.autograd.grad(loss, logits)
    share = torch.softmax(logits.masked_fill(~there, float("-inf")), 1)
    labels = share.detach().clone()
    labels[torch.arange(5), played] = rewards
    whole = torch.nn.functional.binary_cross_entropy(share, labels, reduction="none")
    (theirs,) = torch.autograd.grad((whole * there).sum(1).mean(), logits)
    assert torch.allclose(ours, theirs)


def test_a_sure_move_that_lost_has_a_finite_gradient() -> None:
    logits = torch.tensor([[200.0, -200.0]], requires_grad=True)
    loss = policy_selfplay.reward_loss(
        logits, torch.arange(2)[None], torch.ones(1, 2, dtype=torch.bool), torch.tensor([0]), torch.zeros(1)
    )
    loss.backward()
    assert bool(loss.isfinite()) and bool(logits.grad.isfinite().all())


def test_the_divergence_from_itself_is_0_and_else_more() -> None:
    torch.manual_seed(2)
    logits, other = torch.randn(2, 4, 6)
    actions, there = torch.arange(6).repeat(4, 1), torch.arange(6) < torch.tensor([[2], [6], [3], [4]])
    assert float(policy_selfplay.divergence(logits, logits, actions, there)) == 0
    ours, theirs = (torch.softmax(each.masked_fill(~there, float("-inf")), 1) for each in (logits, other))
    wanted = torch.where(there, ours * torch.log(ours / theirs), 0).sum(1).mean()
    assert torch.allclose(policy_selfplay.divergence(logits, other, actions, there), wanted)


def test_held_to_the_network_it_began_with_it_changes_less() -> None:
    far = []
    for weight in (0.0, 1000.0):
        learner = PolicySelfplayLearner(replace(KEPT, kl=weight, clip=1.0, learning_rate=3e-3, games=32), 1)
        planes = torch.from_numpy(native.chess_planes([games.get("chess").start().native])).float()
        before = torch.log_softmax(learner._supervised(planes)[0], 1)
        learner.step()
        after = torch.log_softmax(learner._net(planes)[0], 1)
        far.append(float((after - before).detach().abs().mean()))
    assert far[1] < far[0]


def test_what_people_played_is_learnt() -> None:
    learner = PolicySelfplayLearner(replace(KEPT, games=160, rounds=5, learning_rate=1e-2), 1)
    told = [learner.step() for _ in range(5)]
    assert told[-1]["loss"] < told[0]["loss"]


def test_a_move_that_was_worth_more_becomes_likelier_and_one_that_was_worth_less_does_not() -> None:
    learner = PolicySelfplayLearner(replace(KEPT, clip=1.0), 1)
    learner.step()
    rows, chance = learner._last, torch.Generator().manual_seed(1)
    rows.rewards = torch.randint(0, 2, (rows.count,), generator=chance).float()

    def likely() -> torch.Tensor:
        every = torch.arange(rows.count)
        actions, there, played = rows.choices(every, turned=False)
        with torch.no_grad():
            logits = learner._net(rows.history(every).float())[0]
        told = logits.gather(1, actions).masked_fill(~there, float("-inf"))
        return logits.gather(1, played[:, None])[:, 0] - torch.logsumexp(told, 1)

    before = likely()
    for _ in range(40):
        learner._trainer.learn_from(rows, 3e-3, chance)
    change = likely() - before
    assert float(change[rows.rewards == 1].mean()) > 0.1 > -0.1 > float(change[rows.rewards == 0].mean())


def test_a_beaten_reference_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = PolicySelfplayLearner(KEPT, 1)
    share = 0.5
    monkeypatch.setattr(
        PolicySelfplayLearner,
        "_meet",
        lambda self, other, look: policy_selfplay.Score(4, share, share, 0.0, 0.0),
    )
    learner.step()
    ours, reference = learner._net.state_dict(), learner._reference.state_dict()
    assert learner._replaced == 0 and any(not torch.equal(ours[name], reference[name]) for name in ours)
    share = 0.51
    assert learner.step()["references"] == 1
    assert all(torch.equal(ours[name], learner._reference.state_dict()[name]) for name in ours)


def test_a_match_counts_points_by_colour() -> None:
    """Fool's mate by one who knows it, against one who walks into it: as Black it wins, as White nothing."""
    actions = native.chess_actions()

    def likes(*words: str) -> object:
        logits = torch.zeros(40, 1968)
        for i, word in enumerate(words):
            logits[:, actions.index(word)] = 1000.0 * (i + 1)
        return lambda planes: logits

    workers = native.Workers(1)
    first = policy_starts.made(policy_starts.first_position(), workers)
    table = policy_selfplay.Table(first, 1, 40, False, limit=40, max_plies=4, top=2)
    found = policy_selfplay.match(likes("a7a6", "e7e5", "d8h4"), likes("f2f3", "g2g4"), table, workers)
    assert found.games == 40
    assert found.black == 1.0 and found.white == 0.5 and found.share == 0.75 and found.aborted == 0.5


def test_starts_are_positions_of_games_that_were_won() -> None:
    store = Store.open(small_store.folder())
    moves, begins, won = policy_starts.of_stores([store, store], 40, np.random.default_rng(1), 1, 1)
    assert (won == 1).sum() == (won == -1).sum() == 20
    prefixes = {
        (tuple(store.native.line(game)[:ply]), int(store.results[game]))
        for game in range(len(store))
        for ply in range(store.plies[game])
    }
    for i in range(40):
        assert (tuple(moves[begins[i] : begins[i + 1]].tolist()), int(won[i])) in prefixes
    assert len(np.unique(np.diff(begins))) > 10


@pytest.mark.parametrize("seed", [1, 2])
def test_games_that_are_held_out_are_not_started_from(seed: int) -> None:
    """People's moves up to a start are learnt."""
    store = Store.open(small_store.folder())
    split = splits.split(store, seed)
    moves, begins, _ = policy_starts.of_stores([store], 4000, np.random.default_rng(1), 1, seed)
    # Ten random moves are those of one game alone.
    started = {tuple(moves[a : a + 10].tolist()) for a, b in pairwise(begins.tolist()) if b - a >= 10}

    def begun(games: np.ndarray) -> int:
        return sum(tuple(store.native.line(game)[:10]) in started for game in games.tolist())

    decided = split.train[store.results[split.train] != 0]
    held_out = np.concatenate([split.game, split.time])
    assert begun(decided) == len(decided) > 0 == begun(held_out) and (store.results[held_out] != 0).any()


def test_what_is_held_out_is_data_and_decides_the_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    whole = splits.split
    monkeypatch.setattr(splits, "split", lambda store, seed: asked.append(seed) or whole(store, seed))
    options = replace(TINY, split_seed=7)
    PolicySelfplayLearner(options, 1)
    assert set(asked) == {7}
    assert PolicySelfplayLearner.data(options)["split"] == "seed 7"
    assert set(PolicySelfplayLearner.data(replace(TINY, stores=()))) == {"start"}


def test_rows_of_finished_games_are_positions_of_them() -> None:
    learner = PolicySelfplayLearner(KEPT, 1)
    learner.step()
    rows = learner._last
    game = int(rows.game[-1])
    begin, end = int(rows.begins[game]), int(rows.begins[game + 1])
    state = games.get("chess").start()
    uci = native.chess_actions()
    for row in range(begin, end):
        here = torch.tensor([row])
        assert np.array_equal(rows.history(here).numpy(), native.chess_planes([state.native]))
        state = state.play(state.parse(uci[int(rows.played[row])]))
    own = rows.own()
    assert set(own.tolist()) & set(range(begin, end)) == set(range(begin + int(rows.start[game]), end))
    assert 0 < policy_selfplay.entropy(learner._net, rows, own) < 4
    assert 0 <= policy_device.dead_units(learner._net, rows, own) <= 1


def test_a_rival_is_met_with_both_colours() -> None:
    chosen = native.chess_actions().index("g1h3")

    def think(planes: np.ndarray) -> np.ndarray:
        logits = np.zeros((len(planes), 1968), np.float32)
        logits[:, chosen] = 50
        return logits

    assert policy_rival.score(think, 2, 1, 1, lambda: None) <= 0.5


def test_the_rival_is_the_papers_with_little_memory() -> None:
    assert players.vary(policy_rival.RIVAL, {"hash": None}) == players.vary(plan.FULL.plain, {})
    assert players.settings(policy_rival.RIVAL)["hash"] == 1


def test_rivals_are_as_many_as_threads_and_remember_no_other_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_rival, "RIVAL", players.vary(policy_rival.RIVAL, {"depth": 1}))
    monkeypatch.setattr(policy_rival, "_PLIES", 10)
    heard = []
    for name in ("__init__", "start", "choose"):
        whole = getattr(SearchPlayer, name)

        def told(
            *said: object, name: str = name, whole: Callable[..., object] = whole, **more: object
        ) -> object:
            heard.append(name)
            return whole(*said, **more)

        monkeypatch.setattr(SearchPlayer, name, told)
    policy_rival.score(lambda planes: np.zeros((len(planes), 1968), np.float32), 8, 1, 3, lambda: None)
    assert heard.count("__init__") == 3 and heard.count("choose") > 20
    assert heard.count("start") == heard.count("__init__") + heard.count("choose")


def test_what_diverges_is_told() -> None:
    learner = PolicySelfplayLearner(KEPT, 1)
    with torch.no_grad():
        learner._net.head[2].bias.fill_(float("nan"))
    with pytest.raises(Diverged, match="lower learning_rate"):
        learner.step()


def test_asked_to_stop_a_round_ends_early_and_goes_on_with_the_next_step() -> None:
    learner = PolicySelfplayLearner(replace(KEPT, games=100, rounds=1), 1)
    asked = iter([False] * 30)
    told = learner.step(lambda: next(asked, True))
    assert 0 < told["games"] < 100 and "against_supervised" not in told
    assert learner.steps == 2
    again = learner.step()
    assert again["games"] >= 100 and "against_supervised" in again and learner.steps == 2


def test_a_run_that_is_broken_off_plays_all_its_games_and_measures_each_round(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", Recipe("policy-selfplay", 1, replace(KEPT, games=48)))

    def sitting(patience: int) -> None:
        asked = iter([False] * patience)
        run.train(abandon=lambda: next(asked, True))

    for _ in range(3):
        sitting(25)
    assert run.done == 3 < (run.steps or 0) == 5 and run.metrics()[-1]["games"] < 48
    run.train()
    rounds = [line for line in run.metrics() if "against_supervised" in line]
    assert run.done == run.steps == 5 and run.metrics()[-1]["games"] == 48 and len(rounds) == 2


def test_a_match_that_is_broken_off_is_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    learner, met, stopping = PolicySelfplayLearner(replace(KEPT, rounds=1), 1), list[str](), True

    def meet(self: object, other: str, look: Callable[[], None]) -> policy_selfplay.Score:
        met.append(other)
        if other == "supervised" and stopping:
            raise Interrupted("stopped")
        return policy_selfplay.Score(4, 1.0, 1.0, 0.0, 0.0)

    monkeypatch.setattr(PolicySelfplayLearner, "_meet", meet)
    told = learner.step()
    assert told["games"] == 16 and "references" not in told
    assert (learner._replaced, learner.steps) == (0, 2)
    stopping = False
    again = learner.step()
    assert again["games"] == 16 and again["references"] == 1 and "games_per_second" not in again
    assert met == ["reference", "supervised"] * 2


def test_the_seconds_of_a_round_that_was_broken_off_are_kept(tmp_path: Path) -> None:
    learner = PolicySelfplayLearner(replace(KEPT, seconds=1000, rounds=2), 1)
    asked = iter([False] * 9)
    learner.step(lambda: next(asked, True))
    spent = learner._spent
    assert 0 < spent < 500
    learner.save(tmp_path)
    again = PolicySelfplayLearner(replace(KEPT, seconds=1000, rounds=2), 1)
    again.load(tmp_path)
    assert (again._spent, again._round, again.steps) == (spent, 0, 3)
    assert again._left(again._spent) == 500 - spent
    state = json.loads((tmp_path / "state.json").read_text())
    old = {name: state[name] for name in ("round", "games", "batches", "replaced")}
    (tmp_path / "state.json").write_text(json.dumps(old))
    again.load(tmp_path)
    assert (again._spent, again._measured, again.steps) == (0, state["batches"], 2)


def test_games_after_a_break_are_others() -> None:
    """Those under way are not kept: the same would be begun again."""
    learner = PolicySelfplayLearner(KEPT, 1)
    seeds = []
    for broken in (0, 1, 1):
        learner._broken = broken
        learner._seat()
        learner._table.step(learner._workers)
        seeds.append(learner._table.planes.numpy().tobytes())
    assert seeds[0] != seeds[1] == seeds[2]


def test_stop_is_heard_while_it_learns() -> None:
    learner = PolicySelfplayLearner(replace(KEPT, batch=2), 1)
    learner.step()
    before, trainer, games = learner._trainer.batches, learner._trainer, learner._last
    chance = torch.Generator().manual_seed(1)
    whole = trainer.learn_from(games, 1e-4, chance)
    assert whole > 10
    asked = iter([False] * 3)
    assert trainer.learn_from(games, 1e-4, chance, lambda: next(asked, True)) == 3
    assert trainer.batches == before + whole + 3


def test_what_it_learns_hears_the_stop_of_the_step(monkeypatch: pytest.MonkeyPatch) -> None:
    learner, learning = PolicySelfplayLearner(replace(KEPT, batch=2), 1), False
    learn = policy_selfplay.RewardTrainer.learn

    def begun(*said: object) -> int:
        nonlocal learning
        learning = True
        return learn(*said)

    monkeypatch.setattr(policy_selfplay.RewardTrainer, "learn", begun)
    told = learner.step(lambda: learning)
    assert told["training_steps"] == 0 < told["games"] and "loss" not in told


def test_a_round_without_anything_learnt_tells_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games are taken by the fours: the second and third round have none of their own."""
    met = []
    meet = PolicySelfplayLearner._meet
    monkeypatch.setattr(
        PolicySelfplayLearner, "_meet", lambda self, other, look: met.append(other) or meet(self, other, look)
    )
    learner = PolicySelfplayLearner(replace(KEPT, games=4, rounds=4, update_games=4), 1)
    told = [learner.step() for _ in range(4)]
    assert {"loss", "plies", "entropy", "against_reference"} <= told[0].keys()
    for each in told[1:]:
        assert each == {"games": told[0]["games"], "training_steps": told[0]["training_steps"]}
    assert met == ["reference", "supervised"] and learner._round == 4


def test_matches_of_runs_of_other_seeds_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(
        policy_selfplay_learner, "score", lambda think, count, seed, threads, look: asked.append(seed) or 0.5
    )
    for seed in (1, 2):
        learner = PolicySelfplayLearner(replace(KEPT, rival_games=2), seed)
        learner.step()
        learner.step()
    assert len(set(asked)) == 4


def test_measures_say_of_how_many_games_they_are() -> None:
    for name, measure in PolicySelfplayLearner.measures(replace(TINY, rival_games=30)).items():
        if measure.games and measure.meaning:
            assert measure.meaning.startswith(f"{measure.games} games "), name
    assert PolicySelfplayLearner.measures(replace(TINY, rival_games=30))["against_rival"].games == 30


@pytest.mark.parametrize(
    ("changes", "error", "words"),
    [
        ({"rounds": 17}, BadOption, "rounds must be at most games, 16"),
        ({"device": "tpu"}, BadOption, "device must be auto, cpu, cuda"),
        ({"start": "chess/human"}, CheckpointMismatch, "not made of convolutions"),
        ({"start": "nothing"}, CheckpointMismatch, "no weights.safetensors at 'nothing'"),
        ({"kl": -1.0}, BadOption, "kl must be between 0 and"),
    ],
)
def test_wrong_options_are_told_in_a_line(changes: dict[str, object], error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        PolicySelfplayLearner(replace(TINY, **changes), 1)


def test_the_recipe_is_the_paper() -> None:
    options = find("chess-policy-selfplay").options
    assert (options.labels, options.head, options.kl) == ("human", "flat", 0)
    assert (options.max_plies, options.evaluation_games, options.positions) == (350, 200, 100_000)
