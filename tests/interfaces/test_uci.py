from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import numpy as np
import pytest
from spoken import ROOKERY, Inside, Piped

from rookery import native, strength
from rookery.errors import RookeryError
from rookery.evaluators import linear
from rookery.interfaces.uci import Server

PLAYER = "alphabeta+classical"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


@pytest.fixture
def server() -> Iterator[Inside]:
    with Inside(lambda write: Server(PLAYER, write)) as server:
        yield server


def best(lines: list[str]) -> str:
    return lines[-1].split()[1]


def strings(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("info string")]


# --- through a real pipe -----------------------------------------------------------------------------


def test_a_whole_conversation() -> None:
    with Piped("uci", PLAYER) as engine:
        hello = engine.ask("uci", "uciok")
        assert hello[0].startswith("id name Rookery") and hello[1].startswith("id author")
        names = [
            line.split(" type ")[0].removeprefix("option name ")
            for line in hello
            if line.startswith("option")
        ]
        assert {"Hash", "Threads", "Move Overhead", "MultiPV", "Ponder", "UCI_ShowWDL", "Clear Hash"} <= set(
            names
        )
        assert "UCI_Chess960" not in names
        assert engine.ask("isready", "readyok") == ["readyok"]
        engine.send("ucinewgame", "position startpos moves e2e4 e7e5", "go infinite")
        engine.until("info depth 3 ")
        assert engine.ask("isready", "readyok")[-1] == "readyok"
        assert not any(line.startswith("bestmove") for line in engine.heard)
        last = engine.ask("stop", "bestmove")[-1]
        assert re.fullmatch(r"bestmove [a-h][1-8][a-h][1-8] ponder [a-h][1-8][a-h][1-8]", last)
        engine.send("quit")
        assert engine.end() == (0, "")


def test_the_end_of_the_input_ends_a_search() -> None:
    with Piped("uci", PLAYER) as engine:
        engine.send("position startpos", "go infinite")
        engine.until("info depth 1 ")
        assert engine.end() == (0, "")


def test_bytes_that_are_no_text_are_answered() -> None:
    with Piped("uci", PLAYER) as engine:
        engine.send_bytes(b"\xff\xfe\x00go\n")
        assert strings([engine.line()])
        assert engine.ask("isready", "readyok")


def test_nobody_plays_under_an_unknown_name() -> None:
    with Piped("uci", "alphabta+classical") as engine:
        assert "uciok" in engine.ask("uci", "info string ERROR") and "alphabeta" in engine.heard[-1]
        code, error = engine.end()
        assert code == 2 and error.startswith(
            "rookery: no player is called 'alphabta'; did you mean alphabeta?"
        )


def test_kriegspiel_players_are_told_what_is_wrong() -> None:
    with Piped("uci", "alphabeta") as engine:
        engine.send("isready")
        assert engine.end()[0] == 2


def test_another_programs_client_plays_a_game() -> None:
    command = [str(ROOKERY), "uci", PLAYER]
    with chess.engine.SimpleEngine.popen_uci(command, timeout=60) as white:
        white.configure({"Hash": 2, "Move Overhead": 100, "Threads": 1, "UCI_ShowWDL": True})
        board = chess.Board()
        limits = [chess.engine.Limit(nodes=500), chess.engine.Limit(depth=2), chess.engine.Limit(time=0.01)]
        limits.append(chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01))
        while not board.is_game_over(claim_draw=True) and board.ply() < 40:
            ponder = board.ply() % 4 == 1
            result = white.play(board, limits[board.ply() % 4], info=chess.engine.INFO_ALL, ponder=ponder)
            assert result.move in board.legal_moves
            assert {"score", "pv", "nodes", "depth", "wdl"} <= set(result.info)
            board.push(result.move)
        infos = white.analyse(chess.Board(), chess.engine.Limit(depth=3), multipv=3)
        assert len({info["pv"][0] for info in infos}) == 3


# --- the same server, inside -------------------------------------------------------------------------


def test_isready_is_answered_while_thinking(server: Inside) -> None:
    server.send("position startpos", "go infinite")
    for _ in range(5):
        server.ask("isready", "readyok")
    server.ask("stop", "bestmove")


@pytest.mark.parametrize(
    "limit",
    [
        "",
        "depth 3",
        "nodes 2000",
        "movetime 5",
        "wtime 50 btime 50",
        "mate 1",
        "depth 99 movetime 5",
        "movestogo 1",
    ],
)
def test_every_kind_of_go_ends_in_a_move(server: Inside, limit: str) -> None:
    server.send("position startpos moves d2d4")
    assert re.match(r"bestmove [a-h][78][a-h][5-8]", server.ask(f"go {limit}", "bestmove")[-1]) or best(
        server.heard
    )


