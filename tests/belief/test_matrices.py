"""The matrices of belief: the values that the method gives, the slow twin, and sums that are kept."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rookery import games, native
from rookery.errors import BadOption, IllegalMove
from rookery.games.kriegspiel import KriegspielState

from .matrices_twin import JUMPS, KING, LINES, PAWN, Place, Twin, around, ray, steps_of

GAME = games.get("kriegspiel")


def start(seat: int = 0, text: str | None = None, **options: object) -> native.BeliefMatrices:
    state = GAME.start(text)
    assert isinstance(state, KriegspielState)
    return native.BeliefMatrices(state.view(seat).native, **options)  # type: ignore[arg-type]


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def place(number: int) -> Place:
    return number % 8, number // 8


def twin_of(m: native.BeliefMatrices) -> Twin:
    """For White's matrices."""

    def matrix(grid: object) -> np.ndarray:
        return np.asarray(grid, dtype=np.float64).reshape(8, 8).T.copy()

    own = {place(s): kind for s, kind in enumerate(m.own) if kind >= 0}
    return Twin(matrix(m.king), matrix(m.pawn), matrix(m.piece), own)


def blurred(fen: str | None, spreads: int, kernel: str = "gated", **options: object) -> native.BeliefMatrices:
    """White's matrices after some moves of Black that nobody saw."""
    m = start(0, fen, **options)
    for _ in range(spreads):
        m.spread(kernel)
    return m


FENS = [
    None,
    "r1bqkb1r/ppp2ppp/2n2n2/3pp3/2B1P3/3P1N2/PPP2PPP/RNBQ1RK1 w kq - 0 6",
    "4k3/1p3r2/8/2P5/5q2/8/1B1P1P2/R3K2R w - - 0 1",
    "6k1/5p2/8/8/3N4/2Q5/1P3PB1/6K1 w - - 0 1",
]


# --- values that the method gives


def test_control_of_the_starting_position() -> None:
    control = start().control
    assert [round(float(control[square(s)]), 4) for s in ("e6", "d6", "e5")] == [2.5714, 2.2857, 0]


def after_e4(spreads: int) -> native.BeliefMatrices:
    m = start()
    m.stood(native.read_uci("e2e4"))
    for _ in range(spreads):
        m.spread("gated")
    return m


def test_values_after_one_spread() -> None:
    m = after_e4(1)
    pawn, piece, king, control = m.pawn, m.piece, m.king, m.control
    assert [round(float(pawn[square(s)]), 5) for s in ("e7", "e6", "e5")] == [0.9375, 0.03125, 0.03125]
    assert [round(float(piece[square(s)]), 5) for s in ("b8", "c6", "a6")] == [0.96429, 0.03571, 0.01786]
    assert king[square("e8")] == 1
    assert [round(float(control[square(s)]), 5) for s in ("e5", "d5")] == [0.16310, 0.18928]
    assert round(m.chance(native.read_uci("f1a6")).legal, 5) == 0.96875
    assert round(m.chance(native.read_uci("f1b5")).check, 5) == pytest.approx(0.05831, abs=1e-5)


def test_values_after_ten_spreads() -> None:
    m = after_e4(10)
    control = m.control
    assert [round(float(control[square(s)]), 4) for s in ("e5", "e6")] == [1.17, 2.3948]
    assert round(float(m.king[square("e8")]), 4) == 0.5706
    assert [round(float(grid.sum()), 4) for grid in (m.king, m.pawn, m.piece)] == [1, 8, 7]
    assert round(float((m.king + m.pawn + m.piece).max()), 2) == 0.67


# --- the slow twin


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("spreads", [0, 4])
def test_control_is_that_of_the_twin(fen: str | None, spreads: int) -> None:
    m = blurred(fen, spreads)
    twin = twin_of(m)
    control = m.control
    for s in range(64):
        assert control[s] == pytest.approx(twin.control(place(s)), abs=1e-5)


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize(("kernel", "mode"), list(product(["fast", "gated"], ["corrected", "paper"])))
def test_spreading_is_that_of_the_twin(fen: str | None, kernel: str, mode: str) -> None:
    m = blurred(fen, 2, kernel, mode=mode)
    twin = twin_of(m).spread(kernel, paper=mode == "paper")
    m.spread(kernel)
    found = twin_of(m)
    for ours, slow in zip(
        (found.king, found.pawn, found.piece), (twin.king, twin.pawn, twin.piece), strict=True
    ):
        np.testing.assert_allclose(ours, slow, atol=1e-5)


