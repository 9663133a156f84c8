"""PGN as archives have it: what is kept, what is skipped and why; and imports that were killed."""

import bz2
import gzip
import json
import os
import signal
import subprocess
import sys

import chess
import numpy as np
import pytest
import zstandard
from games_made import import_text, imported, random_game, random_games

from rookery.errors import BadStore, RookeryError
from rookery.records import archive, importing
from rookery.records.store import PARTS, Store

SCHOLAR = ("e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7")

ODD = {
    "plain": "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
    "no numbers": "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7# 1-0",
    "no spaces": "1.e4 e5 2.Qh5 Nc6 3.Bc4 Nf6 4.Qxf7# 1-0",
    "numbers of Black": "1. e4 1... e5 2. Qh5 2... Nc6 3. Bc4 3... Nf6 4. Qxf7#",
    "no result": "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7#",
    "comments": "{ a } 1. e4 {[%clk 0:01] (1. d4 1-0) } e5 ; 2. Nf3 Nc6\n2. Qh5 {two\nlines} Nc6 "
    "3. Bc4 Nf6 4. Qxf7# 1-0",
    "escaped lines": "1. e4 e5\n% 2. a3 a6\n2. Qh5 Nc6\n%\n3. Bc4 Nf6 4. Qxf7# 1-0",
    "variations": "1. e4 (1. d4 d5 (1... Nf6 {x)} 2. c4) 2. c4 1/2-1/2) e5 2. Qh5 (2. Nf3) Nc6 "
    "3. Bc4 Nf6 4. Qxf7# 1-0",
    "glyphs": "1. e4 $1 e5 $14 2. Qh5!? ! Nc6 ?! 3. Bc4!! Nf6?? $4 4. Qxf7#!! +- 1-0",
    "Windows": "1. e4 e5\r\n2. Qh5 Nc6\r\n3. Bc4 Nf6\r\n4. Qxf7# 1-0\r\n",
    "UCI": "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7 1-0",
    "long": "1. e2-e4 e7-e5 2. Qd1-h5 Nb8-c6 3. Bf1-c4 Ng8-f6 4. Qh5xf7# 1-0",
    "reserved": "1. e4 <what> e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
    "stray signs": "1. e4 } e5 2. Qh5 > Nc6 3. Bc4 ] Nf6 4. Qxf7# 1-0",
    "clock outside": "1. e4 [%clk 1:00] e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0",
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD.keys())
@pytest.mark.parametrize("tags", ["", '[Event "x"]\n[Result "1-0"]\n\n', '\ufeff[Result "1-0"] '])
def test_odd_texts_are_read(tmp_path, tags, text):
    store = imported(tmp_path, tags + text)
    assert [store.transcript(i).moves for i in range(len(store))] == [SCHOLAR]
    assert store.results[0] == (1 if tags or "1-0" in text.split()[-1] else 2)


SKIPPED = {
    "other variant": '[Variant "Atomic"]\n\n1. e4 e5 1-0',
    "bad position": '[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *',
    "unreadable move": "1. e4 e5 2. Nf9 *",
    "illegal move": "1. e4 e5 2. Nd4 *",
    "ambiguous move": '[FEN "4k3/8/8/8/8/4K3/8/R6R w - - 0 1"]\n\n1. Rd1 *',
    "null move": "1. e4 -- 2. d4 *",
    "unclosed comment": "1. e4 { e5 2. Nf3 *",
    "unclosed variation": "1. e4 e5 (2. Nf3 *",
    "no moves": '[White "somebody"]\n\n1-0',
}


@pytest.mark.parametrize("why", SKIPPED)
def test_a_broken_game_is_skipped_and_counted(tmp_path, why):
    good = '[Event "good"]\n\n1. d4 d5 1-0\n\n'
    text = f'{good}[Event "broken"]\n{SKIPPED[why]}\n\n[Event "good too"]\n\n1. c4 c5 0-1\n'
    counts = import_text(tmp_path, text)
    assert (counts.read, counts.kept, counts.skipped) == (3, 2, {why: 1})
    assert Store.open(tmp_path / "store").tags(1) == {"Event": "good too"}


def test_games_on_one_line_and_without_results(tmp_path):
    text = '[Event "a"] 1. e4 e5 1-0 [Event "b"] 1. d4 d5 [Event "c"] 1. c4 * 1. Nf3 Nf6 1. b3 b6 1/2-1/2'
    store = imported(tmp_path, text)
    assert [store.transcript(i).moves for i in range(len(store))] == [
        ("e2e4", "e7e5"),
        ("d2d4", "d7d5"),
        ("c2c4",),
        ("g1f3", "g8f6"),
        ("b2b3", "b7b6"),
    ]
    assert store.results.tolist() == [1, 2, 2, 2, 0]


