"""Every game is written and read back in its own format and as plain text."""

import io

import chess.pgn
import pytest

from rookery import games, records
from rookery.api import Branch, Outcome, Transcript
from rookery.errors import BadNotation, GameError
from rookery.records.tree import line
from walks import walk


def played(name, plies=40, seed=1):
    """A random game: all that was tried, and what of it stood."""
    tried, stood = [], []
    state = None
    for after in walk(games.get(name), seed, plies):
        if state is not None:
            text = state.text(after.history()[-1])
            tried.append(text)
            if after.stood:
                stood.append(text)
        state = after
    return Transcript(name, None, line(tried), outcome=Outcome((0.0, 0.0), "length")), tuple(stood)


@pytest.mark.parametrize("name", games.names())
def test_what_is_written_is_read_back(name):
    game = games.get(name)
    transcript, stood = played(name)
    form = records.of(game)
    text = form.write(transcript)
    (again,) = form.read(text, game)
    assert (again.game, again.moves) == (name, stood)
    assert records.read(text, game).moves == stood
    assert str(game.start(again.start)) == str(game.start())


@pytest.mark.parametrize("name", [name for name in games.names() if not games.get(name).spec.hidden])
def test_every_game_has_its_text(name):
    game = games.get(name)
    transcript, stood = played(name)
    (again,) = records.PLAIN.read(records.PLAIN.write(transcript), game)
    assert again.moves == stood


@pytest.mark.parametrize("name", games.names())
def test_a_position_and_a_line_of_moves_can_be_pasted(name):
    game = games.get(name)
    state = list(walk(game, 2, 9))[-1]
    assert records.read(f"  {state}\n", game) == Transcript(name, str(state), ())
    _, stood = played(name, 6)
    assert records.read(" ".join(stood), game).moves == stood


def test_formats_are_found_and_games_say_theirs():
    assert list(records.formats()) == ["pgn", "sgf", "text"]
    assert {name: games.get(name).spec.format for name in ("chess", "kriegspiel", "go9", "duchess6")} == {
        "chess": "pgn",
        "kriegspiel": "pgn",
        "go9": "sgf",
        "duchess6": "text",
    }
    assert records.holding(".PGN").name == "pgn" and records.holding(".txt") is None


def test_several_games_make_a_file():
    game = games.get("chess")
    form = records.of(game)
    written = [Transcript("chess", None, line(moves)) for moves in (["e2e4"], ["d2d4", "d7d5"], [])]
    again = list(form.read("".join(map(form.write, written)), game))
    assert [each.moves for each in again] == [each.moves for each in written]


def test_a_refused_try_in_a_variation_is_a_comment():
    tries = (Branch(0, "e2e4"), Branch(0, "d1d4"), Branch(2, "d2d4"), Branch(1, "e7e5"))
    text = records.of(games.get("kriegspiel")).write(Transcript("kriegspiel", None, tries))
    read = chess.pgn.read_game(io.StringIO(text))
    assert read.errors == [] and read.comment == "refused: d1d4"
    assert [node.move.uci() for node in read.variations] == ["e2e4", "d2d4"]
    assert [move.uci() for move in read.mainline_moves()] == ["e2e4", "e7e5"]


def test_a_position_with_refused_tries_is_a_fen():
    game = games.get("kriegspiel")
    state = game.start().play(game.start().parse("e2e5"))
    text = records.of(game).write(Transcript("kriegspiel", str(state), line(["e2e4"])))
    assert chess.pgn.read_game(io.StringIO(text)).errors == []


def test_a_move_in_the_first_node_of_an_sgf_counts():
    (read,) = records.of(games.get("go9")).read("(;GM[1]SZ[9]B[ee];W[cc](;B[gg])(;B[cg]))", games.get("go9"))
    assert read.moves == ("E5", "C7", "G3") and len(read.branches) == 4


@pytest.mark.parametrize(
    ("reason", "pgn", "sgf"),
    [
        ("White resigned", "normal", "W+R"),
        ("time", "time forfeit", "W+T"),
        ("Black ran out of time", "time forfeit", "W+T"),
        ("illegal move Z9", "rules infraction", "W+F"),
        ("crashed: oops", "abandoned", "W+F"),
    ],
)
def test_how_it_ended_is_told(reason, pgn, sgf):
    outcome = Outcome((-1.0, 1.0), reason)
    one = records.formats()["pgn"].write(Transcript("chess", None, line(["e2e4"]), outcome=outcome))
    assert f'[Termination "{pgn}"]' in one and '[Result "0-1"]' in one
    other = records.formats()["sgf"].write(Transcript("go9", None, line(["E5"]), outcome=outcome))
    assert f"RE[{sgf}]" in other


def test_a_main_line_that_our_rules_cannot_follow_is_refused():
    with pytest.raises(BadNotation, match="move 2, 0000, cannot be played"):
        records.read("1. e4 -- 2. d4 *", games.get("chess"))
    assert records.read("1. e4 e5 (1... -- 2. d4) 2. d4 *", games.get("chess")).moves == (
        "e2e4",
        "e7e5",
        "d2d4",
    )


def test_what_is_meant_as_a_position_is_refused_as_one():
    for name, text in (("chess", "9/8/8/8/8/8/8/8 w - - 0 1"), ("duchess4", "4 t1 q0 | K1c1")):
        with pytest.raises(GameError) as error:
            records.read(text, games.get(name))
        assert "move 1" not in str(error.value)
    with pytest.raises(BadNotation, match="move 2"):
        records.read("e4 e4", games.get("chess"))
