"""Programs that hang, die, flood or answer rubbish: one line and a lost game, and nothing of them stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rookery import games, players
from rookery.api import Limit
from rookery.errors import EngineError, RookeryError

ASKED = {"uci": "go", "xboard": "go", "gtp": "genmove"}
GAME = {"uci": "chess", "xboard": "chess", "gtp": "go5"}

FLOODS = {
    "a line without end": "while True: sys.stdout.write('x' * 65536)",
    "lines without end": "while True: sys.stdout.write('info string hello\\n' * 1000)",
    "one huge line": "sys.stdout.write('x' * 10**7); time.sleep(60)",
}
RUBBISH = {
    "bytes": "os.write(1, bytes(range(256)) * 10 + b'\\n'); time.sleep(60)",
    "half a line": "sys.stdout.write('best'); sys.stdout.flush(); time.sleep(60)",
    "no output any more": "os.close(0); os.close(1); time.sleep(60)",
    "stopped": "os.kill(os.getpid(), 19)",
    "deaf to signals": "import signal; signal.signal(15, signal.SIG_IGN); time.sleep(60)",
    "a child that stays": "subprocess.Popen(['sleep', '60']); time.sleep(60)",
    "odd numbers": "say('info depth 99999999999999999999 score cp 99999999999999999999 nodes -5 pv zz')",
    "a zero": "os.write(1, b'= bestmove e2e4\\0\\n\\n'); time.sleep(60)",
}


def alive(program: str) -> list[str]:
    """Processes of that program, by what they were called with."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                dead = (entry / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
            except OSError:
                continue
            if program.encode() in words and not dead:
                found.append(entry.name)
    return found


def ask(name: str, protocol: str, limit: Limit) -> None:
    game = games.get(GAME[protocol])
    player = players.make(name, game)
    player.start(game.spec, 0, 1)
    try:
        player.choose(game.start().view(0), limit)
    finally:
        player.close()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("chess", "gtp"):
        monkeypatch.setattr(f"rookery.engines.{module}.LATE", 0.4)


@pytest.mark.parametrize("protocol", ASKED)
@pytest.mark.parametrize("what", FLOODS.values(), ids=FLOODS)
def test_a_flood_ends_the_program_even_if_nobody_bounds_its_time(fake, monkeypatch, protocol, what) -> None:
    for module in ("chess", "gtp"):
        monkeypatch.setattr(f"rookery.engines.{module}.FLOOD", 1 << 18)
    program = fake(protocol, ASKED[protocol], what)
    with pytest.raises(EngineError) as error:
        ask(program.name, protocol, Limit() if protocol == "gtp" else Limit(depth=1))
    assert "\n" not in str(error.value) and len(str(error.value)) < 400
    gone(program)


@pytest.mark.parametrize("protocol", ASKED)
@pytest.mark.parametrize("what", RUBBISH.values(), ids=RUBBISH)
def test_rubbish_is_one_line(fake, protocol, what) -> None:
    program = fake(protocol, ASKED[protocol], "import subprocess; " + what)
    try:
        ask(program.name, protocol, Limit(time=0.1))
    except RookeryError as error:
        assert "\n" not in str(error) and len(str(error)) < 400
    gone(program)


def gone(program) -> None:
    path = program.name.partition(":")[2]
    for _ in range(100):
        if not alive(path):
            return
        os.sched_yield()
        subprocess.run(["sleep", "0.05"], check=True)
    pytest.fail(f"{alive(path)} stayed")


def test_what_a_program_started_goes_with_it(fake, tmp_path) -> None:
    note = tmp_path / "child"
    what = f"import subprocess; open({str(note)!r}, 'w').write(str(subprocess.Popen(['sleep', '60']).pid))"
    for protocol in ("uci", "gtp"):
        program = fake(protocol, ASKED[protocol], f"{what}; time.sleep(60)")
        with pytest.raises(EngineError):
            ask(program.name, protocol, Limit(time=0.1))
        gone(program)
        child = Path("/proc") / note.read_text()
        for _ in range(100):
            if not child.exists() or " Z " in (child / "stat").read_text():
                break
            subprocess.run(["sleep", "0.05"], check=True)
        else:
            pytest.fail("its child stayed")


def test_a_match_with_such_a_program_is_lost_and_no_more(fake) -> None:
    program = fake("uci", "go", FLOODS["a line without end"])
    command = [sys.executable, "-c", "from rookery.cli import main; main()", "match", "chess", program.name]
    told = subprocess.run(
        [*command, "random", "--games", "2", "--movetime", "0.1", "--workers", "0"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert told.returncode == 0 and "0 won, 0 drawn, 2 lost" in told.stdout, told
    assert told.stderr.count("\n") <= 1 and "Traceback" not in told.stderr
