"""Ctrl-C, SIGTERM and `stop` are heard inside every native step; a step that is given up leaves no trace."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from alone import run_alone
from rookery.errors import Interrupted
from rookery.learners.td import TdLearner
from rookery.learners.treestrap import TreeStrapLearner, TreeStrapOptions

ROOKERY = [sys.executable, "-c", "from rookery.cli import main; main()"]
PATIENT = 20.0
"""Seconds a loaded machine may take for what takes a fraction of one; the steps below would take hours."""
LONG: dict[str, tuple[str, ...]] = {
    "td": ("go5-koten", "games=1000000000", "evaluate_every=1000000000"),
    "td's evaluation": ("go5-koten", "games=20", "evaluate_every=20", "evaluation_games=1000000000"),
    "treestrap": ("chess-treestrap", "depth=8", "step=400", "threads=1"),
    "treestrap on two threads": ("duchess4-stage1", "depth=8", "step=140", "threads=2"),
}


def saved(learner: Any, folder: Path) -> dict[str, bytes]:
    folder.mkdir()
    learner.save(folder)
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def learners() -> list[Any]:
    td = TdLearner.Options(games=40_000, evaluate_every=10_000, evaluation_games=100)
    chess = TreeStrapOptions(
        game="chess", features=("material", "attacks", "squares"), depth=3, games=12, step=4,
        parallel_games=2, sync_nodes=2000, max_plies=60, threads=2, learning_rate=0.1, max_update=1.0,
    )  # fmt: skip
    return [
        pytest.param(lambda: TdLearner(td, 1), id="td"),
        pytest.param(lambda: TreeStrapLearner(chess, 1), id="treestrap"),
    ]


@pytest.mark.parametrize("make", learners())
def test_a_step_that_is_given_up_leaves_no_trace(make: Any, tmp_path: Path) -> None:
    whole, broken = make(), make()
    told = [whole.step() for _ in range(2)]
    again = []
    for number in range(2):
        before = saved(broken, tmp_path / f"before{number}")
        asked = 0

        def stop(after: int) -> bool:
            nonlocal asked
            asked += 1
            return asked > after

        for after in (0, 1):
            asked = 0
            try:
                again.append(broken.step(lambda after=after: stop(after)))
                break
            except Interrupted:
                assert saved(broken, tmp_path / f"after{number}{after}") == before
        else:
            again.append(broken.step())
    assert saved(broken, tmp_path / "broken") == saved(whole, tmp_path / "whole")
    keys = [key for key in told[0] if "second" not in key]
    assert [[t[k] for k in keys] for t in again] == [[t[k] for k in keys] for t in told]


def begin(folder: Path, words: tuple[str, ...]) -> subprocess.Popen[str]:
    sets = [word for change in words[1:] for word in ("--set", change)]
    command = [*ROOKERY, "train", words[0], "--run", str(folder), *sets]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("what", LONG)
def test_a_signal_ends_a_run_in_the_middle_of_a_step(
    what: str, number: signal.Signals, tmp_path: Path
) -> None:
    process = begin(tmp_path / "run", LONG[what])
    try:
        while not (tmp_path / "run" / "events").exists() and process.poll() is None:
            time.sleep(0.01)  # made right before the first step
        time.sleep(0.3)
        process.send_signal(number)
        said, told = process.communicate(timeout=PATIENT)
    finally:
        process.kill()
    assert process.returncode == 0, told
    assert told == "rookery: stopping; once more to stop without saving\n"
    assert "stopped in its first step; `rookery resume " in said


def test_matches_of_rivals_and_nets_hear_ctrl_c() -> None:
    done = run_alone("""
        import os, signal, threading
        from rookery import games, native
        from rookery.learners.td import TdLearner
        net = TdLearner(TdLearner.Options(), 1)._net()
        start = games.get("go5").start().native
        nine = games.get("go9").start().native
        black, white = (sum(1 << p for p in points) for points in ((), ()))
        for work in (
            lambda: native.duel(native.Gojen(), native.Naive(), nine, 10**9, 1),
            lambda: native.td_duel(net, native.Random(), start, 10**9, 1),
            lambda: native.td_duel(net, net, start, 10**9, 1, depth=12, other_depth=12),
            lambda: net.look(start, 25, True),
            lambda: native.GoSolver(16).ask(5, 0, 0, 0, -1, 0, 25, 30, 10**12, 1, True, False),
            lambda: native.GoSolver(16).ask(5, 0, 0, 0, -1, 0, 3, 30, 10**12, 1, False, False),
            lambda: native.GoSolver(16).ask(5, 0, 0, 0, -1, 0, 3, 30, 10**12, 3, False, False),
        ):
            threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                work()
            except KeyboardInterrupt:
                print("heard")
    """, 60)  # fmt: skip
    assert done.stdout == "heard\n" * 7, done.stderr


def test_a_wish_that_fails_is_told() -> None:
    learner = TdLearner(TdLearner.Options(games=10**9, evaluate_every=10**9), 1)

    def stop() -> bool:
        raise LookupError("asked in vain")

    with pytest.raises(LookupError, match="in vain"):
        learner.step(stop)