def tries_of(twin: Twin) -> list[tuple[Place, Place]]:
    """What pieces may try, captures of pawns and castling aside."""
    found = []
    for a, kind in twin.own.items():
        if kind == PAWN:
            up = (a[0], a[1] + 1)
            if up not in twin.own:
                found.append((a, up))
                if a[1] == 1 and (a[0], 3) not in twin.own:
                    found.append((a, (a[0], 3)))
        if kind in (1, KING):
            found += [(a, b) for b in around(a, JUMPS if kind == 1 else LINES) if b not in twin.own]
        for step in steps_of(kind):
            for b in ray(a, step):
                if b in twin.own:
                    break
                found.append((a, b))
    return [(a, b) for a, b in found if not (twin.own[a] == PAWN and b[1] == 7)]


def number(a: Place, b: Place) -> int:
    return (a[0] + 8 * a[1]) | (b[0] + 8 * b[1]) << 6


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("spreads", [0, 5])
def test_chances_of_tries_are_those_of_the_twin(fen: str | None, spreads: int) -> None:
    m = blurred(fen, spreads)
    twin = twin_of(m)
    for a, b in tries_of(twin):
        chance = m.chance(number(a, b))
        assert chance.legal == pytest.approx(twin.legal(a, b), abs=1e-5), (a, b)
        assert chance.check == pytest.approx(twin.check(a, b), abs=1e-5), (a, b)
        if twin.own[a] == PAWN:
            assert chance.pawn == chance.piece == 0
        else:
            assert chance.pawn == pytest.approx(twin.pawn[b], abs=1e-5)
            assert chance.piece == pytest.approx(twin.piece[b], abs=1e-5)


@pytest.mark.parametrize("tries", [0, 1, 2])
def test_captures_of_pawns_are_those_of_the_twin(tries: int) -> None:
    # The pawns of c4 and e4 can take on the same square; that of d2 shields the King.
    m = blurred("rnbqk1nr/ppp2ppp/8/3pp3/1bP1P3/8/PP1P1PPP/RNBQKBNR w kq - 0 4", 3)
    expected = twin_of(m).pawn_captures(tries)
    m.announce(tries=tries)
    for (a, b), chance in expected.items():
        assert m.chance(number(a, b)).legal == pytest.approx(chance, abs=1e-4), (a, b)


# --- what messages say


def test_a_silent_slide_empties_its_path_and_a_refused_one_fills_it() -> None:
    m = blurred("2rqk3/8/8/3p4/8/8/8/R3K3 w Q - 0 1", 6)
    fuller = m.copy()
    m.stood(native.read_uci("a1a8"))
    for rank in range(2, 9):
        assert occupied(m, f"a{rank}") == 0
    fuller.refused(native.read_uci("a1a3"))
    assert occupied(fuller, "a2") == pytest.approx(1, abs=0.02)


def occupied(m: native.BeliefMatrices, name: str) -> float:
    return float(m.king[square(name)] + m.pawn[square(name)] + m.piece[square(name)])


def test_a_senseless_try_says_nothing() -> None:
    m = blurred(None, 3)
    before = [np.array(grid) for grid in (m.king, m.pawn, m.piece)]
    for text in ("e2e5", "a1a5", "b1b3", "e1e4", "h7h5", "e1g1", "a2b3"):
        m.refused(native.read_uci(text))
    for grid, old in zip((m.king, m.pawn, m.piece), before, strict=True):
        np.testing.assert_array_equal(grid, old)


