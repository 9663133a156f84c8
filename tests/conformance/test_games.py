"""What every game must keep to. The games are found in the registry: a new one is tested by being there."""

from __future__ import annotations

import copy
import pickle

import pytest

from rookery import games
from rookery.errors import BadOption, GameError, HiddenInformation, IllegalMove, UnknownName
from walks import walk

pytestmark = pytest.mark.parametrize("name", games.names())
SEEDS = range(6)
PLIES = 120


def states(name):
    for seed in SEEDS:
        yield from walk(games.get(name), seed, PLIES)


def test_spec_is_whole(name):
    spec = games.get(name).spec
    assert spec.name == name
    assert spec.seats == len(spec.seat_names)
    assert set(spec.side_of) == set(range(spec.sides))
    assert games.get(name).start().spec == spec


def test_text_round_trips(name):
    for state in states(name):
        again = games.get(name).start(str(state))
        assert again == state
        assert hash(again) == hash(state)
        assert str(again) == str(state)
        assert again.seat == state.seat
        assert again.board_moves() == state.board_moves()


def test_equality_tells_states_apart(name):
    seen = {str(state): state for state in states(name)}
    assert len(set(seen.values())) == len(seen)
    assert games.get(name).start() != object()


def test_moves_are_sorted_numbers_of_the_policy(name):
    for state in states(name):
        moves = list(state.moves())
        assert moves == sorted(set(moves))
        assert all(0 <= move < state.spec.policy_size for move in moves)


def test_move_text_round_trips(name):
    for state in states(name):
        texts = [state.text(move) for move in state.moves()]
        assert len(set(texts)) == len(texts)
        assert [state.parse(text) for text in texts] == list(state.moves())


def test_game_is_over_exactly_when_no_move_is_left(name):
    ended = 0
    for seed in SEEDS:
        for state in walk(games.get(name), seed, 10_000):
            outcome = state.outcome()
            assert (outcome is None) == bool(state.moves())
            if outcome:
                assert len(outcome.values) == state.spec.sides
                assert sum(outcome.values) == 0
                assert outcome.reason
                ended += 1
    assert ended == len(SEEDS)


def test_play_leaves_the_state_alone(name):
    for state in states(name):
        before = str(state), list(state.moves())
        for move in state.moves()[:3]:
            assert state.play(move).previous() == state
        assert (str(state), list(state.moves())) == before


def test_history_replays(name):
    for seed in SEEDS:
        *_, last = walk(games.get(name), seed, PLIES)
        state = games.get(name).start()
        for move in last.history():
            state = state.play(move)
        assert state == last
        assert state.outcome() == last.outcome()
        for seat in range(state.spec.seats):
            assert state.view(seat).events == last.view(seat).events


def test_views_follow_the_state(name):
    for state in states(name):
        for seat in range(state.spec.seats):
            view = state.view(seat)
            assert view.spec == state.spec
            assert view.seat == seat
            assert list(view.moves()) == (list(state.moves()) if seat == state.seat else [])
            assert view.picture()
            if state.spec.hidden:
                with pytest.raises(HiddenInformation):
                    view.state()
            else:
                assert view.state() == state
                assert len(view.events) == len(state.history())


def test_moves_outside_the_policy_are_refused(name):
    state = games.get(name).start()
    for move in (-1, state.spec.policy_size, 2**31 - 1):
        with pytest.raises(IllegalMove):
            state.play(move)
        with pytest.raises(IllegalMove):
            state.text(move)


def test_every_number_of_the_policy_can_be_told(name):
    """Legal or not: whoever errs is told what he said."""
    state = games.get(name).start()
    for move in range(state.spec.policy_size):
        assert state.text(move).isprintable()


def test_playouts_are_seeded(name):
    native = games.get(name).start().native

    def result(games, seed):
        played = native.playouts(games, seed)
        return played.games, played.plies, played.draws, tuple(played.wins)

    assert result(20, 1) == result(20, 1)
    assert result(20, 1) != result(20, 2)
    games_played, _, draws, wins = result(20, 3)
    assert games_played == 20 == draws + sum(wins)


def test_rubbish_is_no_position_and_no_move(name):
    state = games.get(name).start()
    for text in ("", " ", "rubbish", "0", "\x00", "é" * 3, "a" * 100_000):
        with pytest.raises(GameError):
            games.get(name).start(text)
        with pytest.raises(GameError):
            state.parse(text)


def test_nearest_name_is_given(name):
    with pytest.raises(UnknownName, match=f"did you mean {name}"):
        games.get(name + "x")


def test_rules_can_be_read_by_who_has_never_played(name):
    text = games.rules(name)
    assert text.startswith("# ") and "## On the screen" in text
    assert all(seat in text for seat in games.get(name).spec.seat_names)
    assert games.rules(name.rstrip("0123456789")) == text


def test_states_are_pickled_with_their_game(name):
    for seed in SEEDS[:2]:
        last = list(walk(games.get(name), seed, PLIES))[-1]
        again = pickle.loads(pickle.dumps(last))
        assert again == last
        assert again.history() == last.history()
        assert again.outcome() == last.outcome()
        assert str(again.previous()) == str(last.previous())
        assert copy.deepcopy(last) is last and copy.copy(last) is last
        view = last.view(0)
        again = pickle.loads(pickle.dumps(view))
        assert again.events == view.events
        assert again.moves() == view.moves()


def test_seats_and_moves_that_are_none_are_refused(name):
    state = games.get(name).start()
    for seat in (-1, state.spec.seats, 2**40):
        with pytest.raises(BadOption, match="seat must be between 0 and"):
            state.view(seat)
    for move in (-1, state.spec.policy_size, 2**31 - 1, -(2**31)):
        with pytest.raises(IllegalMove):
            state.text(move)


def test_messages_quote_no_more_than_a_line(name):
    for text in ("x" * 1_000_000, "e2e4\n\x1b[31m" + "y" * 1000):
        for read in (games.get(name).start, games.get(name).start().parse):
            with pytest.raises(GameError) as error:
                read(text)
            assert len(str(error.value)) < 1500
            assert str(error.value).isprintable()


def test_a_move_stands_unless_a_referee_refuses_it(name):
    hidden = games.get(name).spec.hidden
    assert games.get(name).start().stood
    for state in states(name):
        before = state.previous()
        if before is not None and not state.stood:
            assert hidden and state.seat == before.seat
            assert list(state.view(1 - state.seat).events) == list(before.view(1 - state.seat).events)


def test_a_forced_pass_is_the_one_move_and_changes_nothing_but_the_turn(name):
    for state in states(name):
        forced = state.forced()
        if forced is not None:
            assert list(state.moves()) == [forced]
            assert state.play(forced).seat != state.seat
