"""Knowledge with a workspace, brought up to date when asked: native/search/knowledge.hpp, by its probe."""

import pytest

from rookery import games, native
from walks import walk

CHESS = games.get("chess")


def engine_of(knowledge, qdepth=0, pruning=False, hash=0, threads=1):
    options = native.AlphaBetaOptions(
        qdepth=qdepth, null_move=pruning, late_moves=pruning, hash=hash, threads=threads
    )
    return native.alphabeta(knowledge, options)


def search(engine, state, depth):
    report = engine.search(state.native, depth, 0, 0.0, [], 1, None)
    return report.nodes, report.deepest, [(line.value, line.moves) for line in report.lines]


def positions():
    for seed in range(6):
        *_, state = walk(CHESS, seed, 30 + 10 * seed)
        if not state.outcome():
            yield state


@pytest.mark.parametrize("qdepth", [0, 60])
@pytest.mark.parametrize("pruning", [False, True])
def test_a_lazy_evaluator_searches_as_the_same_by_value(qdepth, pruning):
    probe = native.Probe()
    lazy, plain = (
        engine_of(knowledge, qdepth, pruning, hash=1) for knowledge in (probe, native.ChessPieces())
    )
    for state in positions():
        assert search(lazy, state, 5) == search(plain, state, 5)
    counts = probe.counts
    assert counts.asked > 10_000
    assert counts.wrong == 0, "a node was not that of its position"
    assert (counts.turned > 0) == pruning, "only a null move asks with the node of the other side's turn"


def test_a_thread_has_one_workspace():
    probe = native.Probe()
    engine = engine_of(probe, threads=3)
    assert probe.counts.workspaces == 3
    search(engine, CHESS.start(), 1)
    assert probe.counts.workspaces == 3


def test_every_node_is_updated_once_where_nothing_is_cut():
    probe = native.Probe()
    search(engine_of(probe), CHESS.start(), 2)
    assert probe.counts.updated == probe.counts.visited > 20


def test_a_node_that_the_table_cuts_costs_no_update():
    state = CHESS.start("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
    probe = native.Probe()
    engine = engine_of(probe, hash=1)
    search(engine, state, 5)
    first = probe.counts
    search(engine, state, 5)  # the table knows nearly all of it
    again = probe.counts
    assert first.updated < first.visited
    visited, updated = again.visited - first.visited, again.updated - first.updated
    assert updated < visited / 2


def test_a_repetition_costs_no_update():
    state = CHESS.start()
    for text in ("g1f3", "g8f6", "f3g1", "f6g8"):
        state = state.play(state.parse(text))
    probe = native.Probe()
    search(engine_of(probe), state, 1)
    assert (probe.counts.visited, probe.counts.updated) == (20, 19), "g1f3 has stood before"
