"""The search of TD players against plain minimax, and players by name against it."""

from pathlib import Path

import numpy as np
import pytest
from positions import walk

from rookery import native, players
from rookery.api import Limit
from rookery.errors import BadOption, UnsupportedGame
from rookery.evaluators import td
from rookery.games.go import GAMES, Go, GoState

GO = Go(5)
NETS = ["koten", "roban"]


def net_of(representation: str, games: int = 2000) -> native.TdNet:
    learner = native.TdLearner(GO.start().native, representation, 5)
    learner.play(games)
    return native.TdNet(representation, learner.weights())


def minimax(net: native.TdNet, state: GoState, depth: int, exact: bool, won: float = 1.0) -> dict[int, float]:
    """The value of each move to the seat that makes it; `won`: what a won end is worth."""
    found = {}
    for move in state.moves():
        after = state.play(move)
        outcome = after.outcome()
        if outcome and exact:
            found[move] = 0.5 + (won - 0.5) * outcome.values[state.seat]
        elif outcome or depth == 1:
            found[move] = net.value(after.native, state.seat)
        else:
            found[move] = 1 - max(minimax(net, after, depth - 1, exact, won).values())
    return found


def late(count: int, most: int, seed: int) -> list[GoState]:
    """States with few moves, some after a pass."""
    found = [s for s in walk(GO, 60, seed) if 2 <= len(s.moves()) <= most]
    rng = np.random.default_rng(seed)
    return [found[i] for i in rng.choice(len(found), count, replace=False)]


def check(net: native.TdNet, state: GoState, depth: int, exact: bool) -> None:
    value, moves = net.look(state.native, depth, exact)
    slow = minimax(net, state, depth, exact)
    assert value == pytest.approx(max(slow.values()), abs=1e-5)
    assert all(slow[move] >= value - 1e-5 for move in moves)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("representation", NETS)
def test_the_search_is_minimax(representation: str, exact: bool) -> None:
    net = net_of(representation)
    for state in late(20, 27, 1):
        check(net, state, 1, exact)
    for state in late(10, 12, 2):
        check(net, state, 2, exact)
    for state in late(4, 5, 3):
        check(net, state, 4, exact)


def test_equals_are_all_found() -> None:
    """Roban sees a lone stone in any corner alike."""
    net = net_of("roban", 0)
    _, moves = net.look(GO.start().native, 1, False)
    values = dict(zip(GO.start().moves(), net.values(GO.start().native), strict=True))
    assert sorted(moves) == [move for move, value in values.items() if value == max(values.values())]


def test_duels_are_fair_and_repeatable() -> None:
    a, b = net_of("koten"), net_of("roban")
    start = GO.start().native
    for other in (b, native.Random(), native.Naive(), native.Gojen(), native.Wally()):
        one, two = (native.td_duel(a, other, start, 40, 9, depth=2, exact=True) for _ in range(2))
        assert (one.wins, one.losses, one.plies) == (two.wins, two.losses, two.plies)
        assert one.games == [20, 20]
    assert sum(native.td_duel(a, native.Random(), start, 200, 1, depth=2, exact=True).wins) > 150


# --- by name -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=NETS)
def saved(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[native.TdNet, Path]:
    net = net_of(request.param)
    path = tmp_path_factory.mktemp("td") / "weights.safetensors"
    td.write(path, request.param, net.weights())
    return net, path


def test_greedy_chooses_as_a_duel_does(saved) -> None:
    net, path = saved
    player = players.make(f"greedy+td@{path}", GO)
    for state in walk(GO, 5, 4):
        if state.moves():
            value, moves = net.look(state.native, 1, False)
            found = player.think(state.view(state.seat), Limit())
            assert found.move in moves
            assert found.value[state.seat] == pytest.approx(2 * value - 1, abs=1e-6)


def test_creative_and_epsilon_share_as_the_learner_does(saved) -> None:
    net, path = saved
    creative = players.make(f"creative:c=0.2+td@{path}", GO)
    epsilon = players.make(f"epsilon:epsilon=0.1+td@{path}", GO)
    for state in walk(GO, 2, 5):
        if not state.moves():
            continue
        values = np.array(net.values(state.native), np.float64)
        best = values.max()
        near = values >= 0.8 * best if best > 0 else values == best
        shares = creative.think(state.view(state.seat), Limit()).policy
        assert list(shares.values()) == pytest.approx(near / near.sum())
        shares = epsilon.think(state.view(state.seat), Limit()).policy
        top = values == best
        assert list(shares.values()) == pytest.approx(0.1 / len(values) + 0.9 * top / top.sum())


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_alphabeta_reaches_what_minimax_does(saved, depth: int) -> None:
    """To alphabeta a won end counts above any opinion, and a network's opinion may be above 1."""
    net, path = saved
    player = players.make(f"alphabeta:pruning=no,depth={depth}+td@{path}", GO)
    opinions = 0
    for state in late(12, 12 if depth < 3 else 5, depth):
        slow = minimax(net, state, depth, exact=True, won=1000)
        best = max(slow.values())
        found = player.think(state.view(state.seat), Limit())
        assert slow[found.move] == pytest.approx(best, abs=1e-5)
        if abs(best) < 100:
            opinions += 1
            assert found.value[state.seat] == pytest.approx(2 * best - 1, abs=1e-5)
        else:
            assert found.value[state.seat] == np.sign(best)
    assert opinions >= 2


def test_evaluations_are_zero_sum_and_bounded(saved) -> None:
    _, path = saved
    states = [state for state in walk(GO, 2, 6) if not state.outcome()]
    values = td.Td(GO, str(path)).evaluate(states).value
    assert np.allclose(values.sum(axis=1), 0) and np.abs(values).max() <= 1


def test_other_games_are_refused(saved) -> None:
    with pytest.raises(UnsupportedGame, match="td knows go5 only, not go7"):
        players.make(f"greedy+td@{saved[1]}", next(game for game in GAMES if game.size == 7))
    with pytest.raises(BadOption, match="td needs weights"):
        players.make("greedy+td", GO)
