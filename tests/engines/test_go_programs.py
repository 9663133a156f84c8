"""Go programs as players."""

import pytest
from typer.testing import CliRunner

from rookery import games, players
from rookery.api import Clock, Limit
from rookery.arena.contest import Contest, enter
from rookery.arena.hold import hold
from rookery.cli import app
from rookery.errors import (
    EngineError,
    EngineTimeout,
    IllegalAnswer,
    Resignation,
    UnknownName,
    UnsupportedGame,
)

GO = games.get("go5")


@pytest.fixture
def seated():
    made = []

    def seat(name, game=GO):
        player = players.make(name, game)
        made.append(player)
        player.start(game.spec, 0, 7)
        return player

    yield seat
    for player in made:
        player.close()


def after(*moves, start=None):
    state = GO.start(start)
    for text in moves:
        state = state.play(state.parse(text))
    return state


def test_it_hears_what_was_played_since(fake, seated):
    program = fake("gtp")
    player = seated(program.name)
    state = after("C3", "B2")
    state = state.play(player.choose(state.view(0), Limit()))
    state = state.play(state.parse("D4"))
    player.choose(state.view(0), Limit(time=2))
    assert program.heard() == [
        *["list_commands", "set_random_seed 7"],
        *["boardsize 5", "clear_board", "komi 0", "play black C3", "play white B2", "genmove black"],
        *["play white D4", "time_settings 0 2 1", "genmove black"],
    ]


def test_the_clock_of_a_game_reaches_it(fake, seated):
    program = fake("gtp")
    player = seated(program.name)
    player.choose(after().view(0), Limit(clocks=(Clock(9.5, 2.0), Clock(8.0, 2.0))))
    player.choose(after().view(0), Limit(clocks=(Clock(7.5, 2.0), Clock(8.0, 2.0))))
    said = [line for line in program.heard() if line.startswith("time")]
    assert said == ["time_settings 10 2 1", "time_left black 9 0", "time_left black 7 0"]


def test_a_position_is_set_up(fake, seated):
    program = fake("gtp")
    seated(program.name).choose(after(start="..X../...../..O../...../..... b").view(0), Limit())
    assert program.heard()[-3:] == ["play black C5", "play white C3", "genmove black"]


def test_another_game_starts_from_scratch(fake, seated):
    program = fake("gtp")
    player = seated(program.name)
    player.choose(after("C3", "B2").view(0), Limit())
    player.choose(after("C3", "D4").view(0), Limit())
    assert program.heard().count("clear_board") == 2


@pytest.mark.parametrize(
    "what, error, said",
    [
        ("say('= Z9\\n'); continue", IllegalAnswer, "Z9"),
        ("say('= C3\\n'); continue", IllegalAnswer, "C3"),
        ("say('= resign\\n'); continue", Resignation, "resigns"),
        ("say('? cannot\\n'); continue", EngineError, "answered '. cannot' to 'genmove white'"),
        ("sys.exit(4)", EngineError, "exit code 4"),
        ("time.sleep(60)", EngineTimeout, "genmove"),
    ],
)
def test_what_may_go_wrong(fake, seated, monkeypatch, what, error, said):
    monkeypatch.setattr("rookery.engines.gtp.LATE", 0.3)
    player = seated(fake("gtp", "genmove", what).name)
    with pytest.raises(error, match=said):
        player.choose(after("C3").view(1), Limit(time=0.1))


def test_a_person_wins_when_the_program_resigns(fake):
    """Through the terminal, where a game goes on until somebody leaves."""
    program = fake("gtp", "genmove", "say('= resign\\n'); continue")
    done = CliRunner().invoke(app, ["play", "go5", "--with", program.name], input="C3\nquit\n")
    assert done.exit_code == 0 and "White resigned" in done.stdout


def test_options_are_commands_of_the_program(fake, seated):
    program = fake("gtp")
    seated(program.name + ",level=3")
    assert "level 3" in program.heard()
    with pytest.raises(UnknownName, match="no option 'levl'; did you mean level"):
        seated(program.name + ",levl=3")


def test_a_program_that_does_not_speak(seated):
    with pytest.raises(EngineError, match="ended by itself at 'list_commands'"):
        seated("gtp:true")


def test_go_programs_play_go():
    with pytest.raises(UnsupportedGame, match="play Go, not chess; those of chess are uci:PROGRAM"):
        players.make("gtp:cat", games.get("chess"))


def test_gnugo_plays_5x5_and_the_same_for_the_same_seed():
    contest = Contest("go5", enter("go5", ["gtp:gnugo,level=1", "random"]), games=2, seed=3)
    played = list(hold(contest))
    assert played == list(hold(contest))
    assert [game.record.outcome.reason for game in played] == ["passes", "passes"]
    assert all(game.record.outcome.values[game.sides.index(0)] >= 0 for game in played)


def test_gnugo_plays_9x9():
    contest = Contest("go9", enter("go9", ["gtp:gnugo,level=0", "random"]), games=2, max_plies=30)
    assert [game.record.outcome.reason for game in hold(contest)] == ["length", "length"]
