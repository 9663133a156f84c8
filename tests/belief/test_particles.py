"""The pool of whole boards: every board of it must reproduce all that was heard."""

import chess
import numpy as np
import pytest
from referee_twin import pawn_tries

from rookery import native
from rookery.errors import BadOption, IllegalMove
from rookery.games.kriegspiel import KRIEGSPIEL
from walks import walk

from .boards_twin import directions, follow, legal, name

SPARSE = [
    "4k3/pp6/8/8/8/8/6PP/4K3 w - - 0 1",
    "2r1k3/2p5/8/1P6/8/8/8/2K4R b - - 0 1",
    "4k3/3p4/8/4P3/8/8/8/R3K3 b Q - 0 1",
    "6k1/1P6/6p1/8/8/8/2p5/K6R w - - 0 1",
]


def names(pool) -> set[str]:
    return {name(fen) for fen in pool.boards()}


@pytest.mark.parametrize("start", SPARSE)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_large_pool_holds_exactly_the_boards_that_can_be(start: str, seat: int) -> None:
    for seed in range(2):
        twin, heard = [chess.Board(start)], 0
        pool = native.KriegspielParticles(size=100_000, seed=seed)
        for state in walk(KRIEGSPIEL, seed, 9, start):
            if state.outcome():
                break
            view = state.view(seat)
            for line in view.events[heard:]:
                twin = follow(twin, line)
            heard = len(view.events)
            pool.follow(view.native)
            assert pool.complete
            assert names(pool) == {name(board.fen()) for board in twin}
            if len(twin) > 150:
                break


@pytest.mark.parametrize(("few", "weighted"), [(0, False), (30, False), (30, True)])
def test_a_small_pool_holds_some_of_them(few: int, weighted: bool) -> None:
    """Where few are left it is stretched: drawn anew from a turn earlier."""
    followed = 0
    for seed, start in enumerate(SPARSE):
        seat = seed % 2
        twin, heard = [chess.Board(start)], 0
        pool = native.KriegspielParticles(size=30, few=few, refill=0, weighted=weighted, seed=seed)
        for state in walk(KRIEGSPIEL, 10 + seed, 12, start):
            if state.outcome() or len(twin) > 250:
                break
            view = state.view(seat)
            for line in view.events[heard:]:
                twin = follow(twin, line)
            heard = len(view.events)
            pool.follow(view.native)
            assert names(pool) <= {name(board.fen()) for board in twin}
            assert len(names(pool)) == len(pool) <= 30
            assert all(pool.whole())
            if len(pool):
                assert sum(pool.weights()) == pytest.approx(1, abs=1e-4)
                followed += 1
    assert followed > 20


def test_every_board_comes_from_one_of_the_boards_before() -> None:
    """So that in whole games, too, each of them reproduces the log."""
    events = 0
    for seed in range(2):
        pool = native.KriegspielParticles(size=12, few=0, refill=0, seed=seed)
        before, heard = [chess.Board()], 0
        for state in walk(KRIEGSPIEL, 40 + seed, 50):
            view = state.view(0)
            pool.follow(view.native)
            if len(view.events) == heard:
                continue
            assert names(pool) <= {name(board.fen()) for board in follow(before, view.events[-1])}
            before, heard = [chess.Board(fen) for fen in pool.boards()], len(view.events)
            events += len(before)
    assert events > 100


def test_weights_are_how_likely_what_was_heard_was() -> None:
    """A board shares its weight among all its replies, and those that sound so keep theirs."""
    start = "4k3/pp6/8/8/8/8/6PP/4K3 b - - 0 1"
    for seed in range(3):
        pool, flat = (native.KriegspielParticles(size=100_000, weighted=w) for w in (True, False))
        weights, heard = {name(start): (1.0, chess.Board(start))}, 0
        for state in walk(KRIEGSPIEL, 60 + seed, 6, start):
            view = state.view(0)
            for line in view.events[heard:]:
                found: dict[str, tuple[float, chess.Board]] = {}
                for weight, board in weights.values():
                    share = weight if not line.startswith("OPP") else weight / board.legal_moves.count()
                    for after in follow([board], line):
                        key = name(after.fen())
                        found[key] = (found.get(key, (0.0,))[0] + share, after)
                weights = found
            heard = len(view.events)
            total = sum(weight for weight, _ in weights.values())
            for each in (pool, flat):
                each.follow(view.native)
            have = dict(zip(map(name, pool.boards()), pool.weights(), strict=True))
            assert have == pytest.approx(
                {key: weight / total for key, (weight, _) in weights.items()}, rel=1e-3
            )
            assert flat.weights() == pytest.approx([1 / len(flat)] * len(flat))


