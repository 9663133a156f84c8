"""Matches and tournaments: the same games however they are played, and what they add up to."""

import multiprocessing
import os
import signal
import struct
from collections import Counter
from dataclasses import replace

import pytest

from rookery.api import GameRecord, Limit, Outcome
from rookery.arena.contest import Contest
from rookery.arena.hold import hold
from rookery.arena.match import judge, match
from rookery.arena.record import Played
from rookery.arena.skill import skills
from rookery.arena.tally import Tally
from rookery.arena.tournament import tournament
from rookery.arena.workers import InProcess, Workers, _Worker
from rookery.errors import BadOption

QUICK = Contest("chess", ("rollouts:games=1", "random"), games=6, seed=1, max_plies=24)


def played(pair: int, sides: tuple[int, int], first: float, reason: str = "checkmate") -> Played:
    """A game in which the side that plays first gets this value."""
    outcome = Outcome((first, -first), reason)
    record = GameRecord("chess", 1, 0, ("a", "b"), "", (), outcome, plies=10, seconds=(1.0, 2.0))
    return Played(pair, sides, record)


def test_the_same_games_for_any_number_of_workers():
    here = list(hold(QUICK))
    assert here == list(hold(QUICK, workers=2))
    assert [game.pair for game in here] == [0, 0, 1, 1, 2, 2]
    assert match(QUICK).json() | {"seconds": 0, "thinking": 0} == match(QUICK, workers=1).json() | {
        "seconds": 0,
        "thinking": 0,
    }


def test_games_count_in_their_order_and_not_in_that_in_which_they_end(monkeypatch):
    class Backwards(InProcess):
        def play(self, schedule):
            yield from super().play(reversed(list(schedule)))

    monkeypatch.setattr("rookery.arena.hold.open_executor", lambda contest, workers: Backwards(contest))
    ended = []
    assert list(hold(QUICK, on_end=ended.append)) == ended[::-1]
    monkeypatch.undo()
    assert list(hold(QUICK)) == ended[::-1]


def test_a_prefix_of_a_longer_match_is_the_shorter_one():
    assert list(hold(replace(QUICK, games=3))) == list(hold(QUICK))[:3]


def test_tally():
    tally = Tally()
    side_of = (0, 1)
    assert not tally.add(played(0, (0, 1), 1), side_of)  # The first one won as White ...
    assert tally.add(played(0, (1, 0), 1), side_of)  # ... and lost as Black.
    assert not tally.add(played(1, (0, 1), 0, "stalemate"), side_of)
    assert tally.add(played(1, (1, 0), -1, "crashed: KeyError: 3"), side_of)
    tally.add(played(2, (0, 1), -1, "illegal move e2e5"), side_of)
    assert (tally.wins, tally.draws, tally.losses, tally.games) == (2, 1, 2, 5)
    assert tally.pentanomial == [0, 0, 1, 1, 0] and tally.score == 0.5
    assert tally.reasons == Counter({"checkmate": 2, "stalemate": 1, "crashed": 1, "illegal move": 1})
    assert tally.forfeits == (Counter(["illegal move e2e5"]), Counter(["crashed: KeyError: 3"]))
    assert tally.seconds == [1 + 2 + 1 + 2 + 1, 2 + 1 + 2 + 1 + 2] and tally.plies == 50


def test_a_sequential_test_stops_where_it_decides_and_counts_nothing_more():
    contest = Contest("chess", ("random", "random"), games=400, sprt=(0, 100))
    games = [played(pair, sides, value) for pair in range(200) for sides, value in (((0, 1), 1), ((1, 0), 0))]
    result = judge(contest, games)
    assert result.decision == "H1" and result.llr > 2.94
    assert result.tally.games % 2 == 0 and result.tally.games < 60
    before = judge(contest, games[: result.tally.games - 2])
    assert before.decision is None and before.llr < 2.94


def test_undecided():
    result = match(replace(QUICK, sprt=(0, 1)))
    assert result.decision is None and result.json()["sprt"]["decision"] is None
    assert result.json()["games"] == 6


def test_a_match_is_between_two():
    with pytest.raises(BadOption, match="tournament"):
        match(replace(QUICK, entrants=("random",) * 3))


def test_json_of_a_match():
    found = match(QUICK).json()
    assert found["wins"] + found["draws"] + found["losses"] == found["games"] == 6
    assert found["score"] == (found["wins"] + found["draws"] / 2) / 6
    assert sum(found["reasons"].values()) == 6 and sum(found["pentanomial"]) == 3
    assert found["players"] == ["rollouts:games=1", "random"] and found["llr"] is None


