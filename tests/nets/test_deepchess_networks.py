"""The networks of DeepChess and what trains them, against slow twins."""

from __future__ import annotations

from pathlib import Path

import chess
import numpy as np
import pytest

torch = pytest.importorskip("torch")

from rookery.errors import CheckpointMismatch  # noqa: E402
from rookery.nets import deepchess, optimisers  # noqa: E402
from rookery.nets.deepchess import BITS, FULL, PAD, SLOTS, SMALL, DeepChess  # noqa: E402
from rookery.nets.deepchess_device import MimicEmbedding, Pairs, Positions  # noqa: E402


def bits_of(board: chess.Board) -> list[int]:
    """The twin of native/encoders/chess_bits.hpp."""
    found = [
        ((0 if piece.color else 1) * 6 + piece.piece_type - 1) * 64 + square
        for square, piece in board.piece_map().items()
    ]
    rights = [board.has_kingside_castling_rights, board.has_queenside_castling_rights]
    found += [768] * board.turn
    found += [769 + 2 * (not colour) + i for colour in (True, False) for i in (0, 1) if rights[i](colour)]
    return sorted(found) + [PAD] * (SLOTS - len(found))


FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b Qk - 0 1",
]


def table() -> torch.Tensor:
    return torch.tensor([bits_of(chess.Board(fen)) for fen in FENS], dtype=torch.int16)


def test_both_ways_through_the_first_layer_are_one() -> None:
    layer = DeepChess(SMALL).embed.first
    bits = table()
    dense = deepchess.dense(bits, torch.float32)
    assert torch.equal(dense.sum(1), (bits != PAD).sum(1).float())
    product = torch.addmm(layer.bias, dense, layer.table)
    assert torch.allclose(layer(bits), product, atol=1e-5)
    layer(bits).sum().backward()
    assert not layer.table.grad[BITS:].any() and layer.table.grad[:BITS].any()


def test_the_first_layer_begins_for_the_bits_that_are_active() -> None:
    """Of 33 active ones, so that its sums have a variance of 2, as He et al. want it of every layer."""
    torch.manual_seed(1)
    out = DeepChess(FULL).embed.first(table()[:1]).flatten()
    assert out.var().item() == pytest.approx(2 * 37 / 33, rel=0.2)


def test_mirrored_positions_are_those_of_the_mirrored_board() -> None:
    rights = [chess.STARTING_FEN.replace("KQkq", right) for right in "KQkq"]
    boards = [chess.Board(fen) for fen in (*FENS, *rights)]
    bits = torch.tensor([bits_of(board) for board in boards], dtype=torch.int16)
    assert deepchess.mirrored(bits).sort(1).values.tolist() == [bits_of(board.mirror()) for board in boards]


def test_preferences_turn_round() -> None:
    net = DeepChess(SMALL)
    a, b = net.embed(table()), net.embed(table().flip(0))
    assert torch.allclose(net.preference(a, b), -net.preference(b, a), atol=1e-5)
    there, back = net(table(), table().flip(0)), net(table().flip(0), table())
    expected = ((there[:, 0] - there[:, 1]) - (back[:, 0] - back[:, 1])) / 2
    assert torch.allclose(net.preference(a, b), expected, atol=1e-5)


@pytest.mark.parametrize("shape", [FULL, SMALL], ids=["full", "small"])
@pytest.mark.parametrize("scalar", [True, False])
def test_a_file_gives_the_network_back(tmp_path: Path, shape: deepchess.Shape, scalar: bool) -> None:
    net = DeepChess(shape, dropout=0.5).train()
    path = tmp_path / "weights.safetensors"
    deepchess.write(path, net, table(), scalar, {})
    assert net.training
    again, has_scalar = deepchess.read(path)
    net.eval()
    assert has_scalar == scalar
    assert torch.equal(net(table(), table().flip(0)), again(table(), table().flip(0)))
    if scalar:
        assert torch.equal(net.value(net.embed(table())), again.value(again.embed(table())))


