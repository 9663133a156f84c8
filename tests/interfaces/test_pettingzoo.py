"""PettingZoo's own tests on every game, and what they do not see."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from rookery import games
from rookery.errors import IllegalMove, UnknownName
from rookery.interfaces.pettingzoo import Environment, make

# The greatest boards are played through elsewhere; here fewer moves do.
CYCLES = {"go19": 100, "duchess6": 100, "duchess4": 150}


@pytest.mark.parametrize("game", games.names())
def test_api(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(make(game, render_mode="ansi"), num_cycles=CYCLES.get(game, 300))
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("game", games.names())
def test_seed(game: str) -> None:
    seed_test(lambda: make(game), num_cycles=40)


def play_out(env: Environment, seed: int) -> dict[str, float]:
    """A random game to its end; the reward of each agent."""
    rng = np.random.default_rng(seed)
    env.reset()
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(100_000):
        observation, reward, terminated, _, _ = env.last()
        assert observation is not None
        total[agent] += reward
        mask = observation["action_mask"]
        env.step(None if terminated else int(rng.choice(np.flatnonzero(mask))))
    assert not env.agents
    return total


@pytest.mark.parametrize("game", ["chess", "kriegspiel", "go5", "duchess4"])
def test_everybody_is_rewarded_once_with_the_value_of_the_side(game: str) -> None:
    for seed in range(3):
        env = Environment(game)
        total = play_out(env, seed)
        outcome = env._state.outcome()
        assert outcome
        side_of = games.get(game).spec.side_of
        assert list(total.values()) == [outcome.values[side] for side in side_of]


def test_masks_are_the_moves_of_the_seat_alone() -> None:
    env = Environment("chess")
    env.reset()
    white, black = env.observe("white"), env.observe("black")
    assert set(np.flatnonzero(white["action_mask"])) == set(games.get("chess").start().moves())
    assert not black["action_mask"].any()


def test_a_seat_that_can_only_pass_is_not_asked() -> None:
    rng = np.random.default_rng(3)
    env = Environment("duchess4")
    passes = 0
    for _ in range(4):
        env.reset()
        while not any(env.terminations.values()):
            state = env._state
            assert [state.text(move) for move in state.moves()] != ["--"]
            env.step(int(rng.choice(state.moves())))
            passes += len(env._state.history()) - len(state.history()) - 1
    assert passes  # Else this test has seen nothing.


def test_an_illegal_action_is_an_error() -> None:
    env = make("chess")
    env.reset()
    with pytest.raises(IllegalMove):
        env.step(0)


def test_kriegspiel_tells_no_more_than_the_seat_hears() -> None:
    """Two boards that differ only in what White cannot know look the same to White."""
    envs = [Environment("kriegspiel") for _ in range(2)]
    for env, reply in zip(envs, ("a7a6", "h7h5"), strict=True):
        env.reset()
        for text in ("e2e4", reply):
            env.step(env._state.parse(text))
    first, second = (env.observe("white") for env in envs)
    assert all(np.array_equal(first[key], second[key]) for key in first)
    assert not np.array_equal(
        envs[0].observe("black")["observation"], envs[1].observe("black")["observation"]
    )


def test_position_and_render() -> None:
    env = make("chess", render_mode="ansi", position="k7/8/1K6/8/8/8/7R/8 w - - 0 1")
    env.reset()
    assert "K" in env.render()
    chess = games.get("chess").start("k7/8/1K6/8/8/8/7R/8 w - - 0 1")
    env.step(chess.parse("h2h8"))
    assert env.last()[1:3] == (-1.0, True)
    with pytest.raises(UnknownName):
        make("checkers")
