"""Records as PGN and SGF, read back by other readers."""

import io
from dataclasses import replace

import chess.pgn
import pytest

from rookery.api import Outcome
from rookery.arena.contest import Contest
from rookery.arena.export import export
from rookery.arena.hold import hold
from rookery.errors import BadOption, UnsupportedGame


def exported(contest, to, change=lambda game: game):
    played = [change(game) for game in hold(contest)]
    return played, list(export(contest.identity(), played, to))


def test_chess_as_pgn():
    played, texts = exported(Contest("chess", ("random", "rollouts:games=1"), games=2, max_plies=40), "pgn")
    stream = io.StringIO("".join(texts))
    for game in played:
        read = chess.pgn.read_game(stream)
        assert read.errors == []
        assert tuple(move.uci() for move in read.mainline_moves()) == game.record.moves
        assert (read.headers["White"], read.headers["Black"]) == game.record.players
        assert read.headers["Result"] == "1/2-1/2" and read.headers["Termination"] == "adjudication"
        node = read
        for _ in range(game.record.opening):
            node = node.next()
        assert "end of the opening" in node.comment
        assert read.end().comment == "length"
    assert chess.pgn.read_game(stream) is None
    assert all(len(line) <= 80 for text in texts for line in text.splitlines())


def test_moves_as_people_write_them_are_moves_too():
    """A record that somebody wrote or mended by hand."""
    contest = Contest("chess", ("random", "random"), games=1, max_plies=4)

    def by_hand(game):
        return replace(game, record=replace(game.record, moves=("e4", "Nf6", "e5"), opening=0))

    _, (text, *_) = exported(contest, "pgn", by_hand)
    read = chess.pgn.read_game(io.StringIO(text))
    assert [move.uci() for move in read.mainline_moves()] == ["e2e4", "g8f6", "e4e5"]


@pytest.mark.parametrize(
    "outcome, result, termination",
    [
        (Outcome((1.0, -1.0), "checkmate"), "1-0", "normal"),
        (Outcome((-1.0, 1.0), "time"), "0-1", "time forfeit"),
        (Outcome((-1.0, 1.0), "illegal move e2e5"), "0-1", "rules infraction"),
        (Outcome((1.0, -1.0), "crashed: {oops}"), "1-0", "abandoned"),
        (Outcome((1.0, -1.0), "resignation"), "1-0", "normal"),
    ],
)
def test_how_a_game_ended_is_told(outcome, result, termination):
    contest = Contest("chess", ("random", "random"), games=1, max_plies=6)
    _, texts = exported(
        contest, "pgn", lambda game: replace(game, record=replace(game.record, outcome=outcome))
    )
    read = chess.pgn.read_game(io.StringIO(texts[0]))
    assert read.errors == [] and len(list(read.mainline_moves())) == 6
    assert (read.headers["Result"], read.headers["Termination"]) == (result, termination)


def test_chess_from_a_position(tmp_path):
    book = tmp_path / "book.epd"
    book.write_text("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n")
    contest = Contest("chess", ("random", "random"), games=1, openings=str(book), max_plies=10)
    played, texts = exported(contest, "pgn")
    read = chess.pgn.read_game(io.StringIO(texts[0]))
    assert read.board().fen() == played[0].record.start
    assert tuple(move.uci() for move in read.mainline_moves()) == played[0].record.moves


def test_kriegspiel_as_pgn_keeps_refused_tries_in_comments():
    played, texts = exported(Contest("kriegspiel", ("random", "random"), games=1, max_plies=30), "pgn")
    read = chess.pgn.read_game(io.StringIO(texts[0]))
    assert read.errors == [] and read.headers["Event"].startswith("kriegspiel")
    told: list[str] = []
    node = read
    while node is not None:
        if "refused: " in node.comment:
            told += node.comment.partition("refused: ")[2].partition(";")[0].split()
        node = node.next()
    stood = [move.uci() for move in read.mainline_moves()]
    assert len(stood) == 30 and told
    assert sorted([*stood, *told]) == sorted(played[0].record.moves)


def test_go_as_sgf():
    from sgfmill.sgf import Sgf_game

    for plies, result in ((None, "+"), (12, "Void")):
        contest = Contest("go5", ("random", "random"), games=2, max_plies=plies)
        played, texts = exported(contest, "sgf")
        for game, text in zip(played, texts, strict=True):
            tree = Sgf_game.from_string(text)
            moves = [node.get_move() for node in tree.get_main_sequence() if node.get_move()[0]]
            assert len(moves) == len(game.record.moves) and tree.get_size() == 5
            assert (tree.get_player_name("b"), tree.get_player_name("w")) == game.record.players
            said = tree.get_root().get("RE")
            assert result in said or said == "0"


def test_formats_hold_their_own_games():
    contest = Contest("chess", ("random", "random"), games=1)
    with pytest.raises(UnsupportedGame, match="use pgn"):
        list(export(contest.identity(), [], "sgf"))
    with pytest.raises(BadOption, match="pgn or sgf or text"):
        list(export(contest.identity(), [], "xml"))
    with pytest.raises(UnsupportedGame, match="use text"):
        list(export({"game": "duchess4"}, [], "pgn"))


def test_a_game_without_a_format_of_its_own_is_written_as_text():
    played, texts = exported(Contest("duchess4", ("random", "random"), games=1, max_plies=9), None)
    lines = texts[0].splitlines()
    assert lines[0].startswith("# Duchess for four, duchess4, seed 0. Red: random, Green: random")
    assert lines[1] == played[0].record.start and lines[-1] == "# length"
    assert " ".join(lines[2:-1]).split() == list(played[0].record.moves)
