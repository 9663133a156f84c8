"""What holds of every position: symmetry, the swap of colours, and what random games look like."""

import random

import pytest

from rookery.games.go import Go, GoState

from .positions import walk

SYMMETRIES = [(flip, turns) for flip in (False, True) for turns in range(4)]


def turned(point: int, size: int, symmetry: tuple[bool, int]) -> int:
    if point == size * size:
        return point
    row, column = divmod(point, size)
    flip, turns = symmetry
    if flip:
        column = size - 1 - column
    for _ in range(turns):
        row, column = column, size - 1 - row
    return size * row + column


@pytest.mark.parametrize("size", [5, 9])
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetries_commute_with_play(size: int, symmetry: tuple[bool, int]) -> None:
    rng = random.Random(1)
    for _ in range(8):
        state = mirror = Go(size).start()
        while moves := state.moves():
            assert sorted(turned(m, size, symmetry) for m in moves) == list(mirror.moves())
            assert state.captures == mirror.captures
            assert state.territory_score() == mirror.territory_score()
            assert state.area_score() == mirror.area_score()
            move = rng.choice(moves)
            state, mirror = state.play(move), mirror.play(turned(move, size, symmetry))
        assert state.outcome() == mirror.outcome()


def swapped(state: GoState) -> str:
    rows, seat, prisoners, *rest = str(state).split()
    colours = str.maketrans("XOxbw", "OX?wb")
    return " ".join([rows.translate(colours), seat.translate(colours), prisoners[::-1], *rest])


@pytest.mark.parametrize("size", [4, 5, 9])
def test_swapping_colours_negates_the_score(size: int) -> None:
    game = Go(size, dead_stones="benson")
    for state in walk(game, 8, seed=size):
        if max(state.captures) > 9:
            continue  # the text of the prisoners is swapped by reversing it
        other = game.start(swapped(state))
        assert state.moves() == other.moves()
        assert state.territory_score() == -other.territory_score()
        assert state.area_score() == -other.area_score()
        assert state.score() == -other.score()


def test_keys_tell_positions_apart() -> None:
    """Equal texts have equal keys, and other positions other ones, whatever way led to them."""
    seen: dict[int, str] = {}
    for state in walk(Go(4), 200, seed=1):
        text = str(state)
        black, white = state.captures
        rows, seat, _, ko, passes, *_ = text.split()
        position = f"{rows} {seat} {ko} {passes} {black - white}"
        assert seen.setdefault(state.native.key, position) == position
        assert Go(4).start(text).native.key == state.native.key
    assert len(set(seen.values())) == len(seen) > 1000


def test_random_games_on_the_small_board() -> None:
    result = Go(5).start().native.playouts(200_000, 1)
    assert result.games == 200_000 == sum(result.wins) + result.draws
    assert result.wins[0] / result.games == pytest.approx(0.468, abs=0.003)
    assert result.draws / result.games == pytest.approx(0.099, abs=0.003)
    assert result.plies / result.games == pytest.approx(38.2, abs=0.2)


@pytest.mark.parametrize("ko", ["simple", "psk"])
def test_playouts_choose_uniformly(ko: str) -> None:
    """Native random games, which draw again where a point is illegal, against plain choice among moves."""
    rng = random.Random(5)
    start = Go(3, ko=ko).start()
    games, wins, draws, plies = 3000, 0, 0, 0
    for _ in range(games):
        state = start
        while moves := state.moves():
            state = state.play(rng.choice(moves))
            plies += 1
        wins += state.score() > 0
        draws += state.score() == 0
    native = start.native.playouts(50_000, 1)
    assert native.wins[0] / native.games == pytest.approx(wins / games, abs=0.04)
    assert native.draws / native.games == pytest.approx(draws / games, abs=0.04)
    assert native.plies / native.games == pytest.approx(plies / games, rel=0.05)


def test_playouts_are_reproducible() -> None:
    start = Go(9).start()
    a, b, c = (start.native.playouts(500, seed) for seed in (7, 7, 8))
    assert (a.plies, a.wins) == (b.plies, b.wins)
    assert a.plies != c.plies


@pytest.mark.parametrize(("size", "depth", "leaves"), [(2, 4, None), (3, 3, None), (5, 3, 15650)])
def test_perft(size: int, depth: int, leaves: int | None) -> None:
    """The native count is that of a walk through states."""

    def count(state: GoState, left: int) -> int:
        return sum(count(state.play(m), left - 1) for m in state.moves()) if left else 1

    state = Go(size).start()
    assert state.native.perft(depth) == (leaves or count(state, depth))
