from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from spoken import Inside, Piped, Spoken

from rookery.errors import RookeryError, UnsupportedGame
from rookery.interfaces.gtp import Server
from rookery.interfaces.session import make_thinker

PLAYER = "rollouts:games=2"
COMMANDS = [
    *("protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize"),
    *("clear_board", "komi", "play", "genmove", "undo", "final_score", "showboard", "time_settings"),
    *("time_left", "reg_genmove", "loadsgf", "final_status_list", "gogui-analyze_commands", "captures"),
    *("is_legal", "all_legal", "lz-analyze", "kata-analyze", "lz-genmove_analyze", "set_free_handicap"),
]
# Figure 4 of the paper on Go: White wins by one point whichever way it is counted.
GAME = (
    "E1 E4 B5 A5 B2 D3 B3 E2 C1 D4 B4 E5 A4 C3 A3 C2 D5 D2 C4 D1 B1 C5 pass pass"
)  # fmt: skip


@pytest.fixture
def server() -> Iterator[Inside]:
    with Inside(lambda write: Server(PLAYER, write, rules="mayer", size=5)) as server:
        yield server


@pytest.fixture
def chinese() -> Iterator[Inside]:
    with Inside(lambda write: Server(PLAYER, write, komi=0.5, size=9)) as server:
        yield server


def block(server: Spoken) -> str:
    """One answer: the lines up to the empty one."""
    lines = []
    while line := server.line():
        lines.append(line)
    return "\n".join(lines)


def ask(server: Spoken, command: str) -> str:
    server.send(command)
    return block(server)


def play(server: Spoken, moves: str) -> None:
    for ply, move in enumerate(moves.split()):
        assert ask(server, f"play {'bw'[ply % 2]} {move}") == "="


# --- through a real pipe -----------------------------------------------------------------------------


def test_a_whole_conversation_byte_for_byte() -> None:
    with Piped("gtp", PLAYER, "--size", "5") as engine:
        engine.send("protocol_version", "7 known_command play", "8 nonsense", "play b c3", "9 quit")
        code, error = engine.end()
        assert (code, error) == (0, "")
        expected = ["= 2", "", "=7 true", "", "?8 unknown command", "", "=", "", "=9", ""]
        assert [engine.line() for _ in expected] == expected


def test_the_end_of_the_input_ends_an_analysis() -> None:
    with Piped("gtp", PLAYER) as engine:
        engine.send("lz-analyze b 1")
        engine.until("info move")
        assert engine.end() == (0, "")


def test_flags_choose_the_rules() -> None:
    with Piped("gtp", PLAYER, "--size", "5", "--rules", "tromp-taylor", "--komi", "3.5") as engine:
        assert ask(engine, "play b c3") == "="
        assert ask(engine, "final_score") == "= B+21.5"


@pytest.mark.parametrize(
    ("flags", "rules", "score"),
    [
        (["--scoring", "territory"], "mayer", "B+23.5"),
        (["--scoring", "area", "--ko", "simple"], "chinese", "B+24.5"),
        (["--scoring=area", "--ko=psk"], "tromp-taylor", "B+24.5"),
    ],
)
def test_flags_of_former_days_choose_rules_with_a_warning(flags: list[str], rules: str, score: str) -> None:
    with Piped("gtp", PLAYER, "--size", "5", "--komi", "0.5", *flags) as engine:
        assert ask(engine, "play b c3") == "="
        assert ask(engine, "final_score") == f"= {score}"
        code, error = engine.end()
        assert (code, error) == (0, f"rookery: gtp: --scoring and --ko are now --rules {rules}\n")


@pytest.mark.parametrize(
    "flags",
    [
        ["nobody"],
        ["random", "--size", "20"],
        ["random", "--komi", "0.3"],
        ["random", "--rules", "ing"],
        ["random", "--scoring", "stones"],
        ["random", "--scoring", "territory", "--ko", "psk"],
        ["random", "--scoring", "area", "--rules", "japanese"],
    ],
)
def test_wrong_usage_is_said_at_once(flags: list[str]) -> None:
    with Piped("gtp", *flags) as engine:
        code, error = engine.end()
        assert code == 2 and error.startswith("rookery: ") and error.count("\n") == 1


# --- the same server, inside -------------------------------------------------------------------------


def test_every_command_is_listed_and_known(server: Inside) -> None:
    listed = ask(server, "list_commands").removeprefix("= ").split("\n")
    assert set(COMMANDS) <= set(listed) and len(set(listed)) == len(listed)
    for command in listed:
        assert ask(server, f"known_command {command}") == "= true"
    assert ask(server, "known_command nonsense") == ask(server, "known_command") == "= false"


