"""The one game loop: what players see, and what becomes of those who fail."""

import time

import pytest
from seated import Told, script
from toy import RACE

from rookery import games, players
from rookery.api import Clock, Limit
from rookery.arena.game import forfeited, play_game
from rookery.errors import EngineTimeout, HiddenInformation, IllegalAnswer, Resignation

CHESS = games.get("chess")
KRIEGSPIEL = games.get("kriegspiel")


def raising(error: Exception) -> Told:
    def choose(view):
        raise error

    return Told(choose)


def test_a_game_by_the_rules():
    record = play_game(CHESS, [script(["f2f3", "g2g4"]), script(["e7e5", "d8h4"])], seed=5)
    assert record.moves == ("f2f3", "e7e5", "g2g4", "d8h4")
    assert record.outcome.values == (-1, 1) and record.outcome.reason == "checkmate"
    assert (record.plies, record.opening, record.seed, record.game) == (4, 0, 5, "chess")
    assert record.start == str(CHESS.start()) and len(record.seconds) == 2


@pytest.mark.parametrize("name", games.names())
def test_every_game_is_played_to_its_end_and_replays(name):
    game = games.get(name)
    players = [Told() for _ in range(game.spec.seats)]
    record = play_game(game, players, seed=1, max_plies=3000)
    state = game.start(record.start)
    for text in record.moves:
        assert state.outcome() is None
        state = state.play(state.parse(text))
    assert state.outcome() == record.outcome
    assert all(player.outcomes == [record.outcome] for player in players)
    assert record == play_game(game, [Told() for _ in players], seed=1, max_plies=3000)
    assert record.moves != play_game(game, [Told() for _ in players], seed=2, max_plies=3000).moves


def test_players_get_the_view_of_their_own_seat():
    players = [Told(), Told()]
    play_game(KRIEGSPIEL, players, seed=4, max_plies=40)
    for seat, player in enumerate(players):
        assert player.views and all(view.seat == seat for view in player.views)
        with pytest.raises(HiddenInformation):
            player.views[-1].state()


def test_a_refused_try_is_no_loss_and_the_same_seat_is_asked_again():
    white = script(["e2e5", "d1d4", "e2e4", "e1e2"])
    record = play_game(KRIEGSPIEL, [white, script(["e7e5", "d7d5"])], max_plies=4)
    assert record.moves == ("e2e5", "d1d4", "e2e4", "e7e5", "e1e2", "d7d5")
    assert record.plies == 4 and record.outcome.reason == "length"
    assert list(white.views[2].events) == ["ILLEGAL e2e5", "ILLEGAL d1d4"]


def test_opening_moves_are_played_and_counted_but_nobody_is_asked_for_them():
    white, black = script(["e1e2"]), Told()
    record = play_game(CHESS, [white, black], opening=["e2e4", "e7e5"], max_plies=3)
    assert record.moves == ("e2e4", "e7e5", "e1e2") and record.opening == 2
    assert black.views == [] and len(white.views) == 1


def test_start_from_a_position():
    fen = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"
    record = play_game(CHESS, [script(["a1a8"]), Told()], start=fen)
    assert record.start == fen and record.outcome.values == (1, -1)


def test_the_length_is_capped_as_a_draw():
    record = play_game(CHESS, [Told(), Told()], max_plies=7)
    assert record.outcome.values == (0, 0) and record.outcome.reason == "length" and record.plies == 7


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "player, reason",
    [
        (Told(lambda view: 4), "illegal move e1a1"),
        (Told(lambda view: -1), "illegal move -1"),
        (Told(lambda view: 10**9), "illegal move 1000000000"),
        (Told(lambda view: 2**70), f"illegal move {2**70}"),
        (Told(lambda view: None), "illegal move None"),
        (Told(lambda view: "e2e4"), "illegal move 'e2e4'"),
        (raising(KeyError("e2")), "crashed: KeyError: 'e2'"),
        (raising(RuntimeError("two\nlines")), "crashed: RuntimeError: two lines"),
        (raising(RecursionError()), "crashed: RecursionError:"),
        (raising(EngineTimeout("slow")), "time"),
        (raising(IllegalAnswer("it said e2e5", "e2e5")), "illegal move e2e5"),
        (raising(Resignation("enough")), "resignation"),
    ],
)
def test_whoever_fails_loses_with_the_reason(player, reason, seat):
    other = Told()
    players = [player, other] if seat == 0 else [other, player]
    record = play_game(CHESS, players)
    assert record.outcome.reason == reason
    assert record.outcome.values == ((-1, 1) if seat == 0 else (1, -1))
    assert record.plies == seat
    assert forfeited(reason) == (reason != "resignation")
    assert other.outcomes == [record.outcome]


def test_one_who_cannot_even_begin_loses():
    player = Told()
    player.start = lambda *_: 1 / 0
    record = play_game(CHESS, [Told(), player])
    assert record.outcome.values == (1, -1) and record.outcome.reason.startswith("crashed: ZeroDivisionError")


