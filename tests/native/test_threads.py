"""Threads of native searches: one that fails, or cannot be started, is an error and never a death."""

import re
from pathlib import Path

import pytest

from alone import lived

SCARCE = """
    import resource
    from rookery import games, players
    from rookery.api import Limit
    from rookery.errors import NoThread

    game = games.get("{game}")
    player = players.make("{name}", game)
    view = game.start().view(0)
    size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + (64 << 20), size + (64 << 20)))
    for _ in range(2):
        try:
            player.think(view, Limit(nodes=2000))
            print("moved")
        except NoThread as error:
            print(error)
"""


@pytest.mark.unsanitized
@pytest.mark.parametrize(
    ("game", "name"), [("chess", "alphabeta:threads=256+classical"), ("go5", "uct:threads=256")]
)
def test_too_many_threads_are_one_line(game, name):
    told = lived(SCARCE.format(game=game, name=name)).splitlines()
    assert len(told) == 2
    for line in told:
        assert line.endswith("; ask for fewer") and "of 256 threads" in line


def test_a_failure_on_any_thread_reaches_the_caller():
    told = lived("""
        import itertools, threading
        from rookery import games, native
        state = games.get("chess").start().native
        asked, failing = itertools.count(), True

        def ask(leaf):
            if failing and next(asked) > 300 and threading.current_thread() is not threading.main_thread():
                raise LookupError("on a helper")
            return 0.0

        search = native.alphabeta(native.Asked(ask), native.AlphaBetaOptions(qdepth=0, hash=1, threads=4))
        for _ in range(20):
            try:
                search.search(state.any(), 64, 20_000, 0.0, [], 1, None)
            except LookupError as error:
                print(error)
                break
        failing = False
        print(len(search.search(state.any(), 1, 0, 0.0, [], 1, None).lines))
    """)
    assert told == "on a helper\n1\n"


@pytest.mark.unsanitized
def test_a_forked_child_has_threads_of_its_own():
    """multiprocessing forks: the threads that a search keeps stay with the parent."""
    told = lived("""
        import os
        from rookery import games, players
        from rookery.api import Limit
        game = games.get("chess")
        player = players.make("alphabeta:threads=3+classical", game)
        view = game.start().view(0)
        player.think(view, Limit(depth=3))
        child = os.fork()
        if child == 0:
            player.think(view, Limit(depth=3))
            del player
            os._exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """)
    assert told == "7\n"


def test_only_the_pool_starts_threads():
    """Whatever else started one would have to carry its failures to the caller by itself."""
    native = Path(__file__).parents[2] / "native"
    starts = re.compile(r"std::(jthread|async)\b|std::thread\b(?!::)")
    found = {
        file.relative_to(native).as_posix()
        for file in native.rglob("*.?pp")
        if starts.search(file.read_text())
    }
    assert found == {"core/pool.hpp"}