def test_tags_in_any_state_are_read(tmp_path):
    text = (
        '[Event "quoted \\"so\\" or "so""]\r\n[Site nowhere]\n[Round "3"\n[White "J\xf6rg"]\n'
        '[Black  "No"]  \n[Date "2004.05.??"][WhiteElo "2500 "]\n[BlackElo "?"]\n[Strange_Tag1 "x"]\n'
        '[ECO "B00"]\n[TimeControl "-"]\n'
        "\n1. e4 *\n"
    )
    store = imported(tmp_path, text.encode("latin-1"))
    assert store.tags(0) == {
        "Event": 'quoted "so" or "so"',
        "Site": "nowhere",
        "Round": "3",
        "White": "Jörg",
        "Black": "No",
        "ECO": "B00",
    }
    assert store.dates[0] == 20040500 and store.elos[0].tolist() == [2500, 0]
    assert store.transcript(0).date is None


def test_set_up_games_are_other_games(tmp_path):
    standard = chess.STARTING_FEN
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"
    text = f'[FEN "{standard}"]\n[SetUp "1"]\n\n1. e4 *\n\n[FEN "{fen}"]\n\n1... e5 2. e4 *\n\n1. e4 *\n'
    counts = import_text(tmp_path, text)
    assert (counts.kept, counts.duplicates) == (2, 1)
    store = Store.open(tmp_path / "store")
    assert [store.transcript(i).start for i in range(2)] == [None, fen]


def test_duplicates_are_told_by_moves_alone(tmp_path):
    games = random_games(10)
    counts = import_text(
        tmp_path, "".join(g.pgn for g in games) + "".join(g.pgn.replace("Anna", "Eve") for g in games)
    )
    assert (counts.read, counts.kept, counts.duplicates) == (20, 10, 10)
    assert counts.plies == sum(len(g.board.move_stack) for g in games)


@pytest.mark.parametrize(
    ("keep", "fits"),
    [
        ({"min_elo": 2010}, lambda n: 2000 + n >= 2010 and 2100 - n >= 2010),
        ({"max_elo": 2090}, lambda n: 2100 - n <= 2090 and 2000 + n <= 2090),
        ({"results": ("1-0", "0-1")}, lambda n: n % 4 in (0, 2)),
        ({"min_plies": 30, "max_plies": 40}, lambda n: 30 <= 20 + n <= 40),
        ({"since": 20100000}, lambda n: n % 20 >= 10),
        ({"until": 20041231}, lambda n: n % 20 <= 4),
        ({"since": 20040506, "until": 20100101}, lambda n: 4 < n % 20 < 10),
    ],
)
def test_filters_keep_what_was_asked_for(tmp_path, keep, fits):
    # Few plies, so that each game has as many as it was asked to have.
    games = [random_game(n, 20 + n) for n in range(40)]
    unknown = '[Event "unknown"]\n\n1. e4 e5 *\n'
    asked = importing.Filter(**keep)
    counts = import_text(tmp_path, "".join(g.pgn for g in games) + unknown, asked)
    wanted = [n for n in range(40) if fits(n) and len(games[n].board.move_stack) == 20 + n]
    store = Store.open(tmp_path / "store")
    assert [int(store.tags(i)["Event"].split()[1]) for i in range(len(store))] == wanted
    assert counts.read == 41 == counts.kept + sum(counts.skipped.values())
    assert asked.fits(store).all()
    everything = imported(tmp_path / "all", "".join(g.pgn for g in games) + unknown)
    assert np.flatnonzero(asked.fits(everything)).tolist() == wanted


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, zstandard.ZstdCompressor().compress])
def test_packed_files_are_unpacked_whatever_their_name(tmp_path, pack):
    games = random_games(30)
    text = "".join(g.pgn for g in games).encode()
    plain = imported(tmp_path / "plain", text)
    # Packed in two pieces, one after the other, as archives grow.
    packed = imported(tmp_path / "packed", pack(text[:5000]) + pack(text[5000:]))
    assert packed.hash == plain.hash
    whole = pack(text)
    for bad, word in (
        (whole[:-20], "ends too early"),
        (whole[:40] + b"rubbish" * 9 + whole[90:], "damaged|early"),
    ):
        with pytest.raises(archive.BadArchive, match=word):
            import_text(tmp_path / word, bad)