def test_ids_comments_blanks_and_control_characters(server: Inside) -> None:
    server.send("", "   ", "# a comment", "\t 12 \x07name # what are you?")
    assert block(server) == f"=12 Rookery {PLAYER}"
    assert ask(server, "0013 komi x") == "?0013 komi not a float"
    assert ask(server, "14") == "?14 unknown command"
    assert ask(server, "protocol_version\r") == "= 2"


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("boardsize", "boardsize not an integer"),
        ("boardsize x", "boardsize not an integer"),
        ("boardsize 1", "unacceptable size"),
        ("boardsize 20", "unacceptable size"),
        ("komi", "komi not a float"),
        ("play", "invalid color or coordinate"),
        ("play b", "invalid color or coordinate"),
        ("play x c3", "invalid color or coordinate"),
        ("play b f1", "invalid color or coordinate"),
        ("play b i1", "invalid color or coordinate"),
        ("play b c6", "invalid color or coordinate"),
        ("play b c0", "invalid color or coordinate"),
        ("play b 3c", "invalid color or coordinate"),
        ("is_legal b", "invalid color or coordinate"),
        ("genmove", "invalid color"),
        ("genmove red", "invalid color"),
        ("reg_genmove", "invalid color"),
        ("captures", "invalid color"),
        ("all_legal x", "invalid color"),
        ("undo", "cannot undo"),
        ("loadsgf", "missing filename"),
        ("time_settings 1 2", "not three integers"),
        ("time_settings 1 2 x", "not three integers"),
        ("time_left b 1", "time and stones not two integers"),
        ("time_left x 1 1", "invalid color"),
        ("final_status_list", "missing status"),
        ("final_status_list lost", "invalid status"),
        ("fixed_handicap 2", "invalid handicap"),
        ("set_free_handicap a1", "invalid handicap"),
        ("set_free_handicap a1 a1", "invalid handicap"),
        ("set_free_handicap a1 pass", "invalid handicap"),
        ("set_free_handicap a1 z9", "invalid handicap"),
    ],
)
def test_failures_read_as_in_gnu_go(server: Inside, command: str, answer: str) -> None:
    assert ask(server, f"5 {command}") == f"?5 {answer}"


def test_illegal_moves(server: Inside) -> None:
    assert ask(server, "play b c3") == "="
    assert ask(server, "play w c3") == "? illegal move"
    assert ask(server, "is_legal w c3") == "= 0" and ask(server, "is_legal w pass") == "= 1"
    for move in ("b a2", "b b1"):
        assert ask(server, f"play {move}") == "="
    assert ask(server, "play w a1") == "? illegal move"  # suicide
    assert " A1 " not in ask(server, "all_legal w") + " "


def test_colours_and_vertices_in_any_case(server: Inside) -> None:
    for move in ("BLACK a1", "w B2", "White C3", "B pAsS"):
        assert ask(server, f"play {move}") == "="


def test_ko_and_captures(server: Inside) -> None:
    for move in ("b b4", "b a3", "b c3", "b b2", "w c4", "w d3", "w c2"):
        assert ask(server, f"play {move}") == "="
    assert ask(server, "play w b3") == "="
    assert ask(server, "captures w") == "= 1" and ask(server, "captures b") == "= 0"
    assert ask(server, "play b c3") == "? illegal move"
    play(server, "e1 e5")
    assert ask(server, "play b c3") == "="


def test_the_referee_counts_territory_and_prisoners(server: Inside) -> None:
    play(server, GAME)
    assert ask(server, "final_score") == "= W+1.0"
    assert ask(server, "komi -2") == "=" and ask(server, "final_score") == "= B+1.0"
    assert ask(server, "komi -1") == "=" and ask(server, "final_score") == "= 0"
    alive = ask(server, "final_status_list alive").removeprefix("= ").split()
    assert len(alive) == len(set(alive)) == 19
    assert ask(server, "final_status_list dead") == ask(server, "final_status_list seki") == "="


def test_komi_is_a_multiple_of_a_half(server: Inside) -> None:
    assert ask(server, "komi 6.5") == "="
    for komi in ("0.3", "nan", "inf", "-1e300"):
        assert ask(server, f"komi {komi}").startswith("? unacceptable komi")
    assert ask(server, "final_score") == "= W+6.5"


def test_undo_takes_back_one_move_even_out_of_turn(server: Inside) -> None:
    for move in ("b a1", "b b2", "b pass", "w pass", "b c3"):
        assert ask(server, f"play {move}") == "="
    for points in (["A1", "B2"], ["A1", "B2"], ["A1", "B2"], ["A1"], []):
        assert ask(server, "undo") == "="
        assert sorted(ask(server, "final_status_list alive").removeprefix("=").split()) == points
    assert ask(server, "undo") == "? cannot undo"


