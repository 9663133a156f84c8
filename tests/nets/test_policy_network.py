"""Chess by a policy network: from a file to a move."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rookery import games, native, players
from rookery.api import DefersValues, Limit
from rookery.errors import BadOption, CheckpointMismatch, RookeryError, UnsupportedGame
from rookery.evaluators.handmade import Pieces
from rookery.evaluators.policy import PolicyNetwork
from walks import walk

torch = pytest.importorskip("torch")
onnx = pytest.importorskip("onnx")

import tiny_policy  # noqa: E402

CHESS = games.get("chess")
STATES = [s for seed in range(3) for s in walk(CHESS, seed, 60) if s.outcome() is None]


@pytest.mark.parametrize("rated", [False, True])
@pytest.mark.parametrize(
    "search", ["topk:k=2", "probability:depth=2", "rollouts:games=3,plies=2", "puct:nodes=50"]
)
def test_every_search_plays_with_it(tmp_path: Path, search: str, rated: bool) -> None:
    player = players.make(f"{search}+policy@{tiny_policy.put(tmp_path, rated)}", CHESS)

    def game(seed: int) -> Any:
        state = CHESS.start()
        for seat in (0, 1):
            player.start(CHESS.spec, seat, seed)
        for _ in range(6):
            state = state.play(player.choose(state.view(state.seat), Limit()))
        return state.history()

    assert game(1) == game(1)


@pytest.mark.parametrize("rated", [False, True])
def test_shares_and_values_are_the_softmax_of_what_the_module_says(tmp_path: Path, rated: bool) -> None:
    knowledge = PolicyNetwork(CHESS, str(tiny_policy.put(tmp_path, rated)), temperature=1.5)
    told = knowledge.evaluate(STATES)
    actions = {name: i for i, name in enumerate(native.chess_actions())}
    encode = native.chess_squares if rated else native.chess_planes
    planes = torch.from_numpy(encode([s.native for s in STATES]).astype(np.float32))
    with torch.no_grad():
        net = tiny_policy.module(rated)
        logits, wdl = net(planes, torch.zeros(len(STATES), 2)) if rated else (net(planes), None)
    assert told.policy is not None
    for i, state in enumerate(STATES):
        names = [native.uci(move) for move in state.moves()]
        if rated and state.seat == 1:
            turn = str.maketrans("12345678", "87654321")
            names = [name.translate(turn) for name in names]
        wanted = torch.softmax(logits[i, [actions[name] for name in names]] / 1.5, 0).numpy()
        assert told.policy.of(i) == pytest.approx(wanted, abs=1e-5)
        assert told.policy.of(i) == pytest.approx(knowledge.policy([state]).of(0), abs=1e-5)
        if wdl is not None:
            won, _, lost = torch.softmax(wdl[i], 0).tolist()
            assert told.value[i, state.seat] == pytest.approx(won - lost, abs=1e-5)
            assert told.value[i].sum() == 0
    if not rated:
        assert np.array_equal(told.value, Pieces(CHESS).evaluate(STATES).value)


def test_values_that_it_has_not_learnt_are_those_of_piece_square_tables(tmp_path: Path) -> None:
    plain = PolicyNetwork(CHESS, str(tiny_policy.put(tmp_path, False)))
    assert isinstance(plain, DefersValues) and isinstance(plain.static, Pieces)
    valued = PolicyNetwork(CHESS, str(tiny_policy.put(tmp_path, True)))
    assert valued.static is valued


def test_ratings_change_the_moves_and_the_opponent_has_the_same_unless_it_is_said(tmp_path: Path) -> None:
    path = str(tiny_policy.put(tmp_path, True, card={"elo": "2700"}))

    def shares(**options: Any) -> Any:
        return PolicyNetwork(CHESS, path, **options).policy(STATES).shares

    assert np.array_equal(shares(), shares(elo=2700))
    assert np.array_equal(shares(elo=1500), shares(elo=1500, opponent=1500))
    assert not np.array_equal(shares(elo=1500), shares(elo=1500, opponent=1600))
    assert not np.array_equal(shares(), shares(elo=1500))
    assert players.make(f"topk+policy@{path}:elo=1500", CHESS).name == f"topk+policy@{path}:elo=1500"


def test_a_network_without_a_usual_rating_is_told_none(tmp_path: Path) -> None:
    path = str(tiny_policy.put(tmp_path, True))
    knowledge = PolicyNetwork(CHESS, path)
    assert knowledge._ratings is not None and knowledge._ratings.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"temperature": 0}, r"temperature must be between 0.05 and 20 \(got 0\)"),
        ({"temperature": float("nan")}, "temperature must be between"),
        ({"elo": 999}, r"elo must be between 1000 and 2900 \(got 999\)"),
        ({"opponent": 3000}, r"opponent must be between 1000 and 2900 \(got 3000\)"),
        ({"elo": 1500}, "is not told ratings; leave out elo and opponent"),
        ({"device": "nowhere"}, "device 'nowhere' cannot be used"),
    ],
)
def test_bad_options_are_refused_in_one_line(tmp_path: Path, options: Any, words: str) -> None:
    with pytest.raises(BadOption, match=words) as error:
        PolicyNetwork(CHESS, str(tiny_policy.put(tmp_path, False)), **options)
    assert "\n" not in str(error.value)


def test_other_games_are_refused() -> None:
    for name in ("go9", "kriegspiel"):
        with pytest.raises(UnsupportedGame, match="policy knows chess only"):
            PolicyNetwork(games.get(name), "anything")


def refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "policy.onnx"
    path.write_bytes(content)
    with pytest.raises(CheckpointMismatch, match=words) as error:
        PolicyNetwork(CHESS, str(path))
    told = str(error.value)
    assert "\n" not in told and len(told) < 400 + len(str(path))


SOUND = tiny_policy.write(tiny_policy.module(False))


def change(edit: Any) -> bytes:
    model = onnx.load_from_string(SOUND)
    edit(model)
    return bytes(model.SerializeToString())


def test_foreign_files_are_refused_in_one_line(tmp_path: Path) -> None:
    helper = onnx.helper

    def bomb(model: Any) -> None:
        last = "planes"
        for number in range(40):
            model.graph.node.append(helper.make_node("Concat", [last, last], [f"b{number}"], axis=0))
            last = f"b{number}"
        model.graph.node.append(
            helper.make_node("ReduceMean", [last], ["end"], axes=[0, 1, 2, 3], keepdims=0)
        )
        for node in model.graph.node:
            node.output[:] = ["sum" if name == "policy" else name for name in node.output]
        model.graph.node.append(helper.make_node("Add", ["sum", "end"], ["policy"]))

    def another_operator(model: Any) -> None:
        next(n for n in model.graph.node if n.op_type == "Relu").op_type = "Exp"

    def domain(model: Any) -> None:
        model.graph.node[0].domain = "com.microsoft"

    def external(model: Any) -> None:
        constant = model.graph.initializer[0]
        onnx.external_data_helper.set_external_data(constant, "/etc/passwd")
        constant.data_location = onnx.TensorProto.EXTERNAL
        constant.ClearField("raw_data")

    def rename(model: Any) -> None:
        model.graph.input[0].name = "boards"

    def spoilt(model: Any) -> None:
        array = onnx.numpy_helper.to_array(model.graph.initializer[0])
        constant = onnx.numpy_helper.from_array(np.full_like(array, np.nan), model.graph.initializer[0].name)
        model.graph.initializer[0].CopyFrom(constant)

    refused(tmp_path, b"junk" * 100, "no network that can be used")
    refused(tmp_path, SOUND[: len(SOUND) // 2], "no network that can be used")
    refused(tmp_path, change(bomb), "cannot be used")
    refused(tmp_path, change(another_operator), "the operator 'Exp', which is not run")
    refused(tmp_path, change(domain), "no network that can be used")
    refused(tmp_path, change(external), "no network that can be used")
    refused(tmp_path, change(rename), "it should have planes in")
    refused(tmp_path, change(spoilt), "NaN or numbers beyond")
    refused(
        tmp_path, tiny_policy.write(tiny_policy.module(False), {"encoder": "chess-squares-1"}), "policy.onnx"
    )
    refused(
        tmp_path, tiny_policy.write(tiny_policy.module(False), {"encoder": "x\n" * 999}), "was trained on"
    )
    refused(tmp_path, tiny_policy.write(tiny_policy.module(True), {"elo": "high"}), "elo must be a number")


@pytest.mark.parametrize("word", ["players", "--help"])
def test_nobody_loads_a_network_to_tell_who_there_is(word: str) -> None:
    program = (
        f"import sys; from rookery.cli import main; sys.argv[1:] = ['{word}']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "assert not {'torch', 'onnx', 'onnxruntime'} & set(sys.modules), 'a network was loaded'"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout, done.stderr


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(RookeryError, match=r"no policy\.onnx at"):
        players.make(f"topk+policy@{tmp_path}/nothing", CHESS)
