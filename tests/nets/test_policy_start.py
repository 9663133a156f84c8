"""A network that was exported and read again says the same, and goes on learning as one that was not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
onnxruntime = pytest.importorskip("onnxruntime")

from rookery import weights  # noqa: E402
from rookery.errors import CheckpointMismatch  # noqa: E402
from rookery.nets import policy, policy_start  # noqa: E402

SMALL = policy.Shape(blocks=2, channels=8)
RATED = replace(SMALL, encoder=policy.SQUARES, head="pairs", squeeze=4)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> None:
    torch.set_num_threads(1)


def trained(shape: policy.Shape) -> policy.PolicyNet:
    """A network as if it had learnt: no two of its parts are alike."""
    torch.manual_seed(1)
    net = policy.PolicyNet(shape)
    for name, tensor in net.state_dict().items():
        if name.endswith("running_var"):
            tensor.uniform_(0.5, 2)
        elif tensor.dim() == 1:
            tensor.normal_(0.1, 0.3)
    return net.eval()


def told(shape: policy.Shape, count: int) -> tuple[torch.Tensor, torch.Tensor | None]:
    planes = torch.randint(0, 2, (count, policy.PLANES[shape.encoder], 8, 8)).float()
    return planes, torch.randint(900, 3000, (count, 2)).float() if shape.rated else None


def written(path: Path, net: policy.PolicyNet, stored: str) -> Path:
    policy.export(path / "policy.onnx", net, {}, stored)
    return path / "policy.onnx"


@pytest.mark.parametrize("stored", ["float32", "float16", "int8"])
@pytest.mark.parametrize(
    "shape",
    [SMALL, RATED, replace(SMALL, trunk="dense"), replace(SMALL, head="flat"), replace(SMALL, norm=False)],
)
def test_what_is_read_says_what_onnx_runtime_says(tmp_path: Path, shape: policy.Shape, stored: str) -> None:
    path = written(tmp_path, trained(shape), stored)
    planes, ratings = told(shape, 5)
    net = policy_start.read(path, shape)
    assert not net.shape.norm
    with torch.no_grad():
        logits, outcome = net(planes, ratings)
    given = {"planes": planes.numpy(), **({} if ratings is None else {"ratings": ratings.numpy()})}
    said = onnxruntime.InferenceSession(path.read_bytes()).run(None, given)
    ours = [logits, *([] if outcome is None else [outcome])]
    for mine, other in zip(ours, said, strict=True):
        difference = torch.softmax(mine, 1) - torch.softmax(torch.from_numpy(other), 1)
        assert float(difference.abs().max()) < 1e-3
        assert float(mine.std()) > 0.01


@pytest.mark.parametrize("shape", [SMALL, RATED])
def test_normalisations_change_nothing(tmp_path: Path, shape: policy.Shape) -> None:
    """Neither while it plays nor, on the positions that they were measured on, while it learns."""
    net = policy_start.read(written(tmp_path, trained(shape), "float32"), shape)
    planes, ratings = told(shape, 40)
    found = policy_start.normalised(net, planes, ratings)
    assert found.shape == shape
    with torch.no_grad():
        expected, playing = net(planes, ratings)[0], found.eval()(planes, ratings)[0]
        learning = found.train()(planes, ratings)[0]
    assert np.allclose(playing, expected, atol=1e-4)
    assert np.allclose(learning, expected, atol=1e-2)
    for module in found.modules():
        if isinstance(module, policy.Conv):
            assert np.allclose(module.conv.weight.detach().flatten(1).norm(dim=1), 2**0.5, atol=1e-4)


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (replace(RATED, blocks=3), "no weights net.tower.blocks.2"),
        (replace(RATED, blocks=1), "more layers than the recipe says"),
        (replace(RATED, channels=16), "has the sizes \\[8, 20"),
        (SMALL, "sees chess-squares-1"),
    ],
)
def test_another_network_is_refused(tmp_path: Path, shape: policy.Shape, words: str) -> None:
    path = written(tmp_path, trained(RATED), "int8")
    with pytest.raises(CheckpointMismatch, match=words):
        policy_start.read(path, shape)
    path.write_bytes(path.read_bytes()[:1000])
    with pytest.raises(CheckpointMismatch, match="is no network of this recipe's shape"):
        policy_start.read(path, RATED)


@pytest.mark.parametrize("stored", ["float32", "int8"])
def test_a_trunk_without_the_ways_past_its_blocks_is_another(tmp_path: Path, stored: str) -> None:
    """Though the weights have the same names and sizes."""
    plain = replace(SMALL, trunk="plain")
    for one, other, words in (
        (SMALL, plain, "residual, the recipe's plain"),
        (plain, SMALL, "plain, the rec"),
    ):
        path = written(tmp_path, trained(one), stored)
        assert policy_start.read(path, one).shape.trunk == one.trunk
        with pytest.raises(CheckpointMismatch, match=f"its trunk is {words}"):
            policy_start.read(path, other)


def test_a_foreign_file_of_another_make_is_refused_in_a_line(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    path = written(tmp_path, trained(SMALL), "int8")
    model = onnx.load(path)
    scale = next(each for each in model.graph.initializer if each.name.endswith(".scale"))
    scale.name = "net.scale"
    onnx.save(model, path)
    with pytest.raises(CheckpointMismatch, match="is no network of this recipe's shape"):
        policy_start.read(path, SMALL)
    first = next(node for node in model.graph.node if node.op_type == "Conv")
    del first.input[1:]
    onnx.save(model, path)
    with pytest.raises(CheckpointMismatch, match="is no network to learn on"):
        policy_start.network(str(path))


@pytest.mark.parametrize("stored", ["float32", "float16", "int8"])
@pytest.mark.parametrize(
    ("trunk", "blocks", "head"),
    [("residual", 2, "pooling"), ("plain", 1, "flat"), ("residual", 2, "average")],
)
def test_a_file_tells_what_shape_it_has(
    tmp_path: Path, trunk: str, blocks: int, head: str, stored: str
) -> None:
    shape = replace(SMALL, trunk=trunk, blocks=blocks, head=head, norm=False)
    net = trained(replace(shape, norm=True))
    path = written(tmp_path, net, stored)
    assert policy_start.find(str(tmp_path)) == path
    again = policy_start.network(str(path))
    assert again.shape == shape
    planes, _ = told(shape, 3)
    with torch.no_grad():
        expected, found = net(planes)[0], again(planes)[0]
    assert float((expected - found).abs().max()) < 0.05 * float(expected.abs().max())


def test_weights_in_full_are_taken_where_they_are_there(tmp_path: Path) -> None:
    net, (planes, _) = trained(SMALL), told(SMALL, 3)
    written(tmp_path, net, "int8")
    policy.write(tmp_path / weights.FILE, net, {})
    with torch.no_grad():
        assert torch.allclose(net(planes)[0], policy_start.network(str(tmp_path))(planes)[0], atol=1e-4)
        (tmp_path / "policy.onnx").unlink()
        assert torch.allclose(net(planes)[0], policy_start.network(str(tmp_path))(planes)[0], atol=1e-4)


def test_a_network_of_another_kind_is_refused(tmp_path: Path) -> None:
    for shape in (RATED, replace(SMALL, trunk="dense")):
        path = written(tmp_path, trained(shape), "float16")
        with pytest.raises(CheckpointMismatch, match="not made of convolutions that see"):
            policy_start.network(str(path))
        policy.write(tmp_path / weights.FILE, trained(shape), {})
        with pytest.raises(CheckpointMismatch, match="no network of convolutions"):
            policy_start.network(str(tmp_path))
        (tmp_path / weights.FILE).unlink()