def test_genmove_plays_and_reg_genmove_does_not(server: Inside) -> None:
    vertex = ask(server, "genmove b").removeprefix("= ")
    assert re.fullmatch(r"[A-E][1-5]|PASS", vertex)
    before = ask(server, "showboard")
    assert re.fullmatch(r"= ([A-E][1-5]|PASS)", ask(server, "reg_genmove w"))
    assert ask(server, "showboard") == before
    for colour in "bbww":
        assert ask(server, f"genmove {colour}").startswith("= ")


def test_genmove_goes_on_after_the_end(server: Inside) -> None:
    play(server, "pass pass")
    assert re.fullmatch(r"= ([A-E][1-5]|PASS)", ask(server, "genmove b"))


def test_a_move_out_of_turn_is_no_pass_that_could_end_the_game(server: Inside) -> None:
    """With komi, White would win at once if Black's missing move were a pass."""
    assert ask(server, "komi 0.5") == "="
    state = server.server._board.turn(1)  # type: ignore[attr-defined]
    assert state.play(state.parse("pass")).outcome() is None


def test_boards_of_all_sizes(server: Inside) -> None:
    for size in (2, 3, 13, 19):
        assert ask(server, f"boardsize {size}") == "="
        assert ask(server, "genmove b").startswith("= ") if size < 10 else True
    assert ask(server, "play b t19") == "="


def test_a_size_that_the_player_does_not_play_is_refused(
    server: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(name: str, game: object) -> None:
        raise UnsupportedGame("knows only 5x5")

    monkeypatch.setattr("rookery.players.make", make)
    assert ask(server, "boardsize 9") == "? unacceptable size"
    assert ask(server, "boardsize 5") == "=" and ask(server, "play b e5") == "="
    with pytest.raises(RookeryError):
        Server(PLAYER, print)


def test_handicap(server: Inside) -> None:
    assert ask(server, "boardsize 9") == "="
    assert ask(server, "fixed_handicap 5") == "= C3 G7 C7 G3 E5"
    assert ask(server, "fixed_handicap 2") == "? board not empty"
    assert ask(server, "clear_board") == "="
    assert ask(server, "set_free_handicap a1 B2 c3") == "="
    assert ask(server, "final_status_list alive") == "= A1\nB2\nC3"
    assert ask(server, "komi 2.5") == "=" and ask(server, "genmove w").startswith("= ")


def test_loadsgf(server: Inside, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[1]SZ[9]KM[6.5]RU[Chinese]AB[aa]PL[W];W[bb];B[cc];W[])")
    assert ask(server, f"loadsgf {file}") == "= black"
    assert ask(server, "final_status_list alive") == "= C7\nA9\nB8"
    assert ask(server, f"loadsgf {file} 2") == "= black"
    assert ask(server, "final_status_list alive") == "= A9\nB8"
    assert ask(server, "undo") == "=" and ask(server, "undo") == "? cannot undo"
    assert ask(server, "komi 0") == "=" and ask(server, "genmove w").startswith("= ")
    file.write_text("(;SZ[9];B[aa];W[aa])")
    for wrong in (file, tmp_path / "none.sgf", tmp_path):
        assert ask(server, f"loadsgf {wrong}").startswith(f"? cannot open or parse '{wrong}'")
    assert ask(server, f"loadsgf {file} x").startswith("? move number")


@pytest.mark.parametrize("settings", ["1 0 0", "0 1 1", "0 1 5", "1 1 1", "0 0 0", "0 1 0"])
def test_time_is_kept(server: Inside, settings: str) -> None:
    """Unbounded, this player would think for hours."""
    server.server._session.player = Endless(server)  # type: ignore[attr-defined]
    bounded = settings not in ("0 0 0", "0 1 0")
    assert ask(server, f"time_settings {settings}") == "="
    if bounded:
        for colour in "bwb":
            assert ask(server, f"genmove {colour}").startswith("= ")
        assert ask(server, "time_left b 1 1") == "=" and ask(server, "genmove b").startswith("= ")
        assert ask(server, "time_settings 1 0 0") == "=" and ask(server, "genmove b").startswith("= ")
        assert server.server._clocks.clock(0).left < 1.0  # type: ignore[attr-defined]
    else:
        assert server.server._clocks is None  # type: ignore[attr-defined]


def Endless(server: Inside) -> object:
    return make_thinker("rollouts:games=1000000000", server.server._board.game)  # type: ignore[attr-defined]


# --- analysis ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "winrate"), [("lz-analyze", r"\d{1,5}"), ("kata-analyze", r"[01]\.\d{6}")]
)
@pytest.mark.parametrize("arguments", ["", "b", "b 1", "1", "w interval 1 ownership true", "b 1 maxmoves 3"])
def test_analysis_goes_on_until_the_next_line(
    server: Inside, command: str, winrate: str, arguments: str
) -> None:
    server.send(f"3 {command} {arguments}")
    assert server.line() == "=3"
    info = server.line() if "1" in arguments else None
    server.send("4 name")
    lines = block(server).split("\n")
    info = info or lines[-1]
    # Broken off before its first thought, an analysis without an interval has nothing to tell.
    if info or "1" in arguments:
        assert re.fullmatch(rf"info move [A-E][1-5] visits \d+ winrate {winrate} order 0 pv [A-E][1-5]", info)
    assert block(server) == f"=4 Rookery {PLAYER}"


