"""Stores of games: what goes in comes out, what is drawn is right and the same however it is drawn."""

import json
from collections import Counter

import chess
import numpy as np
import pytest
from games_made import imported, random_games

from rookery import records
from rookery.errors import BadOption, BadStore
from rookery.games.chess import CHESS
from rookery.records import splits
from rookery.records.store import HEADER, PARTS, Store

MADE = random_games(40)


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Store:
    return imported(tmp_path_factory.mktemp("made"), "".join(game.pgn for game in MADE))


def bits(board: chess.Board) -> list[int]:
    """The active ones of 773 bits: the slow twin of native/encoders/chess_bits.hpp."""
    found = [
        ((colour == chess.BLACK) * 6 + kind - 1) * 64 + square
        for colour in (chess.WHITE, chess.BLACK)
        for kind in chess.PIECE_TYPES
        for square in sorted(board.pieces(kind, colour))
    ]
    found += [768] if board.turn == chess.WHITE else []
    rights = [
        board.has_kingside_castling_rights(chess.WHITE),
        board.has_queenside_castling_rights(chess.WHITE),
        board.has_kingside_castling_rights(chess.BLACK),
        board.has_queenside_castling_rights(chess.BLACK),
    ]
    found += [769 + i for i, right in enumerate(rights) if right]
    return found + [773] * (37 - len(found))


def places(store: Store) -> tuple[np.ndarray, np.ndarray]:
    """Every position of every game, the last included."""
    games = np.repeat(np.arange(len(store), dtype=np.uint32), store.plies.astype(int) + 1)
    plies = np.concatenate([np.arange(n + 1, dtype=np.uint16) for n in store.plies.astype(int)])
    return games, plies


def test_every_game_comes_back(store):
    assert len(store) == len(MADE)
    for number, made in enumerate(MADE):
        game = store.transcript(number)
        assert game.moves == tuple(move.uci() for move in made.board.move_stack)
        assert (game.start is None) == (made.board.root() == chess.Board())
        assert game.players == ("Anna", 'Bert "B" \\ é') and game.event == f"Game {number}"
        assert store.results[number] == (1, 0, -1, 2)[number % 4]
        assert tuple(store.elos[number]) == (2000 + number, 2100 - number)
        assert str(game.date) == f"20{number % 20:02}-{1 + number % 12:02}-{1 + number % 28:02}"
        assert records.read(records.of(CHESS).write(game), CHESS).moves == game.moves


def test_a_move_is_its_number_among_the_legal_ones(store):
    stored = (store.path / "moves").read_bytes()
    at = 0
    for made in MADE:
        state = CHESS.start(made.board.root().fen())
        for move in made.board.move_stack:
            number = state.parse(move.uci())
            assert stored[at] == state.board_moves().index(number)
            state, at = CHESS.start(str(state)).play(number), at + 1


def test_bits_are_those_of_the_twin(store):
    games, plies = places(store)
    boards = [made.boards for made in MADE]
    wanted = np.array([bits(boards[game][ply]) for game, ply in zip(games, plies, strict=True)], np.int16)
    for threads in (1, 3):
        assert (store.native.features(games, plies, threads) == wanted).all()
    order = np.random.default_rng(1).permutation(len(games))
    assert (store.native.features(games[order], plies[order], 2) == wanted[order]).all()
    assert [board.fen() for some in boards for board in some] == store.native.positions(games, plies, 2)
    assert CHESS.start(boards[3][7].fen()).native.bits() == bits(boards[3][7])


def test_moves_are_those_that_were_played(store):
    games, plies = places(store)
    inside = plies < store.plies[games]
    wanted = [move.uci() for made in MADE for move in made.board.move_stack]
    assert [CHESS.start().text(int(m)) for m in store.native.moves(games[inside], plies[inside], 2)] == wanted


