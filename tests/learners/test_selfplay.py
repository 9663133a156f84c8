"""Native self-play: its games and targets are those of the slow twin, whatever the number of threads."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from zero_twin import Player, Settings

from rookery import native
from rookery.encoders import get
from rookery.games.go import Go
from walks import walk

KINDS = [{}, {"scoring": "area", "komi": 7.5}, {"komi": -3.0, "ko": "psk"}]


def opinion(planes: np.ndarray, moves: int) -> tuple[np.ndarray, float]:
    """Some logits and a value that depend on the planes alone."""
    rng = np.random.default_rng(crc32(planes.tobytes()))
    return rng.normal(size=moves).astype(np.float32), float(np.float32(rng.uniform(-0.5, 0.5)))


def play(settings: Settings, seed: int, games: int, steps: int, threads: int) -> dict[str, np.ndarray]:
    search, play, go = native.GumbelSettings(), native.SelfPlaySettings(), native.GoSelfPlaySettings()
    search.simulations, search.max_considered, search.scale = (
        settings.simulations,
        settings.considered,
        settings.scale,
    )
    play.search, play.games, play.opening = search, games, settings.opening
    go.score_weight, go.pass_from, go.cap = settings.score_weight, settings.pass_from, settings.cap
    pool = getattr(native, f"GoSelfPlay{settings.size}")(play, go, seed)
    pool.set_komi(settings.centre, settings.spread)
    moves = settings.size**2 + 1
    planes = np.zeros((pool.capacity, 14 * settings.size**2), np.uint8)
    logits, values = np.zeros((pool.capacity, moves), np.float32), np.zeros(pool.capacity, np.float32)
    workers = native.Workers(threads)
    for _ in range(steps):
        count = pool.step(logits, values, planes, workers)
        assert 0 < count <= pool.capacity
        for i in range(count):
            logits[i], values[i] = opinion(planes[i], moves)
    return pool.take()


def settings(simulations: int = 8, considered: int = 4) -> Settings:
    return Settings(5, simulations, considered, opening=3, centre=2.0, spread=3.0, pass_from=12, cap=40)


@pytest.mark.parametrize(("simulations", "considered"), [(8, 4), (13, 16), (2, 2)])
def test_the_twin_plays_the_same_games(simulations: int, considered: int) -> None:
    rules = settings(simulations, considered)
    rows = play(rules, seed=5, games=1, steps=40 * simulations, threads=1)
    twin = Player(rules, lambda planes: opinion(planes, 26), 5, 0)
    told = []
    while len(told) < len(rows["won"]):
        told += twin.game()
    assert len(told) == len(rows["won"]) > 20
    for i, sample in enumerate(told):
        assert (rows["planes"][i] == sample.planes.reshape(-1)).all()
        policy = np.zeros(26)
        policy[list(sample.policy)] = list(sample.policy.values())
        assert rows["policy"][i] / 65535 == pytest.approx(policy, abs=1e-3)
        assert rows["won"][i] == sample.won and rows["score"][i] == sample.score
        assert rows["owner"][i].tolist() == sample.owner


def test_threads_change_nothing() -> None:
    one, three = (play(settings(), seed=7, games=9, steps=120, threads=n) for n in (1, 3))
    assert len(one["won"]) > 0
    assert all((one[name] == three[name]).all() for name in one)


def test_wrong_arrays_are_refused() -> None:
    pool = native.GoSelfPlay5(native.SelfPlaySettings(), native.GoSelfPlaySettings(), 1)
    room, workers = pool.capacity, native.Workers(1)
    planes = np.zeros((room, 14 * 25), np.uint8)
    logits, values = np.zeros((room, 26), np.float32), np.zeros(room, np.float32)
    with pytest.raises(ValueError, match="no room"):
        pool.step(logits, values, planes[:-1], workers)
    with pytest.raises(ValueError, match="fewer evaluations"):
        pool.step(logits[:, :-1].copy(), values, planes, workers)
    with pytest.raises(TypeError):
        pool.step(logits.astype(np.float64), values, planes, workers)


@pytest.mark.parametrize("size", [2, 5, 7, 9, 13])
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_native_planes_are_those_of_the_encoder(size: int, kind: dict[str, object]) -> None:
    encoder = get("go-zero-1")
    for state in walk(Go(size, **kind), seed=size, plies=60):
        planes = encoder.encode(state.view(state.seat))
        fast = native.go_zero_planes(state.native).reshape(planes.shape)
        assert (np.rint(planes * 255) == fast).all()
