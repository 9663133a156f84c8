"""Malformed lines of UCI and GTP, and servers fed with them."""

from __future__ import annotations

import random

from spoken import Spoken

UCI_WORDS = """
    uci debug on off isready setoption name value register later ucinewgame position startpos fen moves
    go searchmoves ponder wtime btime winc binc movestogo depth nodes mate movetime infinite stop
    ponderhit e2e4 e7e5 g1f3 e7e8q 0000 O-O Nf3 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    8/8/8/8/8/8/8/8 k7/8/1K6/8/8/8/7R/8 MultiPV Ponder Move Overhead Clear Hash true UCI_ShowWDL Level
    false 2 -1 3.5 1e9 quit?
"""
GTP_WORDS = """
    1 22 protocol_version name version known_command list_commands boardsize komi clear_board play
    genmove reg_genmove undo loadsgf time_settings time_left b w final_score final_status_list showboard
    captures is_legal all_legal lz-analyze pass kata-analyze lz-genmove_analyze fixed_handicap
    set_free_handicap place_free_handicap alive gogui-analyze_commands black WHITE A1 c3 e5 t19 i5
    resign # 3 5 0.5 -1 nan inf x allow avoid maxmoves A1,B2 interval /dev/null .
"""
JUNK = "abc \t\x00\x07\x7f\u00e9\u6f22\U0001f600\\'\"%{}=?#-0123456789\u2028\ufffd"


def lines(vocabulary: str, seed: int, count: int) -> list[str]:
    """Malformed lines, most of them nearly well-formed."""
    rng, words = random.Random(seed), vocabulary.split()
    made = []
    for _ in range(count):
        kind = rng.random()
        if kind < 0.75:
            line = " ".join(rng.choices(words, k=rng.randint(1, 7)))
        elif kind < 0.9:
            line = "".join(rng.choices(JUNK, k=rng.randint(0, 40)))
        else:
            line = rng.choice(words) + " " + rng.choice(words) * rng.randint(1, 200)
        made.append(line)
    return made


def feed_uci(server: Spoken, seed: int, count: int) -> None:
    for batch in range(0, count, 100):
        server.send("setoption name MultiPV value 1", "setoption name Move Overhead value 50")
        server.send(*(line for line in lines(UCI_WORDS, seed + batch, 100) if not line.startswith("quit")))
        server.send("stop")
        server.ask("isready", "readyok")
    server.send("stop", "ucinewgame", "isready", "position startpos")
    server.until("readyok")
    server.send("go depth 2")
    while not server.line().startswith("bestmove "):
        pass


def feed_gtp(server: Spoken, seed: int, count: int) -> None:
    for batch in range(0, count, 100):
        server.send(*lines(GTP_WORDS, seed + batch, 100))
        server.ask(f"{batch}77 protocol_version", f"={batch}77 2")
    server.send("boardsize 5", "clear_board", "990 genmove b")
    server.until("=990 ")


CHESS_PLAYER, GO_PLAYER = "alphabeta:nodes=200+classical", "rollouts:games=1"