@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("first", [0, 7])
def test_samples_are_drawn_from_what_was_asked_for(store, quiet, first):
    every = np.arange(len(store), dtype=np.uint32)
    games, plies = store.native.sample(every, 6, first, quiet, 5, 1)
    assert len(set(zip(games.tolist(), plies.tolist(), strict=True))) == len(games)
    assert (np.diff(games.astype(int)) >= 0).all()
    for number, made in enumerate(MADE):
        pairs = list(zip(made.boards, made.board.move_stack, strict=False))
        fit = {
            ply
            for ply, (board, move) in enumerate(pairs)
            if ply >= first and not (quiet and board.is_capture(move))
        }
        drawn = plies[games == number].tolist()
        assert set(drawn) <= fit and len(drawn) == min(6, len(fit))
        assert drawn == sorted(drawn)


def test_samples_do_not_depend_on_threads_or_company(store):
    every = np.arange(len(store), dtype=np.uint32)
    games, plies = store.native.sample(every, 4, 2, True, 9, 1)
    for threads in (2, 5):
        again = store.native.sample(every, 4, 2, True, 9, threads)
        assert (again[0] == games).all() and (again[1] == plies).all()
    alone = store.native.sample(np.array([11], np.uint32), 4, 2, True, 9, 2)
    assert (alone[1] == plies[games == 11]).all()
    other = store.native.sample(every, 4, 2, True, 10, 1)
    assert len(other[1]) == len(plies) and (other[1] != plies).any()
    for quiet in (True, False):
        games, plies = store.native.sample(every, 4, 2, quiet, 9, 1)
        together = store.native.sample_features(every, 4, 2, quiet, 9, 3)
        assert (together[0] == games).all() and (together[1] == plies).all()
        assert (together[2] == store.native.features(games, plies, 1)).all()


def test_every_ply_is_drawn_as_often_as_any_other(store):
    game = int(np.argmax(store.plies))
    total = int(store.plies[game])
    drawn = Counter()
    for seed in range(2000):
        drawn.update(store.native.sample(np.array([game], np.uint32), 10, 0, False, seed, 1)[1].tolist())
    expected = 2000 * 10 / total
    assert len(drawn) == total
    assert all(abs(count - expected) < 6 * expected**0.5 for count in drawn.values())


def test_the_same_games_have_the_same_ids_and_hash(store, tmp_path):
    again = imported(tmp_path / "same", "".join(game.pgn for game in MADE))
    assert again.hash == store.hash and (again.ids == store.ids).all()
    turned = imported(tmp_path / "turned", "".join(game.pgn for game in MADE[::-1]))
    assert turned.hash != store.hash and (turned.ids[::-1] == store.ids).all()
    assert len(set(store.ids.tolist())) == len(store)


def test_wrong_arguments_are_refused_in_one_line(store):
    native = store.native
    some, none = np.array([0], np.uint32), np.array([len(store)], np.uint32)
    far = np.array([60000], np.uint16)
    for call in (
        lambda: native.sample(none, 1, 0, False, 1, 1),
        lambda: native.sample(some, 0, 0, False, 1, 1),
        lambda: native.sample(some, 1, -1, False, 1, 1),
        lambda: native.sample(some, 1, 0, False, 1, 0),
        lambda: native.features(some, far, 1),
        lambda: native.features(some, np.zeros(2, np.uint16), 1),
        lambda: native.moves(some, store.plies[:1].copy(), 1),
        lambda: native.line(-1),
        lambda: native.text(len(store)),
    ):
        with pytest.raises(BadOption) as error:
            call()
        assert "\n" not in str(error.value)


def test_a_damaged_store_is_refused_in_one_line(store, tmp_path):
    def copy(name: str, change) -> None:
        folder = tmp_path / name
        folder.mkdir()
        for part in (*PARTS, "manifest.json"):
            (folder / part).write_bytes((store.path / part).read_bytes())
        change(folder)
        with pytest.raises(BadStore) as error:
            Store.open(folder).check(2)
        assert "\n" not in str(error.value) and str(folder) in str(error.value)

    def manifest(**said):
        def change(folder):
            now = json.loads((folder / "manifest.json").read_text())
            (folder / "manifest.json").write_text(json.dumps(now | said))

        return change

    for part in PARTS:
        copy(f"short {part}", lambda f, part=part: (f / part).write_bytes((f / part).read_bytes()[:-1]))
        copy(f"no {part}", lambda f, part=part: (f / part).unlink())
        copy(f"other {part}", lambda f, part=part: flip(f / part))
    copy("no manifest", lambda f: (f / "manifest.json").unlink())
    copy("version", manifest(version=2))
    copy("game", manifest(game="go"))
    copy("format", manifest(format="x"))
    copy("hash", manifest(hash="sha256:0"))
    copy("parts", manifest(parts=None))
    copy("games", manifest(games=1))
    copy("rubbish", lambda f: (f / "manifest.json").write_bytes(b"\xff{"))
    for path in (tmp_path, tmp_path / "nothing", store.path / "moves"):
        with pytest.raises(BadStore, match="no store"):
            Store.open(path)


