"""The players that sample boards: what they choose, and that it follows from the view and the seed alone."""

import chess
import numpy as np
import pytest

from rookery import games, native, players
from rookery.api import Believer, Limit
from rookery.errors import BadOption, IllegalMove, UnsupportedGame
from rookery.games.kriegspiel import KRIEGSPIEL
from rookery.searches.kriegspiel.sampling import KriegspielSampling
from walks import walk

METHODS = ["los", "aosp", "hs"]


def player(method, seat=0, seed=0, **options):
    text = "".join(f",{key}={value}" for key, value in options.items())
    made = players.make(f"kriegspiel-sampling:method={method},boards=20,depth=1,pool=200{text}", KRIEGSPIEL)
    made.start(KRIEGSPIEL.spec, seat, seed)
    return made


def played(fen, *texts):
    state = KRIEGSPIEL.start(fen)
    for text in texts:
        state = state.play(state.parse(text))
    return state


@pytest.mark.parametrize("method", METHODS)
def test_takes_what_it_knows_to_hang(method):
    state = played("4k3/8/8/3q4/8/8/3R4/3RK3 b - - 0 1", "d5d2")
    assert state.text(player(method).choose(state.view(0), Limit())) in ("d1d2", "e1d2")


@pytest.mark.parametrize("method", METHODS)
def test_hunts_a_lone_king(method):
    state, seated = KRIEGSPIEL.start("8/8/8/3k4/8/8/8/K6R w - - 0 1 material"), player(method)
    rng = np.random.default_rng(1)
    while not state.outcome():
        state = state.play(
            seated.choose(state.view(0), Limit()) if state.seat == 0 else int(rng.choice(state.moves()))
        )
    assert state.outcome().reason == "checkmate"


@pytest.mark.parametrize("method", ["aosp", "hs"])
def test_mates_where_every_board_says_so(method):
    state = played("7k/8/p4K2/8/8/8/6Q1/8 b - - 0 1", "h8h7")
    assert state.text(player(method).choose(state.view(0), Limit())) == "g2g7"


@pytest.mark.parametrize("method", METHODS)
def test_whole_games_with_tries_that_are_refused(method):
    refused = 0
    for seed in range(2):
        state, rng = KRIEGSPIEL.start(), np.random.default_rng(seed)
        seated = player(method, seat=seed, seed=seed, nodes=6)
        while not state.outcome() and len(state.history()) < 400:
            if state.seat == seed:
                view = state.view(seed)
                move = seated.choose(view, Limit())
                assert move in view.moves()
            else:
                move = int(rng.choice(state.moves()))
            before, state = state, state.play(move)
            refused += before.seat == seed and not state.stood
    assert refused > 5


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_and_nodes_give_the_same_moves(method):
    def line(seed):
        state, rng = KRIEGSPIEL.start(), np.random.default_rng(3)
        seated = player(method, seed=seed)
        while not state.outcome() and len(state.history()) < 60:
            move = (
                seated.choose(state.view(0), Limit(nodes=5))
                if state.seat == 0
                else int(rng.choice(state.moves()))
            )
            state = state.play(move)
        return state.history()

    assert line(1) == line(1)
    assert line(1) != line(2)


@pytest.mark.parametrize("method", METHODS)
def test_a_refused_try_keeps_the_boards_on_which_it_is_illegal(method):
    kept = 0
    for seed in range(4):
        sampling = native.KriegspielSampling(method, 60, 1, 400)
        state = list(walk(KRIEGSPIEL, seed, 60))[-1]
        if state.outcome() or state.native.view(state.seat).refused:
            continue
        before = 0
        while not state.outcome():
            view = state.view(state.seat).native
            found = sampling.choose(view, 0, 0.0, [], 1)
            if view.refused:
                # What stayed is enough, or a quarter is drawn anew.
                assert found.boards in (0, 15) or found.kept < 15
                assert found.kept <= before + found.boards
                kept += found.boards == 0
            assert not {each.move for each in found.ranked} & set(view.refused)
            best = next((each for each in found.ranked if not state.accepts(each.move)), None)
            if best is None or len(view.refused) > 5:
                break
            before = found.kept
            state = state.play(best.move)
    assert kept


