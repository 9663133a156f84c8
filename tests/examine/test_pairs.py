"""Pairs of a won and a lost position: drawn as they should be, and told as they are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
import small_store
from typer.testing import CliRunner

from rookery import games, players
from rookery.api import Comparator, Side, State
from rookery.cli import app
from rookery.errors import RookeryError
from rookery.evaluators.comparing import Comparing
from rookery.examine import judges, pairs
from rookery.examine.clusters import means
from rookery.examine.positions import balance, look_up, opened, spell, within
from rookery.records.store import Store

STORE = small_store.folder()


def task(count: int = 150, seed: int = 1) -> pairs.Task:
    return pairs.draw(Store.open(STORE), None, count, seed, 1)


def test_the_first_of_a_pair_was_won_by_white_and_the_second_lost() -> None:
    store, drawn = Store.open(STORE), task()
    places = drawn.positions.games
    assert (store.results[places[drawn.won]] == 1).all() and (store.results[places[drawn.lost]] == -1).all()
    for first, second in drawn.bands.values():
        assert (store.results[places[first]] == 1).all() and (store.results[places[second]] == -1).all()
    low, high = drawn.bands["10-29"]
    assert set(drawn.positions.plies[np.concatenate([low, high])].tolist()) <= set(range(10, 30))
    assert len(drawn.won) == 150 and drawn.games == len(np.unique(places))


def test_positions_are_those_of_the_games() -> None:
    store = Store.open(STORE)
    numbers, plies = np.array([7, 3, 7], np.uint32), np.array([12, 5, 2], np.uint16)
    found = look_up(store, numbers, plies)
    for game, ply, state, material in zip(
        numbers.tolist(), plies.tolist(), found.states, found.material.tolist(), strict=True
    ):
        twin = games.get("chess").start()
        for move in store.native.line(game)[:ply]:
            twin = twin.play(move)
        assert str(state) == str(twin)
        men = chess.Board(str(twin)).piece_map().values()
        assert material == sum(small_store.WORTH[m.symbol().upper()] * (1 if m.color else -1) for m in men)
    assert balance(np.full((1, 37), 773, np.int16)).tolist() == [0]


def test_the_same_seed_draws_the_same_pairs() -> None:
    a, b, c = task(), task(), task(seed=2)
    assert (a.positions.games == b.positions.games).all() and (a.won == b.won).all()
    assert not np.array_equal(a.positions.games, c.positions.games)


def test_accuracy_and_cross_entropy_are_those_of_a_slow_count() -> None:
    drawn = task()
    found = pairs.measure(drawn, judges.ByValue(judges.count_men))
    right = surprise = 0.0
    for won, lost in zip(drawn.won.tolist(), drawn.lost.tolist(), strict=True):
        lead = (int(drawn.positions.material[won]) - int(drawn.positions.material[lost])) / 2
        right += 1 if lead > 0 else 0.5 if lead == 0 else 0
        surprise += float(np.log(1 + np.exp(-lead)))
    assert found.all.accuracy.value == pytest.approx(right / 150)
    assert found.all.cross_entropy.value == pytest.approx(surprise / 150)
    assert found.all.scaled_cross_entropy.value <= found.all.cross_entropy.value
    assert found.all.accuracy.value > 0.6, "games are won by who has more men"
    assert sum(part.pairs for part in found.by_material.values()) == 150
    assert found.by_material["0"].accuracy.value == 0.5


def test_a_comparator_is_asked_pair_by_pair() -> None:
    class Turned(Comparator):
        """Prefers what classical does not."""

        inner = Comparing(players.know("classical", games.get("chess")))

        def prefer(self, a: Sequence[State], b: Sequence[State], side: Side) -> Any:
            return 1 - self.inner.prefer(a, b, side)

    drawn = task()
    classical = pairs.measure(drawn, judges.judge_of(players.know("classical", games.get("chess"))))
    turned = pairs.measure(drawn, judges.judge_of(Turned()))
    assert turned.all.accuracy.value == pytest.approx(1 - classical.all.accuracy.value)
    for band, score in classical.by_ply.items():
        assert turned.by_ply[band].accuracy.value == pytest.approx(1 - score.accuracy.value)


def test_players_are_asked_by_thinking() -> None:
    with judges.find("alphabeta:depth=1+pieces", games.get("chess")) as (judge, knowledge):
        assert knowledge is None and pairs.measure(task(20), judge).all.pairs == 20


def test_errors_grow_with_the_size_of_games() -> None:
    """Ten positions of one game that agree are worth little more than one."""
    rng = np.random.default_rng(1)
    one = (rng.random((400, 1)) < 0.7).astype(float)
    apart = means(one, np.arange(400))[0]
    assert apart.error == pytest.approx((0.21 / 400) ** 0.5, rel=0.2)
    together = means(np.repeat(one, 10, axis=0), np.repeat(np.arange(400), 10))[0]
    assert together.error == pytest.approx(apart.error, rel=0.05)
    assert means(np.zeros((0, 2)), np.zeros(0))[0].error != 0


@pytest.mark.parametrize("games", [30, 60, 600])
def test_errors_of_pairs_count_both_games(games: int) -> None:
    """Against pairs drawn anew, of an accuracy that depends on both: many of each game, or one."""
    rng = np.random.default_rng(2)

    def sample() -> tuple[Any, Any]:
        first, second = rng.normal(0.5, 1, games), rng.normal(0, 1, games)
        i, j = (rng.permutation(np.arange(600) % games) for _ in range(2))
        return (first[i] > second[j]).astype(float)[:, None], np.stack([i, games + j], axis=1)

    truth = np.std([sample()[0].mean() for _ in range(600)])
    told = np.mean([means(*sample())[0].error for _ in range(30)])
    assert told == pytest.approx(truth, rel=0.15)


def test_the_scale_is_the_best_one() -> None:
    logits = np.random.default_rng(1).normal(1, 2, 1000)
    best = pairs._best_scale(logits)
    scores = [np.logaddexp(0, -scale * logits).mean() for scale in (best * 0.98, best, best * 1.02)]
    assert min(scores) == scores[1]


def test_bands_have_both_ends() -> None:
    assert spell((3, 5)) == "3-5" and spell((6, None)) == "6+"
    assert within(np.array([2, 3, 5, 6]), (3, 5)).tolist() == [False, True, True, False]


def test_a_store_without_pairs_is_told(tmp_path: Path) -> None:
    (tmp_path / "one.pgn").write_text("1. e4 e5 1/2-1/2\n")
    with opened(tmp_path / "one.pgn") as store, pytest.raises(RookeryError, match="no won and lost"):
        pairs.draw(store, None, 10, 1, 1)


def run(*words: str) -> Any:
    return CliRunner().invoke(app, ["examine", *words])


def test_the_command_writes_json(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").write_text(small_store.pgn(40, 3))
    for on in (STORE, str(tmp_path / "games.pgn")):
        told = json.loads(run("classical", "--on", on, "--pairs", "50", "--json").stdout)
        values = told["values"]
        assert values["pairs"] == 50 and 0 <= values["accuracy"] <= 1 and values["cross_entropy"] > 0
        assert {"by_ply", "by_material", "material"} <= values.keys()
    split = json.loads(run("pieces", "--on", STORE, "--split", "time", "--pairs", "9", "--json").stdout)
    assert split["split"] == "time"


def test_a_policy_is_asked_for_moves_too() -> None:
    pytest.importorskip("onnxruntime")
    told = json.loads(run("chess/policy", "--on", STORE, "--pairs", "20", "--json").stdout)["policy"]
    assert 0 <= told["top1"] <= told["top3"] <= 1 and "top3_error" in told


def test_the_command_writes_a_table() -> None:
    told = run("material", "--on", STORE, "--pairs", "50").stdout
    assert "all pairs" in told and "±" in told


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("classical",), 2, "name games or pairs of positions"),
        (("nonsense", "--on", STORE), 2, "no evaluation is called 'nonsense'"),
        (("classical", "--on", "/nowhere"), 1, "does not exist"),
        (("classical", "--on", STORE, "--pairs-file", "x"), 2, "--on and --pairs-file exclude each other"),
        (("td", "--on", STORE), 1, "td knows"),
        (("classical", "--on", str(Path(__file__).parent)), 1, "no store of games"),
    ],
)
def test_what_goes_wrong_is_one_line(words: tuple[str, ...], code: int, said: str) -> None:
    done = run(*words)
    assert done.exit_code == code and said in done.output and done.output.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [((), "no won and lost positions"), (("--blunders", "random"), "give no ratings of the players")],
)
def test_games_that_lack_what_is_asked_for(tmp_path: Path, more: tuple[str, ...], said: str) -> None:
    pgn = tmp_path / "games.pgn"
    pgn.write_text('[Result "1/2-1/2"]\n\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n')
    done = run("classical", "--on", str(pgn), *more)
    assert done.exit_code == 1 and said in done.output and done.output.count("\n") == 1
