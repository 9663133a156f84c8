"""Where games begin."""

import pytest

from rookery import games
from rookery.arena.openings import read, usual_plies
from rookery.errors import BadOption, BadPosition, RookeryError

CHESS = games.get("chess")
KRIEGSPIEL = games.get("kriegspiel")

PGN = """[Event "one"]

1. e4 e5 2. Nf3 *

[Event "two"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]

1. e4 (1. e3) 1... Kd7 *

[Event "over at once"]

1. f3 e5 2. g4 Qh4# 0-1
"""
EPD = """# openings
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id "king's pawn";
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1

7k/5Q2/6K1/8/8/8/8/8 b - - id "stalemate, which is over";
"""


def final(game, opening):
    state = game.start(opening.start)
    for text in opening.moves:
        state = state.play(state.parse(text))
    return state


@pytest.mark.parametrize("name", games.names())
def test_random_openings_are_playable_varied_and_the_same_for_the_same_seed(name):
    game = games.get(name)
    plies = usual_plies(game.spec)
    one, same, other = read(None, game, 1), read(f"random:{plies}", game, 1), read(None, game, 2)
    drawn = [one.draw(pair) for pair in range(20)]
    assert drawn == [same.draw(pair) for pair in range(20)]
    assert drawn != [other.draw(pair) for pair in range(20)]
    states = [final(game, opening) for opening in drawn]
    assert len({str(state) for state in states}) == 20
    assert all(state.outcome() is None for state in states)
    assert all(len(opening.moves) == plies for opening in drawn)


def test_the_opening_of_a_pair_does_not_depend_on_when_it_is_drawn():
    early, late = read("random:2", CHESS, 3), read("random:2", CHESS, 3)
    fifth = late.draw(5)
    assert [early.draw(pair) for pair in range(6)][5] == fifth


def test_refused_tries_are_no_part_of_an_opening():
    for pair in range(10):
        opening = read("random:8", KRIEGSPIEL, 0).draw(pair)
        state = KRIEGSPIEL.start()
        for text in opening.moves:
            after = state.play(state.parse(text))
            assert after.seat != state.seat
            state = after


def test_openings_repeat_only_when_there_are_no_more():
    drawn = [read("random:1", CHESS, 0).draw(pair) for pair in range(30)]
    assert len(set(drawn[:20])) >= 18 and len(set(drawn)) == 20


def test_no_moves_at_all():
    assert read("random:0", CHESS, 0).draw(3).moves == ()


def test_a_book_of_games(tmp_path):
    path = tmp_path / "book.pgn"
    path.write_text(PGN)
    book = read(str(path), CHESS, 0)
    drawn = {book.draw(pair) for pair in range(2)}
    assert {opening.moves for opening in drawn} == {("e2e4", "e7e5", "g1f3"), ("e2e4", "e8d7")}
    assert book.draw(2) == book.draw(0), "two playable openings, then again from the first"
    short = read(f"{path}:1", CHESS, 0)
    assert all(short.draw(pair).moves in [("e2e4",), ("f2f3",)] for pair in range(3))
    assert read(str(path), KRIEGSPIEL, 0).draw(0).moves


def test_a_book_of_positions(tmp_path):
    path = tmp_path / "book.epd"
    path.write_text(EPD)
    for game in (CHESS, KRIEGSPIEL):
        book = read(str(path), game, 0)
        drawn = {book.draw(pair) for pair in range(2)}
        assert len(drawn) == 2 and book.draw(2) == book.draw(0)
        assert all(game.start(opening.start).seat == 1 for opening in drawn)


def test_a_book_is_known_by_its_content_and_shuffled_by_the_seed(tmp_path):
    path = tmp_path / "book.epd"
    positions = [str(state) for state in map(CHESS.start().play, CHESS.start().moves())]
    path.write_text("\n".join(positions))
    name = read(str(path), CHESS, 0).name
    orders = {tuple(read(str(path), CHESS, seed).draw(p) for p in range(20)) for seed in range(3)}
    assert len(orders) == 3 and len({frozenset(order) for order in orders}) == 1
    path.write_text("\n".join(positions[1:]))
    assert read(str(path), CHESS, 0).name != name


@pytest.mark.parametrize("text", ["random", "random:", "random:x", "nowhere.pgn", "nowhere.epd:4", "4", ""])
def test_what_is_no_opening_is_refused(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if text == "":
        assert read(text, CHESS, 0).name == "random:4"
        return
    with pytest.raises(BadOption):
        read(text, CHESS, 0)


@pytest.mark.parametrize(
    "name, content, error, said",
    [
        ("bad.epd", "no position at all", BadPosition, "line 1"),
        ("bad.pgn", "1. e4 e5 2. Ke3 *", BadPosition, "game 1"),
        ("empty.epd", "# nothing", BadOption, "no opening"),
        ("empty.pgn", "", BadOption, "no opening"),
    ],
)
def test_a_bad_book_is_refused_with_the_place(tmp_path, name, content, error, said):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(error, match=said):
        read(str(path), CHESS, 0)


def test_positions_have_no_length(tmp_path):
    path = tmp_path / "book.epd"
    path.write_text(EPD)
    with pytest.raises(BadOption, match="leave out ':3'"):
        read(f"{path}:3", CHESS, 0)


def test_pgn_is_for_chess(tmp_path):
    path = tmp_path / "book.pgn"
    path.write_text(PGN)
    others = [games.get(name) for name in games.names() if name not in ("chess", "kriegspiel")]
    for game in others:
        with pytest.raises(RookeryError, match="PGN holds chess"):
            read(str(path), game, 0)


def test_a_book_of_go(tmp_path):
    path = tmp_path / "book.sgf"
    path.write_text("(;GM[1]SZ[5]KM[0]RU[Mayer];B[cc];W[bb];B[dd])")
    book = read(f"{path}:2", games.get("go5"), 0)
    assert book.draw(0).moves == ("C3", "B4")
    with pytest.raises(BadPosition, match="game 1 is one of go5, not of go9"):
        read(str(path), games.get("go9"), 0)
