"""Ctrl-C is heard inside native work that would else take for ever."""

import pytest

from alone import lived

WORK = {
    "perft": 'start("chess").perft(12)',
    "perft of Duchess": 'start("duchess6").perft(9)',
    "playouts": 'start("chess").playouts(10**12, 1)',
    "alphabeta": 'think("chess", "alphabeta+classical", depth=60)',
    "alphabeta on threads": 'think("chess", "alphabeta:threads=3+classical", depth=60)',
    "comparison": 'think("chess", "comparison+pieces", depth=60)',
    "uct": 'think("go19", "uct:threads=2", nodes=10**12)',
    "puct": "forced.collect(1, 2**62)",
    "the solver": "native.GoSolver(16).ask(5, 0, 0, 0, -1, 0, 25, 29, 2**62, 2, True, False)",
    "duels": 'native.duel(native.Random(), native.Naive(), start("go9"), 10**12, 1)',
    "drift": 'native.ChessLinear(weights).drift(start("chess"), 10**12, 1)',
}


@pytest.mark.parametrize("work", WORK)
def test_an_interrupt_is_heard(work):
    told = lived(f"""
        import os, signal, threading
        import numpy as np
        from rookery import games, native, players
        from rookery.api import Limit

        def start(game):
            return games.get(game).start().native

        def think(game, name, **bounds):
            game = games.get(game)
            players.make(name, game).think(game.start().view(0), Limit(**bounds))

        weights = np.zeros((1, native.ChessLinear.features), np.float32)
        # Every move ends the game, so that no leaf ever wants to be evaluated.
        ending = games.get("chess").start("7k/8/8/8/8/8/8/K5R1 w - - 99 80")
        forced = native.PuctTree(ending.native.any(), [], 1.0)
        forced.collect(1, 1)
        forced.absorb(np.zeros((1, 2), np.float32), None)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background are deaf to it
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            {WORK[work]}
            print("ended by itself")
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert told == "interrupted\n"
