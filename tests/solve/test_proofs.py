"""What is proven is what the slow twin finds by the rules alone, and what cannot be forced stays open."""

import random

import pytest

from rookery.errors import UnsupportedGame
from rookery.games.go import COLUMNS, Go, GoState
from rookery.solve import Solver

from .twin import Spot, Twin

EMPTY: Spot = (0, 0, 0, -1, 0)


def state_of(spot: Spot, size: int) -> GoState:
    signs = ["X" if spot[0] >> p & 1 else "O" if spot[1] >> p & 1 else "." for p in range(size * size)]
    rows = "/".join("".join(signs[size * r : size * r + size]) for r in reversed(range(size)))
    ko = "-" if spot[3] < 0 else f"{COLUMNS[spot[3] % size]}{spot[3] // size + 1}"
    return Go(size).start(f"{rows} {'bw'[spot[2]]} 0:0 {ko} {spot[4]} {spot[4]}")


def spot_of(board: str) -> Spot:
    """Black's and White's stones in a drawing, whose first row is the highest."""
    signs = "".join(reversed(board.split("/")))
    black, white = (sum(1 << p for p, sign in enumerate(signs) if sign == colour) for colour in "XO")
    return black, white, 0, -1, 0


@pytest.mark.parametrize(("size", "claims"), [(2, [4, 1, 0]), (3, [9, 3, 0])])
def test_small_boards_equal_the_twin(size: int, claims: list[int]) -> None:
    twin, solver = Twin(size), Solver(16)
    after = twin.reachable(EMPTY)
    assert after is not None
    spots = random.Random(1).sample(list(after), 100)
    for points in claims:
        black, white = twin.forced(after, 0, points), twin.forced(after, 1, 1 - points)
        for spot in spots:
            expected = True if spot in black else False if spot in white else None
            assert solver.at_least(state_of(spot, size), points, 300_000).holds is expected, (spot, points)
        assert {spot in black for spot in spots} == {True, False}


def test_beside_a_living_wall_equals_the_twin() -> None:
    """Black lives on the left, with an eye in each corner; on the right all may come about."""
    wall, eyes = spot_of(".X../XX../XX../.X..")[0], spot_of("X.../..../..../X...")[0]
    twin, solver = Twin(4, left_alone=eyes), Solver(16)
    after = twin.reachable((wall, 0, 0, -1, 0))
    assert after is not None
    black = twin.forced(after, 0, 16)
    open_spots = [spot for spot in after if spot[4] == 0]
    others = [spot for spot in open_spots if spot not in black]
    assert len(others) > 50
    for spot in others + random.Random(2).sample(open_spots, 1000):
        assert (solver.at_least(state_of(spot, 4), 16, 100_000).holds is True) == (spot in black), spot


def test_late_boards_are_worth_what_their_best_move_is_worth() -> None:
    rng, solver, values = random.Random(4), Solver(16), set()
    while len(values) < 4:
        state = Go(5).start()
        for _ in range(rng.randrange(28, 45)):
            if not state.outcome():
                state = state.play(rng.choice(list(state.moves()[:-1]) or state.moves()))
        if state.outcome() or (here := solver.bounds(state, 20_000)).points is None:
            continue
        after = list[int]()
        for move in state.moves():
            points = solver.bounds(state.play(move), 20_000).points
            if points is None:
                break
            after.append(points)
        if len(after) < len(state.moves()):
            continue
        best = max if state.seat == 0 else min
        assert here.points == best(after)
        values.add(here.points)


def test_the_whole_board_of_three() -> None:
    solver = Solver(16)
    verdict = solver.at_least(Go(3).start(), 9, 10**6, line=True)
    assert verdict.holds and verdict.line[0] == 4
    assert solver.bounds(Go(3).start(), 10**6).points == 9
    assert solver.at_least(Go(3).start(), 9, 10**6, seat=1).holds is False


def test_a_line_goes_by_the_rules_and_keeps_the_claim() -> None:
    solver, state = Solver(16), Go(3).start()
    line = solver.at_least(state, 9, 10**6, line=True).line
    assert len(line) > 6
    for move in line:
        assert move in state.moves()
        state = state.play(move)
        assert solver.at_least(state, 9, 10**6).holds
    assert not solver.at_least(state, 9, 10**6, line=True).line


def test_threads_find_the_same() -> None:
    assert Solver(16, threads=3).bounds(Go(3).start(), 10**6).points == 9


def test_four_by_four_is_at_least_one() -> None:
    """More than that, neither side can force without going round."""
    assert Solver(64).at_least(Go(4).start("..../..../.X../.... w"), 1, 3 * 10**6).holds


def test_colours_mirror_each_other() -> None:
    text = "....O/OOXO./XXX../OXX.O/.O.X. b"
    mirrored = text[:-1].translate(str.maketrans("XO", "OX")) + "w"
    solver = Solver(16)
    black, white = (solver.bounds(Go(5).start(t), 10**6) for t in (text, mirrored))
    assert (black.least, black.most) == (-white.most, -white.least) == (25, 25)


def test_too_few_nodes_settle_nothing() -> None:
    verdict = Solver(1).at_least(Go(5).start(), 1, 100)
    assert verdict.holds is None and verdict.nodes <= 200
    assert Solver(1).bounds(Go(5).start(), 100).outcome is None


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(UnsupportedGame, match="7x7"):
        Solver(1).bounds(Go(7).start(), 100)
    with pytest.raises(UnsupportedGame, match="psk"):
        Solver(1).bounds(Go(5, ko="psk").start(), 100)
    with pytest.raises(UnsupportedGame, match="psk"):
        Solver(1).at_least(Go(5, ko="psk").start(), 1, 100)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_middle_of_five_by_five_takes_the_whole_board() -> None:
    """And whatever White tries then, the proof has an answer until the board is Black's."""
    solver, rng = Solver(4096), random.Random(5)
    assert solver.bounds(Go(5).start(), 2 * 10**9).points == 25
    for _ in range(20):
        state, answers = Go(5).start().play(12), 0
        while answers < 20:
            state = state.play(rng.choice(list(state.moves()[:-1]) or state.moves()))
            verdict = solver.at_least(state, 25, 10**9, line=True)
            assert verdict.holds, str(state)
            if not verdict.line:
                break
            state, answers = state.play(verdict.line[0]), answers + 1
        assert answers < 20