def test_a_move_that_is_seldom_legal_is_tried_last():
    sampling = native.KriegspielSampling("hs", 100, 1, 400)
    for state in walk(KRIEGSPIEL, 11, 40):
        if state.seat == 0 and not state.outcome():
            ranked = sampling.choose(state.view(0).native, 0, 0.0, [], 1).ranked
            judged = [each.share >= 0.05 for each in ranked]
            assert judged == sorted(judged, reverse=True)
            scores = [each.score for each in ranked if each.share >= 0.05]
            assert scores == sorted(scores, reverse=True)
            assert all(-1.02 <= each.score <= 1 and 0 <= each.share <= 1 for each in ranked)


def test_bounds_are_kept():
    state = list(walk(KRIEGSPIEL, 1, 31))[-1]
    view = state.view(state.seat)
    sampling = native.KriegspielSampling("los", 50, 1, 10)
    assert sampling.choose(view.native, 7, 0.0, [], 1).boards == 7
    sampling.forget()
    assert sampling.choose(view.native, 100_000, 0.05, [], 1).boards < 100_000
    some = list(view.moves()[:2])
    sampling.forget()
    assert {each.move for each in sampling.choose(view.native, 5, 0.0, some, 1).ranked} <= set(some)


@pytest.mark.parametrize("method", METHODS)
def test_belief_holds_the_truth_possible_and_adds_up(method):
    search = KriegspielSampling(KRIEGSPIEL, method=method, boards=40, depth=1, pool=100)
    assert isinstance(search, Believer)
    for number, state in enumerate(walk(KRIEGSPIEL, 4, 120)):
        if number % 9 or state.outcome():
            continue
        for seat in (0, 1):
            belief = search.belief(state.view(seat))
            truth = chess.Board(state.native.fen)
            enemy = chess.SquareSet(truth.occupied_co[seat == 1])
            assert all(belief.possible[s, truth.piece_type_at(s) - 1] for s in enemy)
            assert not belief.probability[~belief.possible].any()
            if method != "los" or seat == state.seat:
                assert belief.probability.sum() == pytest.approx(len(enemy), abs=0.02)
                assert belief.probability[:, 5].sum() == pytest.approx(1, abs=0.01)
            own = set(chess.SquareSet(truth.occupied_co[seat == 0]))
            assert not belief.probability[list(own)].any()


def test_belief_does_not_change_what_is_played():
    def choice(asks):
        search = KriegspielSampling(KRIEGSPIEL, method="hs", boards=20, depth=1, pool=100)
        rng = np.random.default_rng(0)
        state = list(walk(KRIEGSPIEL, 4, 40))[-1]
        if asks:
            search.belief(state.view(state.seat))
        return search.search(state.view(state.seat), Limit(), rng, lambda info: None)

    assert choice(True) == choice(False)


def test_what_is_out_of_range_is_refused_in_a_line():
    for options, words in [
        ({"method": "all"}, "kriegspiel-sampling: method must be los, aosp or hs .got 'all'."),
        ({"boards": 0}, "boards must be between 1"),
        ({"depth": 5}, "depth must be between 1 and 4"),
        ({"pool": -1}, "pool must be between 1"),
    ]:
        with pytest.raises(BadOption, match=words):
            KriegspielSampling(KRIEGSPIEL, **options)
    with pytest.raises(UnsupportedGame, match="plays kriegspiel only"):
        players.make("kriegspiel-sampling", games.get("chess"))
    sampling = native.KriegspielSampling("hs", 5, 1, 10)
    with pytest.raises(IllegalMove, match="not this seat's turn"):
        sampling.choose(KRIEGSPIEL.start().view(1).native, 0, 0.0, [], 1)
    with pytest.raises(IllegalMove, match="a move must be between"):
        sampling.choose(KRIEGSPIEL.start().view(0).native, 0, 0.0, [-1], 1)
    with pytest.raises(BadOption, match="seconds"):
        sampling.choose(KRIEGSPIEL.start().view(0).native, 0, float("nan"), [], 1)
