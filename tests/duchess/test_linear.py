"""The linear evaluation: its features, its sums kept move by move, and its search."""

import re
from pathlib import Path

import numpy as np
import pytest

from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import BadOption, CheckpointMismatch, UnsupportedGame
from rookery.evaluators import linear
from rookery.evaluators.duchess_features import KINDS, Features
from rookery.games.duchess import DuchessState

KNOWLEDGE = {"duchess4": native.Duchess4Linear, "duchess6": native.Duchess6Linear}


def any_weights(players: int, rows: int = 2, seed: int = 1) -> linear.Weights:
    rng = np.random.default_rng(seed)
    return rng.normal(0, 0.02, (rows, Features(players).count)).astype(np.float32)


def walk(game: str, seed: int, plies: int) -> list[DuchessState]:
    """The states of random games."""
    rng = np.random.default_rng(seed)
    states, state = [], games.get(game).start()
    for _ in range(plies):
        states.append(state)
        state = games.get(game).start() if state.outcome() else state.play(int(rng.choice(state.moves())))
    return states  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("game", "rows"), [("duchess4", 2), ("duchess4", 6), ("duchess6", 2), ("duchess6", 6)]
)
def test_sums_kept_move_by_move_are_those_computed_from_nothing(game: str, rows: int):
    knowledge = KNOWLEDGE[game](any_weights(int(game[-1]), rows))
    assert knowledge.drift(games.get(game).start().native, 20_000, 5) == 0


@pytest.mark.slow
def test_a_million_plies_drift_nowhere():
    start = games.get("duchess4").start().native
    assert native.Duchess4Linear(any_weights(4)).drift(start, 1_000_000, 1) == 0
    assert native.Duchess4Linear(any_weights(4, 6)).drift(start, 1_000_000, 2) == 0


@pytest.mark.parametrize(("game", "rows"), [("duchess4", 2), ("duchess4", 6), ("duchess6", 6)])
def test_a_value_is_the_weighted_sum_of_what_is_shown(game: str, rows: int):
    weights = any_weights(int(game[-1]), rows)
    knowledge = KNOWLEDGE[game](weights)
    for state in walk(game, 3, 400):
        row, shown = knowledge.shows(state.native)
        expected = sum(float(weights[row, feature]) * count for feature, count in shown)
        assert knowledge.values([state.native])[0] == pytest.approx(expected, abs=1e-4)


def shown(text: str, rows: int = 2) -> dict[str, int]:
    features = Features(4)
    state = games.get("duchess4").start(text)
    _, found = native.Duchess4Linear(np.zeros((rows, features.count), np.float32)).shows(state.native)
    return {features.name(at): count for at, count in found}


def test_features_are_told_in_the_view_of_the_seat_to_move():
    # P3 moves: his Queen on the Vortex attacks P4's Rook straight and defends P1's Knight aslant.
    seen = shown("4 t3 q0 | K1e1 N1d6 | K2e1 | K4e1 QV | K5e1 R5c4")
    assert seen["P1's Queen on V"] == 1
    assert seen["P1's Queen attacks P2's Rook"] == 1
    assert seen["P1's Queen like a Rook attacks P2's Rook"] == 1
    assert seen["P1's Queen defends P3's Knight"] == 1
    assert "P1's Queen like a Rook defends P3's Knight" not in seen
    assert seen["P2's Rook attacks P1's Queen"] == 1
    assert seen["Queens, ours less theirs"] == 1
    assert seen["Rooks, ours less theirs"] == -1
    assert "Kings, ours less theirs" not in seen


def test_check_and_mate_are_told_of_every_player():
    # P2 moves: he is mated, and nobody else is in check.
    seen = shown("4 t2 q0 | K1e1 Q2b2 R2b4 | K2a1 P2e3 | K4e1 | K5e1 N2d4")
    assert seen["P1 in check"] == seen["P1 in checkmate"] == 1
    assert not any("check" in name for name in seen if name[:2] != "P1")


def test_a_pair_of_wizards_counts_once_and_against_theirs():
    text = "4 t1 q0 | K1e1 W1b2 | K2e1{} | K4e1 W4b2 | K5e1{}"
    assert shown(text.format("", ""))["two Wizards on the board"] == 1
    assert shown(text.format(" W2b2", ""))["two Wizards on the board"] == 1
    assert "two Wizards on the board" not in shown(text.format(" W2b2", " W5b2"))


def test_distances_from_kings_count_in_the_ending_only():
    assert shown("4 t1 q0 | K1e1 R2d1 | K2c1 | K4e1 | K5e1")["P1's Rook 1 steps from P2's King"] == 1
    start = Features(4)
    _, found = native.Duchess4Linear(np.zeros((2, start.count), np.float32)).shows(
        games.get("duchess4").start().native
    )
    assert not any("steps from" in start.name(at) for at, _ in found)


