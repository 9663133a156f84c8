"""Policy networks: what they see is what the encoders say, what they learn is what the formulas say."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
sys.path.insert(0, str(Path(__file__).parents[1] / "records"))

from games_made import SET_UP, imported, random_game, random_games  # noqa: E402

from rookery import native  # noqa: E402
from rookery.errors import CheckpointMismatch  # noqa: E402
from rookery.games.chess import CHESS  # noqa: E402
from rookery.nets import optimisers, policy, policy_device  # noqa: E402

MADE = [*random_games(30), random_game(5, 60, SET_UP)]
SMALL = policy.Shape(blocks=2, channels=8)
RATED = replace(SMALL, encoder=policy.SQUARES, head="pairs", squeeze=4)
SHAPES = [
    SMALL, RATED, replace(SMALL, trunk="plain"), replace(SMALL, trunk="dense"),
    replace(SMALL, head="average"),
    replace(SMALL, head="flat"), replace(SMALL, norm=False),
]  # fmt: skip


@pytest.fixture(scope="module")
def rows(tmp_path_factory) -> policy_device.Rows:
    torch.set_num_threads(1)
    store = imported(tmp_path_factory.mktemp("made"), "".join(game.pgn for game in MADE))
    return policy_device.Rows([store], 1, torch.device("cpu"), 2)


def net_of(shape: policy.Shape) -> policy.PolicyNet:
    """A network whose normalisations have something to say."""
    torch.manual_seed(1)
    net = policy.PolicyNet(shape)
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            for tensor in (module.running_mean, module.weight.data, module.bias.data):
                tensor.normal_()
            module.running_var.uniform_(0.5, 2)
    return net.eval()


def told(shape: policy.Shape, count: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    planes = torch.randint(0, 2, (count, policy.PLANES[shape.encoder], 8, 8)).float()
    return planes, torch.randint(900, 3000, (count, 2)).float() if shape.rated else None


def test_rows_give_what_the_encoders_give(rows: policy_device.Rows) -> None:
    for number, game in enumerate(MADE):
        state, states = CHESS.start(game.board.root().fen()), []
        for move in game.board.move_stack:
            states.append(state.native)
            state = state.play(state.parse(move.uci()))
        here = torch.arange(int(rows.begins[number]), int(rows.begins[number + 1]))
        assert np.array_equal(rows.squares(here).numpy(), native.chess_squares(states))
        assert np.array_equal(rows.history(here).numpy(), native.chess_planes(states))
        for turned in (False, True):
            begins, legal = native.chess_legal_actions(states, turned)
            actions, there, played = rows.choices(here, turned)
            for i in range(len(states)):
                assert set(actions[i][there[i]].tolist()) == set(legal[begins[i] : begins[i + 1]].tolist())
                assert int(played[i]) in legal[begins[i] : begins[i + 1]]
            assert all(
                len(set(line.tolist()[int(n) :])) == 224 - n
                for line, n in zip(actions, there.sum(1), strict=True)
            )


def test_outcomes_and_ratings_are_the_movers(rows: policy_device.Rows) -> None:
    here = torch.arange(rows.count)
    game, black = rows.game[here].long(), rows.black(here)
    result = rows.result[game].long()
    wanted = torch.where(black.bool(), 1 + result, 1 - result)
    assert torch.equal(rows.outcome(here)[result < 2], wanted[result < 2])
    assert bool((rows.outcome(here)[result == 2] == -100).all())
    elos = rows.elos[game].float()
    assert torch.equal(rows.ratings(here)[:, 0], elos.gather(1, black[:, None])[:, 0])
    assert torch.equal(rows.ratings(here)[:, 1], elos.gather(1, 1 - black[:, None])[:, 0])


def test_bands_are_of_a_hundred_points() -> None:
    ratings = torch.tensor([0.0, 900, 1399, 1400, 1499, 2299, 2300, 2699, 2700, 2900])
    names = [(*policy_device.BANDS, "unknown")[i] for i in policy_device.band(ratings).tolist()]
    assert names == [
        "unknown", "below 1400", "below 1400", "1400s", "1400s", "2200s", "2300s", "2600s", "2700 and more",
        "2700 and more",
    ]  # fmt: skip


@pytest.mark.parametrize("sampling", ["plain", "bands", "strong"])
def test_draws_are_of_the_shares_that_they_should_be(rows: policy_device.Rows, sampling: str) -> None:
    chosen = rows.of(policy_device.TRAIN, 4)
    assert bool((rows.side[rows.game[chosen].long()] == policy_device.TRAIN).all())
    assert int(rows.ply(chosen).min()) == 4
    bands = torch.arange(len(chosen)) % 3 + 9  # 2200s to 2400s: a third each, but for the first half
    bands[: len(chosen) // 2] = 9
    fake = _Rated(rows, chosen, bands)
    drawn = policy_device.Draws(fake, chosen, sampling).draw(30_000, torch.Generator().manual_seed(1))
    assert set(drawn.tolist()) <= set(chosen.tolist())
    found = torch.bincount(fake.bands(drawn).int(), minlength=12)[9:12] / 30_000
    counts = torch.bincount(bands, minlength=12)[9:12].double()
    weight = {"plain": counts, "bands": torch.ones(3), "strong": counts * torch.tensor([1, 3, 3])}[sampling]
    assert found.tolist() == pytest.approx((weight / weight.sum()).tolist(), abs=0.015)


class _Rated:
    """Rows whose movers have other ratings."""

    def __init__(self, rows: policy_device.Rows, chosen: torch.Tensor, bands: torch.Tensor) -> None:
        self.count, self._bands = rows.count, dict(zip(chosen.tolist(), bands.tolist(), strict=True))

    def bands(self, rows: torch.Tensor) -> torch.Tensor:
        return torch.tensor([self._bands[row] for row in rows.tolist()], dtype=torch.uint8)


@pytest.mark.parametrize("kind", ["legal", "all", "cross-entropy"])
def test_losses_are_those_of_the_formulas(rows: policy_device.Rows, kind: str) -> None:
    here = torch.arange(0, rows.count, 37)
    actions, there, played = rows.choices(here, False)
    logits = torch.randn(len(here), policy.ACTIONS) * 3
    wanted = []
    for i in range(len(here)):
        moves = list(range(policy.ACTIONS)) if kind == "all" else actions[i][there[i]].tolist()
        e = np.exp(logits[i].double().numpy()[moves])
        p = e / e.sum()
        y = np.array([move == int(played[i]) for move in moves])
        if kind == "cross-entropy":
            wanted.append(-np.log(e[y] / e.sum())[0])
        else:
            wanted.append(-np.where(y, np.log(p), np.log(1 - p)).sum() / policy.ACTIONS)
    found = policy_device.policy_loss(kind, logits, actions, there, played)
    assert float(found) == pytest.approx(float(np.mean(wanted)), rel=1e-4)


@pytest.mark.parametrize("kind", ["legal", "all", "cross-entropy"])
def test_a_network_that_is_sure_of_a_wrong_move_learns_the_right_one(
    rows: policy_device.Rows, kind: str
) -> None:
    here = torch.tensor([11])
    actions, there, played = rows.choices(here, False)
    wrong = next(int(action) for action in actions[0][there[0]] if action != played[0])
    logits = torch.zeros(1, policy.ACTIONS)
    logits[0, wrong] = 60.0
    logits.requires_grad_()
    policy_device.policy_loss(kind, logits, actions, there, played).backward()
    assert logits.grad is not None and logits.grad.isfinite().all()
    assert logits.grad[0, wrong] > 0 > logits.grad[0, int(played[0])]


def test_a_forced_move_teaches_nothing() -> None:
    actions, there = torch.arange(policy_device.MOST)[None], torch.zeros(1, policy_device.MOST, dtype=bool)
    there[0, 5] = True
    logits = torch.randn(1, policy.ACTIONS, requires_grad=True)
    loss = policy_device.policy_loss("legal", logits, actions, there, torch.tensor([5]))
    loss.backward()
    assert loss.item() == 0 and logits.grad is not None and not logits.grad.any()


def test_answers_are_those_of_the_probabilities(rows: policy_device.Rows) -> None:
    net, here = net_of(RATED), torch.arange(0, rows.count, 41)
    answers = policy_device.ask(net, rows, here, chunk=7)
    with torch.no_grad():
        logits, _ = net(rows.squares(here).float(), rows.ratings(here))
    actions, there, played = rows.choices(here, True)
    for i in range(len(here)):
        legal = actions[i][there[i]].tolist()
        best = sorted(legal, key=lambda action: -float(logits[i, action]))
        assert best.index(int(played[i])) == int(answers.rank[i])
        p = torch.softmax(logits[i, legal].double(), 0)[legal.index(int(played[i]))]
        assert float(answers.entropy[i]) == pytest.approx(-float(p.log()), rel=1e-4)
    figures = answers.figures()
    assert figures["accuracy"] == float((answers.rank == 0).double().mean()) <= figures["top3"]
    other = policy_device.ask(net, rows, here, 1500.0)
    assert not torch.equal(other.entropy, answers.entropy)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.trunk}-{shape.head}-{shape.norm}")
def test_a_folded_network_says_the_same_and_so_does_its_file(shape: policy.Shape, tmp_path: Path) -> None:
    net, given = net_of(shape), told(shape, 5)
    plain = policy.folded(net)
    assert not any(isinstance(module, torch.nn.BatchNorm2d) for module in plain.modules())
    policy.write(tmp_path / "weights", net, {"learner": "policy"})
    again = policy.read(tmp_path / "weights")
    with torch.no_grad():
        for a, b, c in zip(net(*given), plain(*given), again(*given), strict=True):
            assert (a is None) == (b is None) == (c is None)
            if a is not None:
                assert a.shape == b.shape and torch.allclose(a, b, atol=1e-3, rtol=1e-3) and torch.equal(b, c)


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    from rookery import weights

    net = policy.folded(net_of(SMALL))
    arrays = {name: tensor.numpy() for name, tensor in net.state_dict().items()}
    weights.write(tmp_path / "weights", "policy", 1, {"shape": {"blocks": 3}}, arrays)
    with pytest.raises(CheckpointMismatch, match="no network that can be made here"):
        policy.read(tmp_path / "weights")


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape.trunk}-{shape.head}-{shape.norm}")
@pytest.mark.parametrize("stored", ["float32", "float16"])
def test_the_exported_network_says_the_same(shape: policy.Shape, stored: str, tmp_path: Path) -> None:
    ort = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    net, given = net_of(shape), told(shape, 5)
    policy.export(tmp_path / "policy.onnx", net, {"seed": 1}, stored)
    session = ort.InferenceSession(str(tmp_path / "policy.onnx"))
    arrays = {"planes": given[0].numpy(), **({} if given[1] is None else {"ratings": given[1].numpy()})}
    with torch.no_grad():
        wanted = [each for each in net(*given) if each is not None]
    assert [each.name for each in session.get_outputs()] == ["policy", "wdl"][: len(wanted)]
    card = session.get_modelmeta().custom_metadata_map
    assert card["encoder"] == shape.encoder and card["kind"] == "policy" and card["hash"]
    for a, b in zip(session.run(None, arrays), wanted, strict=True):
        assert float((torch.softmax(torch.from_numpy(a), 1) - torch.softmax(b, 1)).abs().max()) < 1e-3


def test_ratings_between_knots_are_linear_and_unknown_ones_apart() -> None:
    ratings = policy.Ratings(4)
    ratings.out = torch.nn.Identity()
    ratings.into.weight.data.abs_(), ratings.into.bias.data.fill_(100)  # no unit is 0
    at = {
        r: ratings(torch.tensor([[r, 2000.0]]))[0]
        for r in (0.0, 500.0, 1000.0, 1500.0, 1540.0, 1600.0, 2900.0, 3500.0)
    }
    assert torch.allclose(at[1540.0], 0.6 * at[1500.0] + 0.4 * at[1600.0], atol=1e-4)
    assert torch.equal(at[500.0], at[1000.0]) and torch.equal(at[2900.0], at[3500.0])
    assert not torch.equal(at[0.0], at[1000.0])


def test_the_fused_optimiser_is_adamw() -> None:
    torch.manual_seed(1)
    ours = [torch.randn(4, 3, 3, 3), torch.randn(5), torch.randn(6, 2)]
    theirs = [each.clone() for each in ours]
    plain, fused = optimisers.AdamW(ours, 0.1), optimisers.FusedAdamW(theirs, 0.1)
    for _ in range(5):
        for a, b in zip(ours, theirs, strict=True):
            a.grad = torch.randn_like(a)
            b.grad = a.grad.clone()
        plain.step(torch.tensor(0.01))
        fused.step(torch.tensor(0.01))
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(ours, theirs, strict=True))


def test_units_that_are_never_active_are_dead(rows: policy_device.Rows) -> None:
    net = policy.PolicyNet(replace(SMALL, norm=False, blocks=1)).eval()
    here = torch.arange(50)
    before = policy_device.dead_units(net, rows, here)
    net.tower.stem.conv.weight.data[:4] = 0
    net.tower.stem.conv.bias.data[:4] = -1
    assert policy_device.dead_units(net, rows, here) >= max(before, 4 / 24)


def test_steps_of_muon_are_nearly_orthogonal() -> None:
    torch.manual_seed(1)
    found = torch.linalg.svdvals(optimisers.orthogonal(torch.randn(3, 16, 144)))
    assert float(found.min()) > 0.6 and float(found.max()) < 1.3
    inner, other = torch.randn(8, 8, 3, 3), torch.randn(8, 4, 3, 3)
    before, kept = inner.clone(), optimisers.AdamW([other.clone()], 0.1)
    muon = optimisers.Muon([inner, other], 0.1)
    inner.grad, other.grad = torch.randn_like(inner), torch.randn_like(other)
    kept._parameters[0].grad = other.grad.clone()
    muon.step(torch.tensor(0.01)), kept.step(torch.tensor(0.01))
    assert torch.allclose(other, kept._parameters[0], atol=1e-6)
    change = (inner - before * (1 - 0.001)) / 0.01
    assert 0.15 < float(change.square().mean().sqrt()) < 0.25
