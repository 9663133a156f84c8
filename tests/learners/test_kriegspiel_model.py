"""Models of opponents of Kriegspiel: what is counted, smoothed, read, and believed by them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from rookery import games, native
from rookery.cli import app
from rookery.errors import BadOption, CheckpointMismatch
from rookery.evaluators import opponent_model
from rookery.evaluators.opponent_model import SHAPE, TIMES, Placements
from rookery.learners.kriegspiel_model import ModelLearner, ModelOptions, smoothed

GAME = games.get("kriegspiel")


def learnt(folder: Path, **options: Any) -> np.ndarray:
    learner = ModelLearner(ModelOptions(**options), 3)
    for _ in range(learner.steps):
        learner.step()
    learner.save(folder)
    return opponent_model.read(folder / "weights.safetensors")


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def record(path: Path, games_played: int = 3) -> Path:
    done = CliRunner().invoke(
        app,
        [
            "match",
            "kriegspiel",
            "random",
            "sergeant",
            "--games",
            str(2 * games_played),
            "--record",
            str(path),
        ],
    )
    assert done.exit_code == 0, done.output
    return path


def test_all_begins_at_the_usual_start_and_pieces_only_get_fewer(tmp_path: Path) -> None:
    density = learnt(tmp_path, players=("random",), games=4, step_games=4, smoothing=0.0)
    assert density[0, 0, 0].nonzero()[0].tolist() == list(range(8, 16))
    assert density[1, 5, 0].argmax() == square("e8")
    numbers = density.sum(axis=(1, 3))
    assert numbers[0, 0] == numbers[1, 0] == 16
    # The last of them are averages over the games that came so far.
    assert (np.diff(numbers[:, :20], axis=1) <= 1e-4).all()
    np.testing.assert_allclose(density[:, 5].sum(axis=2), 1, atol=1e-5)


def test_smoothing_loses_nothing_and_keeps_pawns_off_the_last_ranks() -> None:
    rng = np.random.default_rng(1)
    density = rng.random(SHAPE).astype(np.float32)
    density[:, 0, :, :8] = density[:, 0, :, 56:] = 0
    density[:] = density[:, :, :1]  # the same at all times, so that nothing is lost from one to another
    found = smoothed(density, 0.5)
    np.testing.assert_allclose(found.sum(axis=3), density.sum(axis=3), rtol=1e-5)
    assert found[:, 0, :, :8].max() == found[:, 0, :, 56:].max() == 0
    np.testing.assert_array_equal(found[:, :, 0], density[:, :, 0])
    assert np.abs(found[:, :, -1] - density[:, :, -1]).max() > 0.05


def test_one_opponent_of_a_record_is_counted_alone(tmp_path: Path) -> None:
    path = record(tmp_path / "games.jsonl")
    both = ModelLearner(ModelOptions(records=(str(path),)), 1)
    alone = ModelLearner(ModelOptions(records=(str(path),), opponent="sergeant"), 1)
    for learner in (both, alone):
        while learner._played < learner._total:
            learner.step()
    assert both._seen[:, 0].tolist() == [6, 6]
    assert alone._seen[:, 0].tolist() == [3, 3]
    assert set(ModelLearner.data(ModelOptions(records=(str(path),)))) == {"record 1"}
    with pytest.raises(BadOption, match="no games of kriegspiel-minimax"):
        ModelLearner(ModelOptions(records=(str(path),), opponent="kriegspiel-minimax"), 1)


def tables(path: Path, **changes: Any) -> Path:
    """Every piece always where it starts, but for Kings, who are on c1 and c8."""
    rows = {}
    state: Any = GAME.start()
    for seat, colour in enumerate("wb"):
        for kind in "PNBRQK":
            row = np.zeros(64)
            marks = state.view(seat).men
            for rank, line in zip(range(7, -1, -1), marks.split("/"), strict=True):
                file = 0
                for mark in line:
                    if mark.upper() == kind:
                        row[8 * rank + file] = 1
                    file += int(mark) if mark.isdigit() else 1
            rows[colour + kind] = (row / row.sum()).tolist()
        rows[f"{colour}K"] = [float(s == square("c8" if seat else "c1")) for s in range(64)]
    path.write_text(json.dumps({"tables": rows | changes}))
    return path


def test_tables_without_time_are_reached_in_time(tmp_path: Path) -> None:
    learner = ModelLearner(ModelOptions(players=("random",), priors=str(tables(tmp_path / "t.json"))), 1)
    density = learner.density()
    assert density[0, 5, 0, square("e1")] == 1
    assert density[1, 5, 10, square("c8")] == pytest.approx(0.5)
    assert density[1, 5, 39, square("c8")] == 1


def test_broken_tables_and_files_are_told_in_a_line(tmp_path: Path) -> None:
    for broken in ({"wK": [1.0]}, {"wK": [-1.0] * 64}, {"wK": [0.0] * 64}, {"wK": "x"}):
        path = tables(tmp_path / "t.json", **broken)
        with pytest.raises(BadOption, match="cannot be read as piece-square tables"):
            ModelLearner(ModelOptions(priors=str(path)), 1)
    with pytest.raises(BadOption, match="is no file"):
        ModelLearner(ModelOptions(priors=str(tmp_path / "none")), 1)
    with pytest.raises(BadOption, match="players must name somebody"):
        ModelOptions(players=())
    wrong = tmp_path / "wrong.safetensors"
    opponent_model.write(wrong, np.full(SHAPE, 2.0, np.float32), {})
    with pytest.raises(CheckpointMismatch, match="between 0 and 1"):
        Placements(GAME, str(wrong))
    opponent_model.write(wrong, np.zeros((2, 6, TIMES, 63), np.float32), {})
    with pytest.raises(CheckpointMismatch, match="density must be 2 x 6 x 40 x 64"):
        Placements(GAME, str(wrong))


def test_squares_that_fill_up_attract(tmp_path: Path) -> None:
    """f(s) = max(0.05, 1 + 0.8 * difference / greatest difference), and 1 where the model ends."""
    density = np.zeros(SHAPE, np.float32)
    density[1, 1, :, square("b8")] = 1
    density[1, 1, 1:, square("b8")] = 0.5
    density[1, 1, 1:, square("c6")] = 0.5
    density[1, 1, 2:, square("c6")] = 0.75
    path = tmp_path / "one.safetensors"
    opponent_model.write(path, density, {})
    model = Placements(GAME, str(path))
    assert model.densities(1)[1, 1, square("c6")] == 0.5
    pieces = 2
    first = model.native.attraction(1, pieces, 0)
    assert first[square("c6")] == pytest.approx(1.8) and first[square("b8")] == pytest.approx(0.2)
    assert first[square("a6")] == 1
    assert (model.native.attraction(1, pieces, 39) == 1).all()
    plain, taught = (native.BeliefMatrices(GAME.start().view(0).native) for _ in range(2))  # type: ignore[attr-defined]
    plain.spread("gated")
    taught.spread("gated", model.native)
    assert taught.piece[square("c6")] > 1.2 * plain.piece[square("c6")]
    assert taught.piece.sum() == pytest.approx(7, abs=1e-4)


def test_a_king_castles_as_often_as_the_model_says(tmp_path: Path) -> None:
    density = np.zeros(SHAPE, np.float32)
    density[1, 5, :, square("e8")] = 1
    density[1, 5, 1:, square("e8")] = 0.6
    density[1, 5, 1:, square("g8")] = 0.4
    start = "rnbqk2r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    m = native.BeliefMatrices(GAME.start(start).view(0).native)  # type: ignore[attr-defined]
    m.spread("gated", native.OpponentModel(density))
    assert m.king[square("g8")] == pytest.approx(0.4, abs=0.01)
    assert m.piece[square("f8")] >= 0.39 and m.piece[square("h8")] <= 0.61
    assert m.king.sum() == pytest.approx(1, abs=1e-5)