def test_depth_and_nodes_are_kept(server: Inside) -> None:
    server.send("position startpos")
    lines = server.ask("go depth 4", "bestmove")
    assert [line.split()[2] for line in lines[:-1]] == ["1", "2", "3", "4"]
    lines = server.ask("go nodes 3000", "bestmove")
    assert int(re.search(r"nodes (\d+)", lines[-2])[1]) <= 3000  # type: ignore[index]


def test_mate_is_found_and_counted(server: Inside) -> None:
    server.send(f"position fen {MATE_IN_TWO}")
    lines = server.ask("go mate 2", "bestmove")
    assert " score mate 2 " in lines[-2] and best(lines) == "a1a6"


def test_searchmoves(server: Inside) -> None:
    server.send("position startpos")
    assert best(server.ask("go depth 3 searchmoves a2a3 h2h3", "bestmove")) in ("a2a3", "h2h3")
    lines = server.ask("go depth 3 searchmoves a2a3 e2e5 rubbish", "bestmove")
    assert best(lines) == "a2a3" and len(strings(lines)) == 2


def test_multipv(server: Inside) -> None:
    server.send("setoption name MultiPV value 3", "position startpos")
    lines = server.ask("go depth 3", "bestmove")
    last = [line for line in lines if " depth 3 " in f" {line}"]
    assert [re.search(r"multipv (\d)", line)[1] for line in last] == ["1", "2", "3"]  # type: ignore[index]
    firsts = [line.split(" pv ")[1].split()[0] for line in last]
    assert len(set(firsts)) == 3 and firsts[0] == best(lines)


def test_ponderhit_brings_the_move_and_not_before(server: Inside) -> None:
    server.send("position startpos moves e2e4 e7e5", "go ponder depth 3 wtime 1000 btime 1000")
    server.until("info depth 3 ")
    assert server.ask("isready", "readyok") == ["readyok"]
    server.ask("ponderhit", "bestmove")
    assert strings(server.ask("ponderhit", "info string"))


def test_pondering_on_a_clock_ends_by_the_clock(server: Inside) -> None:
    server.send("position startpos", "go ponder wtime 200 btime 200")
    server.until("info depth 4 ")
    server.ask("ponderhit", "bestmove")


def test_pondering_can_be_stopped(server: Inside) -> None:
    server.send("position startpos", "go ponder wtime 1000 btime 1000")
    server.until("info depth 2 ")
    server.ask("stop", "bestmove")


def test_infinite_waits_for_stop_even_when_all_is_known(server: Inside) -> None:
    server.send(f"position fen {MATE_IN_TWO}", "go infinite")
    server.until("info depth 3 ")  # The last: the mate is proved.
    assert server.server._session().held  # type: ignore[attr-defined]
    assert server.ask("isready", "readyok") == ["readyok"]
    server.ask("stop", "bestmove")


def test_infinite_looks_on_where_one_move_is_legal(server: Inside) -> None:
    server.send("position fen 7k/8/8/8/8/8/1r6/K6r w - - 0 1", "go infinite")
    server.until("info depth 3 ")
    server.ask("stop", "bestmove a1b2")


def test_a_second_go_ends_the_first(server: Inside) -> None:
    server.send("position startpos", "go infinite", "go depth 1")
    server.until("bestmove")
    server.until("bestmove")


def test_wdl_is_told_when_asked_for(server: Inside) -> None:
    server.send("position startpos", "setoption name UCI_ShowWDL value true")
    assert " wdl " in server.ask("go depth 1", "bestmove")[0]


def test_options_make_another_player(server: Inside) -> None:
    server.send("setoption name Hash value 2", "setoption name Level value 1")
    server.ask("isready", "readyok")
    session = server.server._session()  # type: ignore[attr-defined]
    assert session.player.name == "alphabeta:hash=2,level=1+classical"
    server.send("setoption name Level value 0")
    server.ask("isready", "readyok")
    assert session.player.name == "alphabeta:hash=2+classical"


def test_measured_levels_can_be_asked_for_by_elo(monkeypatch: pytest.MonkeyPatch) -> None:
    elo = (700, 1000, 1200, 1500, 1700, 1900, 2100, 2300)
    monkeypatch.setattr(strength, "elo", lambda game, player: elo)
    with Inside(lambda write: Server(PLAYER, write)) as server:
        hello = server.ask("uci", "uciok")
        assert "option name UCI_LimitStrength type check default false" in hello
        assert "option name UCI_Elo type spin default 2300 min 700 max 2300" in hello
        server.send("setoption name UCI_Elo value 1290")
        server.ask("isready", "readyok")  # The table is laid, by the server and not by us.
        session = server.server._session()  # type: ignore[attr-defined]
        assert session.player.name == PLAYER
        server.send("setoption name UCI_LimitStrength value true")
        assert strings(server.ask("isready", "readyok")) == ["info string level 3 is worth about 1200 Elo"]
        assert session.player.name == "alphabeta:level=3+classical"