def test_the_same_seed_gives_the_same_pool_however_it_is_followed() -> None:
    state = list(walk(KRIEGSPIEL, 5, 40))[-1]
    states = [state]
    while (earlier := states[-1].previous()) is not None:
        states.append(earlier)
    step_by_step = native.KriegspielParticles(size=300, refill=0, seed=3)
    for each in reversed(states):
        step_by_step.follow(each.view(0).native)
    at_once = native.KriegspielParticles(size=300, refill=0, seed=3)
    at_once.follow(state.view(0).native)
    assert step_by_step.boards() == at_once.boards() != []
    other = native.KriegspielParticles(size=300, refill=0, seed=4)
    other.follow(state.view(0).native)
    assert other.boards() != at_once.boards()


def test_another_game_starts_anew() -> None:
    pool = native.KriegspielParticles(size=40)
    pool.follow(list(walk(KRIEGSPIEL, 1, 40))[-1].view(0).native)
    pool.follow(KRIEGSPIEL.start().view(0).native)
    assert [name(fen) for fen in pool.boards()] == [name(chess.STARTING_FEN)]


def test_a_pool_of_few_is_refilled_from_the_last_observation() -> None:
    refilled = 0
    for state in walk(KRIEGSPIEL, 7, 400):
        if state.outcome():
            break
        view = state.view(0)
        if state.seat == 0 and len(view.events) % 5 == 0:
            pool = native.KriegspielParticles(size=20, few=20, least=20, refill=20)
            pool.follow(view.native)
            refilled += sum(not whole for whole in pool.whole())
            for fen in pool.boards():
                check_last_observation(fen, state)
    assert refilled > 50


def check_last_observation(fen: str, state) -> None:
    view, board = state.view(state.seat), chess.Board(fen)
    us = state.seat == 0
    truth = chess.Board(state.native.fen)
    assert board.is_valid() and board.turn == us == truth.turn
    assert board.occupied_co[us] == truth.occupied_co[us]
    assert all(board.piece_at(s) == truth.piece_at(s) for s in chess.SquareSet(board.occupied_co[us]))
    assert chess.popcount(board.occupied_co[not us]) == chess.popcount(truth.occupied_co[not us])
    assert pawn_tries(board) == view.tries
    assert "".join(directions(board)) == view.checks
    assert not any(legal(board, native.uci(move)) for move in view.native.refused)
    masks = native.Possible(view.native).masks
    for s in range(64):
        piece = board.piece_at(s)
        if piece is None:
            assert masks[s] & 64, (fen, chess.square_name(s))
        elif piece.color != us:
            assert masks[s] & 1 << (piece.piece_type - 1), (fen, chess.square_name(s))
    last = next((line for line in reversed(view.events) if not line.startswith("ILLEGAL")), "")
    if last.startswith("OPP cap=") and not last.startswith("OPP cap=-"):
        square = chess.parse_square(last.split("@")[1][:2])
        behind = square + (-8 if us else 8)
        assert board.color_at(square) == (not us) or board.piece_at(behind) == chess.Piece(chess.PAWN, not us)


def test_boards_of_the_last_observation_fit_it() -> None:
    drawn = asked = 0
    for seed in range(3):
        for number, state in enumerate(walk(KRIEGSPIEL, seed, 300)):
            if state.outcome():
                break
            view = state.view(state.seat)
            # Now and then, and always where there is something to satisfy.
            if number % 17 and not view.checks and not view.tries and len(view.native.refused) < 4:
                continue
            boards = native.last_observation(view.native, 3, number)
            asked += 3
            drawn += len(boards)
            for fen in boards:
                check_last_observation(fen, state)
    assert drawn > 0.8 * asked > 100


def test_the_same_seed_draws_the_same_boards() -> None:
    view = list(walk(KRIEGSPIEL, 2, 60))[-1]
    known = view.view(view.seat).native
    assert native.last_observation(known, 5, 1) == native.last_observation(known, 5, 1)
    assert native.last_observation(known, 5, 1) != native.last_observation(known, 5, 2)


def test_what_cannot_be_is_refused_in_a_line() -> None:
    start = KRIEGSPIEL.start()
    with pytest.raises(BadOption, match="size must be between 1 and 1000000"):
        native.KriegspielParticles(size=0)
    with pytest.raises(BadOption, match="boards must be between"):
        native.last_observation(start.view(0).native, 0, 1)
    with pytest.raises(IllegalMove, match="not this seat's turn"):
        native.last_observation(start.view(1).native, 1, 1)


def test_only_the_material_is_known_at_the_start() -> None:
    start = KRIEGSPIEL.start("8/8/8/3k4/8/4p3/8/K6R w - - 0 1 material")
    pool = native.KriegspielParticles(size=100, few=50, least=50, refill=50)
    pool.follow(start.view(0).native)
    assert 40 <= len(pool) <= 50 and not pool.complete and not any(pool.whole())
    rng = np.random.default_rng(0)
    state = start
    for _ in range(30):
        if not state.moves():
            break
        state = state.play(int(rng.choice(state.moves())))
        pool.follow(state.view(0).native)
        if state.seat == 0 and not state.outcome():
            assert len(pool) >= 20
            for fen in pool.boards()[:5]:
                check_last_observation(fen, state)