def test_files_say_how_large_activations_are(tmp_path: Path) -> None:
    net = DeepChess(SMALL).eval()
    deepchess.write(tmp_path / "w", net, table(), True, {})
    facts, arrays = deepchess.weights.read(tmp_path / "w", deepchess.KIND, deepchess.VERSION)
    assert facts["embed"] == [773, 100, 100, 100] and facts["scalar"] == [100, 32, 1]
    assert arrays["embed.0.weight"].shape == (100, 773)
    first = torch.relu(net.embed.first(table())).max().item()
    assert arrays["embed.ranges"].shape == (3,) and arrays["embed.ranges"][0] == pytest.approx(first)
    assert arrays["compare.ranges"].shape == (2,) and arrays["scalar.ranges"].shape == (1,)


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    from rookery import weights

    path = tmp_path / "w"
    facts = {"game": "chess", "embed": [773, 5], "compare": [10, 2]}
    weights.write(path, "deepchess", 1, facts, {"x": np.zeros(1, np.float32)})
    with pytest.raises(CheckpointMismatch, match="which no network here has"):
        deepchess.read(path)
    facts = {"game": "chess", "embed": [*SMALL.embed], "compare": [*SMALL.compare]}
    weights.write(path, "deepchess", 1, facts, {"embed.0.weight": np.zeros((1, 2), np.float32)})
    with pytest.raises(CheckpointMismatch, match=r"embed.0.weight must be \[100, 773\] \(it is \[1, 2\]\)"):
        deepchess.read(path)


def positions() -> Positions:
    won = np.array([True, False, True, False, True])
    return Positions(table().numpy(), won, torch.device("cpu"), near=table().numpy()[::-1].copy())


def test_pairs_are_of_a_won_and_a_lost_position_in_any_order() -> None:
    rows = positions().pairs(2000, torch.Generator().manual_seed(1), flip=True)
    won = (rows[:, :2] % 2) == 0
    assert (won.sum(1) == 1).all()
    # The first is the better one unless it is the lost one or colours are exchanged.
    assert torch.equal(rows[:, 2] == 0, won[:, 0] ^ rows[:, 3].bool())
    for column in (2, 3):
        assert 0.45 < rows[:, column].float().mean() < 0.55
    assert torch.bincount(rows[:, 0], minlength=5).min() > 250


def test_the_loss_of_an_embedding_is_half_the_squared_distance_of_a_position() -> None:
    net, teacher = deepchess.DeepChess(SMALL), deepchess.DeepChess(SMALL)
    task, rows = MimicEmbedding(net, teacher), torch.tensor([[0, 1], [2, 3]])
    with torch.no_grad():
        bits = positions().bits[rows[:, 0]]
        wanted = (net.embed(bits) - teacher.embed(bits)).float().pow(2).sum(1).mean() / 2
        assert task.loss(positions(), rows).item() == pytest.approx(wanted.item(), rel=1e-5)


def test_half_of_the_pairs_to_mimic_are_near_each_other() -> None:
    rows = positions().mixed(2000, torch.Generator().manual_seed(1))
    near = (rows[:, 0] - rows[:, 1]).abs() == 5
    assert 0.49 < near.float().mean() < 0.62 and (rows[:, :2] < 10).all()


def test_accuracy_and_cross_entropy_are_those_of_the_pairs() -> None:
    pairs = Pairs(positions(), 500, 1)
    by_number = {tuple(row): i for i, row in enumerate(table().tolist())}

    def prefers(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
        """Knows who won, but of the last."""
        lead = torch.tensor([1.0, -1.0, 1.0, -1.0, -1.0])
        number = [torch.tensor([by_number[tuple(row)] for row in side.tolist()]) for side in (a, b)]
        return lead[number[0]] - lead[number[1]]

    accuracy, entropy = pairs.judge(prefers)
    ties = (pairs.rows[:, :2] == 4).any(1).float().mean().item()
    assert accuracy == pytest.approx(1 - ties / 2)
    assert entropy == pytest.approx((1 - ties) * np.log1p(np.exp(-2)) + ties * np.log(2), rel=1e-6)


@pytest.mark.parametrize("kind", ["momentum", "adamw"])
def test_optimisers_are_those_of_torch(kind: str) -> None:
    torch.manual_seed(1)
    ours = [torch.randn(4, 3, requires_grad=True), torch.randn(3, requires_grad=True)]
    theirs = [p.detach().clone().requires_grad_() for p in ours]
    if kind == "momentum":
        mine = optimisers.Momentum(ours)
        twin = torch.optim.SGD(theirs, lr=0.1, momentum=0.9)
    else:
        mine = optimisers.AdamW(ours, 0.1)
        groups = [{"params": theirs[:1], "weight_decay": 0.1}, {"params": theirs[1:], "weight_decay": 0.0}]
        twin = torch.optim.AdamW(groups, lr=0.1)
    for _ in range(5):
        for a, b in zip(ours, theirs, strict=True):
            a.grad = torch.randn_like(a)
            b.grad = a.grad.clone()
        mine.step(torch.tensor(0.1))
        twin.step()
    assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(ours, theirs, strict=True))
