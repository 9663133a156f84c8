"""A player serves one thread at a time."""

from threading import Event, Thread

import pytest

from alone import lived
from rookery import games, native, players
from rookery.api import Limit
from rookery.errors import PlayerBusy

CHESS = games.get("chess")


@pytest.mark.parametrize(
    "name", ["alphabeta+classical", "comparison+pieces", "uct", "puct+classical", "rollouts"]
)
def test_a_second_thread_is_told(name):
    player, view = players.make(name, CHESS), CHESS.start().view(0)
    begun, moves = Event(), []
    limit = Limit(time=60)
    thinking = Thread(target=lambda: moves.append(player.think(view, limit, lambda info: begun.set()).move))
    thinking.start()
    assert begun.wait(30)
    with pytest.raises(PlayerBusy, match=r"is thinking already; wait until it is done, or make another"):
        player.choose(view, Limit(nodes=1))
    with pytest.raises(PlayerBusy):
        player.start(CHESS.spec, 0, 0)
    while thinking.is_alive():
        player.stop()
        thinking.join(0.05)
    assert moves[0] in view.moves()
    assert player.choose(view, Limit(nodes=1)) in view.moves()


def test_native_searches_guard_themselves():
    search = native.alphabeta(
        native.ChessClassical(), native.AlphaBetaOptions(qdepth=60, null_move=True, late_moves=True, hash=1)
    )
    state, begun = CHESS.start().native, Event()
    thinking = Thread(target=search.search, args=(state, 64, 0, 60.0, [], 1, lambda report: begun.set()))
    thinking.start()
    assert begun.wait(30)
    with pytest.raises(PlayerBusy):
        search.search(state, 1, 0, 0.0, [], 1, None)
    with pytest.raises(PlayerBusy):
        search.forget()
    while thinking.is_alive():
        search.stop()
        thinking.join(0.05)
    assert search.search(state, 1, 0, 0.0, [], 1, None).lines


def test_many_threads_leave_the_heap_whole():
    told = lived("""
        from threading import Thread
        from rookery import games, native, players
        from rookery.errors import PlayerBusy

        state = games.get("chess").start()
        search = native.alphabeta(native.ChessClassical(), native.AlphaBetaOptions(hash=1, threads=2))
        tree = native.PuctTree(state.native.any(), [], 1.0)
        refused = []

        def ask():
            for _ in range(100):
                try:
                    search.search(state.native, 4, 0, 0.0, [], 1, None)
                    tree.collect(8, 2**62)
                    tree.report()
                except PlayerBusy:
                    refused.append(1)

        threads = [Thread(target=ask) for _ in range(4)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
        print(len(refused) > 0)
    """)
    assert told == "True\n"
