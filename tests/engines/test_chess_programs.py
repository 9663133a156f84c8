"""Chess programs as players: fake ones that misbehave as told, and real ones that play."""

import sys
import threading

import pytest

from rookery import games, players
from rookery.api import Clock, Limit
from rookery.arena.contest import Contest, enter
from rookery.arena.hold import hold
from rookery.arena.match import match
from rookery.errors import (
    BadOption,
    EngineError,
    EngineTimeout,
    IllegalAnswer,
    Resignation,
    RookeryError,
    UnknownName,
    UnsupportedGame,
)

CHESS = games.get("chess")


@pytest.fixture
def seated():
    """Makes a player and seats it; closes it in the end."""
    made = []

    def seat(name):
        player = players.make(name, CHESS)
        made.append(player)
        player.start(CHESS.spec, 0, 0)
        return player

    yield seat
    for player in made:
        player.close()


def after(*moves, start=None):
    state = CHESS.start(start)
    for text in moves:
        state = state.play(state.parse(text))
    return state


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
def test_it_moves_and_hears_of_every_game_and_move(fake, seated, protocol):
    program = fake(protocol)
    player = seated(program.name)
    for game in range(2):
        if game:
            player.start(CHESS.spec, 0, 1)
        state = after()
        for reply in ("e7e5", "d7d5"):
            move = player.choose(state.view(0), Limit(depth=1))
            assert state.text(move) == min(state.text(m) for m in state.moves())
            state = state.play(move)
            state = state.play(state.parse(reply))
    heard = program.heard()
    assert heard.count({"uci": "ucinewgame", "xboard": "new"}[protocol]) == 2
    if protocol == "uci":
        assert "position startpos moves a2a3 e7e5" in heard and "go depth 1" in heard
    else:
        assert "usermove e7e5" in heard and "sd 1" in heard