def test_every_feature_has_a_name_of_its_own():
    for number in (4, 6):
        features = Features(number)
        names = [features.name(at) for at in range(features.count)]
        assert len(set(names)) == features.count


def test_first_weights_are_the_papers():
    features = Features(4)
    odd, even = features.initial()
    assert np.array_equal(odd, even)
    assert features.material(odd)[KINDS.index("Queen")] == pytest.approx(0.10)
    assert features.check(odd) == pytest.approx([-0.05, 0.05, -0.05, 0.05])
    assert features.mate(odd) == pytest.approx([-0.25, 0.25, -0.25, 0.25])
    names = [square.name for square in features.squares]
    pawns = features.stands(odd)[:, KINDS.index("Pawn")]
    assert pawns[0, names.index("V")] == pytest.approx(0.04)
    assert pawns[1, names.index("V")] == pytest.approx(-0.04)
    assert pawns[2, names.index("1c1")] == pytest.approx(-0.02)


def test_blocks_share_out_all_that_learns():
    features = Features(4)
    blocks = [
        features.learns([name]) for name in ("material", "pawns", "attacks", "squares", "modes", "kings")
    ]
    assert np.sum(blocks, axis=0).max() == 1
    assert np.sum(blocks) == features.count - 1  # all but the King's material
    assert int(blocks[2].sum()) == 9 * 4 * 9 * 4
    assert int(blocks[1].sum() + blocks[3].sum()) == 117 * 9 * 4
    with pytest.raises(BadOption, match="'pawn' is none"):
        features.learns(["pawn"])


def test_explains_a_value(tmp_path: Path):
    game = games.get("duchess4")
    linear.write(tmp_path / "weights.safetensors", "duchess4", any_weights(4))
    knowledge = players.know(f"linear@{tmp_path}", game)
    for state in walk("duchess4", 8, 30):
        told = knowledge.explain(state)
        # People call players by their colours, whoever is to move.
        assert told and not [name for name, _ in told if re.search(r"\bP\d\b", name)]
        value = float(knowledge.evaluate([state]).value[0, state.seat % 2])
        assert np.tanh(sum(part for _, part in told) / 2) == pytest.approx(value, abs=1e-4)
        sizes = [abs(part) for _, part in told]
        assert sizes == sorted(sizes, reverse=True)


def test_looks_deeper_where_few_men_are_left(tmp_path: Path):
    game = games.get("duchess4")
    linear.write(tmp_path / "weights.safetensors", "duchess4", Features(4).initial())
    player = players.make(f"alphabeta:endgame_depth=yes,depth=1,quiescence=no+linear@{tmp_path}", game)
    depths: list[int] = []
    for text in (None, "4 t1 q0 | K1e1 Q2b2 R2b4 | K2c1 P2e3 | K4e1 P4a3 | K5e1 N2d4"):
        state, told = game.start(text), []
        player.think(state.view(state.seat), Limit(), told.append)
        depths.append(max(info.depth for info in told))
    assert depths == [1, 3]
    with pytest.raises(BadOption, match="needs an evaluation that asks for depth"):
        players.make("alphabeta:endgame_depth=yes+classical", games.get("chess"))


def test_weights_of_another_game_or_kind_are_refused(tmp_path: Path):
    linear.write(tmp_path / "weights.safetensors", "duchess4", Features(4).initial())
    with pytest.raises(UnsupportedGame, match="knows 'duchess4', not duchess6"):
        players.know(f"linear@{tmp_path}", games.get("duchess6"))
    with pytest.raises(UnsupportedGame, match="knows 'duchess4', not chess"):
        players.know(f"linear@{tmp_path}", games.get("chess"))
    (tmp_path / "weights.safetensors").write_bytes(b"nonsense")
    with pytest.raises(CheckpointMismatch, match="cannot be read"):
        players.know(f"linear@{tmp_path}", games.get("duchess4"))
    with pytest.raises(BadOption, match="needs weights"):
        players.know("linear", games.get("duchess4"))


def test_a_selective_search_leaves_out_most_late_moves_and_sees_the_mate():
    game = games.get("duchess4")

    def think(state: DuchessState, how: str, depth: int):
        player = players.make(f"alphabeta:quiescence=no,{how}+duchess/stage3", game)
        return player.think(state.view(state.seat), Limit(depth=depth))

    *_, middle = walk("duchess4", 5, 60)
    assert 10 * think(middle, "pruning=yes", 6).nodes < think(middle, "pruning=no", 6).nodes
    # P2 is mated and must pass; P3's Rooks mate P4 next, if P1 leaves things as they are.
    mate = game.start("4 t1 q0 | K1e1 Q2b2 R2b4 | K2a1 | K4e1 R5e4 R5a2 | K5c1")
    for how in ("pruning=yes", "pruning=no"):
        assert think(mate, how, 3).value == (1.0, -1.0)