def test_a_tournament():
    contest = Contest("chess", ("random", "rollouts:games=2", "random"), games=2, seed=2, max_plies=60)
    result = tournament(contest, workers=1)
    assert result.games == 6
    points = result.points()
    assert all(points[i][j] + points[j][i] == 2 for i in range(3) for j in range(i))
    found = result.json()
    assert [place["games"] for place in found["ladder"]] == [4, 4, 4]
    assert sum(place["points"] for place in found["ladder"]) == 6
    assert found["ladder"][0]["elo"] >= found["ladder"][-1]["elo"]
    assert [m["games"] for m in found["matches"]] == [2, 2, 2]
    again = tournament(contest).json()
    assert again | {"seconds": 0} == found | {"seconds": 0}


@pytest.mark.parametrize("name, seats", [("duchess4", 4), ("duchess6", 6)])
def test_teams_swap_sides_and_keep_their_opening(name, seats):
    contest = Contest(name, ("random", "rollouts:games=1"), games=4, seed=1, max_plies=seats + 4)
    one, two, *_ = played = list(hold(contest))
    assert one.record.players == ("random", "rollouts:games=1") * (seats // 2)
    assert two.record.players == ("rollouts:games=1", "random") * (seats // 2)
    assert one.record.opening == seats and one.record.moves[:seats] == two.record.moves[:seats]
    assert played[2].record.moves[:seats] != one.record.moves[:seats]
    assert len(one.record.seconds) == seats
    assert played == list(hold(contest, workers=1))
    found = tournament(replace(contest, games=2)).json()
    assert all(place["sigma"] < 25 / 3 for place in found["ladder"])


def test_skill_at_team_games():
    from toy import SPEC

    won, lost = Outcome((1.0, -1.0), ""), Outcome((-1.0, 1.0), "")
    found = skills(SPEC, [((0, 1, 0, 1), won), ((1, 0, 1, 0), lost)] * 5, entrants=3)
    assert found[0].mu > found[2].mu > found[1].mu
    assert found[0].sigma < found[2].sigma == 25 / 3
    mixed = skills(SPEC, [((0, 1, 2, 1), won)] * 5, entrants=3)
    assert mixed[0].mu == mixed[2].mu > mixed[1].mu


# --- workers that die ------------------------------------------------------------------------------


def test_a_player_that_takes_its_process_with_it_loses_and_the_match_goes_on(fake):
    """The engine's answer to its first question is to kill the process that asks."""
    deadly = fake("uci", "go", "os.kill(os.getppid(), 9); time.sleep(9)").name
    result = match(Contest("chess", (deadly, "random"), games=2, max_plies=10), workers=1)
    assert result.tally.losses == 2 and result.tally.reasons == Counter(crashed=2)
    assert list(result.tally.forfeits[0]) == ["crashed: its process ended with SIGKILL"]


def test_a_player_that_never_answers_loses_on_time(fake, monkeypatch):
    monkeypatch.setattr("rookery.arena.workers._HANGING", 0.3)
    hanging = fake("uci", "go", "time.sleep(60)").name
    contest = Contest("chess", ("random", hanging), games=2, max_plies=10, limit=Limit(time=0.1))
    games = list(hold(contest, workers=1))
    assert [game.record.outcome.reason for game in games] == ["time", "time"]
    assert [game.record.outcome.values for game in games] == [(1, -1), (-1, 1)]
    # What had been played is known all the same: four moves of the opening, and White's where it had moved.
    assert [len(game.record.moves) for game in games] == [5, 4]
    assert [game.record.plies for game in games] == [5, 4]


def test_a_worker_that_dies_in_the_middle_of_a_message_loses_one_game():
    here, there = multiprocessing.Pipe()
    os.write(there.fileno(), struct.pack("!i", 1000) + b"the beginning")
    there.close()
    process = multiprocessing.get_context("spawn").Process()
    process.start()
    worker = _Worker(process, here, next(QUICK.schedule()), seat=1)
    record = Workers(QUICK, 0)._hear(worker)
    assert record.outcome.reason.startswith("crashed: its process ended") and record.outcome.values == (1, -1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_who_ends_the_program_is_no_business_of_a_worker(number):
    games = hold(QUICK, workers=1)
    played = [next(games)]
    for worker in multiprocessing.active_children():
        os.kill(worker.pid, number)
    assert [*played, *games] == list(hold(QUICK))