def test_a_check_leaves_the_king_only_where_it_fits() -> None:
    m = blurred("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 8)
    m.stood(native.read_uci("a1a8"), checks="R")
    assert m.king.sum() == pytest.approx(1, abs=1e-5)
    assert all(m.king[s] == 0 for s in range(64) if s // 8 != 7)


def test_no_check_takes_the_king_off_the_lines_that_are_open() -> None:
    m = blurred("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", 8)
    m.stood(native.read_uci("a1a7"))
    assert all(m.king[s] == 0 for s in range(48, 56))


def test_who_takes_leaves_where_it_came_from() -> None:
    m = blurred("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 0)
    m.stood(native.read_uci("e1e2"), tries=1)
    m.meta(captured="p", square=square("e4"))
    assert m.pawn[square("e4")] > 0.9
    assert m.pawn[square("d5")] < 0.1
    assert m.own[square("e4")] == -1


def test_without_tries_no_pawn_took() -> None:
    m = blurred("3rk3/8/8/3p4/4P3/8/8/4K2R w - - 0 1", 6)
    m.stood(native.read_uci("h1h4"), tries=0)
    m.meta(captured="p", square=square("e4"))
    assert m.pawn[square("e4")] == 0


def test_a_pawn_that_takes_on_our_first_rank_has_promoted() -> None:
    m = start(0, "7k/8/8/8/8/8/1p6/R3K3 b - - 0 1")
    m.meta(captured="P", square=square("a1"))
    assert m.pawn[square("a1")] == 0 and m.piece[square("a1")] == pytest.approx(1)
    assert (m.pawns, m.pieces) == (pytest.approx(0), pytest.approx(1))


def test_a_check_is_given_by_somebody_on_the_line() -> None:
    m = blurred("3rk3/8/8/8/8/8/8/4K3 w - - 0 1", 4)
    m.meta(checks="F")
    line = [square(f"e{rank}") for rank in range(2, 9)]
    assert sum(float(m.piece[s]) for s in line) > 0.95
    chance = m.chance(native.read_uci("e1e2")).legal
    assert chance < m.chance(native.read_uci("e1f1")).legal


def test_capture_of_a_piece_where_none_is_left_was_a_promoted_pawn() -> None:
    m = blurred("4k3/4p3/8/8/8/8/8/R3K3 w Q - 0 1", 0)
    m.stood(native.read_uci("a1a7"), captured="P", square=square("a7"))
    assert (m.pawns, m.pieces) == (0, 0)


@pytest.mark.parametrize("mode", ["corrected", "paper"])
def test_sums_are_kept_and_the_truth_is_never_believed_impossible(mode: str) -> None:
    rng = np.random.default_rng(3)
    for game in range(6):
        state = GAME.start()
        for _ in range(250):
            moves = state.moves()
            if not moves:
                break
            state = state.play(int(moves[int(rng.integers(len(moves)))]))
        for seat in (0, 1):
            found = native.calibrate_belief(state.native, seat, mode=mode)  # type: ignore[attr-defined]
            assert found.events > 50
            assert found.wrong_sum < 1e-4
            assert found.least > 0, (game, seat)
            assert found.fullest < 1.01


def test_black_believes_what_white_would() -> None:
    """A game with the colours exchanged and the ranks turned over gives the same, turned over."""

    def turned(text: str) -> str:
        return text[0] + str(9 - int(text[1])) + text[2] + str(9 - int(text[3])) + text[4:]

    line = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5e5", "f1e2", "c8g4"]
    white = GAME.start()
    black = GAME.start("RNBQKBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbqkbnr".swapcase() + " b KQkq - 0 1")
    for text in line:
        white, black = white.play(white.parse(text)), black.play(black.parse(turned(text)))
        for seat in (0, 1):
            a = native.KriegspielBelief(white.view(seat).native)  # type: ignore[attr-defined]
            b = native.KriegspielBelief(black.view(1 - seat).native)  # type: ignore[attr-defined]
            for left, right in ((a.king, b.king), (a.pawn, b.pawn), (a.piece, b.piece)):
                np.testing.assert_allclose(left.reshape(8, 8), right.reshape(8, 8)[::-1], atol=1e-5)


def test_wrong_arguments_are_refused_in_a_line() -> None:
    m = start()
    with pytest.raises(IllegalMove, match="e4e5 is no move"):
        m.stood(native.read_uci("e4e5"))
    with pytest.raises(IllegalMove, match="nothing of the seat's own"):
        m.meta(captured="p", square=40)
    with pytest.raises(BadOption, match="kernel must be fast or gated"):
        m.spread("slow")
    with pytest.raises(BadOption, match="checks must be of R F L S N"):
        m.meta(checks="X")
    with pytest.raises(BadOption, match="no constant is called 'courage'"):
        start(constants=[("courage", 1.0)])
    with pytest.raises(BadOption, match="doubt must be between"):
        start(constants=[("doubt", float("nan"))])