def test_one_who_fails_after_the_end_loses_nothing():
    white = script(["f2f3", "g2g4"])
    white.end = lambda outcome: 1 / 0
    assert play_game(CHESS, [white, script(["e7e5", "d8h4"])]).outcome.reason == "checkmate"


def test_overrunning_the_time_loses(monkeypatch):
    monkeypatch.setattr("rookery.arena.game.GRACE", 0.05)

    def slow(view):
        time.sleep(0.2)
        return view.moves()[0]

    assert play_game(CHESS, [Told(slow), Told()], Limit(time=0.01)).outcome.reason == "time"
    # Without a limit nobody is too slow.
    assert play_game(CHESS, [Told(slow), Told()], max_plies=1).outcome.reason == "length"


def test_clocks_run_and_their_owner_loses_when_one_runs_out(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("rookery.arena.game.perf_counter", lambda: now[0])
    seen = []

    class Slow(Told):
        def choose(self, view, limit):
            seen.append(tuple(clock.left for clock in limit.clocks))
            now[0] += 3.0 if view.seat == 0 else 1.0
            return super().choose(view, limit)

    record = play_game(CHESS, [Slow(), Slow()], Limit(clocks=(Clock(5.0, 1.0), Clock(9.0))))
    # White thinks for 3 and gets 1 each time; it has but 1 left for its third move.
    assert seen == [(5, 9), (3, 9), (3, 8), (1, 8), (1, 7)]
    assert record.outcome.values == (-1, 1) and record.outcome.reason == "time"


def test_a_player_divides_the_time_of_its_own_clock():
    player = players.make("alphabeta+pieces", CHESS)
    state = CHESS.start()
    seen = []
    player.think(state.view(0), Limit(clocks=(Clock(0.4), Clock(1000.0))), seen.append)
    assert seen[-1].seconds < 0.4, "it looked at the other one's clock, or at none"


def test_a_seat_that_can_only_pass_is_not_asked():
    players = [Told(lambda view: view.moves()[0]) for _ in range(4)]
    record = play_game(RACE, players)
    assert "--" in record.moves and record.outcome.reason == "home"
    assert record.plies == len(record.moves)
    asked = [view.text(move) for player in players for view in player.views for move in view.moves()]
    assert "--" not in asked


def test_a_side_loses_and_the_others_share():
    assert RACE.spec.lost_by(2, "time").values == (-1, 1)
    assert RACE.spec.lost_by(3, "time").values == (1, -1)


def test_the_table_must_be_full():
    with pytest.raises(ValueError, match="2 seats, not 1"):
        play_game(CHESS, [Told()])


class Clumsy(Told):
    """Tries these one after the other, and takes as long for each as `now` is put forward."""

    def __init__(self, tries, now, seconds):
        super().__init__(script(tries)._choose)
        self.limits = []
        self._now, self._seconds = now, seconds

    def choose(self, view, limit):
        self.limits.append(limit)
        self._now[0] += self._seconds
        return super().choose(view, limit)


@pytest.fixture
def now(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("rookery.arena.game.perf_counter", lambda: now[0])
    return now


def test_the_tries_of_a_turn_share_its_time(now):
    white = Clumsy(["e2e5", "d1d4", "e2e4", "e1e2"], now, 3.0)
    record = play_game(KRIEGSPIEL, [white, script(["e7e5", "d7d5"])], Limit(time=10.0), max_plies=3)
    assert record.outcome.reason == "length"
    assert [(limit.time, limit.spent) for limit in white.limits] == [(10, 0), (7, 3), (4, 6), (10, 0)]


def test_whoever_overruns_by_many_tries_has_overrun(now):
    white = Clumsy(["e2e5"] * 9, now, 3.0)
    record = play_game(KRIEGSPIEL, [white, Told()], Limit(time=7.0), max_plies=3)
    # Three tries take 9 seconds, of 7 and one of grace. What is left is never nothing: a try must be made.
    assert record.outcome.reason == "time" and len(record.moves) == 2
    late = Clumsy(["e2e5"] * 9, now, 3.8)
    play_game(KRIEGSPIEL, [late, Told()], Limit(time=7.0), max_plies=3)
    assert 0 < late.limits[-1].time < 0.01


def test_the_increment_is_paid_for_the_move_that_stood(now):
    white = Clumsy(["e2e5", "d1d4", "e2e4", "e1e2"], now, 2.0)
    clocks = (Clock(20.0, 1.0), Clock(9.0, 1.0))
    play_game(KRIEGSPIEL, [white, script(["e7e5", "d7d5"])], Limit(clocks=clocks), max_plies=3)
    assert [limit.clocks[0].left for limit in white.limits] == [20, 18, 16, 15]


def test_senseless_tries_do_not_win_time(now):
    white = Clumsy(["e2e5"] * 299, now, 0.5)
    record = play_game(KRIEGSPIEL, [white, Told()], Limit(clocks=(Clock(10.0, 1.0), Clock(10.0, 1.0))))
    assert record.outcome.reason == "time" and len(record.moves) == 20