def test_an_option_that_the_player_has_not_is_answered() -> None:
    with Inside(lambda write: Server("random", write)) as server:
        server.send("setoption name Threads value 2", "position startpos")
        assert "threads" in strings(server.ask("isready", "readyok"))[0]
        server.send("go infinite")
        server.ask("stop", "bestmove")


@pytest.mark.parametrize(
    "position",
    [
        "startpos moves e2e5",
        "startpos moves e2e4 e2e4",
        "startpos moves rubbish",
        "fen rubbish",
        "fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "fen",
        "",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "startpos nonsense",
    ],
)
def test_a_refused_position_is_said_and_not_played(server: Inside, position: str) -> None:
    server.send("position startpos moves e2e4")
    assert strings(server.ask(f"position {position}", "info string"))
    lines = server.ask("go depth 1", "bestmove")
    assert strings(lines) and lines[-1] == "bestmove 0000"
    server.send("position startpos")
    assert best(server.ask("go depth 1", "bestmove")) != "0000"


@pytest.mark.parametrize(
    "line",
    [
        "rubbish",
        "GO",
        "x" * 10000,
        "setoption",
        "setoption name",
        "setoption name Nothing value 3",
        "setoption name Hash value x",
        "setoption name Hash value 99999999999999999999",
        "setoption name Ponder value perhaps",
        "debug",
        "debug maybe",
        "position",
        "ponderhit",
    ],
)
def test_malformed_lines_are_answered(server: Inside, line: str) -> None:
    assert strings(server.ask(line, "info string"))
    assert server.ask("isready", "readyok") == ["readyok"]


@pytest.mark.parametrize("line", ["", "   ", "stop", "register later", "debug on", "ucinewgame"])
def test_other_lines_need_no_answer(server: Inside, line: str) -> None:
    server.send(line)
    assert server.ask("isready", "readyok") == ["readyok"]


def test_a_finished_game_has_no_move(server: Inside) -> None:
    server.send("position startpos moves f2f3 e7e5 g2g4 d8h4")
    assert server.ask("go depth 3", "bestmove") == ["info depth 0 score mate 0", "bestmove (none)"]
    server.send("position fen k7/8/1K6/8/8/8/8/8 w - - 0 1")
    assert server.ask("go", "bestmove") == ["info depth 0 score cp 0", "bestmove (none)"]


def test_where_nobody_claims_a_draw_the_game_goes_on(server: Inside) -> None:
    back_and_forth = "g1f3 g8f6 f3g1 f6g8 " * 4
    server.send(f"position startpos moves {back_and_forth} e2e4")
    assert best(server.ask("go depth 2", "bestmove")) != "0000"
    server.send(f"position startpos moves {back_and_forth}")
    assert chess.Move.from_uci(best(server.ask("go depth 2", "bestmove"))) in chess.Board().legal_moves
    server.send("position fen k7/8/1K6/8/8/8/7R/8 w - - 100 90 moves h2h3")
    assert best(server.ask("go depth 2", "bestmove")) == "a8b8"


def test_a_player_that_fails_says_so(server: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    server.ask("isready", "readyok")

    def think(*arguments: object) -> None:
        raise RookeryError("lost the\nthread")

    player = server.server._session().player  # type: ignore[attr-defined]
    monkeypatch.setattr(player, "think", think)
    assert server.ask("go depth 1", "bestmove")[-2:] == [
        "info string RookeryError: lost the thread",
        "bestmove 0000",
    ]


def test_debug_tells_the_bounds(server: Inside) -> None:
    server.send("debug on", "position startpos")
    assert "hard=" in strings(server.ask("go wtime 100 btime 100", "bestmove"))[0]


def test_logits_are_not_told_as_centipawns(tmp_path: Path) -> None:
    """Linear weights of chess give the logit of winning: here 2, where White is a queen up."""
    rows = np.zeros((1, native.ChessLinear.features), np.float32)
    rows[0, 5] = 2  # queens, ours less theirs
    linear.write(tmp_path / "weights.safetensors", "chess", rows)
    with Inside(lambda write: Server(f"alphabeta+linear@{tmp_path}", write)) as server:
        server.send("setoption name UCI_ShowWDL value true")
        server.send("position fen 4k3/8/8/8/8/8/8/QK6 w - - 0 1")
        said = " ".join(server.ask("go depth 1", "bestmove"))
    # The logit 2 is an expected result of tanh(1), which is worth 400 centipawns, and not 2.
    assert " score cp 400 " in said and " wdl 776 " in said
