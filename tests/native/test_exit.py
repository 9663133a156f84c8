"""The interpreter ends while a daemon thread is inside native code: the process ends quietly."""

import pytest

from alone import run_alone

ASKED = (
    "native.alphabeta(native.Asked({ask}), native.AlphaBetaOptions(qdepth=0, hash=1, threads={threads}))"
    ".search(*SEARCH)"
)
WORK = {
    "uct": 'think("go9", "uct")',
    "uct on threads": 'think("go9", "uct:threads=3")',
    "alphabeta": 'think("chess", "alphabeta+classical")',
    "an evaluator in Python": ASKED.format(ask="lambda leaf: 0.0", threads=1),
    "an evaluator on threads": ASKED.format(ask="lambda leaf: 0.0", threads=3),
    "an evaluator that sleeps": ASKED.format(ask="lambda leaf: time.sleep(0.01) or 0.0", threads=2),
    "a comparator": (
        "native.comparison(native.AskedComparator(lambda a, b: False, lambda a: 0.0),"
        " native.ComparisonOptions()).search(*SEARCH)"
    ),
    "a listener": 'START["go5"].uct(0.3, 2, 1, 0, 60.0, [], native.Stop(), lambda told: time.sleep(0.001))',
    "puct": 'think("chess", "puct:batch=8+classical")',
    "perft": 'START["chess"].perft(9)',
    "playouts": 'START["go9"].playouts(10**9, 1)',
}


@pytest.mark.parametrize("work", WORK)
def test_exit_in_the_middle_is_quiet(work):
    done = run_alone(f"""
        import threading, time
        from rookery import games, native, players
        from rookery.api import Limit

        START = {{name: games.get(name).start().native for name in ("chess", "go5", "go9")}}
        SEARCH = START["chess"].any(), 60, 0, 60.0, [], 1, None

        def think(game, name):
            game = games.get(game)
            players.make(name, game).think(game.start().view(0), Limit(time=60))

        begun = threading.Event()

        def work():
            begun.set()
            {WORK[work]}

        threading.Thread(target=work, daemon=True).start()
        begun.wait()
        time.sleep(0.1)
    """)
    assert (done.returncode, done.stderr) == (0, "")