def test_any_cut_into_pieces_gives_the_same(tmp_path):
    text = "".join(f'[Event "e"]\n\n{each}\n\n' for each in [*ODD.values(), *SKIPPED.values()] * 3).encode()
    rng = np.random.default_rng(1)
    found = set()
    for longest in (1, 3, 40, 10**6):
        importer = importing.Filter().native(np.zeros(0, [("id", "<u8")]), 0, 0)
        at = 0
        while at < len(text):
            size = int(rng.integers(1, longest + 1))
            importer.feed(text[at : at + size], False)
            at += size
            assert importer.consumed <= at
        importer.feed(b"", True)
        found.add((*importer.take(), json.dumps(importer.counts), json.dumps(importer.skipped)))
    assert len(found) == 1


def test_an_endless_game_is_let_go(tmp_path):
    text = b'[Event "a"]\n\n1. e4 {' + b"x" * (9 << 20) + b'\n\n[Event "b"]\n\n1. d4 d5 1-0\n'
    counts = import_text(tmp_path, text)
    assert counts.kept == 1 and sum(counts.skipped.values()) >= 1


def dying_after(steps: int):
    left = iter(range(steps))

    def hear(step: importing.Step) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    return hear


def test_the_same_command_goes_on_after_a_kill(tmp_path, monkeypatch):
    games = random_games(60)
    files = []
    for number in range(3):
        files.append(tmp_path / f"{number}.pgn")
        files[-1].write_text("".join(g.pgn for g in games[number * 20 : number * 20 + 20]) * 3)
    whole = tmp_path / "whole"
    counted = importing.run(files, whole, importing.Filter())
    monkeypatch.setattr(archive, "_CHUNK", 4000)
    monkeypatch.setattr(archive, "_READ", 1500)
    monkeypatch.setattr(importing, "_EVERY", 0.0)
    for moment in range(1, 40, 3):
        broken = tmp_path / f"broken {moment}"
        again = None
        while again is None:
            try:
                again = importing.run(files, broken, importing.Filter(), dying_after(moment))
            except KeyboardInterrupt:
                # What had not reached the disk may be there or not.
                with (broken / "moves").open("ab") as file:
                    file.write(b"rubbish")
                with pytest.raises(BadStore, match="has not ended"):
                    Store.open(broken)
        assert {**vars(again), "seconds": 0} == {**vars(counted), "seconds": 0}
        assert Store.open(broken).hash == Store.open(whole).hash
        assert sorted(p.name for p in broken.iterdir()) == sorted([*PARTS, "manifest.json"])


def test_a_finished_import_is_not_done_again_and_no_other_is_mixed_in(tmp_path):
    first = import_text(tmp_path, random_game(1).pgn)
    assert import_text(tmp_path, random_game(1).pgn) == first
    with pytest.raises(BadStore, match="other games"):
        import_text(tmp_path, random_game(1).pgn, importing.Filter(min_plies=5))
    with pytest.raises(BadStore, match="other games"):
        import_text(tmp_path, random_game(2).pgn + " ")
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "letter.txt").write_text("dear")
    with pytest.raises(BadStore, match=r"letter\.txt"):
        importing.run([tmp_path / "games.pgn"], tmp_path / "strange", importing.Filter())
    with pytest.raises(RookeryError, match="folder"):
        importing.run([tmp_path], tmp_path / "x", importing.Filter())


def test_a_real_kill(tmp_path):
    games = "".join(g.pgn for g in random_games(40))
    (tmp_path / "many.pgn").write_text("".join(games.replace("Game", f"G{n}") for n in range(40)))
    code = f"""if True:
        from pathlib import Path
        from rookery.records import archive, importing
        archive._CHUNK, archive._READ, importing._EVERY = 2000, 1000, 0.0
        here = Path({str(tmp_path)!r})
        tell = lambda step: print(step.done, flush=True)
        importing.run([here / "many.pgn"], here / "store", importing.Filter(), tell)
    """
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    for _ in range(10):
        assert process.stdout.readline()
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    counts = importing.run([tmp_path / "many.pgn"], tmp_path / "store", importing.Filter())
    assert (counts.read, counts.kept) == (1600, 40)
    found = Store.open(tmp_path / "store")
    found.check()
    assert (found.ids == imported(tmp_path / "plain", games).ids).all()