def test_analysis_keeps_to_what_is_allowed(server: Inside) -> None:
    for argument, wanted in (
        ("allow b a1,c3 1", "A1|C3"),
        ("avoid b c3 5 avoid b pass 5", "(?!C3)[A-E][1-5]"),
    ):
        server.send(f"lz-analyze b 1 {argument}")
        assert server.line() == "="
        assert re.match(rf"info move ({wanted}) ", server.line())
        server.send("")
        block(server)


@pytest.mark.parametrize(
    "arguments", ["b 1 allow", "b 1 allow x a1 1", "b 1 maxmoves x", "b 1 ownership", "b 1 2 3"]
)
def test_analysis_refuses_what_it_cannot_read(server: Inside, arguments: str) -> None:
    assert ask(server, f"lz-analyze {arguments}").startswith("? analysis takes")


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_genmove_analyze_ends_in_a_move(server: Inside, command: str) -> None:
    answer = ask(server, f"6 {command} b 1").split("\n")
    assert answer[0] == "=6" and answer[1].startswith("info move ")
    vertex = re.fullmatch(r"play ([A-E][1-5]|pass)", answer[-1])
    assert vertex
    assert ask(server, "undo") == "=" and ask(server, "undo") == "? cannot undo"


# --- dead stones by agreement --------------------------------------------------------------------------

# Black owns two thirds of the board; White has one hopeless stone in it.
HOPELESS = "AB[fa][fb][fc][fd][fe][ff][fg][fh][fi][ea]AW[ga][gb][gc][gd][ge][gf][gg][gh][gi][ce]"


def test_dead_stones_are_listed_and_taken_off(chinese: Inside, tmp_path: Path) -> None:
    file = tmp_path / "end.sgf"
    file.write_text(f"(;GM[1]SZ[9]KM[7]{HOPELESS}PL[B])")
    assert ask(chinese, f"loadsgf {file}") == "= black"
    play(chinese, "pass pass")
    assert ask(chinese, "final_status_list dead") == "= C5"
    assert ask(chinese, "final_status_list seki") == "="
    assert "C5" not in ask(chinese, "final_status_list alive")
    assert ask(chinese, "final_score") == "= B+20.0"
    assert ask(chinese, "kgs-rules tromp-taylor") == "="
    assert ask(chinese, "final_status_list dead") == "="
    assert ask(chinese, "final_score").startswith("= W+")
    assert ask(chinese, "kgs-rules ing").startswith("? unknown rules")
    assert ask(chinese, "kgs-rules japanees") == "? unknown rules; did you mean japanese?"
    assert ask(chinese, "kgs-rules").startswith("? unknown rules")


def test_handicap_is_paid_for_by_chinese_rules(chinese: Inside) -> None:
    assert ask(chinese, "fixed_handicap 2") == "= C3 G7"
    assert ask(chinese, "final_score") == "= B+78.5"
    assert ask(chinese, "kgs-rules japanese") == "="
    assert ask(chinese, "final_score") == "= B+78.5"
    assert ask(chinese, "komi 0.3").startswith("? unacceptable komi")
    assert ask(chinese, "komi 10.5") == "=" and ask(chinese, "final_score") == "= B+68.5"
    assert ask(chinese, "clear_board") == "="
    assert ask(chinese, "set_free_handicap A1 B2 C4") == "="
    assert ask(chinese, "clear_board") == "="
    # GTP lets an engine place fewer stones than it was asked for.
    assert len(ask(chinese, "place_free_handicap 20").split()) == 10
    assert ask(chinese, "fixed_handicap 2") == "? board not empty"


def test_a_player_passes_when_it_has_won() -> None:
    with Inside(lambda write: Server("random", write, komi=0.5, size=9)) as server:
        settled = ".X.X.XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./..O..XO.O/XXXXXXOO./.X.X.XO.O/XXXXXXOO./.X.X.XO.O"
        for row, line in enumerate(reversed(settled.split("/")), 1):
            for column, sign in zip("ABCDEFGHJ", line, strict=True):
                if sign != ".":
                    assert ask(server, f"play {'b' if sign == 'X' else 'w'} {column}{row}") == "="
        assert ask(server, "play w pass") == "="
        assert ask(server, "genmove b") == "= PASS"
