"""What goes wrong is said in one line, and the exit code says whose fault it is."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rookery.cli import app

ROOKERY = [sys.executable, "-c", "from rookery.cli import main; main()"]


def rookery(*arguments: str | bytes, **options) -> subprocess.CompletedProcess[str]:
    options = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL} | options
    return subprocess.run([*ROOKERY, *arguments], timeout=60, check=False, **options)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["moves", "ches"], "did you mean chess?"),
        (["moves", "xyzzy", "--json"], "there are chess"),
        (["perft", "nosuch", "--depth", "1"], "no game is called 'nosuch'"),
        (["perft", "chess", "--depth", "0", "--divide"], "--divide needs --depth 1 or more"),
        (["play", "chess", "--seat", "2"], "there are 0 White, 1 Black"),
        (["play", "chess", "--seat", "-1"], "no seat '-1'"),
        (["play", "chess", "--seat", "Green"], "no seat 'Green'"),
        (["play", "chess", "--with", "rolouts"], "did you mean rollouts?"),
        (["play", "chess", "--with", "rollouts:games=x"], "a whole number"),
        (["play", "chess", "--with", "random", "--with", "random"], "one for each of 1 seats (got 2)"),
        (["players", "nosuch"], "no game is called 'nosuch'"),
        (["bench", "perf"], "did you mean perft?"),
        (["solve", "goo3"], "did you mean go3?"),
        (
            ["bench", "xyzzy"],
            "there are perft, playouts, play, moves, leaf, nodes, search",
        ),
    ],
)
def test_wrong_names_and_values_are_wrong_usage(arguments, told):
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith("rookery: ") and result.stderr.count("\n") == 1
    assert told in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuch"],
        ["moves"],
        ["moves", "chess", "--nosuch"],
        ["moves", "chess", "chess"],
        ["moves", "chess", "--position"],
        ["perft", "chess"],
        ["perft", "chess", "--depth", "-1"],
        ["perft", "chess", "--depth", "1000"],
        ["perft", "chess", "--depth", "two"],
        ["perft", "chess", "--depth", "1.5"],
        ["play"],
        ["play", "chess", "--seed", "-1"],
        ["play", "chess", "--seed", "x"],
        ["bench", "--seconds", "0"],
        ["bench", "--seconds", "1e9"],
        ["doctor", "now"],
        ["games", "chess"],
    ],
)
def test_what_typer_refuses_is_wrong_usage(arguments):
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2 and result.stdout == ""
    assert result.stderr.startswith("rookery: ") and result.stderr.count("\n") == 1
    if arguments[-2:-1] and arguments[-2].startswith("--"):
        assert repr(arguments[-1]) in result.stderr, "the bad value is quoted"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["play", "chess", "--level", "0"], "--level must be 1 or more (got '0')"),
        (["perft", "chess", "--depth", "33"], "--depth must be 32 or less (got '33')"),
        (["play", "chess", "--seed", "x"], "--seed must be a whole number (got 'x')"),
        (["play", "go9", "--komi", "x"], "--komi must be a number (got 'x')"),
        (
            ["examine", "pieces", "--split", "x"],
            "--split must be one of 'position', 'game', 'time' (got 'x')",
        ),
        (["games", "--jsn"], "there is no option --jsn; did you mean --json?\n"),
        (["doctor", "--x"], "there is no option --x; see"),
        (["ply"], "there is no command 'ply'; did you mean 'play', 'players'?\n"),
        (["xyzzy"], "there is no command 'xyzzy'; see"),
        (["moves"], "argument GAME is missing"),
        (["perft", "chess"], "option --depth is missing"),
        (["games", "chess"], "unexpected argument 'chess'"),
    ],
)
def test_what_typer_refuses_is_told_in_our_words(arguments, told):
    assert CliRunner().invoke(app, arguments).stderr.startswith(f"rookery: {told}")


@pytest.mark.parametrize(
    "arguments",
    [
        ["moves", "chess", "--position", "nonsense"],
        ["moves", "chess", "--position", ""],
        ["moves", "chess", "--json", "--position", "8/8/8/8/8/8/8/8 w - - 0 1"],
        ["perft", "chess", "--depth", "1", "--position", "a\nb"],
        ["perft", "chess", "--depth", "1", "--divide", "--position", "8/8/8/8/8/8/8/k1K5 w - - 0 1"],
        ["play", "chess", "--position", "nonsense"],
        ["play", "kriegspiel", "--with", "rollouts"],
    ],
)
def test_what_cannot_be_done_fails(arguments):
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1 and result.stdout == ""
    assert result.stderr.startswith("rookery: ") and result.stderr.count("\n") == 1


def test_the_installed_command_says_the_same():
    result = rookery("moves", "ches")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "rookery: no game is called 'ches'; did you mean chess?\n"
    assert Path(sys.executable).with_name("rookery").exists()


@pytest.mark.parametrize("where", ["argument", "input"])
def test_bytes_that_are_no_text(where):
    if where == "argument":
        result = rookery("moves", "chess", "--position", b"\xff\xfe")
        assert result.returncode == 1 and result.stderr.count("\n") == 1
    else:
        result = subprocess.run(
            [*ROOKERY, "play", "chess"],
            input=b"\xff\xfe\nquit\n",
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert result.returncode == 0 and result.stderr == b"" and b"as a move" in result.stdout


def test_a_reader_that_leaves_early():
    reader, writer = os.pipe()
    os.close(reader)
    result = rookery("moves", "chess", "--json", capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert result.returncode == 1 and result.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk():
    with Path("/dev/full").open("w") as full:
        result = rookery("games", "--json", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert result.returncode == 1 and result.stderr.startswith("rookery: No space left on device; make room")


def test_an_interrupt_ends_even_native_work():
    code = """if True:
        from rookery import games
        from rookery.interfaces.waiting import wait_for

        def work(advance):
            print("ready", flush=True)
            games.get("chess").start().native.perft(20)

        wait_for(work, "perft", 1)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, err) == (1, "rookery: interrupted\n")


def modules_after(statements: str) -> set[str]:
    code = f"import sys; {statements}; print(*sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return set(result.stdout.split())


def test_the_way_in_imports_nothing_heavy():
    heavy = {"numpy", "chess", "torch", "rookery.native", "rookery.games"}
    assert not modules_after("import rookery.cli") & heavy


def test_playing_never_imports_torch():
    found = modules_after("from rookery import games, roster; roster.for_game(games.get('chess'))")
    assert "rookery.searches.rollouts" in found and "torch" not in found