def test_positions_and_limits_reach_it(fake, seated):
    program = fake("uci")
    player = seated(program.name + ",nodes=50,time=2,Level=7,style=wild")
    state = after(start="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    player.choose(state.view(0), Limit(nodes=20, depth=3))
    heard = program.heard()
    assert "setoption name Level value 7" in heard and "setoption name Style value wild" in heard
    assert "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" in heard
    assert "go depth 3 nodes 20 movetime 2000" in heard


def test_only_some_moves(fake, seated):
    program = fake("uci")
    state = after()
    seated(program.name).choose(
        state.view(0), Limit(depth=1, only=(state.parse("e2e4"), state.parse("d2d4")))
    )
    assert "go depth 1 searchmoves e2e4 d2d4" in program.heard()


@pytest.mark.parametrize(
    ("said", "score", "wins_in"),
    [("cp 300", 300, None), ("cp -1250", -1250, None), ("mate 2", None, 3), ("mate -3", None, -6)],
)
@pytest.mark.parametrize("first", [(), ("e2e4",)])
def test_its_score_is_told_as_it_is(fake, seated, first, said, score, wins_in):
    """To who moves, White or Black; the value is another scale."""
    state, heard = after(*first), []
    player = seated(fake("uci", "go", f'say("info depth 9 score {said}")').name)
    value = player.think(state.view(state.seat), Limit(depth=1), heard.append).value[state.seat]
    assert [(info.score, info.wins_in) for info in heard] == [(score, wins_in)]
    assert value * (score or wins_in) > 0 and heard[0].value[state.seat] == value


def test_a_program_that_tells_no_score_has_none(fake, seated):
    heard = []
    seated(fake("uci").name).think(after().view(0), Limit(depth=1), heard.append)
    assert [(info.score, info.wins_in) for info in heard] == [(None, None)]


def test_nobody_thinks_for_ever(fake, seated):
    program = fake("uci")
    seated(program.name).choose(after().view(0), Limit())
    assert "go movetime 100" in program.heard()


def test_the_clock_of_an_xboard_program(fake, seated):
    program = fake("xboard")
    seated(program.name + ",time=0.25").choose(after().view(0), Limit())
    assert {"level 1 0:01 0", "time 25"} <= set(program.heard())


@pytest.mark.parametrize(
    "protocol, lines",
    [
        ("uci", {"go wtime 10000 btime 8000 winc 100 binc 100"}),
        ("xboard", {"level 0 0:10 0.1", "time 1000", "otim 800"}),
    ],
)
def test_the_clocks_of_a_game_reach_it(fake, seated, protocol, lines):
    program = fake(protocol)
    seated(program.name).choose(after().view(0), Limit(clocks=(Clock(10.0, 0.1), Clock(8.0, 0.1))))
    assert lines <= set(program.heard())


def test_a_program_that_plays_from_the_start_alone_says_so(fake, seated):
    player = seated(fake("xboard").name)
    with pytest.raises(EngineError, match="cannot be given a position"):
        player.choose(after(start="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").view(0), Limit(depth=1))


def test_moves_taken_back_are_taken_back_there_too(fake, seated):
    program = fake("uci")
    player = seated(program.name)
    player.choose(after("e2e4", "e7e5").view(0), Limit(depth=1))
    player.choose(after("d2d4", "d7d5").view(0), Limit(depth=1))
    player.choose(after(start="4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").view(0), Limit(depth=1))
    player.choose(after().view(0), Limit(depth=1))
    assert [line for line in program.heard() if line.startswith("position")] == [
        "position startpos moves e2e4 e7e5",
        "position startpos moves d2d4 d7d5",
        "position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "position startpos",
    ]


@pytest.mark.parametrize(
    "protocol, when, what, error, said",
    [
        ("uci", "go", "say('bestmove e2e5'); continue", IllegalAnswer, "e2e5"),
        ("uci", "go", "say('bestmove xyzzy'); continue", IllegalAnswer, "xyzzy"),
        ("uci", "go", "say('bestmove (none)'); continue", Resignation, "resigns"),
        ("uci", "go", "sys.exit(3)", EngineError, "exit code: 3"),
        ("uci", "go", "os.kill(os.getpid(), 11)", EngineError, "exit code: -11"),
        ("uci", "go", "time.sleep(60)", EngineTimeout, "did not move within"),
        ("xboard", "go", "say('move e2e5'); continue", IllegalAnswer, "e2e5"),
        ("xboard", "go", "say('resign'); continue", Resignation, "resigns"),
        ("xboard", "go", "say('Error (unknown command): go'); continue", EngineError, "unknown command"),
    ],
)
def test_what_may_go_wrong(fake, seated, monkeypatch, protocol, when, what, error, said):
    monkeypatch.setattr("rookery.engines.chess.LATE", 0.3)
    player = seated(fake(protocol, when, what).name)
    with pytest.raises(error, match=said):
        player.choose(after().view(0), Limit(time=0.1))


def test_a_program_that_died_is_started_anew_for_the_next_game(fake, seated):
    player = seated(fake("uci", "go", "sys.exit(3)").name)
    for _ in range(2):
        with pytest.raises(EngineError, match="ended by itself"):
            player.choose(after().view(0), Limit(depth=1))
        player.start(CHESS.spec, 0, 0)


@pytest.mark.parametrize(
    "name, error, said",
    [
        ("uci:", BadOption, "lacks its program"),
        ("uci:nodes=3", BadOption, "lacks its program"),
        ("uci:nothing-here", UnknownName, "no program 'nothing-here'"),
        ("uci:/etc/passwd", UnknownName, "no program '/etc/passwd'"),
        ("uci:cat,nodes", BadOption, "key=value"),
        ("uci:cat,nodes=1,nodes=2", BadOption, "given twice"),
        ("uci:cat,nodes=0", BadOption, "a whole number above 0"),
        ("uci:cat,time=x", BadOption, "a number above 0"),
    ],
)
def test_bad_names_are_refused_before_anything_runs(name, error, said):
    with pytest.raises(error, match=said):
        players.make(name, CHESS)


def test_options_are_the_programs_own(fake, seated):
    name = fake("uci").name
    with pytest.raises(UnknownName, match="no option 'Levl'; did you mean Level"):
        seated(name + ",Levl=3")
    for wrong in ("Level=x", "Level=99", "Style=odd"):
        with pytest.raises(RookeryError, match=wrong.partition("=")[0]):
            seated(f"{name},{wrong}")


def test_a_program_that_does_not_speak(seated):
    with pytest.raises(EngineError, match="exit code: 0"):
        seated("uci:true")


def test_chess_programs_play_chess():
    with pytest.raises(UnsupportedGame, match="play chess, not kriegspiel"):
        players.make("uci:cat", games.get("kriegspiel"))


def test_arguments_are_given_to_the_program(fake, seated):
    program = fake("uci")
    path = program.name.partition(":")[2]
    seated(f"uci:{sys.executable},arguments={path}").choose(after().view(0), Limit(depth=1))
    assert "go depth 1" in program.heard()


def test_close_ends_the_program_and_start_begins_another(fake, seated):
    program = fake("uci")
    player = seated(program.name)
    player.close()
    player.close()
    assert program.heard()[-1] == "quit"
    player.start(CHESS.spec, 0, 0)
    player.choose(after().view(0), Limit(depth=1))


# --- real programs -----------------------------------------------------------------------------------


def test_stockfish_plays_the_same_games_for_any_number_of_workers():
    names = enter("chess", ["uci:stockfish,nodes=300", "uci:stockfish,nodes=50,Hash=1"])
    contest = Contest("chess", names, games=4, seed=4, max_plies=60)
    played = list(hold(contest))
    assert played == list(hold(contest, workers=2))
    assert all(
        game.record.outcome.reason in ("checkmate", "length", "threefold repetition") for game in played
    )


def test_stockfish_says_why_and_can_be_hurried(seated):
    player = seated("uci:stockfish")
    mate = after(start="6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1")
    told = []
    found = player.think(mate.view(0), Limit(depth=5), told.append)
    assert mate.text(found.move) == "a1a8" and found.value[0] > 0.95 and found.value[1] == -found.value[0]
    assert told[0].pv == (found.move,) and found.nodes == told[0].nodes > 0
    hurry = threading.Timer(0.3, player.stop)
    hurry.start()
    assert player.think(after().view(0), Limit(nodes=10**12)).move in after().moves()


def test_rookery_is_such_a_program_itself():
    main = "arguments=-c 'from rookery.cli import main; main()'"
    ours = f"uci:{sys.executable},{main} uci alphabeta:depth=1+pieces,depth=1"
    contest = Contest("chess", (ours, "alphabeta:depth=1+pieces"), games=2, seed=2, max_plies=40)
    tally = match(contest).tally
    assert tally.games == 2 and not any(tally.forfeits)


def test_stockfish_beats_chance():
    names = enter("chess", ["random", "uci:stockfish,nodes=200,UCI_LimitStrength=false"])
    assert match(Contest("chess", names, games=2)).tally.losses == 2


def test_fairymax_plays():
    names = enter("chess", ["xboard:fairymax,depth=1", "random"])
    tally = match(Contest("chess", names, games=2, max_plies=40)).tally
    assert tally.games == 2 and not any(tally.forfeits)