def flip(path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x5A
    path.write_bytes(data)


def test_headers_that_point_nowhere_are_refused(store):
    from rookery import native

    parts = [np.frombuffer((store.path / part).read_bytes(), np.uint8) for part in PARTS]
    headers = parts[0].copy().view(HEADER)
    for field, value in (("moves", 2**63), ("text", 2**64 - 1), ("plies", 65535), ("result", 5)):
        wrong = headers.copy()
        wrong[field][7] = value
        with pytest.raises(BadStore, match="game 7"):
            native.ChessStore(wrong.view(np.uint8), parts[1], parts[2])
    with pytest.raises(BadStore):
        native.ChessStore(parts[0][:-1], parts[1], parts[2])


def test_moves_that_are_none_are_an_error_and_no_crash(store):
    from rookery import native

    headers, moves, texts = (np.frombuffer((store.path / p).read_bytes(), np.uint8) for p in PARTS)
    wrong = native.ChessStore(headers, np.full_like(moves, 255), texts)
    every = np.arange(len(store), dtype=np.uint32)
    with pytest.raises(BadStore, match="no legal move"):
        wrong.sample(every, 3, 0, True, 1, 2)
    with pytest.raises(BadStore, match="no legal move"):
        wrong.line(0)


# --- splits ------------------------------------------------------------------------------------------


class Dated:
    """As much of a store as splits look at."""

    def __init__(self, dates: np.ndarray) -> None:
        self.dates = dates
        self.ids = np.random.default_rng(3).integers(0, 2**64, len(dates), np.uint64)

    def __len__(self) -> int:
        return len(self.dates)


def test_splits_follow_their_rule():
    rng = np.random.default_rng(2)
    dates = (rng.integers(2000, 2020, 20000) * 10000 + 100 + rng.integers(0, 29, 20000)).astype(np.uint32)
    dates[rng.random(20000) < 0.1] = 0
    store = Dated(dates)
    found = splits.split(store, 1)
    assert sorted([*found.train, *found.game, *found.time]) == list(range(20000))
    known = dates % 100 > 0
    cut = dates[found.time].min()
    assert known[found.time].all() and (dates[known] >= cut).sum() == len(found.time)
    assert 0.04 < len(found.time) / known.sum() <= 0.05
    # One day more would be too many.
    day_before = dates[known & (dates < cut)].max()
    assert (dates[known] >= day_before).sum() > 0.05 * known.sum()
    assert abs(len(found.game) / (20000 - len(found.time)) - 0.05) < 0.01
    again, other = splits.split(store, 1), splits.split(store, 2)
    assert (again.game == found.game).all() and set(other.game) != set(found.game)
    assert (other.time == found.time).all()


def test_positions_are_held_out_one_by_one():
    ids = np.repeat(np.random.default_rng(4).integers(0, 2**64, 500, np.uint64), 40)
    plies = np.tile(np.arange(40, dtype=np.uint16), 500)
    out = splits.held_out(1, ids, plies)
    assert abs(out.mean() - 0.05) < 0.01
    assert (out == splits.held_out(1, ids, plies)).all() and (out != splits.held_out(2, ids, plies)).any()
    assert out.reshape(500, 40).any(axis=1).mean() > 0.5


def test_without_dates_nothing_is_late():
    assert len(splits.split(Dated(np.zeros(100, np.uint32)), 1).time) == 0
    assert len(splits.split(Dated(np.full(100, 20200101, np.uint32)), 1).time) == 0
